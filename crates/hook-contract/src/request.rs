//! What every participant sees, field for field, on every transport.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::{Facts, HOOK_SCHEMA_VERSION, HookCall, HookEvent, Json, Tool, json::JsonError};

/// One question put to a hook: a tool call before it runs, or its result before the model sees it.
///
/// ```
/// use std::path::Path;
///
/// use hook_contract::{HookCall, HookEvent, HookRequest};
/// use serde_json::json;
///
/// let call = HookCall::new("agent-1", "read_file", "call-1", r#"{"path":".env"}"#);
/// let request = HookRequest::from_result(Path::new("/repo"), &call, json!("TOKEN=hunter2"), false);
/// assert_eq!(request.event, HookEvent::PostToolUse);
/// assert_eq!(request.output.as_deref(), Some(&json!("TOKEN=hunter2")));
///
/// let sent = serde_json::to_string(&request)?;
/// assert_eq!(serde_json::from_str::<HookRequest>(&sent)?, request);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct HookRequest {
    /// The version of this shape; always 1.
    #[cfg_attr(feature = "schema", schemars(extend("const" = 1)))]
    pub hook_schema: u32,
    /// When the hook is asked: `pre_tool_use` before the tool runs, `post_tool_use` after it ran.
    pub event: HookEvent,
    /// The root directory the agent's run is scoped to; also the working directory of a hook program, unless the user's own
    /// file declares it: that one runs in the folder of its file.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub workspace: PathBuf,
    /// Which agent makes the call, in the runtime's own naming.
    pub agent_id: String,
    /// The runtime's identifier of this one call.
    pub tool_call_id: String,
    /// The name of the tool that is called.
    pub tool_name: String,
    /// The tool's input. A JSON string with the raw text when the runtime's text is not JSON. After the call, the input
    /// the tool ran with.
    pub input: Json,
    /// The tool's result; only after the call. A text result is a JSON string, a structured result is itself.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "present"
    )]
    #[cfg_attr(feature = "schema", schemars(with = "Json"))]
    pub output: Option<Json>,
    /// Whether the tool reported a failure; present exactly when `output` is.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "present"
    )]
    #[cfg_attr(feature = "schema", schemars(with = "bool"))]
    pub is_error: Option<bool>,
    /// The agent's current directory, as an absolute path. Absent where it is not known, and for a hook whose entry does not
    /// say `"facts": true`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub cwd: Option<String>,
    /// The runtime's identifier of the session that the call belongs to. Absent where it has none, and for a hook whose
    /// entry does not say `"facts": true`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub session_id: Option<String>,
    /// Whatever else the runtime tells of the call, under names of its own. Absent where it tells nothing, and for a hook
    /// whose entry does not say `"facts": true`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "serde_json::Map<String, Value>"))]
    pub extensions: Option<Json>,
    /// What is known about the tool. Absent where nothing is known, and for a hook whose entry does not say `"facts": true`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Tool"))]
    pub tool: Option<Tool>,
    /// What the call does, as far as it could be read. Absent where the host reads no calls of this tool, and for a hook
    /// whose entry does not say `"facts": true`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Facts"))]
    pub facts: Option<Facts>,
    /// True when the hook has judged another form of this call already, and is asked about the form that a hook of lower
    /// rank left. An answer with another rewrite then starts one more round, and after that it is a denial. Absent
    /// otherwise, and for a hook whose entry does not say `"facts": true`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub again: bool,
    /// Why the runtime's input text has more than one reading, when it has.
    #[serde(skip)]
    ambiguity: Option<JsonError>,
}

/// Keeps absent and `null` apart: a tool may well have returned `null`.
fn present<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

