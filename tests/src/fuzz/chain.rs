//! What a chain may consist of, and what its participants may say.

use std::path::Path;

use hook_config::OnFailure;
use hook_contract::{
    Answer, Decision, HookCall, HookEvent, HookRequest, Json, Rewrite, Subject, async_trait,
};
use hook_runner::{
    FailureKind, HookFailure, HookRunner, Identity, Origin, Participant, Question, Rank, Ranks,
    Reply,
};
use hook_wire::{DecodedResponse, decode_response};

use super::now::now;
use crate::model::{Beside, Says, Voice, predict, told};

/// Where the calls are made.
const WORKSPACE: &str = "/workspace";

/// How many are asked at most; more take time and show nothing new.
const MOST: usize = 12;

/// A script of answers: the first line is the input; when it begins with `=`, the second is the
/// result. Every other line is a participant, two characters and then what it prints. It comes to
/// what the model says. The bits of the first character say what the participant is about, what its failure means and
/// how much it weighs; the second says whether it prints, fails, gives back what it saw, wraps that, or denies it when
/// it is asked again.
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
        .build()
        .expect("a runner");
    let came = told(&now(runner.consult(request.clone())));
    assert_eq!(came, predict(&voices, &request, None));
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
            context: context(manner, &printed),
            notes: notes(manner, &printed),
            // Letters are of the host.
            ranks: match (on(5), on(6)) {
                (true, true) => Ranks::both(Rank::INTERCEPTOR),
                (false, true) => Ranks::both(Rank::USER),
                (true, false) => Ranks::both(Rank::workspace(0)),
                (false, false) => Ranks::new(Rank::USER, Rank::workspace(0)),
            },
        };
        Self {
            identity: Identity::new(voice.kind, voice.name.clone(), Origin::Host),
            voice,
            manner,
            printed,
        }
    }

    fn reply(&self, request: &HookRequest) -> Reply {
        match self.manner {
            'x' => HookFailure::Transport(self.printed.clone()).into(),
            'e' => Reply::new(Ok(rewrite(request, Clone::clone))),
            // As in-process code does it: through a value that rounds.
            'v' => Reply::new(Ok(rewrite(request, |value| value.value().clone().into()))),
            'w' => Reply::new(Ok(rewrite(request, |value| {
                Json::parse(&format!(r#"{{"was":{}}}"#, value.text())).unwrap_or(value.clone())
            }))),
            'n' if request.again => Reply::new(Ok(Answer::deny("not that"))),
            'n' => Reply::new(Ok(Answer::allow())),
            _ => match decode_response(self.printed.as_bytes()) {
                Ok(DecodedResponse {
                    response, notes, ..
                }) => notes.iter().fold(Reply::new(Ok(response)), |reply, note| {
                    reply.with_note(note.to_string())
                }),
                Err(error) => HookFailure::NotAnAnswer(error).into(),
            },
        }
    }
}

fn rewrite(request: &HookRequest, change: impl Fn(&Json) -> Json) -> Answer {
    match &request.output {
        None => Answer::modify(change(&request.input)),
        Some(output) => Answer::replace(change(output)),
    }
}

fn says(manner: char, printed: &str) -> Says {
    match manner {
        'x' => Says::Breaks(FailureKind::Transport, "could not answer".into()),
        'e' | 'v' => Says::EchoAsValue(None),
        'w' => Says::Wrap,
        'n' => Says::DenyAgain,
        _ => match decode_response(printed.as_bytes()) {
            Err(error) => {
                let words = format!("gave no answer: {}", error.kind().summary());
                Says::Breaks(FailureKind::NotAnAnswer, words)
            }
            Ok(decoded) => said(decoded.response),
        },
    }
}

fn said(answer: Answer) -> Says {
    let parts = answer.into_parts();
    let (reason, text) = (parts.reason, |json: Json| json.text().to_owned());
    match (parts.decision, parts.rewrite) {
        (Decision::Allow, _) => Says::Allow,
        (Decision::Deny, _) => Says::Deny(reason),
        (Decision::Modify, Some(Rewrite::Input(input))) => Says::Modify(text(input), reason),
        (
            Decision::Replace,
            Some(Rewrite::Output {
                output, is_error, ..
            }),
        ) => Says::Replace(text(output), is_error, reason),
        (Decision::Ask, beside) => {
            let beside = beside.map(|rewrite| match rewrite {
                Rewrite::Input(input) => Beside::Input(text(input)),
                Rewrite::Output {
                    output, is_error, ..
                } => Beside::Output(text(output), is_error),
                other => panic!("{other:?}"),
            });
            Says::Ask(reason, beside)
        }
        other => panic!("{other:?}"),
    }
}

/// Whether the line is what it prints, and not a name of something else.
fn prints(manner: char) -> bool {
    !matches!(manner, 'x' | 'e' | 'v' | 'w' | 'n')
}

fn context(manner: char, printed: &str) -> Vec<String> {
    let decoded = prints(manner).then(|| decode_response(printed.as_bytes()).ok());
    let answer = decoded.flatten().map(|decoded| decoded.response);
    answer.map_or(Vec::new(), |answer| answer.context().to_vec())
}

fn notes(manner: char, printed: &str) -> usize {
    if !prints(manner) {
        return 0;
    }
    decode_response(printed.as_bytes()).map_or(0, |decoded| decoded.notes.len())
}

#[async_trait]
impl Participant for Scripted {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn applies_to(&self, subject: &Subject<'_>) -> bool {
        self.voice.applies_to(subject.event, subject.tool_name)
    }

    fn on_failure(&self) -> OnFailure {
        self.voice.on_failure
    }

    fn ranks(&self) -> Ranks {
        self.voice.ranks
    }

    async fn ask(&self, question: &Question) -> Reply {
        self.reply(question.request())
    }
}
