//! The object that agents read.

use hook_contract::Json;
use serde::Serialize;

/// What agents read. What is absent is not written: an unknown key, or a `null`, may cost the whole answer.
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Object<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) system_message: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) decision: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) hook_specific_output: Option<Specific<'a>>,
}

/// What belongs to the event.
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Specific<'a> {
    pub(super) hook_event_name: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) permission_decision: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) permission_decision_reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) decision: Option<Behavior<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) updated_input: Option<&'a Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) updated_tool_output: Option<&'a Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) additional_context: Option<String>,
}

/// An answer to a request for permission.
#[derive(Serialize)]
pub(super) struct Behavior<'a> {
    pub(super) behavior: &'static str,
    pub(super) message: &'a str,
}

impl Specific<'_> {
    /// Whether it says nothing but the name of the event.
    const fn is_empty(&self) -> bool {
        self.permission_decision.is_none()
            && self.decision.is_none()
            && self.updated_input.is_none()
            && self.updated_tool_output.is_none()
            && self.additional_context.is_none()
    }
}

impl<'a> Object<'a> {
    /// The object with what belongs to the event, unless that is nothing.
    pub(super) fn with(self, specific: Specific<'a>) -> Self {
        Self {
            hook_specific_output: Some(specific).filter(|specific| !specific.is_empty()),
            ..self
        }
    }

    /// The object on one line, with its end; nothing for an object without a member.
    pub(super) fn line(&self) -> String {
        let says = self.system_message.is_some()
            || self.decision.is_some()
            || self.hook_specific_output.is_some();
        if !says {
            return String::new();
        }
        // Texts and values that are JSON already: there is nothing that could not be written.
        let mut line = serde_json::to_string(self).unwrap_or_default();
        line.push('\n');
        line
    }
}
