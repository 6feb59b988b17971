//! One consultation: asking every participant that applies, in order, until one ends it.
//!
//! What an answer means is the [`chain`](crate::chain)'s business, and which participants are asked again is
//! [`forms`](crate::forms)'s. This module asks, keeps time, and tells the trail, the reporter and the recorder; none of the
//! three can change an outcome.

mod again;
mod approval;
mod open;

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use hook_contract::{
    Answer, HookEvent, HookOutcome, HookRequest, Kinds, OnFailure, Subject, json::JsonError,
};

use self::open::Open;
use crate::{
    Asked, Consultation, FailureKind, Identity, Note, NoteKind, Participant, Recorded, Reply, Step,
    TimeLimit,
    builder::Settings,
    chain::{Advance, Chain},
    forms::Forms,
    guarded::{self, Bounds, Budget},
    observe::{self, Asking},
    runner::Inner,
    strict,
};

/// The number of the next consultation of this process.
static NEXT: AtomicU64 = AtomicU64::new(1);

/// Puts a request about a tool of these kinds to every participant it concerns, within the budget. Without a `trail`, no
/// caller looks at the steps.
pub(crate) async fn walk(
    inner: &Inner,
    request: Arc<HookRequest>,
    kinds: Kinds,
    trail: bool,
    budget: Option<Duration>,
) -> Consultation {
    let id = NEXT.fetch_add(1, Ordering::Relaxed);
    let settings = &inner.settings;
    let first = Arc::clone(&request);
    let mut walk = Walk {
        settings,
        watched: trail || settings.recorder.is_some() || observe::IS_ON,
        open: Open::new(settings.recorder.as_deref(), id),
        budget: budget.map(Budget::start),
        chain: Chain::new(request, settings.tools.clone()),
        forms: Forms::default(),
        trail: Vec::new(),
        notes: Vec::new(),
    };
    walk.open.record(|consultation| Recorded::Begun {
        consultation,
        request: &first,
    });
    let end = walk.ask_all(inner, &first, kinds).await;
    let (outcome, asked) = match end {
        Some(end) => (end, None),
        None if walk.chain.askers().is_empty() => (walk.chain.finish(), None),
        // On the heap, because few calls come to it, and every consultation would be as large as this.
        None => Box::pin(walk.settle(first)).await,
    };
    walk.conclude(outcome, asked)
}

struct Walk<'a> {
    settings: &'a Settings,
    /// Whether steps are looked at. If not, they are neither timed nor kept.
    watched: bool,
    open: Open<'a>,
    budget: Option<Budget>,
    chain: Chain,
    forms: Forms,
    trail: Vec<Step>,
    notes: Vec<Note>,
}

impl Walk<'_> {
    /// Gives the outcome when the chain was ended.
    async fn ask_all(
        &mut self,
        inner: &Inner,
        first: &HookRequest,
        kinds: Kinds,
    ) -> Option<HookOutcome> {
        if inner.is_closed() {
            return Some(closed());
        }
        let subject = subject(first.event, &first.tool_name, kinds);
        for (index, participant) in inner.participants.iter().enumerate() {
            if !strict::applies(&**participant, &subject) {
                continue;
            }
            if let Some(ambiguity) = first.ambiguity() {
                return Some(two_readings(first.event, ambiguity));
            }
            let end = self.ask(index, &**participant, 1).await;
            if end.is_some() {
                return end;
            }
        }
        if self.forms.current() == 0 {
            return None;
        }
        self.ask_again(inner, &subject).await
    }

    /// Asks one participant and takes its answer.
    async fn ask(
        &mut self,
        index: usize,
        participant: &dyn Participant,
        pass: u8,
    ) -> Option<HookOutcome> {
        let who = participant.identity();
        let request = self
            .watched
            .then(|| Arc::clone(self.chain.question().shared()));
        if let Some(request) = &request {
            self.open.record(|consultation| Recorded::Invoked {
                consultation,
                who,
                pass,
                request,
            });
        }
        let asking = Asking::new(who, self.chain.question().request().event, pass);
        let since = self.watched.then(|| (self.settings.clock)());
        let bounds = Bounds {
            budget: self.budget,
            timeout: self.time_of(participant),
        };
        let mut heard = None;
        let ask = guarded::ask(participant, self.chain.question(), bounds, &mut heard);
        asking.within(ask).await;
        if !self.watched && heard.as_ref().is_some_and(Reply::only_agrees) {
            self.forms.judged(index);
            return None;
        }
        let mut reply = heard.unwrap_or_else(guarded::unheard);
        let elapsed = since.map(|since| (self.settings.clock)().saturating_duration_since(since));

        let on_failure = match &reply.answer {
            // No participant after this one could be asked any more.
            Err(failure) if failure.kind() == FailureKind::Budget => OnFailure::Deny,
            _ => strict::on_failure(participant),
        };
        let answer = std::mem::replace(&mut reply.answer, Ok(Answer::allow()));
        let mut advance = self.chain.advance(who, on_failure, answer);
        self.forms.judged(index);
        if advance.rewrote {
            self.forms.rewritten(index, who, strict::ranks(participant));
        }
        let stops = self.deliver(who, std::mem::take(&mut reply.deliveries));
        let end = advance.end.take();
        // An ask that cannot be used denies whatever the policy is, and the operator reads what happened.
        let on_failure = match (&advance.failure, &end) {
            (Some(_), Some(_)) => OnFailure::Deny,
            _ => on_failure,
        };
        reply.notes.append(&mut advance.notes);
        if !self.watched && advance.failure.is_none() && reply.notes.is_empty() {
            return end;
        }
        let notes = std::mem::take(&mut reply.notes);
        let took = elapsed.unwrap_or_default().saturating_sub(reply.queued);
        let put = Put {
            who: who.clone(),
            event: self.chain.question().request().event,
            pass,
            request,
            on_failure,
            stops,
            took,
        };
        let step = put.answered(reply, advance);
        asking.answered(&step);
        self.open.record(|consultation| Recorded::Answered {
            consultation,
            step: &step,
        });
        self.tell(&step, notes);
        self.trail.push(step);
        end
    }

    /// Keeps messages for the user and stops; says whether the turn is to end.
    fn deliver(&mut self, who: &Identity, deliveries: Vec<(NoteKind, String)>) -> bool {
        let stops = deliveries.iter().any(|(kind, _)| *kind == NoteKind::Stop);
        for (kind, text) in deliveries {
            let who = who.clone();
            self.notes.push(Note { who, kind, text });
        }
        stops
    }

    /// How long the chain waits for the participant.
    fn time_of(&self, participant: &dyn Participant) -> Option<Duration> {
        match strict::time_limit(participant) {
            TimeLimit::Own => None,
            TimeLimit::OfHost => self.settings.interceptor_timeout,
            TimeLimit::After(time) => Some(time),
        }
    }

    /// Tells the operator what must not go unnoticed.
    fn tell(&mut self, step: &Step, notes: Vec<String>) {
        for text in notes {
            self.report(step.who.clone(), NoteKind::Remark, text);
        }
        if let Some(text) = failure_text(step) {
            self.report(step.who.clone(), NoteKind::Failure, text);
        }
    }

    fn report(&mut self, who: Identity, kind: NoteKind, text: String) {
        let note = Note { who, kind, text };
        report(self.settings, &note.to_string());
        self.notes.push(note);
    }

    fn conclude(self, outcome: HookOutcome, asked: Option<Asked>) -> Consultation {
        let Self {
            open,
            chain,
            trail,
            notes,
            ..
        } = self;
        let consultation = Consultation {
            outcome,
            trail,
            notes,
            context: chain.into_contexts(),
            asked,
        };
        open.conclude(&consultation);
        consultation
    }
}

