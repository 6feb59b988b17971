//! What a participant is told before it is asked: enough to say whether it wants to be.

use crate::{HookEvent, Kinds};

/// What a call is about, as far as the choice of participants needs it.
///
/// A chain makes one for each consultation, before anything of the input is parsed.
///
/// ```
/// use hook_contract::{HookEvent, Kind, Subject};
///
/// let subject = Subject::new(HookEvent::PreToolUse, "Bash").with_kinds([Kind::Shell]);
/// assert!(subject.kinds.contains(Kind::Shell));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Subject<'a> {
    /// When the question is asked.
    pub event: HookEvent,
    /// The name of the tool, as the runtime calls it. Empty at an event that is no tool call.
    pub tool_name: &'a str,
    /// What the tool can do. Empty where the host has no [`ToolKnowledge`](crate::ToolKnowledge).
    pub kinds: Kinds,
}

impl<'a> Subject<'a> {
    /// A call of this tool at this event, of whose kinds nothing is known.
    #[must_use]
    pub const fn new(event: HookEvent, tool_name: &'a str) -> Self {
        Self {
            event,
            tool_name,
            kinds: Kinds::NONE,
        }
    }

    /// Adds what is known about the tool.
    #[must_use]
    pub fn with_kinds(self, kinds: impl IntoIterator<Item = crate::Kind>) -> Self {
        Self {
            kinds: kinds.into_iter().collect(),
            ..self
        }
    }
}
