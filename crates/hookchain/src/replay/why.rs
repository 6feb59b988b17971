//! What participants said then and say now, and which of it makes a difference.

use std::path::Path;

use hook_audit::{
    HookInvoked, HookResult, RecordedDecision, RecordedOnFailure, Redaction, handler_id,
};
use hook_contract::{Decision, OnFailure};
use hook_runner::{HookFailure, Step};

/// What one participant said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Said {
    pub(super) handler_id: String,
    /// In which pass it was asked: 1, or more when it was asked again.
    pub(super) pass: u8,
    pub(super) kind: String,
    pub(super) name: String,
    /// `allow`, `deny`, `ask`, `modify`, `replace`, `stop`, `failed`, or `no answer`.
    pub(super) word: &'static str,
    /// The reason that was given, or how it failed.
    pub(super) because: Option<String>,
    /// How it failed today, in the words that the model reads; those of a record are not known.
    failure_for_model: Option<String>,
    /// Whether it ended the chain.
    denies: bool,
}

/// A participant that said something else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Changed {
    /// Nothing when it was not asked.
    pub(super) then: Option<Said>,
    pub(super) now: Option<Said>,
}

impl Said {
    pub(super) fn recorded((asked, answer): (&HookInvoked, Option<&HookResult>)) -> Self {
        let failure = answer.and_then(|answer| answer.failure.as_ref());
        let (word, denies) = match (answer, failure) {
            (None, _) => ("no answer", false),
            (_, Some(failure)) => ("failed", failure.on_failure == RecordedOnFailure::Deny),
            (Some(answer), None) => (
                answer.decision.as_str(),
                answer.decision == RecordedDecision::Deny,
            ),
        };
        let reason = answer.and_then(|answer| answer.reason.clone());
        Self {
            handler_id: asked.handler_id.clone(),
            pass: asked.pass,
            kind: asked.kind.clone(),
            name: asked.name.clone(),
            word,
            because: failure.map(|failure| failure.message.clone()).or(reason),
            failure_for_model: None,
            denies,
        }
    }

    pub(super) fn today(step: &Step, workspace: &Path) -> Self {
        let failure = step.failure.as_ref();
        let failed_with = failure.map(ToString::to_string);
        let denies = match step.decision {
            Some(decision) => decision == Decision::Deny,
            None => step.on_failure == OnFailure::Deny,
        };
        let word = if step.decision == Some(Decision::Allow) && step.stops {
            RecordedDecision::Stop.as_str()
        } else {
            step.word()
        };
        Self {
            handler_id: handler_id(&step.who, step.event, workspace),
            pass: step.pass,
            kind: step.who.kind().to_owned(),
            name: step.who.name().to_owned(),
            word,
            because: failed_with.or_else(|| step.reason.clone()),
            failure_for_model: failure.map(HookFailure::for_model),
            denies,
        }
    }

    /// Whether it leaves the call as it is.
    fn is_harmless(&self) -> bool {
        !self.denies && !matches!(self.word, "ask" | "modify" | "replace")
    }

    /// Whether the other is of the same participant, in the same pass.
    fn is(&self, other: &Self, by_id: bool) -> bool {
        let is_of_the_same = if by_id {
            self.handler_id == other.handler_id
        } else {
            (&self.kind, &self.name) == (&other.kind, &other.name)
        };
        is_of_the_same && self.pass == other.pass
    }

    /// Whether the same was given as the reason, or went wrong, in the words that the record has.
    ///
    /// A record that holds everything has those for the operator. Any other has those for the model, with secrets masked,
    /// and nothing says which words were left out.
    fn has_reason_of(&self, recorded: &Self) -> bool {
        self.because == recorded.because
            || self.failure_for_model.as_ref().is_some_and(|words| {
                let masked = Redaction::default();
                recorded.because.as_deref() == Some(&*masked.mask_text(words).0)
            })
    }
}

/// Whether the same participants ask for a person's agreement, for the same reasons, in the same order.
pub(super) fn asks_the_same(then: &[Said], now: &[Said]) -> bool {
    let asks = |said: &[Said]| -> Vec<_> {
        let asking = said.iter().filter(|said| said.word == "ask");
        asking
            .map(|said| (said.kind.clone(), said.name.clone(), said.because.clone()))
            .collect()
    };
    asks(then) == asks(now)
}

/// Who makes the difference, in the order in which they are asked.
///
/// Reasons hold times and paths. So another reason for the same answer is told only where reasons count, or where nobody
/// said anything else and a change that came with another reason is the likely cause.
pub(super) fn changed(then: &[Said], now: &[Said], reasons_count: bool) -> Vec<Changed> {
    let mut pairs: Vec<Changed> = now.iter().cloned().map(Changed::new_now).collect();
    let mut left: Vec<Said> = then.to_vec();
    // A hook whose command changed has another id; then its name says which it was.
    for by_id in [true, false] {
        for pair in pairs.iter_mut().filter(|pair| pair.then.is_none()) {
            let found = left
                .iter()
                .position(|said| pair.now.as_ref().is_some_and(|now| now.is(said, by_id)));
            pair.then = found.map(|index| left.remove(index));
        }
    }
    let ends_early = now.last().is_some_and(|last| last.denies);
    // Who is not asked because somebody denied before makes no difference.
    if !ends_early {
        let gone = left.into_iter().filter(|said| !said.is_harmless());
        pairs.extend(gone.map(|said| Changed {
            then: Some(said),
            now: None,
        }));
    }
    let reasons_count = reasons_count || !pairs.iter().any(Changed::is_another_answer);
    pairs.retain(|pair| pair.is_another_answer() || (reasons_count && pair.has_another_reason()));
    pairs
}

impl Changed {
    fn new_now(now: Said) -> Self {
        Self {
            then: None,
            now: Some(now),
        }
    }

    fn is_another_answer(&self) -> bool {
        match (&self.then, &self.now) {
            (Some(then), Some(now)) => then.word != now.word || then.denies != now.denies,
            (None, Some(said)) | (Some(said), None) => !said.is_harmless(),
            (None, None) => false,
        }
    }

    /// The same answer, which is not harmless, for another reason.
    fn has_another_reason(&self) -> bool {
        match (&self.then, &self.now) {
            (Some(then), Some(now)) => !now.is_harmless() && !now.has_reason_of(then),
            (None, _) | (_, None) => false,
        }
    }
}

#[cfg(test)]
mod tests;
