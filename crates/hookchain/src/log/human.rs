//! A recorded consultation as a person reads it.

mod beside;
mod hooks;

use anstyle::Style;
use hook_audit::{HookInvoked, HookResult, RecordedOnFailure, RecordsLost, Timestamp};

use super::{again, group::Group};
use crate::page::{BOLD, DIM, GREEN, INDENT, PLAIN, Page, RED, YELLOW};

pub(super) fn group(group: &Group) -> Page {
    let mut page = Page::default();
    let outcome = group.outcome();
    let (details, time) = match (group.ended(), group.steps().first()) {
        (Some(ended), _) => (
            Some((
                ended.point,
                &ended.tool_name,
                &ended.agent_id,
                &ended.tool_call_id,
            )),
            format!("  {}", millis(ended.duration_ms)),
        ),
        (None, Some((asked, _))) => (
            Some((
                asked.point,
                &asked.tool_name,
                &asked.agent_id,
                &asked.tool_call_id,
            )),
            String::new(),
        ),
        (None, None) => (None, String::new()),
    };
    let at = format!("{}  ", moment(group.at()));
    let mut head = vec![(DIM, at.as_str()), (style(outcome).bold(), outcome)];
    let parts = details.map(|(point, tool, agent, call)| {
        (
            format!("  {point}  "),
            tool,
            format!("  (agent {agent}, call {call})"),
        )
    });
    if let Some((point, tool, who)) = &parts {
        head.extend([(PLAIN, point.as_str()), (BOLD, tool.as_str()), (DIM, who)]);
    }
    head.push((DIM, &time));
    page.line(&head);
    for (asked, answer) in group.steps() {
        step(&mut page, asked, answer);
    }
    if group.steps().is_empty() {
        page.line(&[(PLAIN, INDENT), (DIM, "nobody was asked")]);
    }
    if let Some(ended) = group.ended() {
        beside::approval(&mut page, ended);
        beside::context(&mut page, ended, &group.steps());
    }
    page
}

pub(super) fn lost(lost: &RecordsLost) -> Page {
    let mut page = Page::default();
    let text = format!("{} records were lost before", lost.records);
    page.line(&[(DIM, &moment(lost.at)), (YELLOW, &format!("  {text}"))]);
    page
}

fn step(page: &mut Page, asked: &HookInvoked, answer: Option<&HookResult>) {
    let who = format!("{} '{}'{}  ", asked.kind, asked.name, again(asked.pass));
    let Some(answer) = answer else {
        page.line(&[(PLAIN, INDENT), (PLAIN, &who), (RED, "no answer")]);
        return;
    };
    let word = if answer.failure.is_some() {
        "failed"
    } else {
        answer.decision.as_str()
    };
    let time = time(answer.duration_ms, answer.queued_ms);
    page.line(&[
        (PLAIN, INDENT),
        (PLAIN, &who),
        (style(word), word),
        (DIM, &time),
    ]);
    if !answer.changed.is_empty() {
        let changed = format!("changed {}", answer.changed.join(", "));
        page.line(&[(PLAIN, INDENT), (PLAIN, "  "), (PLAIN, &changed)]);
    }
    let indent = format!("{INDENT}  ");
    if let Some(reason) = &answer.reason {
        page.paragraph(&indent, &[], reason);
    }
    if let Some(failure) = &answer.failure {
        let meaning = match failure.on_failure {
            RecordedOnFailure::Deny => "so the call was denied",
            RecordedOnFailure::Allow => "so it was passed over",
        };
        page.paragraph(&indent, &[], &format!("it {}, {meaning}", failure.message));
    }
    stderr(page, &indent, answer.stderr_summary.as_deref());
    hooks::all(page, &indent, answer);
}

fn stderr(page: &mut Page, indent: &str, summary: Option<&str>) {
    for line in summary.into_iter().flat_map(str::lines) {
        page.line(&[(PLAIN, indent), (DIM, "| "), (PLAIN, line)]);
    }
}

fn style(word: &str) -> Style {
    match word {
        "allow" => GREEN,
        "modify" | "replace" | "ask" | "pass" => YELLOW,
        _ => RED,
    }
}

/// A moment without what nobody reads.
fn moment(at: Timestamp) -> String {
    const TO_MILLIS: usize = "2026-11-30T13:06:00.004".len();
    let text = at.to_string();
    let text = text.get(..TO_MILLIS).unwrap_or(&text);
    format!("{}Z", text.replace('T', " "))
}

/// How long an answer took, and how long its question waited before that.
fn time(took: f64, queued: f64) -> String {
    if queued > 0.0 {
        format!("  {} (queued {})", millis(took), millis(queued))
    } else {
        format!("  {}", millis(took))
    }
}

fn millis(time: f64) -> String {
    if time < 1000.0 {
        format!("{time:.1} ms")
    } else {
        format!("{:.2} s", time / 1e3)
    }
}
