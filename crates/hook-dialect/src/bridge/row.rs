//! One event of an agent at which the chain is asked.

use hook_contract::HookEvent;

use super::asking::AskRow;
use crate::dialect::Fact;

/// One event of an agent at which the chain is asked, and the words in which the agent takes each outcome.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct BridgeRow {
    /// The name of the event.
    pub event: &'static str,
    /// What of the payload identifies the call.
    pub call_id: Fact,
    /// What came of the call; nothing before it.
    pub outcome: Option<OutcomeOf>,
    /// How a refusal is said.
    pub refusal: Refusal,
    /// How another input is said.
    pub rewrite: Rewrite,
    /// How another result is said.
    pub replacement: Replacement,
    /// How words for the model are said.
    pub context: ContextPlace,
    /// The modes in which an ask is handed on to the agent.
    pub asks: &'static [AskRow],
    /// Whether an installation asks at this event.
    pub installed: bool,
}

/// Where the payload says what came of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OutcomeOf {
    /// The field.
    pub fact: Fact,
    /// Whether it tells of a failure.
    pub is_error: bool,
}

/// How a refusal is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// `permissionDecision: deny` with its reason.
    Permission,
    /// `decision.behavior: deny` with its message.
    Behavior,
    /// `decision: block` with its reason.
    Block,
}

/// How another input is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Rewrite {
    /// `updatedInput` without a decision, so that permissions stay the agent's own.
    Alone,
    /// `updatedInput` with `permissionDecision: allow`, without which this agent runs the original. It lifts no
    /// permission there.
    WithAllow,
    /// The agent has no words for it here.
    Unsaid,
}

/// How another result is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Replacement {
    /// `updatedToolOutput`, in the shape of the tool's own results.
    InShape,
    /// The reason of a refusal, which this agent puts in the place of the result.
    AsReason,
    /// Beside the result, which stays.
    Beside,
}

/// Where words for the model are said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ContextPlace {
    /// `additionalContext`, which the agent hears beside every answer.
    Beside,
    /// `additionalContext`, which the agent does not hear beside exit status 2. A refusal has the words at the end of its
    /// reason.
    BesideUnlessRefused,
    /// The agent has no place for them here. A refusal has the words at the end of its reason; beside any other answer they
    /// are not said.
    InRefusals,
}

impl BridgeRow {
    /// The chain's event.
    #[must_use]
    pub const fn asks(&self) -> HookEvent {
        match self.outcome {
            None => HookEvent::PreToolUse,
            Some(_) => HookEvent::PostToolUse,
        }
    }
}
