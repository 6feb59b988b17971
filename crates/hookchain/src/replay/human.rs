//! Differences as a person reads them: a table, with the reason below each row.

use anstyle::Style;
use hook_audit::RecordedSettled;
use hook_contract::{HookEvent, HookOutcome};
use similar::ChangeTag;

use super::{
    difference::Difference,
    report::Sums,
    survey::Survey,
    upshot::{Agreement, Upshot},
    why::{Changed, Said},
};
use crate::{
    consult::{
        diff::{self, DiffLine},
        outcome::word,
    },
    log::again,
    page::{BOLD, DIM, GREEN, INDENT, PLAIN, Page, RED, YELLOW},
};

/// How many lines of a diff are shown.
const DIFF_LINES: usize = 40;

/// One row, after the titles where it is the first.
pub(super) fn difference(difference: &Difference, is_first: bool) -> String {
    let mut page = Page::default();
    if is_first {
        page.line(&[(BOLD, &row("recorded at", "then", "now", "tool", "call"))]);
    }
    let Difference { call, now, why } = difference;
    let ended = &call.ended;
    let at = ended.at.to_string();
    let (then_word, now_word) = (call.upshot.word(), now.word());
    let (first, rest) = (format!("{at:<29}"), format!("  {} ", ended.tool_name));
    page.line(&[
        (DIM, &first),
        (style(then_word), &format!("{then_word:<9}")),
        (style(now_word), &format!("{now_word:<7}")),
        (BOLD, &format!("{rest:<15}")),
        (
            DIM,
            &format!("{}{}", ended.tool_call_id, after(ended.point)),
        ),
    ]);
    if let Some(text) = asked(&call.upshot, now) {
        page.paragraph(INDENT, &[], &text);
    }
    for changed in why {
        page.paragraph(INDENT, &[], &because(changed));
    }
    if why.is_empty() {
        page.line(&[(PLAIN, INDENT), (PLAIN, nobody(call.said.is_empty()))]);
    }
    page.rewrites(call.upshot.form(), now.form());
    page.line(&[(PLAIN, INDENT), (DIM, &call.place)]);
    page.text
}

fn row(at: &str, then: &str, now: &str, tool: &str, call: &str) -> String {
    format!("{at:<29}{then:<9}{now:<9}{tool:<13}{call}")
}

fn after(point: HookEvent) -> &'static str {
    if point == HookEvent::PostToolUse {
        " (after)"
    } else {
        ""
    }
}

fn nobody(nobody_was_asked: bool) -> &'static str {
    if nobody_was_asked {
        "nobody was asked"
    } else {
        "everybody said the same; what somebody changed it to is another"
    }
}

/// That a person has to agree then or today only, or to something else; in a sentence.
fn asked(then: &Upshot, now: &Upshot) -> Option<String> {
    match (&then.agreement, &now.agreement) {
        (None, None) => None,
        (None, Some(now)) => Some(format!(
            "no person was asked, now one has to agree (asked by {})",
            names(now)
        )),
        (Some(then), None) => Some(format!(
            "{} (asked by {}), now no person is asked",
            answer(then),
            names(then)
        )),
        (Some(then), Some(now)) if word(&then.then) == word(&now.then) => None,
        (Some(then), Some(now)) => Some(format!(
            "a person has to agree, after a yes: {} before, {} now",
            word(&then.then),
            word(&now.then)
        )),
    }
}

fn answer(agreement: &Agreement) -> &'static str {
    match agreement.settled {
        RecordedSettled::Granted => "a person agreed",
        RecordedSettled::Refused => "a person did not agree",
        RecordedSettled::HandedOn => "the caller was to ask a person",
        RecordedSettled::Unanswered | _ => "no person answered",
    }
}

fn names(agreement: &Agreement) -> String {
    let names: Vec<_> = agreement
        .by
        .iter()
        .map(|name| format!("'{name}'"))
        .collect();
    names.join(", ")
}

