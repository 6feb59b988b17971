//! What the operator hears of hooks that did not do what they were meant to.

use super::{Fired, background::objection_after_announcement, command::HookRun};
use crate::{HookOutput, WhyIgnored, stderr_summary};

/// How much of what a broken hook printed as errors is told.
const STDERR_CHARS: usize = 400;

impl Fired {
    /// What the operator, or the author of a hook, should hear of it: hooks that failed, that left something behind, or
    /// that said what has no effect. One text for each, which may have lines.
    #[must_use]
    pub fn remarks(&self) -> Vec<String> {
        let mut remarks: Vec<String> = self.runs.iter().flat_map(of_one).collect();
        remarks.extend(self.overwritten.iter().filter_map(|overwritten| {
            let (lost, by) = (self.runs.get(overwritten.lost)?, self.runs.get(overwritten.by)?);
            Some(format!(
                "{lost} rewrote as well, and its rewrite is lost: of several rewrites of one thing one counts, here that of \
                 {by}; let one hook rewrite"
            ))
        }));
        remarks
    }
}

/// Whether an answer has an effect beside the failure of the program that printed it.
fn counts(output: &HookOutput) -> bool {
    output.decision.is_some()
        || output.continues == Some(false)
        || output.additional_context.is_some()
        || output.updated_input.is_some()
        || output.updated_tool_output.is_some()
        || output.updated_mcp_output.is_some()
}

fn of_one(run: &HookRun) -> Vec<String> {
    let mut remarks = Vec::new();
    if let Some(failure) = &run.output.failure {
        let meaning = if run.output.refuses() {
            "this was refused"
        } else if run.output.asks() {
            "its ask counts"
        } else if counts(&run.output) {
            "what it printed counts"
        } else {
            "it was passed over"
        };
        let mut remark = format!("{run} failed: {failure}; {meaning}");
        let stderr = stderr_summary(&run.output.stderr, STDERR_CHARS);
        if let Some(stderr) = stderr {
            remark.push_str("; it printed on stderr:\n");
            remark.push_str(&stderr);
        }
        remarks.push(remark);
    }
    let errors: Vec<&str> = run.shell_errors().collect();
    if run.output.failure.is_none()
        && let Some(errors) = stderr_summary(&errors.join("\n"), STDERR_CHARS)
    {
        remarks.push(format!(
            "{run} ended with 0, although a shell could not do what it was told, so that what it looks for may not have \
             been looked for; it printed on stderr:\n{errors}"
        ));
    }
    if let Some(objection) = objection_after_announcement(run) {
        let reason = objection.reason.unwrap_or_default();
        remarks.push(format!(
            "{run} objected after it had announced that it goes on in the background, which comes too late: {reason}"
        ));
    }
    if let Some(hint) = &run.hint {
        remarks.push(format!("{run}: {hint}"));
    }
    if run.held_open {
        remarks.push(format!(
            "{run} left a background process that held its output open and was killed; detach such a process with \
             `>/dev/null 2>&1 &`"
        ));
    }
    for ignored in &run.output.ignored {
        // What an author can have meant and the agent does not do; plain text, for one, is an ordinary thing to print.
        let odd = match ignored.why {
            WhyIgnored::UnknownField
            | WhyIgnored::WrongType(_)
            | WhyIgnored::OtherEvent
            | WhyIgnored::Repeated
            | WhyIgnored::Permissions => true,
            WhyIgnored::NoEffect
            | WhyIgnored::Overruled
            | WhyIgnored::Detached
            | WhyIgnored::PlainText => false,
        };
        if odd {
            remarks.push(format!("{run}: {ignored}"));
        }
    }
    remarks
}
