//! The rules of the chain (spec 04), written a second time and as plainly as can be.
//!
//! [`predict`] says what must come of some participants and a request; [`told`] puts what did come
//! into the same form. The soak and the fuzzed bodies compare the two.

use hook_config::OnFailure;
use hook_contract::{HookEvent, HookOutcome, HookRequest, Json};
use hook_runner::{Consultation, FailureKind};

/// What a participant says when it is asked.
#[derive(Clone, Debug)]
pub enum Says {
    /// No objection.
    Allow,
    /// A denial, with or without a reason.
    Deny(Option<String>),
    /// Another input: any JSON text, an object or not.
    Modify(String, Option<String>),
    /// Another result, the flag where it is said, and a reason.
    Replace(String, Option<bool>, Option<String>),
    /// A rewrite that holds the whole request as it was seen, under `saw`.
    Echo,
    /// A rewrite to what it saw, through a value that rounds.
    EchoAsValue,
    /// No answer, with what the model reads of it.
    Breaks(FailureKind, String),
}

/// A participant, whatever its transport.
#[derive(Clone, Debug)]
pub struct Voice {
    /// The kind a denial calls it by.
    pub kind: &'static str,
    /// Its name.
    pub name: String,
    /// Whether it is asked before calls, and after them.
    pub events: (bool, bool),
    /// The one tool that it is asked about; nothing for all.
    pub tool: Option<&'static str>,
    /// What a failure means.
    pub on_failure: OnFailure,
    /// What it says.
    pub says: Says,
    /// How many notes its transport has beside the answer.
    pub notes: usize,
}

impl Voice {
    /// Whether it is asked.
    #[must_use]
    pub fn applies_to(&self, event: HookEvent, tool: &str) -> bool {
        let (before, after) = self.events;
        let asked = if event == HookEvent::PreToolUse {
            before
        } else {
            after
        };
        asked && self.tool.is_none_or(|only| only == tool)
    }

    fn who(&self) -> String {
        format!("{} '{}'", self.kind, self.name)
    }
}

/// Who decided what, why it was no answer, and how many notes there were.
#[derive(Clone, Debug, PartialEq)]
pub struct Told {
    /// What the runtime does.
    pub outcome: HookOutcome,
    /// Who was asked, in order, with the decision and the kind of failure.
    pub trail: Vec<(String, &'static str, Option<FailureKind>)>,
    /// How many notes there were.
    pub notes: usize,
}

/// What came of a consultation.
#[must_use]
pub fn told(consultation: &Consultation) -> Told {
    let steps = consultation.trail.iter().map(|step| {
        let failure = step.failure.as_ref().map(hook_runner::HookFailure::kind);
        (step.who.to_string(), step.decision.as_str(), failure)
    });
    Told {
        outcome: consultation.outcome.clone(),
        trail: steps.collect(),
        notes: consultation.notes.len(),
    }
}

/// What the rules say comes of these participants, in the order in which they are asked.
#[must_use]
pub fn predict<'a>(voices: impl IntoIterator<Item = &'a Voice>, request: &HookRequest) -> Told {
    let mut model = Model {
        request: request.clone(),
        hands: Vec::new(),
        trail: Vec::new(),
        notes: 0,
    };
    let concerned = voices
        .into_iter()
        .filter(|voice| voice.applies_to(request.event, &request.tool_name));
    for voice in concerned {
        if let Some(problem) = request.ambiguity() {
            return model.end(HookOutcome::Deny(format!(
                "denied before any hook was asked: the input can be read as two different calls ({problem})"
            )));
        }
        if let Some(outcome) = model.ask(voice) {
            return model.end(outcome);
        }
    }
    let outcome = model.outcome();
    model.end(outcome)
}

/// The call as the participants so far left it, and what they said.
struct Model {
    request: HookRequest,
    hands: Vec<String>,
    trail: Vec<(String, &'static str, Option<FailureKind>)>,
    notes: usize,
}

impl Model {
    fn end(self, outcome: HookOutcome) -> Told {
        Told {
            outcome,
            trail: self.trail,
            notes: self.notes,
        }
    }

