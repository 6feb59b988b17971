//! What participants said then and say now, and which of it makes a difference.

use std::path::Path;

use hook_audit::{HookInvoked, HookResult, RecordedDecision, RecordedOnFailure, handler_id};
use hook_contract::{Decision, OnFailure};
use hook_runner::Step;

/// What one participant said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Said {
    pub(super) handler_id: String,
    pub(super) kind: String,
    pub(super) name: String,
    /// `allow`, `deny`, `ask`, `modify`, `replace`, `stop`, `failed`, or `no answer`.
    pub(super) word: &'static str,
    /// The reason that was given, or how it failed.
    pub(super) because: Option<String>,
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
            kind: asked.kind.clone(),
            name: asked.name.clone(),
            word,
            because: failure.map(|failure| failure.message.clone()).or(reason),
            denies,
        }
    }

    pub(super) fn today(step: &Step, workspace: &Path) -> Self {
        let failed_with = step.failure.as_ref().map(ToString::to_string);
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
            kind: step.who.kind().to_owned(),
            name: step.who.name().to_owned(),
            word,
            because: failed_with.or_else(|| step.reason.clone()),
            denies,
        }
    }

    /// Whether it leaves the call as it is.
    fn is_harmless(&self) -> bool {
        !self.denies && !matches!(self.word, "ask" | "modify" | "replace")
    }

    fn is(&self, other: &Self, by_id: bool) -> bool {
        if by_id {
            self.handler_id == other.handler_id
        } else {
            (&self.kind, &self.name) == (&other.kind, &other.name)
        }
    }
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
            (Some(then), Some(now)) => !now.is_harmless() && then.because != now.because,
            (None, _) | (_, None) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(id: &str, name: &str, word: &'static str) -> Said {
        Said {
            handler_id: id.into(),
            kind: "hook".into(),
            name: name.into(),
            word,
            because: None,
            denies: word == "deny",
        }
    }

    #[track_caller]
    fn check(then: &[Said], now: &[Said], expected: &[(&str, &str)]) {
        check_with(then, now, false, expected);
    }

    #[track_caller]
    fn check_with(then: &[Said], now: &[Said], reasons: bool, expected: &[(&str, &str)]) {
        let found = changed(then, now, reasons);
        let word = |said: &Option<Said>| said.as_ref().map_or("-", |said| said.word);
        let words: Vec<_> = found
            .iter()
            .map(|changed| (word(&changed.then), word(&changed.now)))
            .collect();
        assert_eq!(words, expected);
    }

    #[test]
    fn who_says_something_else_is_told_and_who_does_not_is_not() {
        let (a, b) = (said("1", "a", "allow"), said("2", "b", "allow"));
        check(
            &[a.clone(), b.clone()],
            &[a.clone(), said("2", "b", "deny")],
            &[("allow", "deny")],
        );
        check(std::slice::from_ref(&a), &[b.clone(), a.clone()], &[]);
        check(
            std::slice::from_ref(&a),
            &[a.clone(), said("3", "c", "modify")],
            &[("-", "modify")],
        );
    }

    #[test]
    fn who_was_not_reached_because_of_a_denial_makes_no_difference() {
        let (allow, deny) = (said("1", "a", "allow"), said("1", "a", "deny"));
        let last = said("2", "b", "deny");
        check(
            &[allow.clone(), last.clone()],
            &[deny],
            &[("allow", "deny")],
        );
        check(&[allow.clone(), last], &[allow], &[("deny", "-")]);
    }

    #[test]
    fn another_reason_is_no_difference_where_another_answer_is() {
        let at = |time: &str| Said {
            because: Some(time.into()),
            ..said("1", "stamp", "modify")
        };
        let (allow, deny) = (said("2", "guard", "allow"), said("2", "guard", "deny"));
        let (then, now) = ([at("1"), allow.clone()], [at("2"), deny]);
        check(&then, &now, &[("allow", "deny")]);
        let both = [("modify", "modify"), ("allow", "deny")];
        check_with(&then, &now, true, &both);
        check(&then, &[at("2"), allow], &[("modify", "modify")]);
    }

    #[test]
    fn a_hook_with_another_command_is_known_by_its_name() {
        check(
            &[said("1", "guard", "allow")],
            &[said("2", "guard", "deny")],
            &[("allow", "deny")],
        );
    }
}
