//! From what a program printed to what it said.

use serde::de::IgnoredAny;

use crate::{
    Decision, Exit, Failure, HookOutput, WhyIgnored,
    dialect::{ExitTwo, Honours, PlainText, Profile, ReadOn, Refused},
};

mod answer;
mod denial;
mod effect;
mod json;
mod reading;

pub(crate) use self::reading::announces_background;
use self::{
    answer::Answer,
    denial::Said,
    reading::{Reading, trimmed},
};

/// Reads what a hook printed, as a dialect does.
///
/// It is total: any bytes, any exit and any name of an event give an output. Where a strict profile follows the agent
/// in letting a refusal or an ask pass that it does not hear, a guarded one hears it:
///
/// - an object that refuses is a refusal, whatever else is wrong with it or stands around it;
/// - an object that asks is an ask, whatever else is wrong with it, where something is about to happen and a person can be
///   asked; beside other text, or where no person can be asked, it is a failure that refuses;
/// - exit status 2 is a refusal of what is about to happen, also without a reason;
/// - a rewrite that the agent would leave out is a refusal, because the original must not run in its place;
/// - a refusal in the words of another agent is one, before something happens.
///
/// An allow that the agent would leave out stays without effect, and is no objection either.
///
/// ```
/// use hook_dialect::{Decision, Dialect, Exit, decode_output};
///
/// let stdout = br#"{"permissionDecision": "deny", "reason": "not on main"}"#;
/// let guarded = Dialect::CODEX.guarded();
/// let output = decode_output(Exit::Code(0), stdout, b"", Some("PreToolUse"), guarded);
/// assert_eq!(output.decision, Some(Decision::Deny));
///
/// let strict = Dialect::CODEX.strict();
/// let output = decode_output(Exit::Code(0), stdout, b"", Some("PreToolUse"), strict);
/// assert_eq!(output.decision, None);
/// ```
#[must_use]
pub fn decode_output(
    exit: Exit,
    stdout: &[u8],
    stderr: &[u8],
    expected_event: Option<&str>,
    profile: Profile,
) -> HookOutput {
    let rules = &profile.dialect.answers;
    let row = expected_event.map_or(&profile.dialect.other, |event| {
        profile.dialect.event_or_other(event)
    });
    let mut output = HookOutput {
        exit_code: exit.code(),
        stdout: trimmed(stdout, rules.trim),
        stderr: trimmed(stderr, rules.trim),
        ..HookOutput::default()
    };
    let text = std::mem::take(&mut output.stdout);
    let decoding = Decoding {
        exit,
        expected_event,
        profile,
        row,
        text: &text,
        stderr,
    };
    decoding.printed(&mut output);
    decoding.status(&mut output);
    if !profile.strict {
        decoding.guard(&mut output);
    }
    output.stdout = text;
    output
}

/// What an output is read with.
struct Decoding<'a> {
    exit: Exit,
    expected_event: Option<&'a str>,
    profile: Profile,
    row: &'a crate::dialect::EventRow,
    text: &'a str,
    stderr: &'a [u8],
}