/// One participant that said something else, in a sentence.
fn because(changed: &Changed) -> String {
    let who = |said: &Said| format!("{} '{}'{}", said.kind, said.name, again(said.pass));
    let with = |said: &Said| match &said.because {
        Some(because) => format!("{}: {because}", said.word),
        None => said.word.to_owned(),
    };
    match (&changed.then, &changed.now) {
        (Some(then), Some(now)) => format!("{} said {}, now {}", who(now), then.word, with(now)),
        (None, Some(now)) => format!("{} was not asked, now {}", who(now), with(now)),
        (Some(then), None) => format!("{} said {}, now not asked", who(then), with(then)),
        (None, None) => String::new(),
    }
}

impl Page {
    /// What differs between two rewrites.
    fn rewrites(&mut self, then: &HookOutcome, now: &HookOutcome) {
        if let (
            HookOutcome::Replace { is_error: then, .. },
            HookOutcome::Replace { is_error: now, .. },
        ) = (then, now)
            && then != now
        {
            for (style, sign, is_error) in [(RED, "- ", then), (GREEN, "+ ", now)] {
                let text = format!("is_error: {is_error}");
                self.line(&[(PLAIN, INDENT), (style, sign), (style, &text)]);
            }
        }
        let ((HookOutcome::Modify { input: before, .. }, HookOutcome::Modify { input: after, .. })
        | (
            HookOutcome::Replace { output: before, .. },
            HookOutcome::Replace { output: after, .. },
        )) = (then, now)
        else {
            return;
        };
        if before == after {
            return;
        }
        let lines = diff::between(before, after);
        for line in lines.iter().take(DIFF_LINES) {
            let (style, sign, line): (Style, _, _) = match line {
                DiffLine::Text(ChangeTag::Delete, line) => (RED, "- ", line.as_str()),
                DiffLine::Text(ChangeTag::Insert, line) => (GREEN, "+ ", line.as_str()),
                DiffLine::Text(ChangeTag::Equal, line) => (DIM, "  ", line.as_str()),
                DiffLine::Gap => (DIM, "  ", "…"),
            };
            self.line(&[(PLAIN, INDENT), (style, sign), (style, line)]);
        }
        let left_out = lines.len().saturating_sub(DIFF_LINES);
        if left_out > 0 {
            self.line(&[(PLAIN, INDENT), (DIM, &format!("… {left_out} more lines"))]);
        }
    }
}

fn style(word: &str) -> Style {
    match word {
        "allow" => GREEN,
        "deny" => RED,
        _ => YELLOW,
    }
}

/// The end: how many calls came out how, and what was left out.
pub(super) fn end(sums: &Sums, survey: &Survey) -> String {
    let mut page = Page::default();
    if sums.different > 0 {
        page.line(&[]);
    }
    for ((then, now), count) in &sums.changes {
        page.line(&[
            (PLAIN, &format!("{count:>7}  ")),
            (style(then), then),
            (PLAIN, " before, "),
            (style(now), now),
            (PLAIN, " now"),
        ]);
    }
    let same = sums.replayed - sums.different;
    let closing = format!("{same} outcomes as they were, {} different", sums.different);
    let closing_style = if sums.different == 0 { GREEN } else { RED };
    page.line(&[(closing_style, &closing)]);
    notes(&mut page, sums, survey);
    page.text
}

fn notes(page: &mut Page, sums: &Sums, survey: &Survey) {
    let mut note = |text: String| page.paragraph("", &[(YELLOW, "note: ")], &text);
    if let Some(first) = &sums.first_failure {
        note(format!(
            "answers that failed: {}; the first: {first}",
            sums.failures
        ));
    }
    if survey.workspaces.len() > 1 {
        let places = survey.workspaces.iter();
        let places = places.map(|(place, count)| format!("{place} ({count})"));
        note(format!(
            "calls of {} workspaces were put through the hooks of one; --recorded-in chooses: {}",
            survey.workspaces.len(),
            places.collect::<Vec<_>>().join(", ")
        ));
    }
    let lost = usize::try_from(survey.lost).unwrap_or(usize::MAX);
    for (count, what) in [
        (
            survey.incomplete,
            "calls were left out, because they were not recorded in full",
        ),
        (
            survey.abandoned,
            "calls were left out, because the runtime dropped them",
        ),
        (
            survey.unreadable,
            "lines are no records that this version can read",
        ),
        (lost, "records were lost when they were to be written"),
    ] {
        if count > 0 {
            note(format!("{count} {what}"));
        }
    }
}
