//! One consultation, by the rules alone.

mod end;
mod fitting;

use hook_config::OnFailure;
use hook_contract::{Approval, HookEvent, HookOutcome, HookRequest, Json};
use hook_runner::Rank;

use super::{Asked, Beside, Says, Told, Voice, asked_about};

/// How often a participant is asked at most.
const PASSES: u8 = 3;

/// What the rules say comes of these participants, in the order in which they are asked, and of this person.
#[must_use]
pub fn predict<'a>(
    voices: impl IntoIterator<Item = &'a Voice>,
    request: &HookRequest,
    person: Option<&Approval>,
) -> Told {
    let concerned = voices
        .into_iter()
        .filter(|voice| voice.applies_to(request.event, &request.tool_name));
    let mut model = Model {
        voices: concerned.map(|voice| (voice, 0)).collect(),
        before: request.event == HookEvent::PreToolUse,
        request: request.clone(),
        rewriters: Vec::new(),
        hands: Vec::new(),
        askers: Vec::new(),
        told: Told {
            outcome: HookOutcome::Allow,
            trail: Vec::new(),
            notes: 0,
            context: Vec::new(),
            asked: None,
        },
    };
    let end = model.ask_all();
    model.told.outcome = match end {
        Some(end) => end,
        None => model.settle(person),
    };
    model.told
}

/// The call as the participants so far left it, and what they said.
struct Model<'a> {
    /// Each with how many rewrites there had been when it judged last.
    voices: Vec<(&'a Voice, usize)>,
    before: bool,
    request: HookRequest,
    /// Who wrote another form, and how much that weighs.
    rewriters: Vec<(String, Rank)>,
    /// Who is named as having changed something.
    hands: Vec<String>,
    askers: Vec<String>,
    told: Told,
}

