//! What is said in place of what an agent has no words for.

use thiserror::Error;

/// Why something that the hooks decided takes another form in the agent. The model reads it.
#[derive(Debug, Error)]
pub(super) enum Unsaid {
    /// A denial without a reason.
    #[error("the hooks of this workspace denied it, and gave no reason")]
    NoReason,
    /// Another input, where none is taken.
    #[error(
        "a hook changed the input of this call, and {agent} takes no other input at {event}; the call does not happen"
    )]
    Rewrite {
        agent: &'static str,
        event: &'static str,
    },
    /// Another input, of which the agent would leave out a part.
    #[error(
        "a hook changed `{member}` in the input of this call, and {agent} takes another `command` alone; the call does not happen"
    )]
    RewriteInPart { agent: &'static str, member: String },
    /// Another input without a command.
    #[error(
        "a hook changed the input of this call such that `command` is no text any more; the call does not happen"
    )]
    RewriteWithoutCommand,
    /// An outcome of the other moment.
    #[error(
        "the hooks of this workspace gave an answer that does not belong to {event}; it counts as a denial"
    )]
    OtherMoment { event: &'static str },
    /// Another input that did not arrive.
    #[error(
        "a hook changed the input of this call, and the change could not be handed to {agent}; the call does not happen"
    )]
    RewriteLost { agent: &'static str },
    /// Another result that did not arrive.
    #[error(
        "a hook put another result in the place of this one, and it could not be handed to {agent}; do not use the result"
    )]
    ReplacementLost { agent: &'static str },
    /// A result that stays visible.
    #[error(
        "{reason}\n{agent} cannot withhold this result of {tool}, and you may have seen it; do not use it"
    )]
    Seen {
        agent: &'static str,
        tool: String,
        reason: String,
    },
    /// An ask after a call, at which no agent asks a person.
    #[error(
        "a person has to agree to this result before it is used, and {why} (asked by {askers})"
    )]
    AskedAfter { why: String, askers: String },
    /// In place of a result that is withheld.
    #[error("[a hook withheld this result: {reason}]")]
    Withheld { reason: String },
    /// Another result, beside the one that stays.
    #[error(
        "a hook put another result in the place of this one, which {agent} cannot take out for {tool}; use this one alone:\n{text}"
    )]
    Beside {
        agent: &'static str,
        tool: String,
        text: String,
    },
    /// Another result without a character.
    #[error("[a hook put an empty result in the place of this one]")]
    EmptyResult,
    /// The flag of a failure, in words.
    #[error("a hook marked this result as a failure")]
    MarkedFailed,
    /// The same the other way round.
    #[error("a hook marked this result as no failure")]
    MarkedSucceeded,
}
