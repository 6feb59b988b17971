//! The runtime's own view of a tool call.

/// A tool call as the runtime holds it, before any participant is asked.
///
/// The input is the text the model produced. It stays the runtime's: when every participant allows
/// the call, these very bytes are what the tool receives.
///
/// ```
/// use hook_contract::HookCall;
///
/// let call = HookCall::new("agent-1", "shell", "call-1", r#"{"command":"ls"}"#);
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
        }
    }
}
