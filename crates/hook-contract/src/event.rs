//! The points in a tool call's life at which participants are asked.

use std::fmt;

use serde::{Deserialize, Serialize};

/// When a hook is asked about a tool call: before the tool runs, or after it ran.
///
/// On the wire it is `pre_tool_use` or `post_tool_use`.
///
/// ```
/// use hook_contract::HookEvent;
///
/// let event: HookEvent = serde_json::from_str(r#""post_tool_use""#)?;
/// assert_eq!(event, HookEvent::PostToolUse);
/// assert_eq!(HookEvent::default(), HookEvent::PreToolUse);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum HookEvent {
    /// Before the tool runs: whether the call happens, and in what form.
    #[default]
    PreToolUse,
    /// After the tool ran and before the model sees the result. Nothing can be undone any more; what is decided is only
    /// what the model is shown.
    PostToolUse,
}

impl HookEvent {
    /// Every event, in the order of a call's life.
    pub const ALL: &[Self] = &[Self::PreToolUse, Self::PostToolUse];

    /// Whether it is about a tool call or its result. At any other event `tool_name` and `tool_call_id` are empty, and
    /// `input` holds what is known of the event.
    #[must_use]
    pub const fn is_tool_event(self) -> bool {
        match self {
            Self::PreToolUse | Self::PostToolUse => true,
        }
    }

    /// The name on the wire, in hooks files and in records.
    ///
    /// ```
    /// assert_eq!(hook_contract::HookEvent::PreToolUse.as_str(), "pre_tool_use");
    /// ```
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::PreToolUse => "pre_tool_use",
            Self::PostToolUse => "post_tool_use",
        }
    }
}

impl fmt::Display for HookEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
