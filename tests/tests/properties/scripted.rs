//! Participants that do what a script says.

use std::{
    pin::Pin,
    sync::{Arc, Mutex, Once},
};

use hook_config::OnFailure;
use hook_contract::{HookEvent, HookRequest, Json};
use hook_runner::{Answer, HookFailure, Identity, Participant, Question};
use hook_wire::{HookResponse, decode_response};

/// What a scripted participant does when it is asked.
#[derive(Clone, Debug)]
pub(crate) enum Say {
    Allow(Option<String>),
    Deny(Option<String>),
    /// Any value, an object or not.
    Modify(String, Option<String>),
    Replace(String, Option<bool>, Option<String>),
    /// Gives back what it saw, as in-process code does: through a value that rounds.
    EchoAsValue(Option<String>),
    Fail,
    NoAnswer,
    PanicAtOnce,
    PanicLater,
    /// Answers, and panics when what is left of its future is dropped.
    PanicOnDrop,
}

#[derive(Clone, Debug)]
pub(crate) struct Script {
    pub(crate) kind: &'static str,
    pub(crate) name: String,
    pub(crate) events: (bool, bool),
    pub(crate) tool: Option<&'static str>,
    pub(crate) on_failure: OnFailure,
    pub(crate) say: Say,
    pub(crate) notes: Vec<String>,
    /// Whether it answers only after it was asked to wait.
    pub(crate) pauses: bool,
}

/// Everything that anybody was asked, in order.
pub(crate) type Log = Arc<Mutex<Vec<(usize, HookRequest)>>>;

pub(crate) struct Scripted {
    pub(crate) index: usize,
    pub(crate) identity: Identity,
    pub(crate) script: Script,
    pub(crate) log: Log,
}

/// What the panics say that are part of the script.
const SCRIPTED: &str = "as scripted";

/// Thousands of panics that are meant to happen would hide one that is not.
pub(crate) fn hush() {
    static HUSHED: Once = Once::new();
    HUSHED.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            let said = panic.payload();
            let said = said
                .downcast_ref::<String>()
                .map(String::as_str)
                .or(said.downcast_ref().copied());
            if said != Some(SCRIPTED) {
                usual(panic);
            }
        }));
    });
}

struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        panic!("{SCRIPTED}");
    }
}

impl Scripted {
    fn answer(&self, request: &HookRequest) -> Answer {
        let response = match &self.script.say {
            Say::Allow(reason) => Ok(HookResponse::Allow {
                reason: reason.clone(),
            }),
            Say::Deny(reason) => Ok(HookResponse::Deny {
                reason: reason.clone(),
            }),
            Say::Modify(input, reason) => Ok(HookResponse::Modify {
                input: json(input),
                reason: reason.clone(),
            }),
            Say::Replace(output, is_error, reason) => Ok(HookResponse::Replace {
                output: json(output),
                is_error: *is_error,
                reason: reason.clone(),
            }),
            Say::EchoAsValue(reason) => Ok(match &request.output {
                None => HookResponse::Modify {
                    input: request.input.value().clone().into(),
                    reason: reason.clone(),
                },
                Some(output) => HookResponse::Replace {
                    output: output.value().clone().into(),
                    is_error: None,
                    reason: reason.clone(),
                },
            }),
            Say::Fail => Err(HookFailure::Transport("lost the line".into())),
            Say::NoAnswer => Err(HookFailure::NotAnAnswer(
                decode_response(b"secret").expect_err("no answer"),
            )),
            Say::PanicAtOnce | Say::PanicLater => panic!("{SCRIPTED}"),
            Say::PanicOnDrop => Ok(HookResponse::allow()),
        };
        let answer = Answer::new(response);
        self.script
            .notes
            .iter()
            .fold(answer, |answer, note| answer.with_note(note.as_str()))
    }
}

impl Participant for Scripted {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn applies_to(&self, event: HookEvent, tool_name: &str) -> bool {
        applies(&self.script, event, tool_name)
    }

    fn on_failure(&self) -> OnFailure {
        self.script.on_failure
    }

    fn ask<'a, 'b, 'c>(
        &'a self,
        question: &'b Question,
    ) -> Pin<Box<dyn Future<Output = Answer> + Send + 'c>>
    where
        'a: 'c,
        'b: 'c,
        Self: 'c,
    {
        let request = question.request();
        self.log
            .lock()
            .expect("a lock")
            .push((self.index, request.clone()));
        match self.script.say {
            Say::PanicAtOnce => panic!("{SCRIPTED}"),
            Say::PanicOnDrop => {
                let answer = self.answer(request);
                let mut armed = Some((answer, Bomb));
                Box::pin(std::future::poll_fn(move |_| {
                    // The bomb stays in the future until that is dropped.
                    match &mut armed {
                        Some((answer, _)) => std::task::Poll::Ready(std::mem::replace(
                            answer,
                            Answer::new(Ok(HookResponse::allow())),
                        )),
                        None => std::task::Poll::Pending,
                    }
                }))
            }
            _ if self.script.pauses => Box::pin(async move {
                tokio::task::yield_now().await;
                self.answer(request)
            }),
            _ => Box::pin(async move { self.answer(request) }),
        }
    }
}

pub(crate) fn json(text: &str) -> Json {
    Json::parse(text).expect("JSON")
}

pub(crate) fn applies(script: &Script, event: HookEvent, tool_name: &str) -> bool {
    let (before, after) = script.events;
    (if event == HookEvent::PreToolUse {
        before
    } else {
        after
    }) && script.tool.is_none_or(|tool| tool == tool_name)
}
