//! One consultation, made from the seed and its number alone.

use std::time::Duration;

use hook_contract::{HookCall, HookEvent, HookOutcome, HookRequest, Json};
use hookchain_tests::{
    dropped_after,
    model::{Told, predict, told},
};

use crate::{
    cast::{Cast, Chain},
    random::Random,
};

/// When the one who asks loses interest.
#[derive(Clone, Copy, Debug)]
enum Patience {
    Endless,
    Polls(usize),
    Time(Duration),
}

/// What is asked, of whom, and for how long.
#[derive(Debug)]
pub(crate) struct Question<'a> {
    pub(crate) chain: &'a Chain,
    call: HookCall,
    result: Option<(Json, bool)>,
    patience: Patience,
    /// Whether only the outcome is wanted, as a runtime does.
    only_outcome: bool,
}

/// What came of it.
#[derive(Debug)]
pub(crate) enum Came {
    Whole(Told),
    Outcome(HookOutcome),
    Dropped,
    /// It did not return in many times the time that it may take.
    Stuck,
}

/// How long a consultation may take on a machine that is busy with others.
const LIMIT: Duration = Duration::from_secs(90);

impl<'a> Question<'a> {
    pub(crate) fn new(cast: &'a Cast, seed: u64, number: u64) -> Self {
        let random = &mut Random::of(seed, number);
        let chain = cast.pick(random);
        let tool = random.pick(&["shell", "shell", "shell", "shell", "write"]);
        let input = input(random, number);
        let call = HookCall::new("agent-1", *tool, format!("call-{number}"), input);
        let after = random.one_in_thousand_of(400);
        let result = after.then(|| (output(random, number), random.one_in_thousand_of(500)));
        Self {
            chain,
            call,
            result,
            patience: patience(random),
            only_outcome: random.one_in_thousand_of(200),
        }
    }

    fn request(&self) -> HookRequest {
        let workspace = self.chain.runner.workspace();
        match &self.result {
            None => HookRequest::from_call(HookEvent::PreToolUse, workspace, &self.call),
            Some((output, is_error)) => {
                HookRequest::from_result(workspace, &self.call, output.clone(), *is_error)
            }
        }
    }

    /// What the model says must come of it, unless it is dropped.
    pub(crate) fn prediction(&self) -> Told {
        let request = self.request();
        let repeats = self.call.input_json.starts_with(REPEATED);
        assert_eq!(
            request.ambiguity().is_some(),
            repeats,
            "{}",
            self.call.input_json
        );
        predict(&self.chain.voices, &request, self.chain.person.as_ref())
    }

    pub(crate) async fn ask(&self) -> Came {
        let came = tokio::time::timeout(LIMIT, self.ask_in_time()).await;
        came.unwrap_or(Came::Stuck)
    }

    async fn ask_in_time(&self) -> Came {
        let came = match self.patience {
            Patience::Endless => return self.answer().await,
            Patience::Polls(polls) => dropped_after(polls, self.answer()).await,
            Patience::Time(time) => tokio::time::timeout(time, self.answer()).await.ok(),
        };
        came.unwrap_or(Came::Dropped)
    }

    async fn answer(&self) -> Came {
        let runner = &self.chain.runner;
        if !self.only_outcome {
            return Came::Whole(told(&runner.consult(self.request()).await));
        }
        Came::Outcome(match self.result.clone() {
            None => runner.decide(&self.call).await,
            Some((output, is_error)) => runner.review(&self.call, output, is_error).await,
        })
    }

    /// Whether it came to what the model says.
    pub(crate) fn is_as_predicted(came: &Came, prediction: &Told) -> bool {
        match came {
            Came::Whole(told) => told == prediction,
            Came::Outcome(outcome) => *outcome == prediction.outcome,
            Came::Dropped => true,
            Came::Stuck => false,
        }
    }
}

/// How an input begins that has two readings.
const REPEATED: &str = r#"{"key":1,"key":"#;

fn input(random: &mut Random, number: u64) -> String {
    match random.below(1000) {
        0..600 => format!(r#"{{"command":"ls","n":{number}}}"#),
        600..750 => format!(
            r#"{{ "id": {}{number}, "x": 0.1000000000000000000000{number} }}"#,
            random.next()
        ),
        750..830 => format!("no JSON {number}"),
        830..880 => format!("{REPEATED}{number}}}"),
        880..960 => format!(r#"{{"list":[[],{{}},null,true,"caf\u00e9 \"{number}\" 🚫"]}}"#),
        960..997 => padded(number, 120_000),
        _ => padded(number, 1_500_000),
    }
}

fn padded(number: u64, bytes: usize) -> String {
    format!(r#"{{"n":{number},"text":"{}"}}"#, "x".repeat(bytes))
}

fn output(random: &mut Random, number: u64) -> Json {
    let text = match random.below(5) {
        0 => "null".to_owned(),
        1 => format!("-{number}.00000000000000000000000001"),
        2 => format!(r#"{{"rows":[{number}],"id":{}00000}}"#, random.next()),
        _ => format!(r#""line {number}\n""#),
    };
    Json::parse(&text).expect("JSON")
}

fn patience(random: &mut Random) -> Patience {
    match random.below(1000) {
        0..60 => Patience::Polls(usize::try_from(random.below(14)).expect("a few")),
        60..120 => Patience::Time(Duration::from_millis(random.below(25))),
        _ => Patience::Endless,
    }
}
