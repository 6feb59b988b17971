//! One event of one agent.

use std::time::Duration;

use super::field::{AnswerField, Fact, PayloadField};
use crate::MatcherMode;

/// One event: what it is called, who is asked about it, what they are told and what they may say.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "a row of a table")]
#[non_exhaustive]
pub struct EventRow {
    /// The name in settings, in payloads and in answers.
    pub name: &'static str,
    /// When it fires, in a few words.
    pub fires: &'static str,
    /// What a matcher is compared with.
    pub subject: Subject,
    /// How a matcher is read, where it is not as everywhere.
    pub matcher: Option<MatcherMode>,
    /// How long an answer may take.
    pub timeout: Timeout,
    /// What kinds of handlers may be written for it.
    pub handlers: Handlers,
    /// Which answers have an effect.
    pub honours: Honours,
    /// What `"continue": false` does.
    pub stop: Stop,
    /// What plain text on standard output is, with exit status 0.
    pub plain_text: PlainText,
    /// What exit status 2 means.
    pub exit_two: ExitTwo,
    /// Whether a handler that says so in its settings can turn its own failure into a refusal.
    pub failure_can_block: bool,
    /// Whether something is about to happen that a refusal keeps from happening.
    pub before: bool,
    /// Whether a refusal takes the place of the result; otherwise its reason is put beside it.
    pub refusal_replaces: bool,
    /// Whether a reason in an object keeps the white space around it where a denial needs one.
    pub keeps_reasons: bool,
    /// Whether hooks may put variables into a file for the commands that follow.
    pub exports: bool,
    /// Whether the agent takes the first decision and kills the hooks that have not answered.
    pub first_decides: bool,
    /// The fields at the top of an answer.
    pub top: &'static [AnswerField],
    /// The fields in its `hookSpecificOutput`.
    pub specific: &'static [AnswerField],
    /// Answers that the agent knows and refuses: they make the whole answer a failure.
    pub refused: &'static [Refused],
    /// The payload, in order.
    pub payload: &'static [PayloadField],
}

/// What a matcher is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Subject {
    /// Nothing: the event has no matcher, and one that is written is ignored.
    Nothing,
    /// The names of the tool.
    Tool,
    /// A field of the payload.
    Fact(Fact),
    /// The last part of the path in a field of the payload.
    FileName(Fact),
}

/// How long an answer may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Timeout {
    /// When the settings say nothing.
    pub default: Duration,
    /// Whatever the settings say.
    pub at_most: Option<Duration>,
    /// Whether it is one time for all hooks of the event together, and then the variable that says how many milliseconds
    /// it has. Without it, the longest that the settings say for one of them raises it.
    pub together: Option<&'static str>,
}

/// What kinds of handlers may be written for an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Handlers {
    /// Every kind.
    All,
    /// Every kind but `agent`.
    AllButAgent,
    /// `command`, `http` and `mcp_tool`.
    WithoutModel,
    /// `command` and `mcp_tool`.
    CommandAndMcp,
    /// `command` alone.
    Command,
}

/// Which answers to an event have an effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Honours(u16);

impl Honours {
    /// Nothing an answer says has an effect.
    pub const NOTHING: Self = Self(0);
    /// `"decision": "block"`.
    pub const BLOCK: Self = Self(1);
    /// `"decision": "approve"`.
    pub const APPROVE: Self = Self(1 << 1);
    /// `permissionDecision`: `allow`, `deny` and `ask`.
    pub const PERMISSION: Self = Self(1 << 2);
    /// `permissionDecision`: `defer`.
    pub const DEFER: Self = Self(1 << 3);
    /// `decision.behavior` of a request for permission.
    pub const BEHAVIOR: Self = Self(1 << 4);
    /// `updatedInput`.
    pub const REWRITE: Self = Self(1 << 5);
    /// `updatedToolOutput`.
    pub const REPLACE: Self = Self(1 << 6);
    /// `updatedMCPToolOutput`, for tools of MCP servers.
    pub const REPLACE_MCP: Self = Self(1 << 7);
    /// `additionalContext`.
    pub const CONTEXT: Self = Self(1 << 8);
    /// `systemMessage`.
    pub const MESSAGE: Self = Self(1 << 9);

    /// Both.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether all of these are among them.
    #[must_use]
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether an answer can refuse what is about to happen, or ask for another round.
    #[must_use]
    pub const fn can_refuse(self) -> bool {
        self.0 & (Self::BLOCK.0 | Self::PERMISSION.0 | Self::BEHAVIOR.0) != 0
    }

    /// Whether a hook may leave it to a person here.
    pub(crate) const fn can_ask(self) -> bool {
        self.0 & (Self::PERMISSION.0 | Self::BEHAVIOR.0) != 0
    }
}

/// What `"continue": false` does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stop {
    /// It ends the turn.
    Ends,
    /// Nothing.
    Ignored,
    /// It puts its reason in place of the result, as a refusal does, and the turn goes on.
    Replaces,
}

/// What plain text on standard output is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlainText {
    /// Nothing.
    Nothing,
    /// Context for the model.
    Context,
    /// A failure.
    Fails,
}

/// What exit status 2 means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExitTwo {
    /// A refusal, with standard error as its reason.
    Refuses,
    /// A refusal, as every other status but 0 is.
    RefusesAsAny,
    /// A refusal when there is a reason on standard error; otherwise a failure.
    RefusesWithReason,
    /// A failure like any other status.
    Fails,
    /// Nothing: standard error is for the user.
    Nothing,
}

/// An answer that an agent knows and refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refused {
    /// `"continue": false`.
    Stop,
    /// `stopReason`.
    StopReason,
    /// `"suppressOutput": true`.
    SuppressOutput,
    /// `permissionDecision: allow` with nothing to rewrite.
    BareAllow,
    /// `permissionDecision: ask`.
    Ask,
    /// `"decision": "approve"`.
    Approve,
    /// `updatedInput` without `permissionDecision: allow`.
    LoneRewrite,
    /// A reason without a decision.
    LoneReason,
    /// `updatedMCPToolOutput`.
    ReplaceMcp,
    /// `updatedInput` in a verdict on a request for permission.
    PermittedInput,
    /// `updatedPermissions`.
    UpdatedPermissions,
    /// `"interrupt": true`.
    Interrupt,
}

impl Refused {
    /// Whether whoever said it wanted something not to happen, or not as it stands.
    #[must_use]
    pub const fn restricts(self) -> bool {
        match self {
            Self::Stop
            | Self::Ask
            | Self::LoneRewrite
            | Self::ReplaceMcp
            | Self::PermittedInput
            | Self::Interrupt => true,
            Self::StopReason
            | Self::SuppressOutput
            | Self::BareAllow
            | Self::Approve
            | Self::LoneReason
            | Self::UpdatedPermissions => false,
        }
    }
}

impl EventRow {
    pub(super) const fn new(
        name: &'static str,
        fires: &'static str,
        payload: &'static [PayloadField],
    ) -> Self {
        Self {
            name,
            fires,
            payload,
            subject: Subject::Nothing,
            matcher: None,
            timeout: super::seconds(600),
            handlers: Handlers::WithoutModel,
            honours: Honours::NOTHING,
            stop: Stop::Ignored,
            plain_text: PlainText::Nothing,
            exit_two: ExitTwo::Nothing,
            failure_can_block: false,
            before: false,
            refusal_replaces: false,
            keeps_reasons: false,
            exports: false,
            first_decides: false,
            top: &[],
            specific: &[],
            refused: &[],
        }
    }
}
