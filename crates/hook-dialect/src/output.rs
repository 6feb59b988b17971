//! What a hook said, in words that belong to no agent.

use std::fmt;

use hook_contract::{Json, shown};

use crate::Failure;

/// What one hook answered, as its dialect understands it.
///
/// Fields hold what has an effect on the event. What was said beside that is in [`ignored`](Self::ignored), each with
/// the reason; nothing is dropped without a word.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct HookOutput {
    /// The exit status; nothing after a signal, and when it is not known.
    pub exit_code: Option<i32>,
    /// Standard output without the white space around it; bytes that are not UTF-8 as replacement characters.
    pub stdout: String,
    /// Standard error, likewise.
    pub stderr: String,
    /// `continue`.
    pub continues: Option<bool>,
    /// `stopReason`.
    pub stop_reason: Option<String>,
    /// What was decided.
    pub decision: Option<Decision>,
    /// Why.
    pub reason: Option<String>,
    /// The event that the answer names.
    pub hook_event_name: Option<String>,
    /// Text for the model, beside whatever was decided.
    pub additional_context: Option<String>,
    /// The input that the tool is to be called with instead. An object, but where the agent takes any value.
    pub updated_input: Option<Json>,
    /// The result that the model is to see instead.
    pub updated_tool_output: Option<Json>,
    /// The same, for tools of MCP servers alone.
    pub updated_mcp_output: Option<Json>,
    /// Text for the user.
    pub system_message: Option<String>,
    /// `suppressOutput`; it has no effect anywhere.
    pub suppress_output: Option<bool>,
    /// Whether the hook said that it goes on in the background. Then it decides nothing.
    pub detached: bool,
    /// Why this is no answer, or not a whole one.
    pub failure: Option<Failure>,
    /// What was said and has no effect.
    pub ignored: Vec<Ignored>,
}

/// What a hook decided, in the agents' words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(
    clippy::exhaustive_enums,
    reason = "whoever runs hooks must act on each"
)]
pub enum Decision {
    /// The older word for allow.
    Approve,
    /// The call needs no permission.
    Allow,
    /// The older word for deny; also: go on, because something is missing.
    Block,
    /// The call does not happen.
    Deny,
    /// Somebody is asked.
    Ask,
    /// The call is put off.
    Defer,
}

impl Decision {
    /// The word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Approve => "approve",
            Self::Allow => "allow",
            Self::Block => "block",
            Self::Deny => "deny",
            Self::Ask => "ask",
            Self::Defer => "defer",
        }
    }

    /// Whether it refuses.
    #[must_use]
    pub const fn refuses(self) -> bool {
        matches!(self, Self::Block | Self::Deny)
    }
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Something that a hook said and that has no effect.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Ignored {
    /// What was said: the name of a field, or `stdout`.
    pub field: String,
    /// Why it has no effect.
    pub why: WhyIgnored,
}

/// Why something that a hook said has no effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum WhyIgnored {
    /// The agent does not know it.
    UnknownField,
    /// It has the wrong type; this is what it is.
    WrongType(&'static str),
    /// It has no effect on this event.
    NoEffect,
    /// The answer names another event, and so it was not said to this one.
    OtherEvent,
    /// Another field of the answer, or the exit status, decides.
    Overruled,
    /// The key stands there again, and the last one counts.
    Repeated,
    /// The hook goes on in the background, where it decides nothing.
    Detached,
    /// It is plain text, which has no effect here.
    PlainText,
    /// Permissions are the agent's own.
    Permissions,
}

impl Ignored {
    pub(crate) fn new(field: impl Into<String>, why: WhyIgnored) -> Self {
        /// A name is a word; what is longer is somebody's text.
        const LONGEST: usize = 60;
        let field: String = field.into();
        Self {
            field: field.chars().take(LONGEST).collect(),
            why,
        }
    }
}

impl fmt::Display for Ignored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` was ignored: {}",
            shown::line(&self.field),
            self.why
        )
    }
}

impl fmt::Display for WhyIgnored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::UnknownField => "there is no such field",
            Self::WrongType(found) => {
                return write!(f, "it has the wrong type, {found}");
            }
            Self::NoEffect => "it has no effect on this event",
            Self::OtherEvent => "the answer names another event",
            Self::Overruled => "another field or the exit status decides",
            Self::Repeated => "the key stands there again, and the last one counts",
            Self::Detached => "a hook in the background decides nothing",
            Self::PlainText => "plain text has no effect here; print JSON",
            Self::Permissions => "permissions are changed in the agent's own settings alone",
        })
    }
}

impl HookOutput {
    /// The output of a hook that gave none: it was not started, or took too long.
    #[must_use]
    pub fn failed(failure: Failure) -> Self {
        Self {
            failure: Some(failure),
            ..Self::default()
        }
    }

    /// Whether it refuses.
    #[must_use]
    pub fn refuses(&self) -> bool {
        self.decision.is_some_and(Decision::refuses)
    }

    /// Whether it wants a person to decide. A hook that would put a call off wants that too.
    pub(crate) fn asks(&self) -> bool {
        matches!(self.decision, Some(Decision::Ask | Decision::Defer))
    }

    pub(crate) fn ignore(&mut self, field: impl Into<String>, why: WhyIgnored) {
        self.ignored.push(Ignored::new(field, why));
    }
}
