//! The rules of the chain (spec 04, ADR 0025), written a second time and as plainly as can be.
//!
//! [`predict`] says what must come of some participants and a request; [`told`] puts what did come
//! into the same form. The soak, the fuzzed bodies and the property tests compare the two.

mod rules;

use hook_config::OnFailure;
use hook_contract::{HookEvent, HookOutcome, HookRequest, Json};
use hook_runner::{Consultation, FailureKind, NoteKind, Rank, Ranks};

pub use self::rules::predict;

/// What a participant says when it is asked.
#[derive(Clone, Debug)]
pub enum Says {
    /// No objection.
    Allow,
    /// A denial, with or without a reason.
    Deny(Option<String>),
    /// A person has to agree, for this reason, perhaps to another form.
    Ask(Option<String>, Option<Beside>),
    /// Another input: any JSON text, an object or not.
    Modify(String, Option<String>),
    /// Another result, the flag where it is said, and a reason.
    Replace(String, Option<bool>, Option<String>),
    /// A rewrite that holds the whole request as it was seen, under `saw`.
    Echo,
    /// A rewrite to what it saw, through a value that rounds, with a reason.
    EchoAsValue(Option<String>),
    /// A rewrite that holds what it saw, under `was`: another form each time.
    Wrap,
    /// No objection; a denial when it is asked again.
    DenyAgain,
    /// No answer, with what the model reads of it.
    Breaks(FailureKind, String),
}

/// The form that an ask is about.
#[derive(Clone, Debug)]
pub enum Beside {
    /// Another input.
    Input(String),
    /// Another result, and the flag where it is said.
    Output(String, Option<bool>),
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
    /// What it says to the model beside an answer.
    pub context: Vec<String>,
    /// How many notes its transport has beside the answer.
    pub notes: usize,
    /// How much its judgement and its rewrites weigh.
    pub ranks: Ranks,
}

impl Voice {
    /// One that says this about everything, of the host's own, whose failures deny.
    #[must_use]
    pub fn new(kind: &'static str, name: impl Into<String>, says: Says) -> Self {
        Self {
            kind,
            name: name.into(),
            events: (true, true),
            tool: None,
            on_failure: OnFailure::Deny,
            says,
            context: Vec::new(),
            notes: 0,
            ranks: Ranks::both(Rank::INTERCEPTOR),
        }
    }

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

/// One question that was put, and what was decided.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    /// The participant.
    pub who: String,
    /// 1, or more when it was asked again.
    pub pass: u8,
    /// The call as it was asked about.
    pub input: Json,
    /// The result as it was asked about.
    pub result: Option<(Json, bool)>,
    /// The decision, or `failed`.
    pub decision: &'static str,
    /// Why there was none.
    pub failure: Option<FailureKind>,
}

/// Who was asked what and decided what, what was said beside it, and what became of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Told {
    /// What the runtime does.
    pub outcome: HookOutcome,
    /// Who was asked, in order.
    pub trail: Vec<Asked>,
    /// How many notes there were, failures left out.
    pub notes: usize,
    /// The words for the model, with attribution.
    pub context: Vec<String>,
    /// Those that a person was asked for, when one was to be asked, and what came of it.
    pub asked: Option<(Vec<String>, &'static str)>,
}

/// What came of a consultation of which a trail is kept.
#[must_use]
pub fn told(consultation: &Consultation) -> Told {
    let steps = consultation.trail.iter().map(|step| {
        let request = step.request.as_ref().expect("kept for a trail");
        assert_eq!(request.again, step.pass > 1, "{step:?}");
        let failure = step.failure.as_ref().map(hook_runner::HookFailure::kind);
        assert_eq!(failure.is_some(), step.decision.is_none(), "{step:?}");
        Asked {
            who: step.who.to_string(),
            pass: step.pass,
            input: request.input.clone(),
            result: request.output.clone().zip(request.is_error),
            decision: step.word(),
            failure,
        }
    });
    let (failures, others): (Vec<_>, Vec<_>) = consultation
        .notes
        .iter()
        .partition(|note| note.kind == NoteKind::Failure);
    let failed = consultation
        .trail
        .iter()
        .filter(|step| step.failure.is_some());
    assert!(
        failures
            .iter()
            .map(|note| &note.who)
            .eq(failed.map(|step| &step.who)),
        "a note for each failure: {consultation:?}"
    );
    let context = consultation.context.iter();
    let asked = consultation.asked.as_ref().map(|asked| {
        let by = asked.by.iter().map(ToString::to_string).collect();
        (by, asked.settled.as_str())
    });
    Told {
        outcome: consultation.outcome.clone(),
        trail: steps.collect(),
        notes: others.len(),
        context: context.map(ToString::to_string).collect(),
        asked,
    }
}

/// The same question as a value that is easy to compare.
fn asked_about(request: &HookRequest) -> (Json, Option<(Json, bool)>) {
    let result = request.output.clone().zip(request.is_error);
    (request.input.clone(), result)
}
