//! A case: a call, and what must become of it.

use std::{fmt, path::PathBuf};

use hook_contract::{HookOutcome, json::Position};
use hook_runner::Consultation;

/// What stands for the path of the copy in a case file, and in results.
pub(super) const WORKSPACE: &str = "{{workspace}}";

/// A case file that was read.
#[derive(Debug)]
pub(super) struct CaseFile {
    /// As it was found; shown to people.
    pub(super) path: PathBuf,
    pub(super) cases: Vec<Case>,
}

/// One case.
#[derive(Debug, PartialEq)]
pub(super) struct Case {
    pub(super) name: String,
    /// Where it begins in its file.
    pub(super) position: Position,
    pub(super) files: Vec<NewFile>,
    /// A call that can be read, as it is written.
    pub(super) call: Template,
    pub(super) expect: Expectation,
}

/// A file that is created before the hooks are asked.
#[derive(Debug, PartialEq)]
pub(super) struct NewFile {
    /// Below the root of the workspace.
    pub(super) path: PathBuf,
    pub(super) text: Template,
    pub(super) executable: bool,
}

/// What must become of the call. What is absent is not compared.
#[derive(Debug, PartialEq)]
pub(super) struct Expectation {
    pub(super) outcome: Outcome,
    pub(super) by: Option<String>,
    pub(super) reason_contains: Option<Template>,
    /// JSON, as it is written.
    pub(super) input: Option<Template>,
    /// JSON, as it is written.
    pub(super) output: Option<Template>,
    pub(super) is_error: Option<bool>,
    pub(super) max_ms: Option<u64>,
    pub(super) asked: Option<Vec<String>>,
    pub(super) failed: Vec<String>,
    /// Parts of the words for the model; none is nothing for the model.
    pub(super) context: Option<Vec<Template>>,
}

/// Text in which the path of the copy may stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Template(pub(super) String);

impl Template {
    /// Plain text with the path in its place.
    pub(super) fn text(&self, workspace: &str) -> String {
        self.0.replace(WORKSPACE, workspace)
    }

    /// JSON with the path in its place. Outside a string two braces are no JSON, so it can only stand in one.
    pub(super) fn json(&self, workspace: &str) -> String {
        self.0.replace(WORKSPACE, &in_json(workspace))
    }
}

/// A text as it stands between the quotes of a JSON string.
pub(super) fn in_json(text: &str) -> String {
    let quoted = serde_json::Value::from(text).to_string();
    let inner = quoted.strip_prefix('"').and_then(|q| q.strip_suffix('"'));
    inner.unwrap_or(&quoted).to_owned()
}

/// What the runtime does with the call, without the values; an ask is the runtime's to put to a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Allow,
    Deny,
    Ask,
    Modify,
    Replace,
}

impl Outcome {
    pub(super) const ALL: [Self; 5] = [
        Self::Allow,
        Self::Deny,
        Self::Ask,
        Self::Modify,
        Self::Replace,
    ];

    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Deny => "deny",
            Self::Ask => "ask",
            Self::Modify => "modify",
            Self::Replace => "replace",
        }
    }
}

impl From<&Consultation> for Outcome {
    fn from(consultation: &Consultation) -> Self {
        if consultation.asked.is_some() {
            return Self::Ask;
        }
        match consultation.outcome {
            HookOutcome::Allow => Self::Allow,
            HookOutcome::Deny(_) => Self::Deny,
            HookOutcome::Modify { .. } => Self::Modify,
            HookOutcome::Replace { .. } => Self::Replace,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
