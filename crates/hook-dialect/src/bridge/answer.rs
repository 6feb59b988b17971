//! From what the chain says to what has that effect in an agent.

use hook_contract::HookOutcome;
use hook_runner::Consultation;

use super::{reading::Asked, saying::Saying};

/// What is handed to the agent, and how.
///
/// Texts end with a line end.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "whoever answers must act on each")]
pub enum Answer {
    /// There is nothing to decide about the call: exit status 0.
    Nothing {
        /// Words for the user and for the model, on standard output; mostly empty. Nothing depends on their arrival.
        stdout: String,
    },
    /// Something that has an effect: on standard output, with exit status 0. When it cannot be written there, or not
    /// whole, the call must not go on as it was: then this is refused.
    Said {
        /// The object.
        stdout: String,
        /// The refusal in its place: on standard error, with exit status 2.
        otherwise: String,
    },
    /// A refusal: the reason on standard error and the object on standard output, with exit status 2. When standard
    /// error cannot be written, the object alone says it, with exit status 0.
    Refused {
        /// The object.
        stdout: String,
        /// The reason.
        stderr: String,
    },
}

impl Asked {
    /// What has the effect of this consultation in the agent: its outcome, or the ask in a mode in which the agent asks a
    /// person; with it the words for the model, and for the user which participants broke.
    ///
    /// An ask that a person has answered is an outcome like any other.
    #[must_use]
    pub fn answer(&self, consultation: &Consultation) -> Answer {
        let saying = Saying::new(self, consultation);
        match (&consultation.outcome, &self.result) {
            (HookOutcome::Allow, _) => saying.nothing(),
            (HookOutcome::Deny(reason), None) => saying
                .handed_on()
                .unwrap_or_else(|| saying.refused(reason, reason)),
            (HookOutcome::Deny(reason), Some(result)) => {
                let reason = saying.asked_after().unwrap_or_else(|| reason.clone());
                saying.withheld(&reason, result)
            }
            (HookOutcome::Modify { input, .. }, None) => saying.rewritten(input),
            (
                HookOutcome::Replace {
                    output, is_error, ..
                },
                Some(result),
            ) => saying.replaced(output, *is_error, result),
            (HookOutcome::Modify { .. }, Some(result)) => {
                saying.withheld(&saying.other_moment(), result)
            }
            (HookOutcome::Replace { .. }, None) => {
                let reason = saying.other_moment();
                saying.refused(&reason, &reason)
            }
        }
    }

    /// The refusal of a call about which no hook could be asked.
    #[must_use]
    pub fn refusal(&self, reason: impl Into<String>) -> Answer {
        self.answer(&Consultation::of(HookOutcome::Deny(reason.into())))
    }
}