impl Decoding<'_> {
    /// What standard output says.
    fn printed(&self, output: &mut HookOutput) {
        let rules = &self.profile.dialect.answers;
        let success = self.exit == Exit::Code(0);
        let unheard = self.row.top.is_empty();
        let unread = if unheard {
            WhyIgnored::NoEffect
        } else {
            WhyIgnored::Overruled
        };
        if unheard || !success && rules.read == ReadOn::Success {
            if !self.text.is_empty() {
                output.ignore("stdout", unread);
            }
            return;
        }
        match Reading::of(self.text, self.profile) {
            Reading::Empty => {}
            Reading::Detached => {
                output.detached = true;
                output.ignore("stdout", WhyIgnored::Detached);
            }
            Reading::Text if !success => output.ignore("stdout", WhyIgnored::PlainText),
            Reading::Text => match self.row.plain_text {
                PlainText::Nothing => output.ignore("stdout", WhyIgnored::PlainText),
                PlainText::Context => output.additional_context = Some(self.text.to_owned()),
                PlainText::Fails => output.failure = Some(Failure::PlainText),
            },
            Reading::Broken(failure) => output.failure = Some(failure),
            Reading::Object(members) => match Answer::read(&members, self) {
                Ok(answer) => answer.take_effect(self, output),
                Err(failure) => output.failure = Some(failure),
            },
        }
    }

    /// What the exit status says.
    fn status(&self, output: &mut HookOutput) {
        if output.detached {
            return;
        }
        let failure = match self.exit {
            Exit::Code(0) => return,
            Exit::Code(_) if self.row.exit_two == ExitTwo::RefusesAsAny => {
                return self.refuse_by_status(output);
            }
            Exit::Code(2) => match self.row.exit_two {
                ExitTwo::Refuses | ExitTwo::RefusesAsAny => return self.refuse_by_status(output),
                ExitTwo::RefusesWithReason if !output.stderr.is_empty() => {
                    return self.refuse_by_status(output);
                }
                ExitTwo::RefusesWithReason => Failure::NoReasonOnStderr,
                ExitTwo::Fails | ExitTwo::Nothing => Failure::ExitStatus(2),
            },
            Exit::Code(status) => Failure::ExitStatus(status),
            Exit::Signal(signal) => Failure::Signal(signal),
            Exit::Unknown => Failure::NoStatus,
        };
        if self.profile.dialect.answers.exit_status_fails {
            output.failure.get_or_insert(failure);
        }
    }

    /// Hears refusals and asks that the agent does not.
    fn guard(&self, output: &mut HookOutput) {
        if output.refuses() || output.detached || !self.row.honours.can_refuse() {
            return;
        }
        let lone_rewrite = Some(&Failure::Refused(Refused::LoneRewrite));
        if let Some(said) = denial::find(self.text, denial::REFUSES) {
            refuse(output, said.reason);
        } else if self.exit == Exit::Code(2) && self.row.before {
            let reason = Some(output.stderr.clone()).filter(|text| !text.is_empty());
            refuse(output, reason);
        } else if output.failure.as_ref() == lone_rewrite {
            let title = self.profile.dialect.title;
            let reason = format!(
                "a hook changed the input of this call without saying `permissionDecision: allow`, and {title} would \
                 run the original; it does not run"
            );
            refuse(output, Some(reason));
        } else if let Some(said) = self.refusal_elsewhere() {
            // What is said of the field is in the failure.
            output.ignored.retain(|ignored| ignored.field != said.field);
            refuse(output, said.reason);
            let field = said.field;
            output.failure = Some(Failure::AnothersWords { field });
        } else if let Some(said) = self.unheard_ask(output) {
            self.ask(output, said.reason);
        } else if self.unheard_rewrite(output) {
            let reason = "a hook changed the input of this call in an answer that cannot be used, and the original would \
                          run; it does not run";
            refuse(output, Some(reason.to_owned()));
            output.failure.get_or_insert(Failure::RewriteUnheard);
        } else if let Some(why) = self.void_allow(output) {
            output.failure = Some(Failure::VoidAllow { why });
        } else if output.failure.is_none() && self.is_cut_off() {
            output.additional_context = None;
            output.failure = Some(Failure::CutOff);
        }
    }

    /// What asks for a person's agreement to what is about to happen, when the answer as the agent reads it does not ask.
    fn unheard_ask(&self, output: &HookOutput) -> Option<Said> {
        if output.asks() || !self.row.before {
            return None;
        }
        denial::find(self.text, denial::ASKS)
    }

    /// What refuses, in the words of another agent, what is about to happen.
    fn refusal_elsewhere(&self) -> Option<Said> {
        let words = denial::REFUSES_ELSEWHERE;
        denial::find(self.text, words).filter(|_| self.row.before)
    }

    /// Whether another input is meant for the call, which the agent does not hear.
    fn unheard_rewrite(&self, output: &HookOutput) -> bool {
        let is_heard = output.updated_input.is_some() || output.asks();
        !is_heard
            && self.row.before
            && self.honours(Honours::REWRITE)
            && denial::rewrites(self.text)
    }

    /// Why an answer is void that agrees to what is about to happen, and is one object. Agreeing is no objection: the agent
    /// goes on at home, and a guard that agrees has been asked.
    fn void_allow(&self, output: &HookOutput) -> Option<String> {
        let failure = output.failure.as_ref()?;
        let agrees = self.exit == Exit::Code(0)
            && self.row.before
            && failure.is_about_an_object()
            && denial::is_object(self.text)
            && denial::find(self.text, denial::ALLOWS).is_some();
        agrees.then(|| failure.to_string())
    }

    /// An ask that the agent does not hear. It never becomes an allow: where it cannot be put, it is a failure that refuses.
    fn ask(&self, output: &mut HookOutput, reason: Option<String>) {
        let failure = if !denial::is_object(self.text) {
            Failure::AskedInText
        } else if !self.row.honours.can_ask() {
            Failure::CannotAsk
        } else {
            if output.decision.is_some() {
                output.ignore("decision", WhyIgnored::Overruled);
            }
            output.decision = Some(Decision::Ask);
            output.reason = reason;
            return;
        };
        output.additional_context = None;
        output.failure = Some(failure);
    }

    /// Whether it is the beginning of an object, which the agent takes for plain text.
    fn is_cut_off(&self) -> bool {
        self.text.starts_with('{')
            && serde_json::from_str::<IgnoredAny>(self.text).is_err_and(|error| error.is_eof())
    }
}

fn refuse(output: &mut HookOutput, reason: Option<String>) {
    if output.decision.is_some() {
        output.ignore("decision", WhyIgnored::Overruled);
    }
    if output.updated_input.take().is_some() {
        output.ignore("updatedInput", WhyIgnored::Overruled);
    }
    output.decision = Some(Decision::Deny);
    output.reason = reason;
}

impl Decoding<'_> {
    /// Exit status 2: standard error is the reason, unless the answer itself refuses.
    fn refuse_by_status(&self, output: &mut HookOutput) {
        output.failure = None;
        if output.refuses() {
            return;
        }
        let as_printed = self.profile.strict && self.profile.dialect.answers.keeps_stderr;
        let reason = if as_printed {
            String::from_utf8_lossy(self.stderr).into_owned()
        } else {
            output.stderr.clone()
        };
        refuse(output, Some(reason).filter(|_| !output.stderr.is_empty()));
        output.decision = Some(Decision::Block);
    }

    fn honours(&self, what: Honours) -> bool {
        self.row.honours.has(what)
    }
}

#[cfg(test)]
mod tests;
