//! What must become of a call, and what can become of it at all.

use hook_contract::HookEvent;

use super::super::{
    case::{Expectation, Outcome, Template},
    object::{Object, Reader},
    problem::{ProblemKind, What},
};

/// The most that `max_ms` can be: a day, as for the time limit of a hook.
const MAX_MS: u64 = 24 * 60 * 60 * 1000;

/// Which outcomes a key says something beside.
const PLACES: [(&str, &[Outcome], &str); 5] = [
    (
        "by",
        &[Outcome::Deny, Outcome::Modify, Outcome::Replace],
        "`deny`, `modify` and `replace`",
    ),
    (
        "reason_contains",
        &[Outcome::Deny, Outcome::Modify, Outcome::Replace],
        "`deny`, `modify` and `replace`",
    ),
    ("input", &[Outcome::Modify], "`modify`"),
    ("output", &[Outcome::Replace], "`replace`"),
    ("is_error", &[Outcome::Replace], "`replace`"),
];

/// `event` is that of the call, if the call can be read.
pub(super) fn read<'a>(
    reader: &mut Reader<'a>,
    value: &'a str,
    event: Option<HookEvent>,
) -> Option<Expectation> {
    let object = reader.object(value, What::Expect)?;
    let outcome = outcome(reader, &object, event);
    if let Some(outcome) = outcome {
        out_of_place(reader, &object, outcome);
    }
    let text = |reader: &mut Reader<'a>, key| match object.get(key) {
        Some(value) => reader
            .text(value, key, "write something, or leave it out")
            .map(Some),
        None => Some(None),
    };
    let by = text(reader, "by");
    let reason_contains = text(reader, "reason_contains");
    let json = |reader: &mut Reader<'a>, key| match object.get(key) {
        Some(value) => super::json(reader, value).map(Some),
        None => Some(None),
    };
    let input = match object.get("input") {
        Some(value) if !value.starts_with('{') => {
            let wanted = "an object, as the input of a rewrite always is";
            reader.wrong_type(value, "input", wanted);
            None
        }
        _ => json(reader, "input"),
    };
    let output = json(reader, "output");
    let is_error = match object.get("is_error") {
        Some(value) => reader.typed(value, "is_error", "true or false").map(Some),
        None => Some(None),
    };
    let max_ms = match object.get("max_ms") {
        Some(value) => milliseconds(reader, value).map(Some),
        None => Some(None),
    };
    let names = |reader: &mut Reader<'a>, key| match object.get(key) {
        Some(value) => reader.names(value, key).map(Some),
        None => Some(None),
    };
    let asked = names(reader, "asked");
    let failed = names(reader, "failed");
    if asked == Some(Some(Vec::new())) {
        let fails = failed
            .as_ref()
            .is_some_and(|failed| *failed != Some(Vec::new()));
        nobody_asked(reader, &object, fails);
    }
    Some(Expectation {
        outcome: outcome?,
        by: by?,
        reason_contains: reason_contains?.map(Template),
        input: input?,
        output: output?,
        is_error: is_error?,
        max_ms: max_ms?,
        asked: asked?,
        failed: failed?.unwrap_or_default(),
    })
}

fn outcome<'a>(
    reader: &mut Reader<'a>,
    object: &Object<'a>,
    event: Option<HookEvent>,
) -> Option<Outcome> {
    let value = reader.required(object, "outcome")?;
    let written: String = reader.typed(value, "outcome", "a string")?;
    let Some(outcome) = Outcome::ALL
        .into_iter()
        .find(|outcome| outcome.as_str() == written)
    else {
        reader.wrong(value, ProblemKind::UnknownOutcome { written });
        return None;
    };
    let never = match event {
        Some(HookEvent::PreToolUse) => outcome == Outcome::Replace,
        Some(HookEvent::PostToolUse) => outcome == Outcome::Modify,
        _ => false,
    };
    if let (Some(event), true) = (event, never) {
        reader.wrong(value, ProblemKind::NeverComesOut { event, outcome });
    }
    Some(outcome)
}

fn out_of_place<'a>(reader: &mut Reader<'a>, object: &Object<'a>, outcome: Outcome) {
    for (key, outcomes, belongs) in PLACES {
        if let Some(name) = object.name(key)
            && !outcomes.contains(&outcome)
        {
            let kind = ProblemKind::OutOfPlace {
                key,
                outcome,
                belongs,
            };
            reader.wrong(name, kind);
        }
    }
}

/// Who is not asked can neither fail nor be the one who denied.
fn nobody_asked<'a>(reader: &mut Reader<'a>, object: &Object<'a>, fails: bool) {
    for (key, is_said) in [("by", true), ("failed", fails)] {
        if let (Some(name), true) = (object.name(key), is_said) {
            reader.wrong(name, ProblemKind::NobodyAsked { key });
        }
    }
}

fn milliseconds<'a>(reader: &mut Reader<'a>, value: &'a str) -> Option<u64> {
    let wanted = "a whole number from 1 to 86400000";
    let number: u64 = reader.typed(value, "max_ms", wanted)?;
    if (1..=MAX_MS).contains(&number) {
        return Some(number);
    }
    let found = "out of range";
    let key = "max_ms";
    reader.wrong(value, ProblemKind::WrongType { key, found, wanted });
    None
}