/// One question that was put, until it is a step.
struct Put {
    who: Identity,
    event: HookEvent,
    pass: u8,
    request: Option<Arc<HookRequest>>,
    on_failure: OnFailure,
    stops: bool,
    took: Duration,
}

impl Put {
    fn answered(self, reply: Reply, advance: Advance) -> Step {
        Step {
            who: self.who,
            event: self.event,
            pass: self.pass,
            request: self.request,
            decision: advance.decision,
            reason: advance.reason,
            failure: advance.failure,
            on_failure: self.on_failure,
            stops: self.stops,
            exit: reply.exit,
            stderr: reply.stderr,
            queued: reply.queued,
            took: self.took,
            worker: reply.worker,
            bytes_sent: reply.bytes_sent,
            bytes_received: reply.bytes_received,
            changed: advance.changed,
            parts: reply.parts,
            in_background: reply.in_background,
        }
    }
}

/// The denial of a call that no participant can judge. After a call, which has run then, its result is withheld.
fn two_readings(event: HookEvent, ambiguity: &JsonError) -> HookOutcome {
    HookOutcome::Deny(match event {
        HookEvent::PostToolUse => format!(
            "the result is withheld before any hook was asked: the input can be read as two different calls ({ambiguity})"
        ),
        HookEvent::PreToolUse | _ => format!(
            "denied before any hook was asked: the input can be read as two different calls ({ambiguity})"
        ),
    })
}

/// What a closed runner decides.
pub(crate) fn closed() -> HookOutcome {
    HookOutcome::Deny(
        "denied, because the hooks of this host are closed: no hook can be asked any more".into(),
    )
}

/// A call of a tool of these kinds.
pub(crate) fn subject(event: HookEvent, tool_name: &str, kinds: Kinds) -> Subject<'_> {
    let mut subject = Subject::new(event, tool_name);
    subject.kinds = kinds;
    subject
}

/// Tells the operator.
pub(crate) fn report(settings: &Settings, message: &str) {
    contained(|| (settings.report)(message));
}

/// Runs the host's reporter or recorder; a panic in it is not allowed to change an outcome.
fn contained(tell: impl FnOnce()) {
    let _panic = catch_unwind(AssertUnwindSafe(tell));
}

/// What the operator reads about a participant that broke, after its name.
fn failure_text(step: &Step) -> Option<String> {
    let failure = step.failure.as_ref()?;
    let meaning = match step.on_failure {
        OnFailure::Allow => "it was passed over (on_failure is allow)",
        OnFailure::Deny => "the call was denied",
    };
    let mut text = format!("{failure}; {meaning}");
    if let Some(stderr) = &step.stderr {
        text.push_str("; it printed on stderr:\n");
        text.push_str(stderr);
    }
    Some(text)
}

#[cfg(test)]
mod tests;