impl HookRequest {
    /// The question about `call`, which has not run yet (or, with another event, has no result).
    ///
    /// The input is the call's text parsed; a JSON string with the raw text when it is not JSON, or
    /// nested deeper than [`MAX_DEPTH`](crate::json::MAX_DEPTH). Text that two parsers could read
    /// as two different calls is carried raw as well, and [`ambiguity`](Self::ambiguity) says why.
    ///
    /// ```
    /// use std::path::Path;
    ///
    /// use hook_contract::{HookCall, HookEvent, HookRequest};
    ///
    /// let call = HookCall::new("agent-1", "shell", "call-1", r#"{"command":"ls"}"#);
    /// let request = HookRequest::from_call(HookEvent::PreToolUse, Path::new("/repo"), &call);
    /// assert_eq!(request.input["command"], "ls");
    /// assert_eq!(request.output, None);
    /// ```
    #[must_use]
    pub fn from_call(event: HookEvent, workspace: &Path, call: &HookCall) -> Self {
        let raw = || Json::from(Value::from(call.input_json.as_str()));
        let (input, ambiguity) = match Json::parse(&call.input_json) {
            Ok(input) => (input, None),
            Err(error) if error.is_ambiguous() => (raw(), Some(error)),
            Err(_not_json) => (raw(), None),
        };
        Self {
            hook_schema: HOOK_SCHEMA_VERSION,
            event,
            workspace: workspace.to_owned(),
            agent_id: call.agent_id.clone(),
            tool_call_id: call.tool_call_id.clone(),
            tool_name: call.tool_name.clone(),
            input,
            output: None,
            is_error: None,
            cwd: call.cwd.clone(),
            session_id: call.session_id.clone(),
            extensions: call.extensions.clone(),
            tool: None,
            facts: None,
            again: false,
            ambiguity,
        }
    }

    /// The question about the result of `call`, which has run; the event is always
    /// [`PostToolUse`](HookEvent::PostToolUse).
    ///
    /// `output` is a JSON string for a text result, otherwise the structured result itself. Text is
    /// never parsed because it looks like JSON.
    #[must_use]
    pub fn from_result(
        workspace: &Path,
        call: &HookCall,
        output: impl Into<Json>,
        is_error: bool,
    ) -> Self {
        Self::from_call(HookEvent::PostToolUse, workspace, call).with_output(output, is_error)
    }

    /// The same question with another input, as after a `modify`. Facts about the old input are dropped.
    #[must_use]
    pub fn with_input(self, input: impl Into<Json>) -> Self {
        Self {
            input: input.into(),
            facts: None,
            ambiguity: None,
            ..self
        }
    }

    /// The same question with another result, as after a `replace`.
    #[must_use]
    pub fn with_output(self, output: impl Into<Json>, is_error: bool) -> Self {
        Self {
            output: Some(output.into()),
            is_error: Some(is_error),
            ..self
        }
    }

    /// Adds what is known about the tool and about what the call does.
    ///
    /// ```
    /// use std::path::Path;
    ///
    /// use hook_contract::{Facts, HookCall, HookEvent, HookRequest, Kind, Tool};
    ///
    /// let call = HookCall::new("agent-1", "Bash", "call-1", r#"{"command":"ls"}"#);
    /// let request = HookRequest::from_call(HookEvent::PreToolUse, Path::new("/repo"), &call)
    ///     .with_knowledge(Tool::new([Kind::Shell]), Some(Facts::new()));
    /// assert_eq!(request.tool.unwrap().kinds, [Kind::Shell]);
    /// ```
    #[must_use]
    pub fn with_knowledge(self, tool: Tool, facts: Option<Facts>) -> Self {
        Self {
            tool: Some(tool),
            facts,
            ..self
        }
    }

    /// Says that it is asked a second time, about the form that a participant of lower rank left.
    #[must_use]
    pub fn asked_again(self) -> Self {
        Self {
            again: true,
            ..self
        }
    }

    /// Why the runtime's input text can be read as two different calls, when it can.
    ///
    /// A chain denies such a call before it asks anybody: a guard could judge the one reading while
    /// the tool runs the other.
    #[must_use]
    pub fn ambiguity(&self) -> Option<&JsonError> {
        self.ambiguity.as_ref()
    }
}

#[cfg(test)]
mod tests;
