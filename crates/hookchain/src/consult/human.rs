//! A consultation as a person reads it: the call, what each participant said about it, and the outcome.

use std::time::Duration;

use anstyle::Style;
use hook_config::OnFailure;
use hook_contract::{HookOutcome, HookRequest, Json};
use hook_dialect::{Decision as Said, HookOutput, run::HookRun};
use hook_runner::{Decision, NoteKind, Step};
use similar::ChangeTag;

use super::{
    Judged,
    call::Call,
    diff::{self, DiffLine},
    outcome, pretty, trail,
};
use crate::page::{BOLD, DIM, GREEN, INDENT, Page, RED, YELLOW};

/// How many lines of a value, and of a diff, are shown.
const VALUE_LINES: usize = 40;
const DIFF_LINES: usize = 200;

/// The whole consultation. `asked` is what each participant of the trail was asked.
pub(super) fn consultation(call: &Call, judged: &Judged, asked: &[HookRequest]) -> String {
    let mut page = Page::default();
    page.header(call);
    if judged.trail.is_empty() {
        page.line(&[(DIM, "nobody was asked")]);
    }
    for (index, step) in judged.trail.iter().enumerate() {
        page.step(index + 1, step);
        page.runs(trail::runs_of(step, judged));
        let before = asked.get(index);
        let after = asked.get(index + 1);
        if let (Decision::Modify | Decision::Replace, Some(before)) = (step.decision, before) {
            page.change(before, &Left::by(after, &judged.outcome));
        }
    }
    if !judged.notes.is_empty() || trail::asking(judged).next().is_some() {
        page.line(&[]);
    }
    page.notes(judged);
    page.line(&[]);
    page.outcome(&judged.outcome);
    page.text
}

/// Who said what, and what is to be said about it; without the call and the outcome.
pub(crate) fn chain(judged: &Judged) -> String {
    let mut page = Page::default();
    for (index, step) in judged.trail.iter().enumerate() {
        page.step(index + 1, step);
        page.runs(trail::runs_of(step, judged));
    }
    page.notes(judged);
    page.text
}

/// What is printed in place of a consultation when there was no call.
pub(super) fn refusal(outcome: &HookOutcome, error: &str) -> String {
    let mut page = Page::default();
    page.paragraph("", &[(RED, "error: ")], error);
    page.outcome(outcome);
    page.text
}

/// The call as a participant left it: as the next one was asked, or as it came out.
struct Left<'a> {
    input: Option<&'a Json>,
    output: Option<&'a Json>,
    is_error: Option<bool>,
}

impl<'a> Left<'a> {
    fn by(next: Option<&'a HookRequest>, outcome: &'a HookOutcome) -> Self {
        let (input, output, is_error) = match (next, outcome) {
            (Some(next), _) => (Some(&next.input), next.output.as_ref(), next.is_error),
            (None, HookOutcome::Modify { input, .. }) => (Some(input), None, None),
            (
                None,
                HookOutcome::Replace {
                    output, is_error, ..
                },
            ) => (None, Some(output), Some(*is_error)),
            (None, HookOutcome::Allow | HookOutcome::Deny(_)) => (None, None, None),
        };
        Self {
            input,
            output,
            is_error,
        }
    }
}

impl Page {
    /// The call that is put.
    pub(crate) fn header(&mut self, call: &Call) {
        let who = format!(
            "  (agent {}, call {})",
            call.details.agent_id, call.details.tool_call_id
        );
        let event = format!("{}  ", call.event);
        self.line(&[
            (Style::new(), &event),
            (BOLD, &call.details.tool_name),
            (DIM, &who),
        ]);
        if call.result.is_some() {
            self.line(&[(DIM, "input")]);
        }
        match Json::parse(&call.details.input_json) {
            Ok(input) => self.value(&input),
            Err(error) => {
                self.paragraph(
                    INDENT,
                    &[(YELLOW, "note: ")],
                    &format!("the input cannot be shown: {error}"),
                );
            }
        }
        if let Some(result) = &call.result {
            let failed = if result.is_error {
                " (the tool reported a failure)"
            } else {
                ""
            };
            self.line(&[(DIM, "output"), (RED, failed)]);
            match &result.output {
                Ok(output) => self.value(output),
                Err(error) => self.paragraph(INDENT, &[(YELLOW, "note: ")], &error.to_string()),
            }
        }
        self.line(&[]);
    }

