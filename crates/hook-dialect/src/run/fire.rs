//! One event: asking the hooks that are concerned, all at once.

use std::{
    mem,
    path::{Path, PathBuf},
    sync::{Arc, atomic::AtomicBool},
};

use super::{
    DialectHooks,
    command::{HookRun, Question},
    hooks::{Chosen, Inner},
    together::{Part, together},
    variables::variables,
};
use crate::{
    Fact, Facts, HookOutput, MergedOutcome, PayloadError, Verdict,
    config::Background,
    dialect::{EventRow, Presence, Stop},
    merge::{Overwritten, overwritten},
    merge_as_finished, payload,
};

/// What hooks are told in place of what is not known and must be there.
const STAND_INS: [(Fact, &str); 5] = [
    (Fact::SessionId, "hookchain"),
    (Fact::TranscriptPath, "/dev/null"),
    (Fact::TurnId, "1"),
    (Fact::Model, "unknown"),
    (Fact::PermissionMode, "default"),
];

/// What came of an event.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Fired {
    /// What the hooks decided together.
    pub outcome: MergedOutcome,
    /// The hooks that were waited for, in configured order. The places in [`MergedOutcome::failures`] are theirs.
    pub runs: Vec<HookRun>,
    /// How many hooks run on in the background.
    pub in_background: usize,
    /// Rewrites that do not count, because another hook rewrote the same thing in another way.
    pub overwritten: Vec<Overwritten>,
    /// Whether the reason is that of the hooks that end the turn, and not that of those that refused.
    pub(super) ends_without_refusal: bool,
}

impl Fired {
    /// What hooks put into the environment of the commands that follow in this session, in configured order: lines for a
    /// POSIX shell, to be read (`.`) before each of them.
    pub fn exports(&self) -> impl Iterator<Item = &str> {
        self.runs.iter().filter_map(|run| run.exports.as_deref())
    }
}

impl DialectHooks {
    /// Asks the hooks of an event, all at once, and merges what they say.
    ///
    /// The facts are what the event is about; what is set about the session
    /// ([`with_fact`](super::DialectHooksBuilder::with_fact)) goes without saying, and so do the workspace as the working
    /// directory and, where nothing is known, a few stand-ins: an empty transcript (`/dev/null`), the mode `default`.
    ///
    /// A hook that broke is in the failures of the outcome; what that means is already in its decision.
    ///
    /// # Errors
    ///
    /// When there is no such event, or a hook would have to be told something that is not known. Nobody was asked then.
    /// A caller that was about to do something does not, unless the agent is followed to the letter.
    ///
    /// # Cancellation
    ///
    /// Dropping the future ends the hooks that are being asked, with their process groups. Those in the background run on.
    pub async fn fire(&self, event: &str, facts: &Facts) -> Result<Fired, PayloadError> {
        let dialect = self.dialect();
        if dialect.event(event).is_none() {
            return Err(PayloadError::NoEvent {
                event: event.to_owned(),
                dialect: dialect.title,
            });
        }
        let Some(hooks) = self.inner.at(event) else {
            return Ok(Fired::default());
        };
        let facts = self.inner.complete(facts.clone(), hooks.event);
        let chosen = hooks.chosen(dialect, &facts);
        if chosen.is_empty() {
            return Ok(Fired::default());
        }
        let question = self.inner.question(hooks.event, &facts)?;
        Ok(self.ask(question, chosen).await)
    }