impl Model<'_> {
    /// Gives the outcome when the chain is ended.
    fn ask_all(&mut self) -> Option<HookOutcome> {
        if let (Some(problem), false) = (self.request.ambiguity(), self.voices.is_empty()) {
            let unasked = match self.request.event {
                HookEvent::PostToolUse => "the result is withheld",
                HookEvent::PreToolUse | _ => "denied",
            };
            return Some(HookOutcome::Deny(format!(
                "{unasked} before any hook was asked: the input can be read as two different calls ({problem})"
            )));
        }
        for index in 0..self.voices.len() {
            let end = self.ask(index, 1);
            if end.is_some() {
                return end;
            }
        }
        for pass in 2..=PASSES {
            let mut all = 0..self.voices.len();
            let end = all.find_map(|index| self.ask_again(index, pass));
            if end.is_some() {
                return end;
            }
        }
        let due = (0..self.voices.len()).find(|index| self.is_due(*index))?;
        let other = self.rewriters.last()?.0.clone();
        Some(self.disagree(due, &other))
    }

    /// Asks one about the form that was left, if it has to judge it.
    fn ask_again(&mut self, index: usize, pass: u8) -> Option<HookOutcome> {
        if !self.is_due(index) {
            return None;
        }
        self.request.again = true;
        let other = self.rewriters.last()?.0.clone();
        let forms = self.rewriters.len();
        let end = self.ask(index, pass);
        let insists = self.rewriters.len() > forms;
        if end.is_none() && insists && pass == PASSES && self.before {
            return Some(self.disagree(index, &other));
        }
        end
    }

    /// Whether one that weighs less has rewritten the call since this one judged it.
    fn is_due(&self, index: usize) -> bool {
        let (voice, judged) = self.voices[index];
        let mut since = self.rewriters[judged..].iter();
        since.any(|(_, rank)| voice.ranks.judges > *rank)
    }

    fn disagree(&self, index: usize, other: &str) -> HookOutcome {
        let who = self.voices[index].0.who();
        let what = if self.before { "call" } else { "result" };
        HookOutcome::Deny(if who == other {
            format!(
                "denied, because {who} rewrites the {what} anew each time that it is asked about it"
            )
        } else {
            format!(
                "denied, because {who} and {other} do not agree on the form of the {what}: each rewrites what the other left"
            )
        })
    }

    /// Gives the outcome when it ends here.
    fn ask(&mut self, index: usize, pass: u8) -> Option<HookOutcome> {
        let voice = self.voices[index].0;
        let who = voice.who();
        let (input, result) = asked_about(&self.request);
        self.voices[index].1 = self.rewriters.len();
        let forms = self.rewriters.len();
        let fitting = self.fitting(&voice.says);
        let (decision, failure, end) = match fitting {
            Says::Allow => ("allow", None, None),
            Says::Deny(reason) => {
                let said = reason.filter(|reason| !reason.is_empty());
                let said = said.map_or_else(String::new, |reason| format!(": {reason}"));
                let denied = HookOutcome::Deny(format!("denied by {who}{said}"));
                ("deny", None, Some(denied))
            }
            Says::Ask(reason, beside) => {
                let asker = reason.map_or_else(|| who.clone(), |reason| format!("{who}: {reason}"));
                if !self.askers.contains(&asker) {
                    self.askers.push(asker);
                }
                match beside {
                    None => {}
                    Some(Beside::Input(input)) => self.put(voice, json(&input), None),
                    Some(Beside::Output(output, flag)) => self.put(voice, json(&output), flag),
                }
                if self.rewriters.len() > forms {
                    self.hands.push(who.clone());
                }
                ("ask", None, None)
            }
            Says::Modify(input, reason) => {
                self.put(voice, json(&input), None);
                self.hand(&who, reason, forms);
                ("modify", None, None)
            }
            Says::Replace(output, flag, reason) => {
                self.put(voice, json(&output), flag);
                self.hand(&who, reason, forms);
                ("replace", None, None)
            }
            Says::Breaks(kind, words) => {
                // An ask that cannot be used is no reason to let the call happen.
                let asks = matches!(voice.says, Says::Ask(..));
                let denies = voice.on_failure == OnFailure::Deny || asks;
                let reason = || format!("denied, because {who} {words}");
                let end = denies.then(|| HookOutcome::Deny(reason()));
                ("failed", Some(kind), end)
            }
            Says::Echo | Says::EchoAsValue(_) | Says::Wrap | Says::DenyAgain => {
                panic!("it comes to something else")
            }
        };
        if self.rewriters.len() > forms && voice.ranks.judges <= voice.ranks.rewrites {
            self.voices[index].1 = self.rewriters.len();
        }
        if failure.is_none() {
            self.say(&voice.context, &who);
        }
        self.told.notes += voice.notes;
        self.told.trail.push(Asked {
            who,
            pass,
            input,
            result,
            decision,
            failure,
        });
        end
    }

    /// Puts another form in place; the same form is no rewrite.
    fn put(&mut self, voice: &Voice, value: Json, flag: Option<bool>) {
        let (input, result) = asked_about(&self.request);
        if self.before {
            self.request.input = value;
        } else {
            self.request.output = Some(value);
            self.request.is_error = Some(flag.or(self.request.is_error).unwrap_or(false));
        }
        if asked_about(&self.request) != (input, result) {
            self.rewriters.push((voice.who(), voice.ranks.rewrites));
        }
    }

    /// Names a rewriter; one that is asked again and gives the same form back agrees.
    fn hand(&mut self, who: &str, reason: Option<String>, forms: usize) {
        if self.request.again && self.rewriters.len() == forms {
            return;
        }
        self.hands.push(match reason {
            Some(reason) => format!("{who}: {reason}"),
            None => who.to_owned(),
        });
    }

    /// Adds words for the model, the same once.
    fn say(&mut self, context: &[String], who: &str) {
        for text in context.iter().filter(|text| !text.trim().is_empty()) {
            let is_said =
                |said: &String| said.split_once(": ").is_some_and(|(_, said)| said == text);
            if !self.told.context.iter().any(is_said) {
                self.told.context.push(format!("{who}: {text}"));
            }
        }
    }
}

/// A value from text that is JSON.
fn json(text: &str) -> Json {
    Json::parse(text).expect("JSON")
}
