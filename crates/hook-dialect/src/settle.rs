//! What the failure of a hook means.

use crate::{
    Decision, Failure, HookOutput, WhyIgnored,
    dialect::{EventRow, Profile},
};

/// What somebody wrote down about the failure of a hook.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(
    clippy::exhaustive_enums,
    reason = "whoever runs hooks must act on each"
)]
pub enum FailurePolicy {
    /// Nothing: a strict profile lets it pass as the agent does; a guarded one refuses what is about to happen, when the
    /// hook could not answer.
    #[default]
    Unwritten,
    /// A hook that could not answer refuses what is about to happen.
    Deny,
    /// It is passed over.
    Allow,
    /// The agent's own setting: every failure is what exit status 2 is, and so is an exit status of any other kind.
    Block,
}

impl FailurePolicy {
    /// The stricter of two that are said about one hook: letting it pass, nothing, a denial, the agent's own blocking.
    #[must_use]
    pub fn stricter(self, other: Self) -> Self {
        let rank = |policy| match policy {
            Self::Allow => 0,
            Self::Unwritten => 1,
            Self::Deny => 2,
            Self::Block => 3,
        };
        if rank(other) > rank(self) {
            other
        } else {
            self
        }
    }
}

impl HookOutput {
    /// The same output, with what its failure means for an event.
    ///
    /// A denial stands. An ask stands when the program ended by itself and no policy blocks, also in an answer that is void.
    /// An allow or a rewrite stands beside a failure that does not block. An ask that cannot be put to a person refuses,
    /// whatever the policy.
    #[must_use]
    pub fn settled(mut self, event: &EventRow, policy: FailurePolicy, profile: Profile) -> Self {
        let Some(failure) = &self.failure else {
            return self;
        };
        if self.refuses() || self.detached {
            return self;
        }
        let ended_in_order = self
            .exit_code
            .is_some_and(|status| !matches!(status, 126 | 127));
        if self.asks() && ended_in_order && policy != FailurePolicy::Block {
            return self;
        }
        let blocks = match policy {
            _ if failure.is_an_ask() => event.before,
            FailurePolicy::Allow => false,
            FailurePolicy::Block => event.failure_can_block,
            FailurePolicy::Deny => event.before && failure.could_not_answer(),
            FailurePolicy::Unwritten => {
                !profile.strict && event.before && failure.could_not_answer()
            }
        };
        if !blocks {
            return self;
        }
        let reason = said(failure, policy);
        if self.updated_input.take().is_some() {
            self.ignore("updatedInput", WhyIgnored::Overruled);
        }
        if self.decision.is_some() {
            self.ignore("decision", WhyIgnored::Overruled);
        }
        self.decision = Some(Decision::Block);
        self.reason = Some(reason);
        self
    }
}

/// Why the call does not happen. What a broken hook printed is not for the model.
fn said(failure: &Failure, policy: FailurePolicy) -> String {
    if failure.is_an_ask() {
        return "a hook asked for a person's agreement in an answer that cannot be put to a person; without the agreement \
                this does not happen"
            .to_owned();
    }
    let what = if matches!(failure, Failure::TimedOut) {
        "took too long"
    } else if matches!(
        failure,
        Failure::NotStarted { .. } | Failure::ExitStatus(126 | 127)
    ) {
        "could not be started"
    } else if matches!(
        failure,
        Failure::Signal(_) | Failure::NoStatus | Failure::ExitStatus(_)
    ) {
        "failed"
    } else {
        "gave an answer that cannot be read"
    };
    if policy == FailurePolicy::Block {
        format!("a hook {what}, and its settings say that this blocks (onFailure)")
    } else {
        format!("a hook that guards this {what}; a guard that could not answer has cleared nothing")
    }
}

#[cfg(test)]
mod tests;
