//! One consultation: asking everybody who applies, in order, until one ends it.
//!
//! What an answer means is the [`chain`](crate::chain)'s business. This module asks, keeps time,
//! and tells the trail, the reporter and the recorder; none of the three can change an outcome.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::atomic::{AtomicU64, Ordering},
};

use hook_contract::{HookEvent, HookOutcome, HookRequest, OnFailure};

use crate::{
    Answer, Consultation, FailureKind, HookFailure, Note, NoteKind, Participant, Recorder, Step,
    builder::Settings,
    chain::{Advance, Chain},
    guarded::{self, Budget},
    observe::{self, Asking},
    runner::Inner,
};

/// The number of the next consultation of this process.
static NEXT: AtomicU64 = AtomicU64::new(1);

/// Puts a request to everybody it concerns. Without a `trail`, nobody will look at the steps.
pub(crate) async fn walk(inner: &Inner, request: HookRequest, trail: bool) -> Consultation {
    let id = NEXT.fetch_add(1, Ordering::Relaxed);
    let mut walk = Walk {
        settings: &inner.settings,
        watched: trail || inner.settings.recorder.is_some() || observe::IS_ON,
        open: Open::new(inner.settings.recorder.as_deref(), id),
        budget: inner.settings.budget.map(Budget::start),
        chain: Chain::new(request),
        trail: Vec::new(),
        notes: Vec::new(),
    };
    walk.open
        .record(|recorder, id| recorder.begun(id, walk.chain.question().request()));
    let end = walk.ask_all(inner).await;
    walk.conclude(end)
}

struct Walk<'a> {
    settings: &'a Settings,
    /// Whether anybody looks at steps. If not, they are neither timed nor kept.
    watched: bool,
    open: Open<'a>,
    budget: Option<Budget>,
    chain: Chain,
    trail: Vec<Step>,
    notes: Vec<Note>,
}

/// A consultation that the recorder has been told of, until it is told of its end.
struct Open<'a> {
    recorder: Option<&'a dyn Recorder>,
    id: u64,
}

impl<'a> Open<'a> {
    fn new(recorder: Option<&'a dyn Recorder>, id: u64) -> Self {
        Self { recorder, id }
    }

    fn record(&self, tell: impl FnOnce(&dyn Recorder, u64)) {
        if let Some(recorder) = self.recorder {
            contained(|| tell(recorder, self.id));
        }
    }

    /// Tells of the end that a consultation is meant to have.
    fn conclude(mut self, consultation: &Consultation) {
        self.record(|recorder, id| recorder.concluded(id, consultation));
        self.recorder = None;
    }
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        self.record(|recorder, id| recorder.abandoned(id));
    }
}

impl Walk<'_> {
    /// Gives the outcome when the chain was ended.
    async fn ask_all(&mut self, inner: &Inner) -> Option<HookOutcome> {
        for participant in &inner.participants {
            let request = self.chain.question().request();
            if !applies(&**participant, request.event, &request.tool_name) {
                continue;
            }
            if let Some(ambiguity) = request.ambiguity() {
                return Some(HookOutcome::Deny(format!(
                    "denied before any hook was asked: the input can be read as two different calls ({ambiguity})"
                )));
            }
            let end = self.ask(&**participant).await;
            if end.is_some() {
                return end;
            }
        }
        None
    }

    /// Asks one participant and takes its answer.
    async fn ask(&mut self, participant: &dyn Participant) -> Option<HookOutcome> {
        let who = participant.identity();
        self.open
            .record(|recorder, id| recorder.invoked(id, who, self.chain.question().request()));
        let asking = Asking::new(who, self.chain.question().request().event);
        let since = self.watched.then(|| (self.settings.clock)());
        let answer = guarded::ask(participant, self.chain.question(), self.budget);
        let answer = asking.within(answer).await;
        let elapsed = since.map(|since| (self.settings.clock)().saturating_duration_since(since));

        let on_failure = match &answer.response {
            // Nobody after this one could be asked any more.
            Err(failure) if failure.kind() == FailureKind::Budget => OnFailure::Deny,
            _ => participant.on_failure(),
        };
        let Answer {
            response,
            exit,
            stderr,
            bytes_sent,
            bytes_received,
            queued,
            worker,
            notes,
            deliveries,
        } = answer;
        // The request as it was put, for the recorder alone.
        let asked = self
            .settings
            .recorder
            .as_ref()
            .map(|_| self.chain.question().request().clone());
        let Advance {
            decision,
            reason,
            failure,
            changed,
            end,
        } = self.chain.advance(who, on_failure, response);
        let stops = deliveries.iter().any(|(kind, _)| *kind == NoteKind::Stop);
        for (kind, text) in deliveries {
            let who = who.clone();
            self.notes.push(Note { who, kind, text });
        }
        if !self.watched && failure.is_none() && notes.is_empty() {
            return end;
        }
        let step = Step {
            who: who.clone(),
            event: self.chain.question().request().event,
            decision,
            reason,
            failure,
            on_failure,
            stops,
            exit,
            stderr,
            queued,
            took: elapsed.unwrap_or_default().saturating_sub(queued),
            worker,
            bytes_sent,
            bytes_received,
            changed,
        };
        asking.answered(&step);
        if let Some(asked) = asked {
            self.open
                .record(|recorder, id| recorder.answered(id, &asked, &step));
        }
        self.tell(&step, notes);
        self.trail.push(step);
        end
    }

    /// Tells the operator what must not go unnoticed.
    fn tell(&mut self, step: &Step, notes: Vec<String>) {
        for text in notes {
            let note = Note {
                who: step.who.clone(),
                kind: NoteKind::Remark,
                text,
            };
            self.report(&note.to_string());
            self.notes.push(note);
        }
        if let Some(failure) = &step.failure {
            self.report(&failure_report(step, failure));
        }
    }

    fn conclude(self, end: Option<HookOutcome>) -> Consultation {
        let Self {
            open,
            chain,
            trail,
            notes,
            ..
        } = self;
        let consultation = Consultation {
            outcome: end.unwrap_or_else(|| chain.finish()),
            trail,
            notes,
        };
        open.conclude(&consultation);
        consultation
    }

    fn report(&self, message: &str) {
        report(self.settings, message);
    }
}

/// Whether a participant is asked. One that panics instead of saying so is: what it then says counts.
pub(crate) fn applies(participant: &dyn Participant, event: HookEvent, tool_name: &str) -> bool {
    catch_unwind(AssertUnwindSafe(|| {
        participant.applies_to(event, tool_name)
    }))
    .unwrap_or(true)
}

/// Tells the operator.
pub(crate) fn report(settings: &Settings, message: &str) {
    contained(|| (settings.report)(message));
}

/// Runs the host's reporter or recorder; a panic in it is not allowed to change an outcome.
fn contained(tell: impl FnOnce()) {
    let _panic = catch_unwind(AssertUnwindSafe(tell));
}

/// What the operator reads about a participant that broke.
fn failure_report(step: &Step, failure: &HookFailure) -> String {
    let meaning = match step.on_failure {
        OnFailure::Allow => "it was passed over (on_failure is allow)",
        OnFailure::Deny => "the call was denied",
    };
    let mut report = format!("{} {failure}; {meaning}", step.who);
    if let Some(stderr) = &step.stderr {
        report.push_str("; it printed on stderr:\n");
        report.push_str(stderr);
    }
    report
}
