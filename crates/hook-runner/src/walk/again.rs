//! Asking the higher ranks again about what a lower rank rewrote (ADR 0025).

use hook_contract::{HookEvent, HookOutcome, Subject};

use super::Walk;
use crate::{Identity, Participant, runner::Inner, strict};

/// How often a participant is asked at most: once in order, and twice about what lower ranks left.
const LAST_PASS: u8 = 3;

impl Walk<'_> {
    /// Asks the higher ranks about the form that a lower rank left, until each has judged the form that would run.
    pub(super) async fn ask_again(
        &mut self,
        inner: &Inner,
        subject: &Subject<'_>,
    ) -> Option<HookOutcome> {
        let mut turn = Turn { pass: 2, from: 0 };
        while let Some(index) = self.next_due(inner, subject, &mut turn) {
            let participant = inner.participants.get(index)?;
            let asked = self.ask_about_the_final_form(index, &**participant, turn.pass);
            let end = asked.await;
            if end.is_some() {
                return end;
            }
        }
        // After a call a rewrite in the last pass stands, unless there is one that would still have to judge it.
        let due = self.due_from(0, inner, subject)?;
        let due = inner.participants.get(due)?;
        Some(self.disagreement(&**due, self.forms.last_rewriter()?))
    }

    /// The place of the next participant that has to judge the form that would run: in this pass, else in the next one.
    fn next_due(&self, inner: &Inner, subject: &Subject<'_>, turn: &mut Turn) -> Option<usize> {
        let index = match self.due_from(turn.from, inner, subject) {
            Some(index) => index,
            None if turn.from == 0 || turn.pass == LAST_PASS => return None,
            None => {
                turn.pass += 1;
                self.due_from(0, inner, subject)?
            }
        };
        turn.from = index + 1;
        Some(index)
    }

    /// The first place from there on whose participant has to judge the form that would run.
    fn due_from(&self, from: usize, inner: &Inner, subject: &Subject<'_>) -> Option<usize> {
        let mut places = inner.participants.iter().enumerate().skip(from);
        let due = places.find(|(index, participant)| {
            let participant = &***participant;
            self.forms
                .is_to_be_judged(*index, strict::ranks(participant))
                && strict::applies(participant, subject)
        });
        due.map(|(index, _)| index)
    }

    /// Asks one participant about the form that would run. Before a call it agrees at last, or there is no call.
    async fn ask_about_the_final_form(
        &mut self,
        index: usize,
        participant: &dyn Participant,
        pass: u8,
    ) -> Option<HookOutcome> {
        self.chain.ask_again();
        let other = self.forms.last_rewriter().cloned();
        let form = self.forms.current();
        let end = self.ask(index, participant, pass).await;
        let is_before = self.chain.question().request().event == HookEvent::PreToolUse;
        if end.is_some() || pass < LAST_PASS || !is_before || form == self.forms.current() {
            return end;
        }
        Some(self.disagreement(participant, &other?))
    }

    /// The denial of a call, or of a result, whose form two participants do not agree on.
    fn disagreement(&self, participant: &dyn Participant, other: &Identity) -> HookOutcome {
        let what = match self.chain.question().request().event {
            HookEvent::PostToolUse => "result",
            HookEvent::PreToolUse | _ => "call",
        };
        let who = participant.identity();
        HookOutcome::Deny(if who == other {
            format!(
                "denied, because {who} rewrites the {what} anew each time that it is asked about it"
            )
        } else {
            format!(
                "denied, because {who} and {other} do not agree on the form of the {what}: each rewrites what the other \
                 left"
            )
        })
    }
}

/// How far asking again has come: which pass it is, and from which place on participants are looked at.
struct Turn {
    pass: u8,
    from: usize,
}
