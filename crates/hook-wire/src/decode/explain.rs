//! From what is wrong to what its author most likely did. Nothing here changes a verdict.

use hook_contract::{Json, json::kind_of};

use super::{
    error::{DecodeErrorKind, NotJsonHint},
    word,
};
use crate::{
    Decision,
    decision::{misspelling, nearest},
    object::{NotOneObject, Object},
};

/// Fields by which an answer written for Claude Code is known.
const CLAUDE_CODE_FIELDS: [&str; 6] = [
    "hookSpecificOutput",
    "permissionDecision",
    "continue",
    "stopReason",
    "suppressOutput",
    "systemMessage",
];

/// How other hook systems call the new input and the new result.
const OTHER_NAMES: [(&str, &[&str]); 2] = [
    (
        "input",
        &[
            "args",
            "arguments",
            "new_input",
            "params",
            "parameters",
            "tool_input",
            "updatedInput",
            "updated_input",
        ],
    ),
    (
        "output",
        &[
            "content",
            "new_output",
            "result",
            "tool_output",
            "tool_response",
            "updatedToolOutput",
            "updated_output",
        ],
    ),
];

pub(super) fn not_one_object(shape: NotOneObject<'_>, printed: &[u8]) -> DecodeErrorKind {
    match shape {
        NotOneObject::Empty { white_space } => DecodeErrorKind::Empty { white_space },
        NotOneObject::NotUtf8 { offset } => DecodeErrorKind::NotUtf8 {
            offset,
            utf16: printed.starts_with(b"\xff\xfe") || printed.starts_with(b"\xfe\xff"),
        },
        NotOneObject::NotJson {
            text,
            problem,
            position,
            at_end,
        } => DecodeErrorKind::NotJson {
            hint: hint(text, position.offset, at_end),
            problem,
            position,
        },
        NotOneObject::OtherValue { value } => DecodeErrorKind::NotAnObject {
            found: kind_of(value),
        },
        NotOneObject::More { rest, position } => DecodeErrorKind::TrailingText {
            object: rest.starts_with('{'),
            rest: word(rest),
            position,
        },
    }
}

fn hint(text: &str, offset: usize, at_end: bool) -> NotJsonHint {
    let printed = text.trim();
    let at = text.get(offset..).unwrap_or_default();
    let begins = |words: &[&str]| words.iter().any(|word| at.starts_with(word));
    if !printed.starts_with(['{', '[', '"']) {
        let bare = printed.chars().all(char::is_alphabetic);
        return if bare {
            NotJsonHint::Word(nearest(printed))
        } else {
            NotJsonHint::Log
        };
    }
    if at_end {
        NotJsonHint::CutShort
    } else if begins(&["NaN", "Infinity", "-Infinity"]) {
        NotJsonHint::NotANumber
    } else if begins(&["'", "True", "False", "None"]) {
        NotJsonHint::Python
    } else if !printed.starts_with('{') {
        // A log line may well begin with a bracket: `[INFO] starting`.
        NotJsonHint::Log
    } else {
        NotJsonHint::Other
    }
}

pub(super) fn missing_decision(object: &Object<'_>) -> DecodeErrorKind {
    if let Some(field) = claude_code_field(object) {
        return DecodeErrorKind::ClaudeCode {
            sign: format!("`{field}`"),
            nearest: None,
        };
    }
    DecodeErrorKind::MissingDecision {
        similar: similar(object, "decision"),
    }
}

pub(super) fn unknown_decision(object: &Object<'_>, decision: &str) -> DecodeErrorKind {
    let meant = nearest(decision);
    let sign = if ["approve", "block"].contains(&decision) {
        Some(format!("the decision `{decision}`"))
    } else {
        claude_code_field(object).map(|field| format!("`{field}`"))
    };
    match sign {
        Some(sign) => DecodeErrorKind::ClaudeCode {
            sign,
            nearest: meant,
        },
        None => DecodeErrorKind::UnknownDecision {
            word: word(decision),
            nearest: meant,
        },
    }
}

/// The first field there is that only Claude Code knows.
pub(super) fn claude_code_field(object: &Object<'_>) -> Option<&'static str> {
    CLAUDE_CODE_FIELDS
        .into_iter()
        .find(|field| object.get(field).is_some())
}

pub(super) fn missing_field(
    object: &Object<'_>,
    decision: Decision,
    field: &'static str,
) -> DecodeErrorKind {
    DecodeErrorKind::MissingField {
        decision,
        field,
        similar: similar(object, field),
    }
}

/// A key of the object that may have been meant for `field`.
fn similar(object: &Object<'_>, field: &str) -> Option<String> {
    let others = OTHER_NAMES
        .iter()
        .find(|(name, _)| *name == field)
        .map_or(&[][..], |(_, others)| others);
    let meant = |name: &str| {
        others.contains(&name) || misspelling(&name.trim().to_lowercase(), field).is_some()
    };
    let mut names = object.members.iter().map(|member| member.name.as_ref());
    names.find(|name| meant(name)).map(word)
}

pub(super) fn wrong_type(field: &'static str, found: &'static str) -> DecodeErrorKind {
    DecodeErrorKind::WrongType {
        field,
        found,
        expected: match field {
            "is_error" => "true or false, or left out",
            "decision" => "a string: \"allow\", \"deny\", \"ask\", \"modify\" or \"replace\"",
            _ => "a string, or left out",
        },
    }
}

pub(super) fn input_not_an_object(input: &Json) -> DecodeErrorKind {
    let inner = input.as_str().and_then(|text| Json::parse(text).ok());
    DecodeErrorKind::InputNotAnObject {
        found: kind_of(input.text()),
        encoded_twice: inner.is_some_and(|inner| inner.is_object()),
    }
}
