//! What hooks said at an event, as a person reads it.

use hook_dialect::{Dialect, Verdict, dialect::EventRow, run::Fired};
use hook_runner::Part;

use crate::page::{BOLD, DIM, GREEN, INDENT, PLAIN, Page, RED, YELLOW};

pub(super) fn page(agent: &Dialect, event: &EventRow, fired: &Fired) -> String {
    let mut page = Page::default();
    let about = format!("  ({}: {})", agent.title, event.fires);
    page.line(&[(BOLD, event.name), (DIM, &about)]);
    page.line(&[]);
    if fired.runs.is_empty() && fired.in_background == 0 {
        page.line(&[(DIM, "nobody was asked")]);
    }
    for run in &fired.runs {
        page.part(&Part::from(run));
        if let Some(reason) = &run.output.reason {
            page.paragraph(INDENT, &[(PLAIN, "  ")], reason);
        }
    }
    if fired.in_background > 0 {
        let text = format!("{} in the background", fired.in_background);
        page.line(&[(PLAIN, INDENT), (DIM, "- "), (DIM, &text)]);
    }
    page.said(fired);
    page.line(&[]);
    page.verdict(fired);
    page.text
}

impl Page {
    /// What is to be delivered, and what went wrong.
    fn said(&mut self, fired: &Fired) {
        let outcome = &fired.outcome;
        let remarks = fired.remarks();
        let exports: Vec<_> = fired.exports().map(str::to_owned).collect();
        let all = [
            ("for the model: ", &outcome.additional_context),
            ("for the user: ", &outcome.system_messages),
            ("for the shell: ", &exports),
            ("note: ", &remarks),
        ];
        let said = all.iter().any(|(_, texts)| !texts.is_empty());
        if said || outcome.stop {
            self.line(&[]);
        }
        for (lead, texts) in all {
            for text in texts {
                self.paragraph("", &[(YELLOW, lead)], text);
            }
        }
        if outcome.stop {
            let reason = outcome
                .stop_reason
                .as_deref()
                .unwrap_or("no reason is given");
            self.paragraph("", &[(YELLOW, "the turn is to end: ")], reason);
        }
    }

    fn verdict(&mut self, fired: &Fired) {
        let outcome = &fired.outcome;
        let style = match outcome.decision {
            Verdict::None | Verdict::Allow => GREEN,
            Verdict::Ask | Verdict::Defer => YELLOW,
            Verdict::Deny => RED,
        };
        let word = match outcome.decision {
            Verdict::None => "nothing was decided",
            Verdict::Allow | Verdict::Ask | Verdict::Defer | Verdict::Deny => {
                outcome.decision.as_str()
            }
        };
        match &outcome.reason {
            Some(reason) => self.paragraph("", &[(style.bold(), word), (BOLD, ": ")], reason),
            None => self.line(&[(style.bold(), word)]),
        }
        let rewrites = [
            ("input", &outcome.updated_input),
            ("result", &outcome.updated_tool_output),
            ("result of an MCP tool", &outcome.updated_mcp_output),
        ];
        for (what, value) in rewrites {
            if let Some(value) = value {
                let lead = format!("another {what}");
                self.line(&[(DIM, &lead)]);
                self.value(value);
            }
        }
    }
}
