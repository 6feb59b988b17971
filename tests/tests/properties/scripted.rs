//! Participants that do what a script says.

use std::{
    pin::Pin,
    sync::{Arc, Mutex, Once},
};

use hook_config::OnFailure;
use hook_contract::{Answer, HookRequest, Json, Rewrite, Subject};
use hook_runner::{FailureKind, HookFailure, Identity, Participant, Question, Ranks, Reply};
use hook_wire::decode_response;
use hookchain_tests::model::{Beside, Says, Voice};

/// What a scripted participant does when it is asked, where that is more than what it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Manner {
    /// It answers.
    Says,
    Fails,
    GivesNoAnswer,
    PanicsAtOnce,
    PanicsLater,
    /// It answers, and panics when what is left of its future is dropped.
    PanicsOnDrop,
}

#[derive(Clone, Debug)]
pub(crate) struct Script {
    pub(crate) voice: Voice,
    /// The reason of an allow, which nothing comes of.
    pub(crate) reason: Option<String>,
    pub(crate) manner: Manner,
    pub(crate) notes: Vec<String>,
    /// Whether it answers only after it was asked to wait.
    pub(crate) pauses: bool,
}

impl Script {
    /// What the model hears of it.
    pub(crate) fn heard(&self) -> Voice {
        let breaks = |kind, words: &str| Says::Breaks(kind, words.to_owned());
        let says = match self.manner {
            Manner::Says => self.voice.says.clone(),
            Manner::Fails => breaks(FailureKind::Transport, "could not answer"),
            Manner::GivesNoAnswer => {
                let summary = no_answer().kind().summary();
                breaks(
                    FailureKind::NotAnAnswer,
                    &format!("gave no answer: {summary}"),
                )
            }
            Manner::PanicsAtOnce | Manner::PanicsLater | Manner::PanicsOnDrop => {
                breaks(FailureKind::Panic, "panicked")
            }
        };
        Voice {
            says,
            notes: self.notes().len(),
            ..self.voice.clone()
        }
    }

    /// What it has to say to the operator: nothing after a panic.
    pub(crate) fn notes(&self) -> &[String] {
        match self.manner {
            Manner::Says | Manner::Fails | Manner::GivesNoAnswer => &self.notes,
            Manner::PanicsAtOnce | Manner::PanicsLater | Manner::PanicsOnDrop => &[],
        }
    }
}

fn no_answer() -> hook_wire::DecodeError {
    decode_response(b"secret").expect_err("no answer")
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
    fn reply(&self, request: &HookRequest) -> Reply {
        let answered = match self.script.manner {
            Manner::Says => Ok(self.answer(request)),
            Manner::Fails => Err(HookFailure::Transport("lost the line; secret".into())),
            Manner::GivesNoAnswer => Err(HookFailure::NotAnAnswer(no_answer())),
            Manner::PanicsAtOnce | Manner::PanicsLater => panic!("{SCRIPTED}"),
            Manner::PanicsOnDrop => Ok(Answer::allow()),
        };
        let notes = self.script.notes.iter();
        notes.fold(Reply::new(answered), |reply, note| {
            reply.with_note(note.as_str())
        })
    }

    fn answer(&self, request: &HookRequest) -> Answer {
        let (answer, reason) = match &self.script.voice.says {
            Says::Allow => (Answer::allow(), &self.script.reason),
            Says::Deny(reason) => (Answer::deny_without_reason(), reason),
            Says::Ask(reason, beside) => (ask(beside.as_ref()), reason),
            Says::Modify(input, reason) => (Answer::modify(json(input)), reason),
            Says::Replace(output, is_error, reason) => {
                let answer = Answer::replace(json(output));
                let answer = is_error
                    .iter()
                    .fold(answer, |answer, flag| answer.with_is_error(*flag));
                (answer, reason)
            }
            Says::EchoAsValue(reason) => {
                let seen = |seen: &Json| Json::from(seen.value().clone());
                (rewritten(request, seen), reason)
            }
            Says::Wrap => {
                let wrap = |seen: &Json| json(&format!(r#"{{"was":{}}}"#, seen.text()));
                (rewritten(request, wrap), &None)
            }
            Says::DenyAgain if request.again => (Answer::deny("not that"), &None),
            Says::DenyAgain => (Answer::allow(), &None),
            Says::Echo | Says::Breaks(..) => panic!("of programs, and of manners"),
        };
        let answer = reason
            .iter()
            .fold(answer, |answer, reason| answer.with_reason(reason.as_str()));
        let context = self.script.voice.context.iter();
        context.fold(answer, |answer, text| answer.with_context(text.as_str()))
    }
}

fn ask(beside: Option<&Beside>) -> Answer {
    let ask = Answer::ask_without_reason();
    match beside {
        None => ask,
        Some(Beside::Input(input)) => ask.with_rewrite(Rewrite::Input(json(input))),
        Some(Beside::Output(output, flag)) => {
            ask.with_rewrite(Rewrite::output(json(output), *flag))
        }
    }
}

/// What was seen, changed; the flag of a result stays as it is.
fn rewritten(request: &HookRequest, change: impl Fn(&Json) -> Json) -> Answer {
    match &request.output {
        None => Answer::modify(change(&request.input)),
        Some(output) => Answer::replace(change(output)),
    }
}

impl Participant for Scripted {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn applies_to(&self, subject: &Subject<'_>) -> bool {
        let voice = &self.script.voice;
        voice.applies_to(subject.event, subject.tool_name)
    }

    fn on_failure(&self) -> OnFailure {
        self.script.voice.on_failure
    }

    fn ranks(&self) -> Ranks {
        self.script.voice.ranks
    }

    fn ask<'a, 'b, 'c>(
        &'a self,
        question: &'b Question,
    ) -> Pin<Box<dyn Future<Output = Reply> + Send + 'c>>
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
        match self.script.manner {
            Manner::PanicsAtOnce => panic!("{SCRIPTED}"),
            Manner::PanicsOnDrop => {
                let reply = self.reply(request);
                let mut armed = Some((reply, Bomb));
                Box::pin(std::future::poll_fn(move |_| {
                    // The bomb stays in the future until that is dropped.
                    match &mut armed {
                        Some((reply, _)) => std::task::Poll::Ready(std::mem::replace(
                            reply,
                            Reply::new(Ok(Answer::allow())),
                        )),
                        None => std::task::Poll::Pending,
                    }
                }))
            }
            _ if self.script.pauses => Box::pin(async move {
                tokio::task::yield_now().await;
                self.reply(request)
            }),
            _ => Box::pin(async move { self.reply(request) }),
        }
    }
}

pub(crate) fn json(text: &str) -> Json {
    Json::parse(text).expect("JSON")
}
