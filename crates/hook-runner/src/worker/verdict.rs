//! What a worker's reply comes to: an answer or a failure, and whether its process may be asked again.

use std::time::Duration;

use hook_contract::{Answer, Decision, shown};
use hook_wire::{DecodeError, DecodeErrorKind, NotJsonHint, decode_response};

use super::failure::{Delay, WorkerFailure};
use crate::{
    HookFailure, Reply,
    hook::hint,
    process::{Exchange, Exit, Heard, Pace, Program},
};

/// How many characters of what was printed in vain are shown.
const SHOWN: usize = 200;

/// What is known of the question beside the reply.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked<'a> {
    /// The call it is about.
    pub(super) call: &'a str,
    pub(super) timeout: Duration,
    pub(super) max_answer_bytes: usize,
    /// How many questions the process had answered.
    pub(super) answered: u64,
    /// How the question was put.
    pub(super) pace: Pace,
    pub(super) program: &'a Program,
}

/// What is made of a reply.
#[derive(Debug)]
pub(super) struct Verdict {
    response: Result<Answer, HookFailure>,
    /// Whether the process did as it should and may be asked again.
    pub(super) is_sound: bool,
    /// Whether the answer names the call. Nothing of a denial: it counts in any case.
    pub(super) names: Option<bool>,
    exit: Option<Exit>,
    bytes_received: usize,
    notes: Vec<String>,
}

impl Verdict {
    pub(super) fn of(exchange: &Exchange, asked: Asked<'_>) -> Self {
        let printed = exchange.kept.printed();
        let failure = match &exchange.reply {
            Heard::Line => return Self::of_line(exchange, asked),
            Heard::TooMuch => {
                let error = DecodeError::too_large(asked.max_answer_bytes, printed);
                return HookFailure::NotAnAnswer(error).into();
            }
            Heard::Unasked | Heard::Early => WorkerFailure::Unasked {
                printed: quote(printed),
            },
            Heard::Late(unanswered) => WorkerFailure::Late {
                timeout: asked.timeout,
                delay: Delay::of(*unanswered, asked.answered),
            },
            Heard::Closed => WorkerFailure::Closed,
            Heard::Lost(error) => WorkerFailure::Lost {
                error: error.to_string(),
            },
            Heard::Ended(exit, unanswered) => {
                let failure = WorkerFailure::Ended {
                    exit: *exit,
                    begun: unanswered.begun,
                    hint: hint(asked.program, *exit),
                };
                return Self {
                    exit: Some(*exit),
                    ..Self::from(HookFailure::from(failure))
                };
            }
        };
        HookFailure::from(failure).into()
    }

    fn of_line(exchange: &Exchange, asked: Asked<'_>) -> Self {
        let call = asked.call;
        let (line, rest) = (exchange.kept.line(), exchange.kept.rest());
        let failed = |failure: HookFailure| Self {
            bytes_received: line.len(),
            ..failure.into()
        };
        let decoded = match decode_response(line) {
            Ok(decoded) => decoded,
            Err(error) => return failed(no_answer(error, exchange)),
        };
        if let Some(found) = decoded.other_call(call) {
            let (found, expected) = (quote(found.as_bytes()), call.to_owned());
            return failed(WorkerFailure::OtherCall { found, expected }.into());
        }
        let (names, denies) = (
            decoded.names_a_call(),
            decoded.response.decision() == Decision::Deny,
        );
        if asked.pace == Pace::AtOnce && !names && !denies {
            return Self {
                names: Some(false),
                ..failed(WorkerFailure::Unnamed.into())
            };
        }
        let mut notes: Vec<_> = decoded.notes.iter().map(ToString::to_string).collect();
        if !rest.is_empty() {
            let rest = quote(rest);
            if !denies {
                return failed(WorkerFailure::MoreThanALine { rest }.into());
            }
            // A denial that can be read stays one.
            notes.push(format!(
                "printed more than one line for a question, and was replaced; after its denial came `{rest}`"
            ));
        }
        Self {
            response: Ok(decoded.response),
            is_sound: rest.is_empty(),
            names: (!denies).then_some(names),
            exit: None,
            bytes_received: line.len(),
            notes,
        }
    }

    /// What there is to say of a process that is not sound, to whoever asks it next.
    pub(super) fn complaint(&self) -> String {
        match &self.response {
            Err(failure) => failure.to_string(),
            Ok(_denial) => "printed more than one line for a question".into(),
        }
    }

    pub(super) fn is_answer(&self) -> bool {
        self.response.is_ok()
    }

    /// The answer, with what happened before it.
    pub(super) fn into_reply(self, mut notes: Vec<String>) -> Reply {
        notes.extend(self.notes);
        Reply {
            exit: self.exit,
            bytes_received: self.bytes_received,
            notes,
            ..Reply::new(self.response)
        }
    }
}

impl From<HookFailure> for Verdict {
    fn from(failure: HookFailure) -> Self {
        Self {
            response: Err(failure),
            is_sound: false,
            names: None,
            exit: None,
            bytes_received: 0,
            notes: Vec::new(),
        }
    }
}

/// Why a line is no answer. An object over several lines is one for a program that is asked once.
fn no_answer(error: DecodeError, exchange: &Exchange) -> HookFailure {
    let rest = exchange.kept.rest();
    let is_cut = |error: &DecodeError| {
        matches!(
            error.kind(),
            DecodeErrorKind::NotJson {
                hint: NotJsonHint::CutShort,
                ..
            }
        )
    };
    if is_cut(&error) && exchange.kept.line().trim_ascii_start().starts_with(b"{") {
        return WorkerFailure::OverLines(error).into();
    }
    // The whole of it may explain more, such as a log line before an answer.
    let whole = (!rest.is_empty()).then(|| decode_response(exchange.kept.printed()));
    HookFailure::NotAnAnswer(whole.and_then(Result::err).unwrap_or(error))
}

/// The beginning of what was printed, on one harmless line.
fn quote(printed: &[u8]) -> String {
    // No character is longer than four bytes, so these hold more than is shown.
    let text = String::from_utf8_lossy(printed.get(..4 * SHOWN + 4).unwrap_or(printed));
    let text = text.trim();
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => shown::line(text.get(..end).unwrap_or_default()) + "…",
        None => shown::line(text),
    }
}
