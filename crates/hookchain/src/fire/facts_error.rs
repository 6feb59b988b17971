//! Why a text holds no facts.

use hook_contract::json::{JsonErrorKind, Position};
use hook_contract::shown;
use thiserror::Error;

/// Why a text holds no facts, and where. Values are never quoted: facts may hold what must not be in a log.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FactsError {
    kind: FactsErrorKind,
    position: Option<Position>,
}

impl FactsError {
    pub(super) fn at(kind: FactsErrorKind, position: Position) -> Self {
        Self {
            kind,
            position: Some(position),
        }
    }

    /// With its place in `from`.
    pub(crate) fn located(&self, from: &str) -> String {
        match self.position {
            Some(Position { line, column, .. }) => format!("{from}:{line}:{column}: {}", self.kind),
            None => format!("{from}:1: {}", self.kind),
        }
    }
}

impl From<FactsErrorKind> for FactsError {
    fn from(kind: FactsErrorKind) -> Self {
        Self {
            kind,
            position: None,
        }
    }
}

/// The ways in which a text holds no facts.
#[derive(Clone, Debug, PartialEq, Error)]
pub(super) enum FactsErrorKind {
    #[error("no facts: the text is not UTF-8; save it as UTF-8")]
    NotUtf8,
    #[error("no facts: not JSON: {0}")]
    NotJson(String),
    #[error(
        "no facts: {0} is not a JSON object; facts are one, such as {{\"prompt\":\"carry on\"}}"
    )]
    NotAnObject(&'static str),
    #[error("hooks are never told `{}`; {}", shown::line(.written), advice(*.nearest))]
    Unknown {
        written: String,
        nearest: Option<&'static str>,
    },
    #[error("the fact `{0}` stands twice; keep one")]
    Twice(&'static str),
    #[error("these are the facts of another event; the event is {0}")]
    OtherEvent(&'static str),
    #[error("`{fact}` cannot be handed on: {error}")]
    Value {
        fact: &'static str,
        error: JsonErrorKind,
    },
    #[error("a fact is NAME=TEXT or NAME:=JSON")]
    NoValue,
}

fn advice(nearest: Option<&str>) -> String {
    nearest.map_or_else(
        || "see the agent's documentation for the fields of the event".to_owned(),
        |nearest| format!("write `{nearest}`"),
    )
}
