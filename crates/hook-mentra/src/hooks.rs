//! What the chain's outcomes mean in mentra's terms.

use std::{fmt, path::Path, sync::Arc};

use hook_contract::{HookCall, HookEvent, HookOutcome, HookRequest, Json};
use hook_runner::{Consultation, Decision, HookRunner, Step};
use mentra::{
    runtime::{PostExecutionContext, PreExecutionContext},
    tool::ToolResultContent,
};

use crate::{
    content,
    notes::{Held, below, below_result, contexts},
    numbers,
    place::{Foreign, Reach},
};

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

/// A runner, and how it is put to use on a runtime.
#[derive(Clone)]
pub(crate) struct Chain {
    runner: HookRunner,
    name: String,
    reach: Reach,
    /// Texts for the model from before calls that have no result yet.
    held: Arc<Held>,
}

/// What becomes of a call.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    Runs,
    Refused(String),
    RunsWith { input_json: String, hands: String },
}

/// What becomes of a result.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Shown {
    Untouched,
    Instead {
        content: ToolResultContent,
        is_error: bool,
        hands: String,
    },
}

impl MentraHooks {
    /// The chain of this runner, for agents that work in its workspace.
    #[must_use]
    pub fn new(runner: HookRunner) -> Self {
        Self {
            chain: Arc::new(Chain {
                runner,
                name: DEFAULT_NAME.to_owned(),
                reach: Reach::Workspace,
                held: Arc::default(),
            }),
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

impl Chain {
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Asks before a call.
    pub(crate) async fn decide(&self, context: &PreExecutionContext) -> Fate {
        let event = HookEvent::PreToolUse;
        if !self.runner.asks(event, &context.tool_name) {
            return Fate::Runs;
        }
        if let Err(foreign) = self.can_judge(event, &context.working_directory) {
            return Fate::Refused(foreign.to_string());
        }
        let call = HookCall::new(
            &*context.agent_id,
            &*context.tool_name,
            &*context.tool_call_id,
            &*context.input_json,
        );
        let request = HookRequest::from_call(event, self.runner.workspace(), &call);
        let Consultation {
            outcome,
            trail,
            notes,
            ..
        } = self.runner.consult(request).await;
        let contexts = contexts(&notes);
        let fate = match outcome {
            HookOutcome::Allow => Fate::Runs,
            HookOutcome::Deny(reason) => Fate::Refused(below(&reason, &contexts)),
            HookOutcome::Modify { input, .. } => rewritten(&input, hands(&trail)),
            HookOutcome::Replace { .. } => Fate::Refused(no_answer("a result", "before")),
        };
        if !matches!(fate, Fate::Refused(_)) {
            self.held.keep(&call.agent_id, &call.tool_call_id, contexts);
        }
        fate
    }

    /// Asks after a call.
    pub(crate) async fn review(&self, context: &PostExecutionContext) -> Shown {
        let event = HookEvent::PostToolUse;
        let held = self.held.take(&context.agent_id, &context.tool_call_id);
        if !self.runner.asks(event, &context.tool_name) {
            return with_contexts(Shown::Untouched, context, &held, &self.name);
        }
        if let Err(foreign) = self.can_judge(event, &context.working_directory) {
            return withheld(foreign.to_string());
        }
        let call = HookCall::new(
            &*context.agent_id,
            &*context.tool_name,
            &*context.tool_call_id,
            &*context.input_json,
        );
        let output = content::to_json(&context.content);
        let workspace = self.runner.workspace();
        let request = HookRequest::from_result(workspace, &call, output, context.is_error);
        let Consultation {
            outcome,
            trail,
            notes,
            ..
        } = self.runner.consult(request).await;
        let shown = match outcome {
            HookOutcome::Allow => Shown::Untouched,
            HookOutcome::Deny(reason) => withheld(reason),
            HookOutcome::Replace {
                output, is_error, ..
            } => Shown::Instead {
                content: content::from_json(&output, &context.content),
                is_error,
                hands: hands(&trail),
            },
            HookOutcome::Modify { .. } => withheld(no_answer("an input", "after")),
        };
        let contexts = [held, contexts(&notes)].concat();
        with_contexts(shown, context, &contexts, &self.name)
    }

    /// Whether the hooks see the same files as the tool does.
    fn can_judge(&self, event: HookEvent, directory: &Path) -> Result<(), Foreign> {
        let workspace = self.runner.workspace();
        if self.reach.covers(directory, workspace) {
            return Ok(());
        }
        Err(Foreign {
            event,
            directory: directory.to_owned(),
            workspace: workspace.to_owned(),
        })
    }
}

/// Everybody who changed something, in order. Not why: mentra shows the model who rewrote a call that failed, and the
/// reason of a rewrite is for the audit trail alone.
fn hands(trail: &[Step]) -> String {
    let changed = |step: &&Step| matches!(step.decision, Decision::Modify | Decision::Replace);
    let names = trail
        .iter()
        .filter(changed)
        .map(|step| step.who.to_string());
    names.collect::<Vec<_>>().join("; ")
}

fn rewritten(input: &Json, hands: String) -> Fate {
    match numbers::first_lost(input.text()) {
        None => Fate::RunsWith {
            input_json: input.text().to_owned(),
            hands,
        },
        Some(lost) => Fate::Refused(format!("denied after the rewrite by {hands}: {lost}")),
    }
}

/// What the model is shown, with what hooks have for it below.
fn with_contexts(
    shown: Shown,
    context: &PostExecutionContext,
    contexts: &[String],
    name: &str,
) -> Shown {
    if contexts.is_empty() {
        return shown;
    }
    match shown {
        Shown::Untouched => Shown::Instead {
            content: below_result(context.content.clone(), contexts),
            is_error: context.is_error,
            hands: name.to_owned(),
        },
        Shown::Instead {
            content,
            is_error,
            hands,
        } => Shown::Instead {
            content: below_result(content, contexts),
            is_error,
            hands,
        },
    }
}

fn withheld(reason: String) -> Shown {
    Shown::Instead {
        content: ToolResultContent::text(reason.as_str()),
        is_error: true,
        hands: reason,
    }
}

/// The chain's own rules never come to this; a call about which it is wrong does not happen.
fn no_answer(what: &str, when: &str) -> String {
    format!(
        "denied, because the hooks answered with {what} {when} the call; this is a fault of the host"
    )
}

impl fmt::Debug for MentraHooks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MentraHooks")
            .field("name", &self.chain.name)
            .field("runner", &self.chain.runner)
            .field("reach", &self.chain.reach)
            .finish()
    }
}
