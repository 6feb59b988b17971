//! What became of a request for a person's agreement.

use std::sync::Arc;

use hook_contract::{Asker, HookOutcome, HookRequest};

/// Participants asked for a person's agreement, and no participant denied.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Asked {
    /// Every participant that asks, in the order in which they were asked.
    pub by: Vec<Asker>,
    /// The call as the runtime put it.
    pub first: Arc<HookRequest>,
    /// What comes of the call when a person agrees; never a deny.
    pub then: HookOutcome,
    /// What a person said.
    pub settled: Settled,
}

/// What came of asking a person.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "an embedder must act on each")]
pub enum Settled {
    /// The person agreed.
    Granted {
        /// Whether the same call need not be asked about again in this session; the host keeps it.
        remember: bool,
    },
    /// The person did not agree, with what the model is told.
    Refused(Option<String>),
    /// No person answered, and why.
    Unanswered(String),
}

impl Settled {
    /// The word in records and in JSON output.
    #[must_use]
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Granted { .. } => "granted",
            Self::Refused(_) => "refused",
            Self::Unanswered(_) => "unanswered",
        }
    }
}
