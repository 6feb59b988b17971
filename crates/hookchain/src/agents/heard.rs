//! What is heard of the hooks of other agents while a call is put to them.

use std::{
    mem,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use hook_contract::{HookRequest, async_trait};
use hook_dialect::{
    Dialect,
    dialect::EventRow,
    run::{Approval, Approver, Asked, Fired, HookRun},
};

/// What is heard; clones share it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Heard {
    spoken: Arc<Mutex<Vec<Spoken>>>,
    in_background: Arc<AtomicUsize>,
}

/// Something that was heard.
#[derive(Debug)]
pub(crate) enum Spoken {
    /// What each hook of an agent said.
    Runs {
        agent: &'static str,
        runs: Vec<HookRun>,
        in_background: usize,
    },
    /// Hooks of an agent want somebody to be asked.
    Asks(Asking),
}

/// Hooks want somebody to be asked.
#[derive(Debug)]
pub(crate) struct Asking {
    pub(crate) agent: &'static str,
    pub(crate) asked: Asked,
}

impl Asking {
    /// The word in JSON.
    pub(crate) const fn word(&self) -> &'static str {
        if self.asked.defers { "defer" } else { "ask" }
    }

    /// Why, in the words of the hooks.
    pub(crate) fn text(&self) -> &str {
        self.asked.reason.as_deref().unwrap_or_default()
    }
}

impl Heard {
    /// Takes what was heard, and begins anew.
    pub(crate) fn take(&self) -> Vec<Spoken> {
        mem::take(&mut self.spoken.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// How many hooks run in the background.
    pub(crate) fn in_background(&self) -> usize {
        self.in_background.load(Ordering::Relaxed)
    }

    /// One of them has ended.
    pub(super) fn ended_in_background(&self) {
        self.in_background.fetch_sub(1, Ordering::Relaxed);
    }

    fn add(&self, spoken: Spoken) {
        let mut all = self.spoken.lock().unwrap_or_else(PoisonError::into_inner);
        all.push(spoken);
    }

    /// Hears what each hook of an agent says.
    pub(super) fn observer(
        &self,
        agent: &'static Dialect,
    ) -> impl Fn(&EventRow, &Fired) + Send + Sync + 'static {
        let heard = self.clone();
        move |_event, fired| {
            heard
                .in_background
                .fetch_add(fired.in_background, Ordering::Relaxed);
            heard.add(Spoken::Runs {
                agent: agent.name,
                runs: fired.runs.clone(),
                in_background: fired.in_background,
            });
        }
    }

    /// Hears that somebody is to be asked, and says that nobody is there.
    pub(super) fn nobody(&self, agent: &'static Dialect) -> impl Approver + 'static {
        Nobody {
            heard: self.clone(),
            agent,
        }
    }
}

/// Nobody is there to be asked by a command: the call is denied, and whoever reads the outcome hears that it could be
/// approved.
struct Nobody {
    heard: Heard,
    agent: &'static Dialect,
}

#[async_trait]
impl Approver for Nobody {
    async fn approve(&self, _call: &HookRequest, asked: &Asked) -> Approval {
        let asks = if asked.defers {
            "a hook wants this call put off until somebody can be asked"
        } else {
            "a hook wants somebody to be asked"
        };
        let from = asked.from.join("`, `");
        let why = match &asked.reason {
            Some(reason) => format!("{reason} (from hook `{from}`)"),
            None => format!("hook `{from}` gave no reason"),
        };
        self.heard.add(Spoken::Asks(Asking {
            agent: self.agent.name,
            asked: asked.clone(),
        }));
        Approval::refused(format!("{asks}, and nobody can be asked here: {why}"))
    }
}
