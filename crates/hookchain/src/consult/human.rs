//! A consultation as a person reads it: the call, what each participant said about it, and the outcome.

mod parts;

use std::time::Duration;

use anstyle::Style;
use hook_contract::{Decision, HookOutcome, HookRequest, Json, OnFailure};
use hook_runner::{Asked, Consultation, Note, NoteKind, Settled, Step};
use similar::ChangeTag;

use super::{
    call::Call,
    diff::{self, DiffLine},
    outcome::{self, reasons},
    pretty,
};
use crate::page::{BOLD, DIM, GREEN, INDENT, Page, RED, YELLOW};

/// How many lines of a value, and of a diff, are shown.
const VALUE_LINES: usize = 40;
const DIFF_LINES: usize = 200;

/// The whole consultation; `open` is the ask that is the caller's to put to a person.
pub(super) fn consultation(
    call: &Call,
    consultation: &Consultation,
    open: Option<&Asked>,
) -> String {
    let mut page = Page::default();
    let trail = &consultation.trail;
    page.header(call);
    if trail.is_empty() {
        page.line(&[(DIM, "nobody was asked")]);
    }
    for (index, step) in trail.iter().enumerate() {
        page.step(index + 1, step);
        page.parts(step);
        let after = trail
            .get(index + 1)
            .and_then(|next| next.request.as_deref());
        if step.decision.is_some_and(rewrites)
            && let Some(before) = &step.request
        {
            page.change(before, &Left::by(after, consultation));
        }
    }
    if has_more_to_say(consultation) {
        page.line(&[]);
    }
    page.notes(consultation);
    page.line(&[]);
    match (open, &consultation.asked) {
        (Some(asked), _) => page.open_ask(asked),
        (None, asked) => {
            if let Some(asked) = asked {
                page.settled(&asked.settled);
            }
            page.outcome(&consultation.outcome);
        }
    }
    page.text
}

const fn rewrites(decision: Decision) -> bool {
    matches!(
        decision,
        Decision::Modify | Decision::Replace | Decision::Ask
    )
}

fn has_more_to_say(consultation: &Consultation) -> bool {
    consultation.asked.is_some()
        || !consultation.context.is_empty()
        || consultation.notes.iter().any(is_shown)
}

/// A failure is shown with its step.
fn is_shown(note: &Note) -> bool {
    note.kind != NoteKind::Failure
}

/// Who said what, and what is to be said about it; without the call and the outcome.
pub(crate) fn chain(consultation: &Consultation) -> String {
    let mut page = Page::default();
    for (index, step) in consultation.trail.iter().enumerate() {
        page.step(index + 1, step);
        page.parts(step);
    }
    page.notes(consultation);
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
    fn by(next: Option<&'a HookRequest>, consultation: &'a Consultation) -> Self {
        // What a person was asked about is what the last participant left.
        let left = consultation.asked.as_ref().map(|asked| &asked.then);
        let left = left.unwrap_or(&consultation.outcome);
        let (input, output, is_error) = match (next, left) {
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
        let time = if step.pass > 1 {
            format!("{time}, asked again about what a lower rank left")
        } else {
            time
        };
        let number = format!("{number:3}  ");
        let who = format!("{}  ", step.who);
        self.line(&[
            (DIM, &number),
            (Style::new(), &who),
            (decision_style(step.decision), step.word()),
            (DIM, &time),
        ]);
        // The hooks of an agent have an origin each.
        if step.parts.is_empty() && step.in_background == 0 {
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
            let declared = step.on_failure;
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

    fn notes(&mut self, consultation: &Consultation) {
        let askers = consultation.asked.iter().flat_map(|asked| &asked.by);
        for asker in askers {
            self.paragraph("", &[(YELLOW, "to be asked: ")], &asker.to_string());
        }
        for context in &consultation.context {
            self.paragraph("", &[(YELLOW, "for the model: ")], &context.to_string());
        }
        for note in consultation.notes.iter().filter(|note| is_shown(note)) {
            let lead = match note.kind {
                NoteKind::Remark | NoteKind::Failure => "note: ",
                NoteKind::Message => "for the user: ",
                NoteKind::Stop => "the turn ends: ",
            };
            self.paragraph("", &[(YELLOW, lead)], &note.to_string());
        }
    }

    /// An ask, and what comes of the call when a person agrees.
    fn open_ask(&mut self, asked: &Asked) {
        self.paragraph("", &[(YELLOW.bold(), "ask"), (BOLD, ": ")], &reasons(asked));
        self.line(&[(DIM, "after a yes:")]);
        self.outcome(&asked.then);
    }

    /// What a person said.
    fn settled(&mut self, settled: &Settled) {
        let (style, text) = match settled {
            Settled::Granted { .. } => (GREEN, "a person agreed".to_owned()),
            Settled::Refused(_) => (RED, "a person did not agree".to_owned()),
            Settled::Unanswered(why) => (RED, format!("no person answered: {why}")),
        };
        self.paragraph("", &[(style, "")], &text);
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

const fn decision_style(decision: Option<Decision>) -> Style {
    match decision {
        Some(Decision::Allow) => GREEN,
        Some(Decision::Modify | Decision::Replace | Decision::Ask) => YELLOW,
        // Also any word that is added one day.
        Some(Decision::Deny | _) | None => RED,
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
