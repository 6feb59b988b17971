//! What must become of a call, and what can become of it at all.

use hook_contract::HookEvent;
use hook_source::{Diagnostic, Fields, Kind, Node, Reader};

use super::super::{
    case::{Expectation, Outcome, Template},
    object::{EXPECT, MILLISECONDS, listed, names, object, text, wrong},
};
use crate::handed::quoted;

/// The most that `max_ms` can be: a day, as for the time limit of a hook.
const MAX_MS: u64 = 24 * 60 * 60 * 1000;

/// Which outcomes a key says something beside.
const PLACES: [(&str, &[Outcome], &str); 5] = [
    ("by", NOT_ALLOW, "`deny`, `ask`, `modify` and `replace`"),
    (
        "reason_contains",
        NOT_ALLOW,
        "`deny`, `ask`, `modify` and `replace`",
    ),
    (
        "input",
        &[Outcome::Modify, Outcome::Ask],
        "`modify` and `ask`",
    ),
    (
        "output",
        &[Outcome::Replace, Outcome::Ask],
        "`replace` and `ask`",
    ),
    (
        "is_error",
        &[Outcome::Replace, Outcome::Ask],
        "`replace` and `ask`",
    ),
];

const NOT_ALLOW: &[Outcome] = &[
    Outcome::Deny,
    Outcome::Ask,
    Outcome::Modify,
    Outcome::Replace,
];

/// `event` is that of the call, if the call can be read. Incomplete when something is wrong.
pub(super) fn read(
    reader: &mut Reader<'_>,
    node: &Node,
    event: Option<HookEvent>,
) -> Option<Expectation> {
    let fields = object(reader, node, &EXPECT)?;
    let outcome = outcome(reader, &fields, event);
    if let Some(outcome) = outcome {
        out_of_place(reader, &fields, outcome);
        beside_an_ask(reader, &fields, outcome, event);
    }
    let help = "write something, or leave it out";
    let by = text(reader, &fields, "by", help);
    let reason_contains = text(reader, &fields, "reason_contains", help);
    let input = fields
        .get("input")
        .filter(|node| node.kind() == Kind::Object);
    let input = input.and_then(|node| super::json(reader, node));
    let output = fields
        .get("output")
        .and_then(|node| super::json(reader, node));
    let max_ms = fields
        .get("max_ms")
        .and_then(|node| milliseconds(reader, node));
    let asked = names(reader, &fields, "asked");
    let failed = names(reader, &fields, "failed");
    let context = names(reader, &fields, "context");
    if asked.as_ref().is_some_and(Vec::is_empty) && is_empty(&fields, "asked") {
        nobody_asked(reader, &fields);
    }
    Some(Expectation {
        outcome: outcome?,
        by,
        reason_contains: reason_contains.map(Template),
        input,
        output,
        is_error: fields.get("is_error").and_then(Node::flag),
        max_ms,
        asked,
        failed: failed.unwrap_or_default(),
        context: context.map(|texts| texts.into_iter().map(Template).collect()),
    })
}

fn outcome(
    reader: &mut Reader<'_>,
    fields: &Fields<'_>,
    event: Option<HookEvent>,
) -> Option<Outcome> {
    let node = fields.get("outcome")?;
    let written = node.text()?;
    let mut all = Outcome::ALL.into_iter();
    let Some(outcome) = all.find(|outcome| outcome.as_str() == written) else {
        let message = format!("{} is no outcome", quoted(written));
        let help = format!(
            "the outcomes are {}",
            listed(&Outcome::ALL.map(Outcome::as_str))
        );
        wrong(reader, node, "unknown_word", message, &help);
        return None;
    };
    let never = match event {
        Some(HookEvent::PreToolUse) => outcome == Outcome::Replace,
        Some(HookEvent::PostToolUse) => outcome == Outcome::Modify,
        _ => false,
    };
    if let (Some(event), true) = (event, never) {
        let message = format!("a call at `{event}` never comes out as `{outcome}`");
        wrong(reader, node, "never_comes_out", message, possible(event));
    }
    Some(outcome)
}

fn possible(event: HookEvent) -> &'static str {
    match event {
        HookEvent::PostToolUse => "after the tool ran it is allow, deny, ask or replace",
        HookEvent::PreToolUse | _ => "before the tool runs it is allow, deny, ask or modify",
    }
}

fn out_of_place(reader: &mut Reader<'_>, fields: &Fields<'_>, outcome: Outcome) {
    for (key, outcomes, belongs) in PLACES {
        if let Some(member) = fields.member(key)
            && !outcomes.contains(&outcome)
        {
            let message = format!("`{key}` says nothing beside the outcome `{outcome}`");
            let told = Diagnostic::error("out_of_place", message);
            reader.tell(
                &member.span,
                told.with_help(format!("it belongs to {belongs}")),
            );
        }
    }
}

/// Beside an ask stands another input before the call, or another result after it.
fn beside_an_ask(
    reader: &mut Reader<'_>,
    fields: &Fields<'_>,
    outcome: Outcome,
    event: Option<HookEvent>,
) {
    let (keys, help): (&[&str], _) = match event {
        Some(HookEvent::PreToolUse) => (
            &["output", "is_error"],
            "before the tool runs there is no result; write `input`",
        ),
        Some(HookEvent::PostToolUse) => (
            &["input"],
            "after the tool ran its input stays; write `output`",
        ),
        _ => return,
    };
    for key in keys {
        if let (Some(member), Outcome::Ask, Some(event)) = (fields.member(key), outcome, event) {
            let message = format!("`{key}` says nothing beside an ask at `{event}`");
            let told = Diagnostic::error("out_of_place", message);
            reader.tell(&member.span, told.with_help(help));
        }
    }
}

fn is_empty(fields: &Fields<'_>, key: &str) -> bool {
    fields
        .get(key)
        .and_then(Node::list)
        .is_some_and(<[Node]>::is_empty)
}

/// Who is not asked can neither fail nor be the one who denied.
fn nobody_asked(reader: &mut Reader<'_>, fields: &Fields<'_>) {
    for (key, is_said) in [("by", true), ("failed", !is_empty(fields, "failed"))] {
        if let (Some(member), true) = (fields.member(key), is_said) {
            let message = format!("`asked` is empty and `{key}` is not");
            let told = Diagnostic::error("nobody_asked", message);
            reader.tell(
                &member.span,
                told.with_help("who is not asked does nothing"),
            );
        }
    }
}

fn milliseconds(reader: &mut Reader<'_>, node: &Node) -> Option<u64> {
    node.number()?;
    let (found, number) = match node.whole() {
        Some(number) => ("out of range", Some(number)),
        None => ("a number", None),
    };
    let number = number.filter(|number| (1..=MAX_MS).contains(number));
    if number.is_none() {
        let message = format!("`max_ms` is {found}");
        let help = format!("it must be {MILLISECONDS}");
        wrong(reader, node, "wrong_type", message, &help);
    }
    number
}