    /// A value, indented and cut.
    pub(crate) fn value(&mut self, value: &Json) {
        let text = diff::text(value).unwrap_or_else(|| pretty::brief(value));
        let mut lines = text.lines();
        for line in lines.by_ref().take(VALUE_LINES) {
            self.line(&[(Style::new(), INDENT), (Style::new(), &pretty::cut(line))]);
        }
        self.left_out(lines.count());
    }

    fn left_out(&mut self, lines: usize) {
        if lines > 0 {
            self.line(&[
                (Style::new(), INDENT),
                (DIM, &format!("… {lines} more lines")),
            ]);
        }
    }

    fn step(&mut self, number: usize, step: &Step) {
        let took = duration(step.took);
        // Less is no waiting for a place, but how long it took to find one.
        let time = if step.queued < Duration::from_millis(1) {
            format!("  {took}")
        } else {
            format!("  {took} (queued {})", duration(step.queued))
        };
        let time = match step.worker {
            Some(life) => format!(
                "{time}, process of {}, {} answered",
                duration(life.age),
                life.answered
            ),
            None => time,
        };
        let number = format!("{number:3}  ");
        let who = format!("{}  ", step.who);
        self.line(&[
            (DIM, &number),
            (Style::new(), &who),
            (decision_style(step.decision), step.decision.as_str()),
            (DIM, &time),
        ]);
        // The hooks of an agent have an origin each.
        if step.who.kind() != trail::DIALECT {
            self.line(&[
                (Style::new(), INDENT),
                (DIM, &step.who.origin().to_string()),
            ]);
        }
        if let Some(reason) = &step.reason {
            self.paragraph(INDENT, &[], reason);
        }
        if let Some(failure) = &step.failure {
            let meaning = match step.on_failure {
                OnFailure::Deny => "so the call was denied",
                OnFailure::Allow => "so it was passed over",
            };
            let declared = trail::on_failure(step.on_failure);
            self.paragraph(INDENT, &[], &format!("it {failure}"));
            self.paragraph(INDENT, &[], &format!("on_failure is {declared}, {meaning}"));
        }
        if let Some(stderr) = &step.stderr {
            self.line(&[(Style::new(), INDENT), (DIM, "stderr:")]);
            for line in stderr.lines() {
                self.line(&[(Style::new(), INDENT), (DIM, "| "), (Style::new(), line)]);
            }
        }
    }

    /// What a participant changed.
    fn change(&mut self, before: &HookRequest, after: &Left<'_>) {
        let values = match (&before.output, after.output) {
            (Some(before), Some(after)) => Some((before, after)),
            _ => after.input.map(|after| (&before.input, after)),
        };
        let Some((old, new)) = values else {
            return;
        };
        let mut lines = diff::between(old, new).into_iter();
        if lines.len() == 0 && before.is_error == after.is_error {
            self.line(&[(Style::new(), INDENT), (DIM, "(the same as before)")]);
        }
        for line in lines.by_ref().take(DIFF_LINES) {
            let (style, sign, text) = match &line {
                DiffLine::Text(ChangeTag::Delete, text) => (RED, "- ", text.as_str()),
                DiffLine::Text(ChangeTag::Insert, text) => (GREEN, "+ ", text.as_str()),
                DiffLine::Text(ChangeTag::Equal, text) => (DIM, "  ", text.as_str()),
                DiffLine::Gap => (DIM, "  ", "…"),
            };
            self.line(&[(Style::new(), INDENT), (style, sign), (style, text)]);
        }
        self.left_out(lines.count());
        if let (Some(was), Some(is)) = (before.is_error, after.is_error)
            && was != is
        {
            let text = format!("is_error: {was} → {is}");
            self.line(&[(Style::new(), INDENT), (YELLOW, &text)]);
        }
    }

