//! The outcome as one JSON object (docs/consult-json.md).

use std::borrow::Cow;

use hook_contract::{Decision, HookOutcome, Json};
use hook_runner::{Asked, Consultation, Context, Step};
use serde::Serialize;

use super::{
    Name,
    lines::Id,
    notes::{NoteLine, notes},
};

/// One outcome. The order of the fields is the order in which they are printed.
#[derive(Debug, Serialize)]
pub(crate) struct OutcomeLine<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a Id>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_call_id: Option<&'a str>,
    outcome: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    input: Option<&'a Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<&'a Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    is_error: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    then: Option<&'a HookOutcome>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    context: Option<&'a [Context]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trail: Option<&'a [Step]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    notes: Option<Vec<NoteLine<'a>>>,
}

impl<'a> OutcomeLine<'a> {
    pub(crate) fn new(outcome: &'a HookOutcome) -> Self {
        let line = Self {
            id: None,
            tool_call_id: None,
            outcome: word(outcome),
            input: None,
            output: None,
            is_error: None,
            reason: outcome.reason().map(Cow::Borrowed),
            then: None,
            error: None,
            context: None,
            trail: None,
            notes: None,
        };
        match outcome {
            HookOutcome::Allow | HookOutcome::Deny(_) => line,
            HookOutcome::Modify { input, .. } => Self {
                input: Some(input),
                ..line
            },
            HookOutcome::Replace {
                output, is_error, ..
            } => Self {
                output: Some(output),
                is_error: Some(*is_error),
                ..line
            },
        }
    }

    /// A call to which a person has to agree, and what then happens.
    pub(crate) fn of_ask(asked: &'a Asked) -> Self {
        Self {
            outcome: Decision::Ask.as_str(),
            reason: Some(Cow::Owned(reasons(asked))),
            then: Some(&asked.then),
            ..Self::new(&HookOutcome::Allow)
        }
    }

    /// A call to which a person has to agree whom the caller asks; what then happens stands elsewhere.
    pub(crate) fn of_open_ask() -> Self {
        Self {
            outcome: Decision::Ask.as_str(),
            ..Self::new(&HookOutcome::Allow)
        }
    }

    /// Adds which call it is about.
    pub(super) fn named(self, name: Option<Name<'a>>) -> Self {
        let Some((id, tool_call_id)) = name else {
            return self;
        };
        Self {
            id: Some(id),
            tool_call_id: Some(tool_call_id),
            ..self
        }
    }

    /// What a line that is no call is answered with.
    pub(crate) fn with_error(self, error: &'a str) -> Self {
        Self {
            error: Some(error),
            ..self
        }
    }

    /// Adds the words for the model, where there are any.
    pub(crate) fn with_context_of(self, consultation: &'a Consultation) -> Self {
        let context = &*consultation.context;
        Self {
            context: Some(context).filter(|context| !context.is_empty()),
            ..self
        }
    }

    pub(crate) fn with_trail_of(self, consultation: &'a Consultation) -> Self {
        Self {
            trail: Some(&consultation.trail),
            notes: Some(notes(consultation)),
            ..self
        }
    }

    /// On one line, with its end.
    pub(crate) fn to_line(&self) -> Result<String, serde_json::Error> {
        let mut line = serde_json::to_string(self)?;
        line.push('\n');
        Ok(line)
    }
}

/// The word of an outcome.
pub(crate) const fn word(outcome: &HookOutcome) -> &'static str {
    outcome.decision().as_str()
}

/// Every participant that asks, with its reason, each on a line of its own.
pub(crate) fn reasons(asked: &Asked) -> String {
    let askers: Vec<String> = asked.by.iter().map(ToString::to_string).collect();
    askers.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(outcome: &HookOutcome, expected: &str) {
        let line = OutcomeLine::new(outcome).to_line().expect("serialises");
        assert_eq!(line, format!("{expected}\n"));
    }

    #[test]
    fn each_outcome_has_its_own_fields_and_every_digit() {
        let exact =
            Json::parse(r#"{ "z": 1.10, "a": 123456789012345678901234567890 }"#).expect("JSON");
        check(&HookOutcome::Allow, r#"{"outcome":"allow"}"#);
        check(
            &HookOutcome::deny("no"),
            r#"{"outcome":"deny","reason":"no"}"#,
        );
        check(
            &HookOutcome::modify(exact.clone()).because("r"),
            r#"{"outcome":"modify","input":{"z":1.10,"a":123456789012345678901234567890},"reason":"r"}"#,
        );
        check(
            &HookOutcome::replace(exact, true),
            r#"{"outcome":"replace","output":{"z":1.10,"a":123456789012345678901234567890},"is_error":true}"#,
        );
        check(
            &HookOutcome::replace(serde_json::Value::Null, false),
            r#"{"outcome":"replace","output":null,"is_error":false}"#,
        );
    }

    #[test]
    fn a_line_that_is_no_call_reads_as_a_denial() {
        let outcome = HookOutcome::deny("no call");
        let line = OutcomeLine::new(&outcome)
            .with_error("line 3")
            .to_line()
            .expect("serialises");
        assert_eq!(
            line,
            "{\"outcome\":\"deny\",\"reason\":\"no call\",\"error\":\"line 3\"}\n"
        );
    }
}
