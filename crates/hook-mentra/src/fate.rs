//! What an outcome of the chain means in mentra's terms.

use hook_contract::{Decision, HookOutcome, Json};
use hook_runner::Step;
use mentra::{runtime::PostExecutionContext, tool::ToolResultContent};

use crate::{
    content,
    context::{below, below_result},
    numbers,
};

/// What becomes of a call.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    Runs,
    Refused(String),
    RunsWith {
        input_json: String,
        attribution: String,
    },
}

/// What becomes of a result.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Shown {
    Untouched,
    Instead {
        content: ToolResultContent,
        is_error: bool,
        attribution: String,
    },
}

impl Fate {
    /// What an outcome before a call means.
    pub(crate) fn of(outcome: HookOutcome, trail: &[Step]) -> Self {
        match outcome {
            HookOutcome::Allow => Self::Runs,
            HookOutcome::Deny(reason) => Self::Refused(reason),
            HookOutcome::Modify { input, .. } => rewritten(&input, attribution(trail)),
            HookOutcome::Replace { .. } => Self::Refused(no_answer("a result", "before")),
        }
    }

    /// The refusal with texts for the model below its reason. A call that runs has no place for them yet.
    pub(crate) fn with_contexts(self, contexts: &[String]) -> Self {
        match self {
            Self::Refused(reason) => Self::Refused(below(&reason, contexts)),
            Self::Runs | Self::RunsWith { .. } => self,
        }
    }
}

impl Shown {
    /// What an outcome after a call means.
    pub(crate) fn of(outcome: HookOutcome, trail: &[Step], before: &ToolResultContent) -> Self {
        match outcome {
            HookOutcome::Allow => Self::Untouched,
            HookOutcome::Deny(reason) => Self::withheld(reason),
            HookOutcome::Replace {
                output, is_error, ..
            } => Self::Instead {
                content: content::from_json(&output, before),
                is_error,
                attribution: attribution(trail),
            },
            HookOutcome::Modify { .. } => Self::withheld(no_answer("an input", "after")),
        }
    }

    /// The reason in the place of the result.
    pub(crate) fn withheld(reason: String) -> Self {
        Self::Instead {
            content: ToolResultContent::text(reason.as_str()),
            is_error: true,
            attribution: reason,
        }
    }

    /// What the model is shown, with texts for it below; in the name of the chain where no hook changed the result.
    pub(crate) fn with_contexts(
        self,
        result: &PostExecutionContext,
        contexts: &[String],
        chain: &str,
    ) -> Self {
        if contexts.is_empty() {
            return self;
        }
        match self {
            Self::Untouched => Self::Instead {
                content: below_result(result.content.clone(), contexts),
                is_error: result.is_error,
                attribution: chain.to_owned(),
            },
            Self::Instead {
                content,
                is_error,
                attribution,
            } => Self::Instead {
                content: below_result(content, contexts),
                is_error,
                attribution,
            },
        }
    }
}

/// Every participant that changed something, in order, each once. Not why: mentra shows the model who rewrote a call that
/// failed, and the reason of a rewrite is for the audit trail alone.
fn attribution(trail: &[Step]) -> String {
    let rewriters = names(trail, rewrote);
    if rewriters.is_empty() {
        // A text was replaced beside an ask, which a step does not tell.
        return names(trail, |step| step.decision == Some(Decision::Ask));
    }
    rewriters
}

fn names(trail: &[Step], is_meant: impl Fn(&Step) -> bool) -> String {
    let mut names: Vec<String> = Vec::new();
    for step in trail.iter().filter(|step| is_meant(step)) {
        let name = step.who.to_string();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names.join("; ")
}

/// A participant that asks for a person's agreement may have put another form beside its ask.
fn rewrote(step: &Step) -> bool {
    match step.decision {
        Some(Decision::Modify | Decision::Replace) => true,
        Some(Decision::Ask) => !step.changed.is_empty(),
        Some(Decision::Allow | Decision::Deny | _) | None => false,
    }
}

fn rewritten(input: &Json, attribution: String) -> Fate {
    match numbers::first_lost(input.text()) {
        None => Fate::RunsWith {
            input_json: input.text().to_owned(),
            attribution,
        },
        Some(lost) => Fate::Refused(format!("denied after the rewrite by {attribution}: {lost}")),
    }
}

/// The chain's own rules never come to this; a call about which it is wrong does not happen.
fn no_answer(what: &str, when: &str) -> String {
    format!(
        "denied, because the hooks answered with {what} {when} the call; this is a fault of the host"
    )
}
