//! The chain as a host puts it together for mentra.

use std::{fmt, sync::Arc};

use hook_contract::HookCall;
use hook_runner::HookRunner;

use crate::{call::Details, chain::Chain, place::Reach};

/// What mentra calls the chain in refusals, unless it is given another name.
const DEFAULT_NAME: &str = "hookchain";

/// One chain of hooks, in the form in which mentra asks.
///
/// It implements all three of mentra's traits. The one to use is
/// [`ExecutionHookParticipant`](mentra::runtime::ExecutionHookParticipant), which the methods here register: mentra then
/// keeps the same chain for both sides of a call, also when it is taken off meanwhile, and says which hooks rewrote a
/// call that a later gate refuses. [`PreExecutionHook`](mentra::runtime::PreExecutionHook) and
/// [`PostExecutionHook`](mentra::runtime::PostExecutionHook) are for hosts that compose those older seams themselves;
/// there mentra says only "pre-execution hook", and a chain on both kinds of seams is asked twice.
///
/// Cheap to clone; clones are the same chain.
#[derive(Clone)]
pub struct MentraHooks {
    pub(crate) chain: Arc<Chain>,
}

impl MentraHooks {
    /// The chain of this runner, for agents that work in its workspace.
    ///
    /// Everything about the chain itself is set on the runner's builder, the callback for a person's agreement included
    /// ([`with_approver`](hook_runner::HookRunnerBuilder::with_approver)): where a hook asks and the runner has no approver,
    /// the call is denied.
    #[must_use]
    pub fn new(runner: HookRunner) -> Self {
        Self {
            chain: Arc::new(Chain::new(runner, DEFAULT_NAME)),
        }
    }

    /// The same under another name, in mentra's refusals and as part of the key of shared registrations; `hookchain`
    /// unless set. Worth it when several chains are on one runtime.
    #[must_use]
    pub fn with_name(self, name: impl Into<String>) -> Self {
        self.with(|chain| chain.name = name.into())
    }

    /// The same for agents that work in the workspace or below it.
    ///
    /// A hook reads a relative path of an input against the runner's workspace, which is all that it is told and where
    /// its program runs; mentra resolves the path against the agent's working directory. Unless the two are the same
    /// directory, links followed, a hook judges another file than the one the tool touches: in `secrets`, the file
    /// `secrets/key` is called `key`. So unless this or [`for_any_directory`](Self::for_any_directory) is said, such a
    /// call is denied before anybody is asked, and such a result is withheld.
    ///
    /// Say it for a chain that judges no relative paths. Hooks are told the runner's workspace all the same.
    #[must_use]
    pub fn for_directories_below(self) -> Self {
        self.with(|chain| chain.reach = Reach::Below)
    }

    /// The same for agents that work anywhere, also where the hooks are those of another tree.
    ///
    /// Say it for a chain that judges no paths: guards of the host for a whole runtime. Hooks are told the runner's
    /// workspace all the same. See [`for_directories_below`](Self::for_directories_below) for why it has to be said.
    #[must_use]
    pub fn for_any_directory(self) -> Self {
        self.with(|chain| chain.reach = Reach::Anywhere)
    }

    /// The same with what the host knows of a call and mentra does not tell its hooks: the session, and whatever else hooks
    /// should know of it.
    ///
    /// mentra tells which agent makes a call and in which directory it works, which hooks are told as `agent_id` and `cwd`.
    /// Of the call that is given back, [`cwd`](HookCall::cwd), [`session_id`](HookCall::session_id) and
    /// [`extensions`](HookCall::extensions) count; the rest stays as mentra has it. Programs are told them where their entry
    /// says `"facts": true`, interceptors always. The callback is called for each call that is put to the runner, and must not
    /// block; if it panics, the call is denied.
    ///
    /// ```
    /// use hook_mentra::MentraHooks;
    /// use hook_runner::HookRunner;
    /// use serde_json::json;
    ///
    /// let hooks = MentraHooks::new(HookRunner::new("/repo", vec![])).with_call_details(|call| {
    ///     call.with_session_id("session-7").with_extensions(json!({"ticket": "OPS-12"}))
    /// });
    /// ```
    #[must_use]
    pub fn with_call_details(
        self,
        describe: impl Fn(HookCall) -> HookCall + Send + Sync + 'static,
    ) -> Self {
        self.with(|chain| chain.details = Details::by(describe))
    }

    /// The runner that is asked.
    #[must_use]
    pub fn runner(&self) -> &HookRunner {
        &self.chain.runner
    }

    fn with(self, change: impl FnOnce(&mut Chain)) -> Self {
        let mut chain = Arc::unwrap_or_clone(self.chain);
        change(&mut chain);
        Self {
            chain: Arc::new(chain),
        }
    }
}

impl fmt::Debug for MentraHooks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MentraHooks")
            .field("name", &self.chain.name)
            .field("runner", &self.chain.runner)
            .field("reach", &self.chain.reach)
            .field("details", &self.chain.details)
            .finish()
    }
}