    /// Gives the outcome when it ends here.
    fn ask(&mut self, voice: &Voice) -> Option<HookOutcome> {
        let who = voice.who();
        let before = self.request.event == HookEvent::PreToolUse;
        let (decision, failure, end) = match self.fitting(&voice.says, before) {
            Says::Allow => ("allow", None, None),
            Says::Deny(reason) => {
                let said = reason.filter(|reason| !reason.is_empty());
                let said = said.map_or_else(String::new, |reason| format!(": {reason}"));
                let denied = HookOutcome::Deny(format!("denied by {who}{said}"));
                ("deny", None, Some(denied))
            }
            Says::Modify(input, reason) => {
                self.request.input = json(&input);
                self.hand(&who, reason);
                ("modify", None, None)
            }
            Says::Replace(output, flag, reason) => {
                self.request.output = Some(json(&output));
                self.request.is_error = flag.or(self.request.is_error);
                self.hand(&who, reason);
                ("replace", None, None)
            }
            Says::Breaks(kind, words) => {
                let denies = voice.on_failure == OnFailure::Deny;
                let reason = || format!("denied, because {who} {words}");
                let end = denies.then(|| HookOutcome::Deny(reason()));
                ("failed", Some(kind), end)
            }
            Says::Echo | Says::EchoAsValue => panic!("an echo is a rewrite"),
        };
        self.notes += voice.notes;
        self.trail.push((who, decision, failure));
        end
    }

    /// What an answer amounts to at this event: an echo is a rewrite, and one of the other event's
    /// answers is none.
    fn fitting(&self, says: &Says, before: bool) -> Says {
        let unfit = |words: &str| Says::Breaks(FailureKind::Unfit, words.into());
        match says {
            Says::Echo => self.rewrite(before, self.saw()),
            Says::EchoAsValue => {
                let seen = self.request.output.as_ref().unwrap_or(&self.request.input);
                self.fitting(&self.rewrite(before, seen.text().to_owned()), before)
            }
            Says::Modify(..) if !before => unfit(
                "answered `modify`, which is no answer after the call; allow, deny and replace are",
            ),
            Says::Modify(input, _) if !input.starts_with('{') => unfit(
                "answered `modify` with an input that is not a JSON object; a tool's input is one",
            ),
            Says::Replace(..) if before => unfit(
                "answered `replace`, which is no answer before the call; allow, deny and modify are",
            ),
            other => other.clone(),
        }
    }

    fn rewrite(&self, before: bool, text: String) -> Says {
        if before {
            Says::Modify(text, None)
        } else {
            Says::Replace(text, self.request.is_error, None)
        }
    }

    /// The request as a program reads it, in its answer.
    fn saw(&self) -> String {
        let request = &self.request;
        let text = |text: &str| serde_json::Value::from(text).to_string();
        let workspace = request.workspace.to_str().expect("a path in UTF-8");
        let mut saw = format!(
            r#"{{"hook_schema":1,"event":{},"workspace":{},"agent_id":{},"tool_call_id":{},"tool_name":{},"input":{}"#,
            text(request.event.as_str()),
            text(workspace),
            text(&request.agent_id),
            text(&request.tool_call_id),
            text(&request.tool_name),
            request.input.text(),
        );
        if let (Some(output), Some(is_error)) = (&request.output, request.is_error) {
            saw = format!(r#"{saw},"output":{},"is_error":{is_error}"#, output.text());
        }
        format!(r#"{{"saw":{saw}}}}}"#)
    }

    fn hand(&mut self, who: &str, reason: Option<String>) {
        self.hands.push(match reason {
            Some(reason) => format!("{who}: {reason}"),
            None => who.to_owned(),
        });
    }

    fn outcome(&self) -> HookOutcome {
        let reason = (!self.hands.is_empty()).then(|| self.hands.join("; "));
        match (reason, &self.request.output) {
            (None, _) => HookOutcome::Allow,
            (reason, Some(output)) => HookOutcome::Replace {
                output: output.clone(),
                is_error: self.request.is_error.unwrap_or(false),
                reason,
            },
            (reason, None) => HookOutcome::Modify {
                input: self.request.input.clone(),
                reason,
            },
        }
    }
}

/// A value from text that is JSON.
fn json(text: &str) -> Json {
    Json::parse(text).expect("JSON")
}
