//! Asking a runner about the calls of a runtime.

use std::{path::Path, sync::Arc};

use hook_contract::{HookCall, HookEvent, HookRequest};
use hook_runner::{Consultation, HookRunner};
use mentra::runtime::{PostExecutionContext, PreExecutionContext};

use crate::{
    call::{Details, in_directory},
    content,
    context::{Held, contexts, once_each},
    fate::{Fate, Shown},
    place::{Foreign, Reach, unasked},
};

/// A runner, and how it is put to use on a runtime.
#[derive(Clone, Debug)]
pub(crate) struct Chain {
    pub(crate) runner: HookRunner,
    pub(crate) name: String,
    pub(crate) reach: Reach,
    pub(crate) details: Details,
    /// Texts for the model from before calls that have no result yet.
    held: Arc<Held>,
}

impl Chain {
    pub(crate) fn new(runner: HookRunner, name: &str) -> Self {
        Self {
            runner,
            name: name.to_owned(),
            reach: Reach::Workspace,
            details: Details::default(),
            held: Arc::default(),
        }
    }

    /// Asks before a call.
    pub(crate) async fn decide(&self, context: &PreExecutionContext) -> Fate {
        let event = HookEvent::PreToolUse;
        if !self.runner.must_consult(event, &context.tool_name) {
            return Fate::Runs;
        }
        let call = HookCall::new(
            &*context.agent_id,
            &*context.tool_name,
            &*context.tool_call_id,
            &*context.input_json,
        );
        let call = match self.told(event, call, &context.working_directory) {
            Ok(call) => call,
            Err(reason) => return Fate::Refused(reason),
        };
        let request = HookRequest::from_call(event, self.runner.workspace(), &call);
        let Consultation {
            outcome,
            trail,
            context: said,
            ..
        } = self.runner.consult(request).await;
        let said = contexts(&said);
        let fate = Fate::of(outcome, &trail).with_contexts(&said);
        if !matches!(fate, Fate::Refused(_)) {
            self.held.keep(&call.agent_id, &call.tool_call_id, said);
        }
        fate
    }

    /// Asks after a call.
    pub(crate) async fn review(&self, context: &PostExecutionContext) -> Shown {
        let event = HookEvent::PostToolUse;
        let held = self.held.take(&context.agent_id, &context.tool_call_id);
        if !self.runner.must_consult(event, &context.tool_name) {
            return Shown::Untouched.with_contexts(context, &held, &self.name);
        }
        let call = HookCall::new(
            &*context.agent_id,
            &*context.tool_name,
            &*context.tool_call_id,
            &*context.input_json,
        );
        let call = match self.told(event, call, &context.working_directory) {
            Ok(call) => call,
            Err(reason) => {
                return Shown::withheld(reason).with_contexts(context, &held, &self.name);
            }
        };
        let output = content::to_json(&context.content);
        let workspace = self.runner.workspace();
        let request = HookRequest::from_result(workspace, &call, output, context.is_error);
        let Consultation {
            outcome,
            trail,
            context: said,
            ..
        } = self.runner.consult(request).await;
        let said = once_each(held, contexts(&said));
        Shown::of(outcome, &trail, &context.content).with_contexts(context, &said, &self.name)
    }

    /// The call as the hooks are told of it; the reason of a refusal where they cannot judge it.
    fn told(&self, event: HookEvent, call: HookCall, directory: &Path) -> Result<HookCall, String> {
        // A recorder is told of every call, and a runner that is asked no hook judges no path.
        if self.runner.asks(event, &call.tool_name) {
            self.can_judge(event, directory)
                .map_err(|foreign| foreign.to_string())?;
        }
        let call = in_directory(call, directory);
        let told = self.details.add_to(call);
        told.map_err(|error| format!("{}: {error}", unasked(event)))
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
