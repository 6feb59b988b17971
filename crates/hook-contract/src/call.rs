//! The runtime's own view of a tool call.

use crate::Json;

/// A tool call as the runtime holds it, before any participant is asked.
///
/// The input is the text the model produced. It stays the runtime's: when every participant allows
/// the call, these very bytes are what the tool receives.
///
/// ```
/// use hook_contract::HookCall;
///
/// let call = HookCall::new("agent-1", "shell", "call-1", r#"{"command":"ls"}"#).with_cwd("/repo/sub");
/// assert_eq!(call.tool_name, "shell");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HookCall {
    /// Which agent makes the call, in the runtime's own naming.
    pub agent_id: String,
    /// The name of the tool, exactly as hooks files list it.
    pub tool_name: String,
    /// The runtime's identifier of this one call.
    pub tool_call_id: String,
    /// The tool's input as JSON text; text that is not JSON is carried as it is.
    pub input_json: String,
    /// The agent's current directory, as an absolute path, where the runtime knows it.
    pub cwd: Option<String>,
    /// The runtime's identifier of the session that the call belongs to, where it has one.
    pub session_id: Option<String>,
    /// Whatever else the runtime tells of the call, under names of its own: a JSON object.
    pub extensions: Option<Json>,
}

impl HookCall {
    /// A call of `tool_name` by `agent_id` with the input text as the runtime holds it.
    #[must_use]
    pub fn new(
        agent_id: impl Into<String>,
        tool_name: impl Into<String>,
        tool_call_id: impl Into<String>,
        input_json: impl Into<String>,
    ) -> Self {
        Self {
            agent_id: agent_id.into(),
            tool_name: tool_name.into(),
            tool_call_id: tool_call_id.into(),
            input_json: input_json.into(),
            cwd: None,
            session_id: None,
            extensions: None,
        }
    }

    /// Says in which directory the agent is.
    #[must_use]
    pub fn with_cwd(mut self, cwd: impl Into<String>) -> Self {
        self.cwd = Some(cwd.into());
        self
    }

    /// Says to which session the call belongs.
    #[must_use]
    pub fn with_session_id(mut self, session_id: impl Into<String>) -> Self {
        self.session_id = Some(session_id.into());
        self
    }

    /// Tells more of the call: an object with names of the runtime's own.
    #[must_use]
    pub fn with_extensions(mut self, extensions: impl Into<Json>) -> Self {
        self.extensions = Some(extensions.into());
        self
    }
}
