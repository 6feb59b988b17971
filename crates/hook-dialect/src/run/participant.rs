//! The hooks of an agent as a participant of the chain.

use hook_contract::{HookEvent, HookRequest, async_trait};
use hook_runner::{Answer, HookFailure, Identity, NoteKind, Participant, Question};
use hook_wire::HookResponse;

use super::{DialectHooks, Fired, call::events_of, outcome};
use crate::{Fact, Facts, PayloadError, dialect::EventRow};

/// Before and after tool calls. What hooks say beside their decision is among the notes of the consultation: contexts for
/// the model, messages for the user, and that the turn is to end.
#[async_trait]
impl Participant for DialectHooks {
    fn identity(&self) -> &Identity {
        &self.inner.identity
    }

    fn applies_to(&self, event: HookEvent, tool_name: &str) -> bool {
        let name = self.inner.theirs(tool_name);
        let mut hooks = events_of(event)
            .iter()
            .filter_map(|event| self.inner.at(event));
        hooks.any(|hooks| {
            let names: Vec<_> = self.dialect().names_of(name).collect();
            !hooks.matchers.select(&names).is_empty()
        })
    }

    async fn ask(&self, question: &Question) -> Answer {
        let request = question.request();
        let name = self.inner.event_of(request);
        let Some(event) = self.dialect().event(name) else {
            return Answer::new(Ok(HookResponse::allow()));
        };
        let facts = self.inner.facts_of(request);
        match self.fire(name, &facts).await {
            Ok(fired) => self.answer(request, event, &facts, &fired).await,
            Err(error) => self.unasked(event, &error),
        }
    }
}

impl DialectHooks {
    async fn answer(
        &self,
        request: &HookRequest,
        event: &EventRow,
        facts: &Facts,
        fired: &Fired,
    ) -> Answer {
        let response = if event.before {
            outcome::before(request, fired, self.inner.approver.as_deref()).await
        } else {
            let tool = facts.text(Fact::ToolName).unwrap_or_default();
            outcome::after(request, event, tool, fired)
        };
        let sum = |bytes: fn(&super::HookRun) -> usize| fired.runs.iter().map(bytes).sum();
        let mut answer = Answer::new(Ok(response))
            .with_bytes(sum(|run| run.bytes_sent), sum(|run| run.bytes_received));
        answer.notes = fired.remarks();
        answer.queued = fired
            .runs
            .iter()
            .map(|run| run.queued)
            .max()
            .unwrap_or_default();
        let merged = &fired.outcome;
        for context in &merged.additional_context {
            answer = answer.with_delivery(NoteKind::Context, context);
        }
        for message in &merged.system_messages {
            answer = answer.with_delivery(NoteKind::Message, message);
        }
        if merged.stop {
            let reason = merged.stop_reason.clone().unwrap_or_default();
            answer = answer.with_delivery(NoteKind::Stop, reason);
        }
        answer
    }

    /// Nobody could be asked: something that hooks must be told is not known.
    fn unasked(&self, event: &EventRow, error: &PayloadError) -> Answer {
        let why = format!("could not ask its hooks: {error}");
        if event.before && !self.inner.profile.strict {
            return HookFailure::Transport(why).into();
        }
        Answer::new(Ok(HookResponse::allow())).with_note(why)
    }
}