    fn notes(&mut self, judged: &Judged) {
        for asking in trail::asking(judged) {
            let lead = if asking.asked.defers {
                "to be put off: "
            } else {
                "to be asked: "
            };
            let text = format!("dialect '{}': {}", asking.agent, asking.text());
            self.paragraph("", &[(YELLOW, lead)], &text);
        }
        for note in &judged.notes {
            let lead = match note.kind {
                NoteKind::Remark => "note: ",
                NoteKind::Context => "for the model: ",
                NoteKind::Message => "for the user: ",
                NoteKind::Stop => "the turn ends: ",
            };
            self.paragraph("", &[(YELLOW, lead)], &note.to_string());
        }
    }

    /// What the single hooks behind a step said.
    fn runs(&mut self, spoken: Option<(&[HookRun], usize)>) {
        let Some((runs, in_background)) = spoken else {
            return;
        };
        for run in runs {
            self.run(run);
        }
        if in_background > 0 {
            let text = format!("{in_background} in the background");
            self.line(&[(Style::new(), INDENT), (DIM, "- "), (DIM, &text)]);
        }
    }

    /// What one hook of another agent said.
    pub(crate) fn run(&mut self, run: &HookRun) {
        let (style, word) = said(&run.output);
        let took = format!("  {}", duration(run.took));
        let command = format!("{}  ", run.command());
        self.line(&[
            (Style::new(), INDENT),
            (DIM, "- "),
            (Style::new(), &command),
            (style, word),
            (DIM, &took),
        ]);
        let origin = run.hook.origin.to_string();
        self.line(&[(Style::new(), INDENT), (Style::new(), "  "), (DIM, &origin)]);
    }

    fn outcome(&mut self, outcome: &HookOutcome) {
        let style = match outcome {
            HookOutcome::Allow => GREEN,
            HookOutcome::Deny(_) => RED,
            HookOutcome::Modify { .. } | HookOutcome::Replace { .. } => YELLOW,
        };
        let word = outcome::word(outcome);
        match outcome.reason() {
            Some(reason) => self.paragraph("", &[(style.bold(), word), (BOLD, ": ")], reason),
            None => self.line(&[(style.bold(), word)]),
        }
        match outcome {
            HookOutcome::Modify { input, .. } => self.value(input),
            HookOutcome::Replace { output, .. } => self.value(output),
            HookOutcome::Allow | HookOutcome::Deny(_) => {}
        }
    }
}

/// What a hook of another agent said, in a word.
fn said(output: &HookOutput) -> (Style, &'static str) {
    let rewrites = output.updated_input.is_some()
        || output.updated_tool_output.is_some()
        || output.updated_mcp_output.is_some();
    if output.failure.is_some() {
        return (RED, "failed");
    }
    match output.decision {
        Some(decision) if decision.refuses() => (RED, decision.as_str()),
        Some(decision @ (Said::Ask | Said::Defer)) => (YELLOW, decision.as_str()),
        Some(_) | None if rewrites => (YELLOW, "rewrites"),
        Some(decision) => (GREEN, decision.as_str()),
        None => (GREEN, "no objection"),
    }
}

const fn decision_style(decision: Decision) -> Style {
    match decision {
        Decision::Allow => GREEN,
        Decision::Modify | Decision::Replace => YELLOW,
        // Also any word that is added one day.
        Decision::Deny | Decision::Failed | _ => RED,
    }
}

/// A time as a person reads it.
pub(crate) fn duration(time: Duration) -> String {
    if time < Duration::from_secs(1) {
        format!("{:.1} ms", time.as_secs_f64() * 1e3)
    } else {
        format!("{:.2} s", time.as_secs_f64())
    }
}
