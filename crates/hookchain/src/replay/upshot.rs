//! What became of a call, and whether it was the same.
//!
//! A replay has no person to ask. So a call that a person had to agree to is compared by what was asked: a yes, a no and no
//! answer are the person's, and what comes of the call after a yes is the hooks'.

use hook_audit::{Captured, ConsultationEnded, NotExact, RecordedOutcome, RecordedSettled};
use hook_contract::{Decision, HookOutcome, Json};
use hook_runner::{Consultation, Settled};

use super::calls::Incomplete;
use crate::consult::outcome::word;

/// What became of a call, then or today.
#[derive(Debug)]
pub(super) struct Upshot {
    /// What the runtime did.
    pub(super) outcome: HookOutcome,
    /// What a person had to agree to, where hooks asked for it and none denied.
    pub(super) agreement: Option<Agreement>,
}

/// What a person had to agree to.
#[derive(Debug)]
pub(super) struct Agreement {
    /// The names of the participants that asked for it, in order.
    pub(super) by: Vec<String>,
    /// What comes of the call after a yes.
    pub(super) then: HookOutcome,
    /// What the person said. A replay asks no person, so there is no answer today.
    pub(super) settled: RecordedSettled,
}

/// An agreement that is needed at one time only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AskChange {
    /// A person has to agree today, and had not then.
    Appeared,
    /// A person had to agree then, and has not today.
    Disappeared,
}

impl Upshot {
    /// That of a recorded call.
    pub(super) fn recorded(ended: &ConsultationEnded) -> Result<Self, Incomplete> {
        let outcome = outcome(
            ended.outcome,
            ended.reason.clone(),
            rewrite("its rewrite", ended.rewrite.as_ref()),
            ended.rewrite_is_error,
        )?;
        let Some(approval) = &ended.approval else {
            let agreement = None;
            return Ok(Self { outcome, agreement });
        };
        let then = if approval.settled == RecordedSettled::Granted {
            outcome.clone()
        } else {
            let rewrite = rewrite(
                "the rewrite that a person was asked about",
                approval.rewrite.as_ref(),
            );
            self::outcome(approval.then, None, rewrite, approval.rewrite_is_error)?
        };
        let agreement = Agreement {
            by: approval.by.clone(),
            then,
            settled: approval.settled,
        };
        Ok(Self {
            outcome,
            agreement: Some(agreement),
        })
    }

    /// That of the same call today.
    pub(super) fn today(consultation: &Consultation) -> Self {
        let agreement = consultation.asked.as_ref().map(|asked| Agreement {
            by: asked.by.iter().map(|asker| asker.name.clone()).collect(),
            then: asked.then.clone(),
            settled: match asked.settled {
                Settled::Granted { .. } => RecordedSettled::Granted,
                Settled::Refused(_) => RecordedSettled::Refused,
                Settled::Unanswered(_) => RecordedSettled::Unanswered,
            },
        });
        Self {
            outcome: consultation.outcome.clone(),
            agreement,
        }
    }

    /// What the hooks make of the call, whatever a person says.
    pub(super) fn form(&self) -> &HookOutcome {
        match &self.agreement {
            Some(agreement) => &agreement.then,
            None => &self.outcome,
        }
    }

    /// The word of the outcome, or `ask`.
    pub(super) const fn word(&self) -> &'static str {
        match self.agreement {
            Some(_) => Decision::Ask.as_str(),
            None => word(&self.outcome),
        }
    }

    /// Whether the same becomes of a call; the words about it and the person's answer aside.
    pub(super) fn is_same(&self, now: &Self) -> bool {
        self.agreement.is_some() == now.agreement.is_some() && is_same(self.form(), now.form())
    }

    /// Whether the same was said about it. Both are the same otherwise.
    ///
    /// The reasons of those that ask a person stand with what they said. After a yes the outcome has a reason of its own; any
    /// other answer is the person's, in words that no hook chose.
    pub(super) fn has_reason_of(&self, now: &Self) -> bool {
        let is_the_persons = self
            .agreement
            .as_ref()
            .is_some_and(|agreement| agreement.settled != RecordedSettled::Granted);
        is_the_persons || self.form().reason() == now.form().reason()
    }

    /// Whether a person has to agree at one time only.
    pub(super) const fn ask_change(&self, now: &Self) -> Option<AskChange> {
        match (&self.agreement, &now.agreement) {
            (None, Some(_)) => Some(AskChange::Appeared),
            (Some(_), None) => Some(AskChange::Disappeared),
            (None, None) | (Some(_), Some(_)) => None,
        }
    }
}

impl AskChange {
    /// The word in JSON output.
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Appeared => "appeared",
            Self::Disappeared => "disappeared",
        }
    }
}

/// An outcome put together from what a record has of it.
fn outcome(
    word: RecordedOutcome,
    reason: Option<String>,
    rewrite: Result<Json, Incomplete>,
    is_error: Option<bool>,
) -> Result<HookOutcome, Incomplete> {
    Ok(match word {
        RecordedOutcome::Allow => HookOutcome::Allow,
        // A call whose question was handed on was not let through by the runtime.
        RecordedOutcome::Deny | RecordedOutcome::Ask => {
            HookOutcome::Deny(reason.unwrap_or_default())
        }
        RecordedOutcome::Modify => HookOutcome::Modify {
            input: rewrite?,
            reason,
        },
        RecordedOutcome::Replace => HookOutcome::Replace {
            output: rewrite?,
            is_error: is_error.unwrap_or(false),
            reason,
        },
        RecordedOutcome::Abandoned | _ => return Err(Incomplete::Abandoned),
    })
}

/// A rewrite as it was, where the record has it so.
fn rewrite(what: &'static str, captured: Option<&Captured>) -> Result<Json, Incomplete> {
    let exact = captured.map_or(Err(NotExact::NotKept), Captured::exact);
    let rewrite = exact.map_err(|error| Incomplete::Value(what, error))?;
    Ok(rewrite.clone())
}

/// Whether two outcomes are the same; the words about them aside.
fn is_same(then: &HookOutcome, now: &HookOutcome) -> bool {
    match (then, now) {
        (HookOutcome::Allow, HookOutcome::Allow) | (HookOutcome::Deny(_), HookOutcome::Deny(_)) => {
            true
        }
        (HookOutcome::Modify { input: then, .. }, HookOutcome::Modify { input: now, .. }) => {
            then == now
        }
        (
            HookOutcome::Replace {
                output: then,
                is_error: then_error,
                ..
            },
            HookOutcome::Replace {
                output: now,
                is_error: now_error,
                ..
            },
        ) => then == now && then_error == now_error,
        _ => false,
    }
}

#[cfg(test)]
mod tests;
