//! What was said beside a question and its answer, as records have it.

use hook_contract::{HookOutcome, HookRequest, Json};
use hook_runner::{Asked, Context, Exit, Settled};

use crate::{
    Capture, RecordedApproval, RecordedContext, RecordedHook, RecordedOutcome, RecordedSettled,
    captured::Capturing,
    handler_id,
    message::{Concluded, HookAnswered},
    record::millis,
};

/// An outcome, taken apart; that of a consultation that was dropped is not known.
pub(super) struct Form<'a> {
    pub(super) word: RecordedOutcome,
    pub(super) reason: Option<&'a str>,
    pub(super) rewrite: Option<&'a Json>,
    pub(super) is_error: Option<bool>,
}

impl<'a> Form<'a> {
    /// That of a consultation. What was denied because the caller asks a person is open, and the denial's words are not said.
    pub(super) fn of_concluded(concluded: Option<&'a Concluded>) -> Self {
        let form = Self::of(concluded.map(|concluded| &concluded.outcome));
        if concluded.is_some_and(|concluded| concluded.is_handed_on) {
            return Self {
                word: RecordedOutcome::Ask,
                reason: None,
                ..form
            };
        }
        form
    }

    pub(super) fn of(outcome: Option<&'a HookOutcome>) -> Self {
        let plain = |word| Self {
            word,
            reason: None,
            rewrite: None,
            is_error: None,
        };
        match outcome {
            None => plain(RecordedOutcome::Abandoned),
            Some(HookOutcome::Allow) => plain(RecordedOutcome::Allow),
            Some(HookOutcome::Deny(reason)) => Self {
                reason: Some(reason),
                ..plain(RecordedOutcome::Deny)
            },
            Some(HookOutcome::Modify { input, reason }) => Self {
                reason: reason.as_deref(),
                rewrite: Some(input),
                ..plain(RecordedOutcome::Modify)
            },
            Some(HookOutcome::Replace {
                output,
                is_error,
                reason,
            }) => Self {
                reason: reason.as_deref(),
                rewrite: Some(output),
                is_error: Some(*is_error),
                ..plain(RecordedOutcome::Replace)
            },
        }
    }
}

/// The reason of a consultation, in the words that the runtime was given.
///
/// When no person answered, those words say which command a person can run by hand. It is the call's own input, so they are
/// put together without it where records hold no input.
pub(super) fn reason(
    capturing: &Capturing,
    given: Option<&str>,
    asked: Option<&Asked>,
) -> Option<String> {
    let given = given?.to_owned();
    let settled = asked.map(|asked| (&asked.settled, &asked.by));
    Some(capturing.words(match (capturing.level, settled) {
        (Capture::Digests, Some((Settled::Unanswered(why), by))) => {
            let by: Vec<_> = by.iter().map(ToString::to_string).collect();
            format!(
                "a person has to agree, and {why} (asked by {})",
                by.join("; ")
            )
        }
        (Capture::Digests | Capture::Redacted | Capture::Full, _) => given,
    }))
}

/// The exit status and the signal.
pub(super) const fn exit(exit: Option<Exit>) -> (Option<i32>, Option<i32>) {
    match exit {
        Some(Exit::Code(code)) => (Some(code), None),
        Some(Exit::Signal(signal)) => (None, Some(signal)),
        Some(Exit::Unknown | _) | None => (None, None),
    }
}

pub(super) fn hook(capturing: &Capturing, hook: HookAnswered) -> RecordedHook {
    let words = |text: String| capturing.words(text);
    let (exit_code, signal) = exit(hook.exit);
    RecordedHook {
        command: words(hook.command),
        origin: hook.origin,
        decision: hook.decision.map(str::to_owned),
        reason: hook.reason.map(words),
        failure: hook.failure.map(words),
        exit_code,
        signal,
        stderr_summary: hook.stderr_summary.map(words),
        duration_ms: millis(hook.took),
        queued_ms: millis(hook.queued),
    }
}

pub(super) fn approval(
    capturing: &Capturing,
    asked: &Asked,
    is_handed_on: bool,
) -> RecordedApproval {
    let (settled, remember) = match asked.settled {
        _ if is_handed_on => (RecordedSettled::HandedOn, false),
        Settled::Granted { remember } => (RecordedSettled::Granted, remember),
        Settled::Refused(_) => (RecordedSettled::Refused, false),
        Settled::Unanswered(_) => (RecordedSettled::Unanswered, false),
    };
    let then = Form::of(Some(&asked.then));
    // After a yes it is the rewrite of the consultation.
    let is_elsewhere = settled == RecordedSettled::Granted;
    let rewrite = then.rewrite.filter(|_| !is_elsewhere);
    RecordedApproval {
        by: asked.by.iter().map(|asker| asker.name.clone()).collect(),
        then: then.word,
        rewrite: rewrite.map(|value| capturing.value(value)),
        rewrite_is_error: then.is_error.filter(|_| !is_elsewhere),
        settled,
        remember,
    }
}

pub(super) fn context(
    capturing: &Capturing,
    context: &Context,
    request: &HookRequest,
) -> RecordedContext {
    RecordedContext {
        handler_id: handler_id(&context.who, request.event, &request.workspace),
        text: capturing.words(context.text.clone()),
    }
}
