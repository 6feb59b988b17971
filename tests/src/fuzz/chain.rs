//! Whom a chain may consist of, and what they may say.

use std::path::Path;

use hook_config::OnFailure;
use hook_contract::{HookCall, HookEvent, HookRequest, Json, async_trait};
use hook_runner::{Answer, HookFailure, HookRunner, Identity, Origin, Participant, Question};
use hook_wire::{DecodedResponse, HookResponse, decode_response};

use super::now::now;
use crate::model::{Says, Voice, predict, told};

/// Where the calls are made.
const WORKSPACE: &str = "/workspace";

/// How many are asked at most; more take time and show nothing new.
const MOST: usize = 12;

/// A script of answers: the first line is the input; when it begins with `=`, the second is the
/// result. Every other line is a participant, two characters and then what it prints. It comes to
/// what the model says.
pub fn chain(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut lines = text.split('\n');
    let request = request(&mut lines);
    let participants: Vec<_> = lines.take(MOST).enumerate().map(Scripted::new).collect();
    let voices: Vec<_> = participants.iter().map(|one| one.voice.clone()).collect();
    // With a number, nobody asks the system how many cores it has, which takes longer than the rest.
    let builder = HookRunner::builder(WORKSPACE)
        .with_max_programs(1)
        .with_reporter(|_| {});
    let runner = participants
        .into_iter()
        .fold(builder, hook_runner::HookRunnerBuilder::with_participant)
        .build();
    let came = told(&now(runner.consult(request.clone())));
    assert_eq!(came, predict(&voices, &request));
}

fn request<'a>(lines: &mut impl Iterator<Item = &'a str>) -> HookRequest {
    let first = lines.next().unwrap_or_default();
    let input = first.strip_prefix('=').unwrap_or(first);
    let call = HookCall::new("agent-1", "shell", "call-1", input);
    if input == first {
        return HookRequest::from_call(HookEvent::PreToolUse, Path::new(WORKSPACE), &call);
    }
    let output = lines.next().unwrap_or_default();
    let is_error = output.len().is_multiple_of(2);
    let output = Json::parse(output).unwrap_or_else(|_text| serde_json::Value::from(output).into());
    HookRequest::from_result(Path::new(WORKSPACE), &call, output, is_error)
}

/// A participant that answers as its line says.
struct Scripted {
    identity: Identity,
    voice: Voice,
    manner: char,
    printed: String,
}

impl Scripted {
    fn new((number, line): (usize, &str)) -> Self {
        let mut rest = line.chars();
        let setting = u32::from(rest.next().unwrap_or('a'));
        let manner = rest.next().unwrap_or('p');
        let printed = rest.as_str().to_owned();
        let on = |bit: u32| setting >> bit & 1 == 1;
        let voice = Voice {
            kind: if on(0) { "policy" } else { "hook" },
            name: number.to_string(),
            // `a`, `b` and the like are asked about everything.
            events: (!on(3), !on(4)),
            tool: on(2).then_some(if on(1) { "Shell" } else { "shell" }),
            on_failure: if on(1) {
                OnFailure::Allow
            } else {
                OnFailure::Deny
            },
            says: says(manner, &printed),
            notes: notes(manner, &printed),
        };
        Self {
            identity: Identity::new(voice.kind, voice.name.clone(), Origin::Host),
            voice,
            manner,
            printed,
        }
    }

    fn answer(&self, request: &HookRequest) -> Answer {
        match self.manner {
            'x' => HookFailure::Transport(self.printed.clone()).into(),
            'e' => Answer::new(Ok(echo(request, Clone::clone))),
            // As in-process code does it: through a value that rounds.
            'v' => Answer::new(Ok(echo(request, |value| value.value().clone().into()))),
            _ => match decode_response(self.printed.as_bytes()) {
                Ok(DecodedResponse {
                    response, notes, ..
                }) => notes
                    .iter()
                    .fold(Answer::new(Ok(response)), |answer, note| {
                        answer.with_note(note.to_string())
                    }),
                Err(error) => HookFailure::NotAnAnswer(error).into(),
            },
        }
    }
}

fn echo(request: &HookRequest, copy: impl Fn(&Json) -> Json) -> HookResponse {
    match &request.output {
        None => HookResponse::modify(copy(&request.input)),
        Some(output) => HookResponse::replace(copy(output)),
    }
}

fn says(manner: char, printed: &str) -> Says {
    match manner {
        'x' => Says::Breaks(hook_runner::FailureKind::Transport, printed.to_owned()),
        'e' | 'v' => Says::EchoAsValue,
        _ => match decode_response(printed.as_bytes()) {
            Err(error) => {
                let words = format!("gave no answer: {}", error.kind().summary());
                Says::Breaks(hook_runner::FailureKind::NotAnAnswer, words)
            }
            Ok(decoded) => match decoded.response {
                HookResponse::Allow { .. } => Says::Allow,
                HookResponse::Deny { reason } => Says::Deny(reason),
                HookResponse::Modify { input, reason } => {
                    Says::Modify(input.text().to_owned(), reason)
                }
                HookResponse::Replace {
                    output,
                    is_error,
                    reason,
                } => Says::Replace(output.text().to_owned(), is_error, reason),
            },
        },
    }
}

fn notes(manner: char, printed: &str) -> usize {
    if matches!(manner, 'x' | 'e' | 'v') {
        return 0;
    }
    decode_response(printed.as_bytes()).map_or(0, |decoded| decoded.notes.len())
}

#[async_trait]
impl Participant for Scripted {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn applies_to(&self, event: HookEvent, tool_name: &str) -> bool {
        self.voice.applies_to(event, tool_name)
    }

    fn on_failure(&self) -> OnFailure {
        self.voice.on_failure
    }

    async fn ask(&self, question: &Question) -> Answer {
        self.answer(question.request())
    }
}
