//! What is wrong in a case file, and where.

use hook_contract::{HookEvent, json::Position, shown};
use hookchain::documents::HOOK_TEST_SCHEMA;
use thiserror::Error;

use super::case::Outcome;

/// One thing that is wrong.
#[derive(Debug, PartialEq)]
pub(super) struct Problem {
    pub(super) position: Position,
    pub(super) kind: ProblemKind,
}

/// The objects of a case file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    File,
    Case,
    Content,
    Expect,
}

impl What {
    /// How messages call it.
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::File => "a case file",
            Self::Case => "a case",
            Self::Content => "a file of `files`",
            Self::Expect => "`expect`",
        }
    }

    pub(super) const fn keys(self) -> &'static [&'static str] {
        match self {
            Self::File => &["$schema", "schema", "cases"],
            Self::Case => &["name", "files", "call", "expect"],
            Self::Content => &["text", "executable"],
            Self::Expect => &[
                "outcome",
                "by",
                "reason_contains",
                "input",
                "output",
                "is_error",
                "max_ms",
                "asked",
                "failed",
            ],
        }
    }
}

/// The ways in which a text is no case file. Values are not quoted, unless they are what must be corrected.
#[derive(Debug, PartialEq, Error)]
pub(super) enum ProblemKind {
    #[error("the file is empty; a case file is a JSON object with `schema` and `cases`")]
    Empty,
    #[error("the file is not UTF-8; save it as UTF-8")]
    NotUtf8,
    #[error("the file is larger than {} MiB", super::read::MAX_FILE_BYTES / (1024 * 1024))]
    TooLarge,
    #[error("not JSON: {0}")]
    NotJson(String),
    #[error("{0}; such a value cannot be compared")]
    Unusable(String),
    #[error("{} is {found}; it must be an object", .what.as_str())]
    NotAnObject { what: What, found: &'static str },
    #[error("{} has no `{key}`; add it", .what.as_str())]
    Missing { what: What, key: &'static str },
    #[error(
        "`{}` is no key of {}; {}",
        shown::line(.written),
        .what.as_str(),
        match .meant {
            Some(meant) => format!("write `{meant}`"),
            None => format!("its keys are {}", listed(.what.keys())),
        }
    )]
    UnknownKey {
        what: What,
        written: String,
        meant: Option<&'static str>,
    },
    #[error("the key `{}` stands twice; keep one", shown::line(.key))]
    Twice { key: String },
    #[error("`{key}` is {found}; it must be {wanted}")]
    WrongType {
        key: &'static str,
        found: &'static str,
        wanted: &'static str,
    },
    #[error("a file of `files` is {found}; it must be a text, or an object with a `text`")]
    NoContent { found: &'static str },
    #[error("`{key}` is empty; {help}")]
    EmptyValue {
        key: &'static str,
        help: &'static str,
    },
    #[error("`schema` must be {HOOK_TEST_SCHEMA}, the only version there is")]
    Version,
    #[error("the case on line {first} has the same name; give this one another")]
    SameName { first: usize },
    #[error(
        "`{}` is no outcome; the outcomes are {}",
        shown::line(.written),
        listed(&Outcome::ALL.map(Outcome::as_str))
    )]
    UnknownOutcome { written: String },
    #[error("a call at `{event}` never comes out as `{outcome}`; {}", possible(*.event))]
    NeverComesOut { event: HookEvent, outcome: Outcome },
    #[error("`{key}` says nothing beside the outcome `{outcome}`; it belongs to {belongs}")]
    OutOfPlace {
        key: &'static str,
        outcome: Outcome,
        belongs: &'static str,
    },
    #[error("`asked` is empty and `{key}` is not; who is not asked does nothing")]
    NobodyAsked { key: &'static str },
    #[error(
        "`{}` is no path in the workspace; write one like `notes/a.txt`, without `..` and not from the root",
        shown::line(.written)
    )]
    Path { written: String },
    #[error("{0}")]
    Call(String),
}

fn possible(event: HookEvent) -> &'static str {
    match event {
        HookEvent::PostToolUse => "after the tool ran it is allow, deny or replace",
        HookEvent::PreToolUse | _ => "before the tool runs it is allow, deny or modify",
    }
}

/// `a, b and c`.
fn listed(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}
