//! The end of a chain in which participants asked for a person's agreement.

use std::{sync::Arc, time::Duration};

use hook_contract::{Approval, ApprovalRequest, HookEvent, HookOutcome, HookRequest};
use hook_wire::{MAX_REASON_BYTES, cut};

use super::Walk;
use crate::{
    Asked, Identity, NoteKind, Origin, Settled,
    consultation::by_hand,
    guarded::{self, Budget},
};

impl Walk<'_> {
    /// The outcome of a chain in which participants asked for a person: as it stands, or as the person says.
    pub(super) async fn settle(&mut self, first: Arc<HookRequest>) -> (HookOutcome, Option<Asked>) {
        let then = self.chain.finish();
        let mut call = HookRequest::clone(self.chain.question().request());
        call.again = false;
        let by = self.chain.askers().to_vec();
        let request = ApprovalRequest::new(by, HookRequest::clone(&first), call, then);
        // A person may take ten minutes.
        self.chain.rest();
        let settled = self.ask_a_person(&request).await;
        let outcome = match &settled {
            Settled::Granted { .. } => request.then.clone(),
            Settled::Refused(reason) => HookOutcome::Deny(refused(&request, reason.as_deref())),
            Settled::Unanswered(why) => HookOutcome::Deny(unanswered(&request, why)),
        };
        let asked = Asked {
            by: request.by,
            first,
            then: request.then,
            settled,
        };
        (outcome, Some(asked))
    }

    async fn ask_a_person(&mut self, request: &ApprovalRequest) -> Settled {
        let settings = self.settings;
        let Some(approver) = &settings.approver else {
            return Settled::Unanswered("none can be asked here".into());
        };
        let asked = guarded::approve(&**approver, request, self.time_of_a_person());
        match asked.await {
            Ok(Approval::Granted { remember }) => Settled::Granted { remember },
            Ok(Approval::Refused(reason)) => {
                let bounded = |reason| cut(reason, MAX_REASON_BYTES).0;
                Settled::Refused(reason.map(bounded))
            }
            Err(unapproved) => {
                let host = Identity::new("host", "approval", Origin::Host);
                self.report(host, NoteKind::Remark, unapproved.report);
                Settled::Unanswered(unapproved.why)
            }
        }
    }

    fn time_of_a_person(&self) -> Duration {
        let time = self.settings.approval_timeout;
        let budget = self.budget.filter(|_| self.settings.approval_within_budget);
        let left = budget.and_then(Budget::left);
        left.map_or(time, |left| left.min(time))
    }
}

fn refused(request: &ApprovalRequest, reason: Option<&str>) -> String {
    let reasons = request.reasons();
    match reason.filter(|reason| !reason.is_empty()) {
        Some(reason) => format!("not approved: {reason} (asked by {reasons})"),
        None => format!("not approved by the person who was asked (asked by {reasons})"),
    }
}

fn unanswered(request: &ApprovalRequest, why: &str) -> String {
    let reasons = request.reasons();
    let withheld = if request.call.event == HookEvent::PreToolUse {
        "the call was not made"
    } else {
        "the result is withheld"
    };
    let by_hand = match by_hand(request.call.event, &request.call.input) {
        Some(by_hand) => format!("; {by_hand}"),
        None => String::new(),
    };
    format!("{withheld}, because a person has to agree, and {why} (asked by {reasons}){by_hand}")
}
