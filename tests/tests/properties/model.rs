//! The rules of the chain, written a second time and as plainly as can be.

use hook_config::OnFailure;
use hook_contract::{HookEvent, HookOutcome, HookRequest, Json};
use hook_runner::FailureKind;

use crate::scripted::{Say, Script, applies, json};

/// What the model says came out: who was asked about what, who decided what, and the outcome.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Told {
    pub(crate) outcome: Option<HookOutcome>,
    pub(crate) asked: Vec<(usize, Json, Option<Json>, Option<bool>)>,
    pub(crate) trail: Vec<(String, &'static str, Option<FailureKind>)>,
    pub(crate) reports: Vec<String>,
}

/// What the participants so far made of the request.
struct Model {
    before: bool,
    input: Json,
    output: Option<Json>,
    is_error: Option<bool>,
    hands: Vec<String>,
    told: Told,
}

/// What an answer is, whatever it says.
enum Came {
    Allowed,
    Denied(Option<String>),
    Rewrote(&'static str, Option<String>),
    Broke(FailureKind),
}

/// What the rules say comes of these participants and this request.
pub(crate) fn model(scripts: &[Script], request: &HookRequest) -> Told {
    let mut model = Model {
        before: request.event == HookEvent::PreToolUse,
        input: request.input.clone(),
        output: request.output.clone(),
        is_error: request.is_error,
        hands: Vec::new(),
        told: Told::default(),
    };
    let concerned = scripts.iter().enumerate();
    for (index, script) in
        concerned.filter(|(_, script)| applies(script, request.event, &request.tool_name))
    {
        if let Some(outcome) = model.ask(index, script) {
            model.told.outcome = Some(outcome);
            return model.told;
        }
    }
    model.told.outcome = Some(model.outcome());
    model.told
}

impl Model {
    /// Gives the outcome when it ends here.
    fn ask(&mut self, index: usize, script: &Script) -> Option<HookOutcome> {
        let asked = (
            index,
            self.input.clone(),
            self.output.clone(),
            self.is_error,
        );
        self.told.asked.push(asked);
        let who = format!("{} '{}'", script.kind, script.name);
        let came = self.take(&script.say);
        // A participant that panicked has nothing more to say.
        if !matches!(came, Came::Broke(FailureKind::Panic)) {
            let notes = script.notes.iter().map(|note| format!("{who}: {note}"));
            self.told.reports.extend(notes);
        }
        let (word, kind) = match &came {
            Came::Allowed => ("allow", None),
            Came::Denied(_) => ("deny", None),
            Came::Rewrote(word, _) => (*word, None),
            Came::Broke(kind) => ("failed", Some(*kind)),
        };
        self.told.trail.push((script.name.clone(), word, kind));
        match came {
            Came::Allowed => None,
            Came::Denied(reason) => {
                let reason = reason.filter(|reason| !reason.is_empty());
                let words = reason.map_or_else(String::new, |reason| format!(": {reason}"));
                Some(HookOutcome::deny(format!("denied by {who}{words}")))
            }
            Came::Rewrote(_, reason) => {
                self.hands.push(match reason {
                    Some(reason) => format!("{who}: {reason}"),
                    None => who,
                });
                None
            }
            Came::Broke(_) => {
                self.told.reports.push(format!("{who} failed"));
                let denies = script.on_failure == OnFailure::Deny;
                denies.then(|| HookOutcome::deny(format!("denied, because {who}")))
            }
        }
    }

    fn take(&mut self, say: &Say) -> Came {
        match say {
            Say::Allow(_) => Came::Allowed,
            Say::Deny(reason) => Came::Denied(reason.clone()),
            Say::Modify(new, reason) if self.before && new.starts_with('{') => {
                self.input = json(new);
                Came::Rewrote("modify", reason.clone())
            }
            Say::Replace(new, flag, reason) if !self.before => {
                self.output = Some(json(new));
                self.is_error = flag.or(self.is_error);
                Came::Rewrote("replace", reason.clone())
            }
            Say::EchoAsValue(reason) if !self.before => Came::Rewrote("replace", reason.clone()),
            Say::EchoAsValue(reason) if self.input.text().starts_with('{') => {
                Came::Rewrote("modify", reason.clone())
            }
            Say::Modify(..) | Say::Replace(..) | Say::EchoAsValue(_) => {
                Came::Broke(FailureKind::Unfit)
            }
            Say::Fail => Came::Broke(FailureKind::Transport),
            Say::NoAnswer => Came::Broke(FailureKind::NotAnAnswer),
            Say::PanicAtOnce | Say::PanicLater | Say::PanicOnDrop => {
                Came::Broke(FailureKind::Panic)
            }
        }
    }

    fn outcome(&self) -> HookOutcome {
        let reason = (!self.hands.is_empty()).then(|| self.hands.join("; "));
        match (reason, &self.output) {
            (None, _) => HookOutcome::Allow,
            (reason, Some(output)) => HookOutcome::Replace {
                output: output.clone(),
                is_error: self.is_error.unwrap_or(false),
                reason,
            },
            (reason, None) => HookOutcome::Modify {
                input: self.input.clone(),
                reason,
            },
        }
    }
}
