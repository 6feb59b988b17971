//! The hooks of an agent as a participant of the chain.

use hook_contract::{Answer, HookRequest, Subject, async_trait};
use hook_runner::{HookFailure, Identity, NoteKind, Part, Participant, Question, Ranks, Reply};

use super::{DialectHooks, Fired, HookRun, call::events_of, outcome};
use crate::{Decision, Fact, Facts, PayloadError, dialect::EventRow};

/// Before and after tool calls. What hooks say beside their decision comes with the consultation: contexts for the model,
/// messages for the user, that the turn is to end, and in the step what each single hook said.
#[async_trait]
impl Participant for DialectHooks {
    fn identity(&self) -> &Identity {
        &self.inner.identity
    }

    fn applies_to(&self, subject: &Subject<'_>) -> bool {
        let name = self.inner.theirs(subject.tool_name);
        let mut hooks = events_of(subject.event)
            .iter()
            .filter_map(|event| self.inner.at(event));
        hooks.any(|hooks| {
            let names: Vec<_> = self.dialect().names_of(name).collect();
            !hooks.matchers.select(&names).is_empty()
        })
    }

    fn ranks(&self) -> Ranks {
        self.inner.ranks
    }

    async fn ask(&self, question: &Question) -> Reply {
        let request = question.request();
        let name = self.inner.event_of(request);
        let Some(event) = self.dialect().event(name) else {
            return Reply::new(Ok(Answer::allow()));
        };
        let facts = self.inner.facts_of(request);
        match self.fire(name, &facts).await {
            Ok(fired) => reply(request, event, &facts, &fired),
            Err(error) => self.unasked(event, &error),
        }
    }

    async fn close(&self) {
        self.drain().await;
    }
}

impl DialectHooks {
    /// The hooks could not be asked: something that they must be told is not known.
    fn unasked(&self, event: &EventRow, error: &PayloadError) -> Reply {
        let why = format!("could not ask its hooks: {error}");
        if event.before && !self.inner.profile.strict {
            return HookFailure::Transport(why).into();
        }
        Reply::new(Ok(Answer::allow())).with_note(why)
    }
}

/// What hooks said together, as one reply.
fn reply(request: &HookRequest, event: &EventRow, facts: &Facts, fired: &Fired) -> Reply {
    let answer = if event.before {
        outcome::before(fired)
    } else {
        let tool = facts.text(Fact::ToolName).unwrap_or_default();
        outcome::after(request, event, tool, fired)
    };
    let merged = &fired.outcome;
    let contexts = merged.additional_context.iter();
    let answer = contexts.fold(answer, Answer::with_context);
    let sum = |bytes: fn(&HookRun) -> usize| fired.runs.iter().map(bytes).sum();
    let parts = fired.runs.iter().map(Part::from).collect();
    let mut reply = Reply::new(Ok(answer))
        .with_bytes(sum(|run| run.bytes_sent), sum(|run| run.bytes_received))
        .with_parts(parts, fired.in_background);
    reply.notes = fired.remarks();
    let queued = fired.runs.iter().map(|run| run.queued);
    reply.queued = queued.max().unwrap_or_default();
    for message in &merged.system_messages {
        reply = reply.with_delivery(NoteKind::Message, message);
    }
    if merged.stop {
        let reason = merged.stop_reason.clone().unwrap_or_default();
        reply = reply.with_delivery(NoteKind::Stop, reason);
    }
    reply
}

/// What one hook said, in its agent's words.
impl From<&HookRun> for Part {
    fn from(run: &HookRun) -> Self {
        let output = &run.output;
        let mut part = Self::new(run.command(), run.hook.origin.to_string());
        part.decision = output.decision.map(Decision::as_str);
        part.refuses = output.refuses();
        part.asks = output.asks();
        part.rewrites = output.updated_input.is_some()
            || output.updated_tool_output.is_some()
            || output.updated_mcp_output.is_some();
        part.reason.clone_from(&output.reason);
        part.failure = output.failure.as_ref().map(ToString::to_string);
        part.ignored = output.ignored.iter().map(ToString::to_string).collect();
        part.exit = run.exit;
        part.stderr = Some(output.stderr.clone()).filter(|text| !text.is_empty());
        part.queued = run.queued;
        part.took = run.took;
        part.bytes_sent = run.bytes_sent;
        part.bytes_received = run.bytes_received;
        part
    }
}