    async fn ask(&self, question: Arc<Question>, chosen: Vec<Chosen>) -> Fired {
        let inner = &self.inner;
        let mut in_background = 0;
        let mut parts = Vec::with_capacity(chosen.len());
        for Chosen { command, policy } in chosen {
            let waits = command.hook.handler.background == Background::Never;
            let leaves = Arc::new(AtomicBool::new(false));
            let means = if waits {
                &inner.waited_for
            } else {
                &inner.in_background
            };
            let question = Arc::clone(&question);
            let work = command.ask(question, policy, means.clone(), Arc::clone(&leaves));
            if waits {
                let work = Some(work);
                parts.push(Part { work, leaves });
            } else {
                in_background += 1;
                inner.background.take(work);
            }
        }
        let first_decides = question.profile.strict && question.event.first_decides;
        let decided = |run: &HookRun| {
            first_decides && (run.output.decision.is_some() || run.output.continues == Some(false))
        };
        let hand_over = |_place, work| {
            in_background += 1;
            inner.background.take(work);
        };
        let mut done = together(parts, decided, hand_over).await;
        let finished: Vec<usize> = done.iter().map(|(place, _)| *place).collect();
        done.sort_by_key(|(place, _)| *place);
        let places: Vec<usize> = done.iter().map(|(place, _)| *place).collect();
        let mut runs: Vec<HookRun> = done.into_iter().map(|(_, run)| run).collect();
        let outputs: Vec<HookOutput> = runs
            .iter_mut()
            .map(|run| mem::take(&mut run.output))
            .collect();
        let order: Vec<usize> = if question.profile.strict {
            // The places among those that were waited for to the end.
            let rank = |place: &usize| places.binary_search(place).ok();
            finished.iter().filter_map(rank).collect()
        } else {
            (0..outputs.len()).collect()
        };
        let mut outcome = merge_as_finished(&outputs, &order);
        let overwritten = overwritten(&outputs, &order, &outcome);
        for (run, output) in runs.iter_mut().zip(outputs) {
            run.output = output;
        }
        // At home the turn is over then, and nothing is left to be told why something was refused.
        let ends_without_refusal = question.profile.strict
            && question.event.stop == Stop::Ends
            && outcome.stop
            && outcome.decision == Verdict::Deny;
        if ends_without_refusal {
            outcome.reason.clone_from(&outcome.stop_reason);
        }
        Fired {
            outcome,
            runs,
            in_background,
            overwritten,
            ends_without_refusal,
        }
    }
}

impl Inner {
    /// The facts, with what is known of the session and what stands in for what is not.
    pub(super) fn complete(&self, facts: Facts, event: &EventRow) -> Facts {
        let mut facts = facts.or(&self.session);
        let place = |fact| event.payload.iter().find(|field| field.fact == fact);
        for (fact, stand_in) in STAND_INS {
            let Some(field) = place(fact).filter(|_| facts.get(fact).is_none()) else {
                continue;
            };
            // What may be left out is left out; but in which mode it runs an agent always says.
            if field.presence == Presence::Required || fact == Fact::PermissionMode {
                facts = facts.with(fact, stand_in);
            }
        }
        if facts.get(Fact::Cwd).is_none() {
            facts = facts.with(Fact::Cwd, &*self.workspace.to_string_lossy());
        }
        facts
    }

    fn question(
        &self,
        event: &'static EventRow,
        facts: &Facts,
    ) -> Result<Arc<Question>, PayloadError> {
        let dialect = self.profile.dialect;
        let payload = payload(event.name, facts, dialect)?;
        let directory = self.directory(facts);
        let variables = variables(dialect, &self.workspace, &directory, facts);
        Ok(Arc::new(Question {
            profile: self.profile,
            event,
            payload,
            environments: self.environments.with(&variables),
            directory,
            long_texts: self.long_texts.clone(),
        }))
    }

    /// Where hooks run: where the session is, for agents that follow it there; the workspace when that is gone.
    fn directory(&self, facts: &Facts) -> Arc<Path> {
        let followed = self.profile.dialect.running.follows_cwd;
        let cwd = facts
            .text(Fact::Cwd)
            .filter(|_| followed)
            .map(PathBuf::from);
        match cwd.filter(|cwd| cwd.is_absolute() && cwd.is_dir()) {
            Some(cwd) => cwd.into(),
            None => Arc::clone(&self.workspace),
        }
    }
}
