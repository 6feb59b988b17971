//! What comes of a chain that no participant ended.

use hook_contract::{Approval, HookOutcome, shown};
use hook_runner::Settled;

use super::Model;

impl Model<'_> {
    /// What comes of a chain that no participant ended, and of the person it is for.
    pub(super) fn settle(&mut self, person: Option<&Approval>) -> HookOutcome {
        let then = self.outcome();
        if self.askers.is_empty() {
            return then;
        }
        let settled = settled(person);
        self.told.asked = Some((self.askers.clone(), settled.as_str()));
        let askers = self.askers.join("\n");
        match settled {
            Settled::Granted { .. } => then,
            Settled::Refused(Some(reason)) if !reason.is_empty() => {
                HookOutcome::Deny(format!("not approved: {reason} (asked by {askers})"))
            }
            Settled::Refused(_) => HookOutcome::Deny(format!(
                "not approved by the person who was asked (asked by {askers})"
            )),
            Settled::Unanswered(why) => HookOutcome::Deny(if self.before {
                let by_hand = self.by_hand();
                format!(
                    "the call was not made, because a person has to agree, and {why} (asked by {askers}); a person can \
                     {by_hand}"
                )
            } else {
                format!(
                    "the result is withheld, because a person has to agree, and {why} (asked by {askers})"
                )
            }),
        }
    }

    fn by_hand(&self) -> String {
        match self.request.input["command"].as_str() {
            Some(command) if command.chars().count() <= 500 => {
                format!("run it by hand: {}", shown::line(command))
            }
            _ => "do it by hand".into(),
        }
    }

    fn outcome(&self) -> HookOutcome {
        let reason = (!self.hands.is_empty()).then(|| self.hands.join("; "));
        match (reason, &self.request.output) {
            (None, _) => HookOutcome::Allow,
            (reason, Some(output)) if !self.before => HookOutcome::Replace {
                output: output.clone(),
                is_error: self.request.is_error.unwrap_or(false),
                reason,
            },
            (reason, _) => HookOutcome::Modify {
                input: self.request.input.clone(),
                reason,
            },
        }
    }
}

/// What the person says who is asked at last.
fn settled(person: Option<&Approval>) -> Settled {
    match person {
        None => Settled::Unanswered("none can be asked here".into()),
        Some(Approval::Granted { remember }) => Settled::Granted {
            remember: *remember,
        },
        Some(Approval::Refused(reason)) => Settled::Refused(reason.clone()),
    }
}
