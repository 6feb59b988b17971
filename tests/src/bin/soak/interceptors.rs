//! The interceptors of the soak.

use hook_contract::{
    Answer, Approval, ApprovalRequest, Approver, HookOutcome, HookRequest, Interceptor,
    InterceptorError, Json, Rewrite, async_trait,
};
use hook_runner::FailureKind;
use hookchain_tests::model::{Beside, Says, Voice};

/// What the panics say that are part of the soak.
const MEANT: &str = "as it was meant to";

/// Thousands of panics that are meant to happen would hide one that is not.
pub(crate) fn hush() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if panic.payload().downcast_ref::<&str>() != Some(&MEANT) {
            usual(panic);
        }
    }));
}

/// Panics without a word on standard error.
pub(crate) fn panic_as_meant() -> ! {
    std::panic::panic_any(MEANT)
}

/// How an interceptor comes to what it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Manner {
    AtOnce,
    /// After it has let others go first.
    Later,
    /// Not at all; the budget ends it.
    Never,
}

/// An interceptor that says what its voice says.
#[derive(Debug)]
pub(crate) struct Scripted {
    pub(crate) voice: Voice,
    pub(crate) manner: Manner,
}

impl Scripted {
    fn answered(&self, request: &HookRequest) -> Result<Answer, InterceptorError> {
        let because = |answer: Answer, reason: &Option<String>| match reason {
            Some(reason) => answer.with_reason(reason.clone()),
            None => answer,
        };
        Ok(match &self.voice.says {
            Says::DenyAgain if request.again => Answer::deny("not that"),
            Says::Allow | Says::DenyAgain => Answer::allow(),
            Says::Deny(reason) => because(Answer::deny_without_reason(), reason),
            Says::Ask(reason, None) => because(Answer::ask_without_reason(), reason),
            Says::Ask(reason, Some(Beside::Input(input))) => {
                let rewrite = Rewrite::Input(Json::parse(input)?);
                because(Answer::ask_without_reason().with_rewrite(rewrite), reason)
            }
            Says::Ask(reason, Some(Beside::Output(output, flag))) => {
                let rewrite = Rewrite::output(Json::parse(output)?, *flag);
                because(Answer::ask_without_reason().with_rewrite(rewrite), reason)
            }
            Says::Modify(input, reason) => because(Answer::modify(Json::parse(input)?), reason),
            Says::Replace(output, flag, reason) => {
                let answer = Answer::replace(Json::parse(output)?);
                because(answer.with_is_error(flag.expect("it is said")), reason)
            }
            Says::EchoAsValue(_) => rewritten(request, |seen| seen.value().clone().into()),
            Says::Wrap => rewritten(request, |seen| {
                let text = format!(r#"{{"was":{}}}"#, seen.text());
                Json::parse(&text).expect("made of JSON")
            }),
            Says::Breaks(FailureKind::Panic, _) => panic_as_meant(),
            Says::Breaks(..) => return Err("it has no opinion".into()),
            Says::Echo => return Err("that is for programs".into()),
        })
    }
}

/// What was seen, changed.
fn rewritten(request: &HookRequest, change: impl Fn(&Json) -> Json) -> Answer {
    match (&request.output, request.is_error) {
        (Some(output), Some(flag)) => Answer::replace(change(output)).with_is_error(flag),
        _ => Answer::modify(change(&request.input)),
    }
}

#[async_trait]
impl Interceptor for Scripted {
    fn name(&self) -> &str {
        &self.voice.name
    }

    async fn intercept(&self, call: &HookRequest) -> Result<HookOutcome, InterceptorError> {
        self.answer(call).await.map(Answer::without_a_person)
    }

    async fn answer(&self, request: &HookRequest) -> Result<Answer, InterceptorError> {
        match self.manner {
            Manner::AtOnce => {}
            Manner::Later => tokio::task::yield_now().await,
            Manner::Never => std::future::pending().await,
        }
        let mut answer = self.answered(request)?;
        for text in &self.voice.context {
            answer = answer.with_context(text.clone());
        }
        Ok(answer)
    }
}

/// A person who says this after a moment.
#[derive(Debug)]
pub(crate) struct Person(pub(crate) Approval);

#[async_trait]
impl Approver for Person {
    async fn approve(&self, _request: &ApprovalRequest) -> Result<Approval, InterceptorError> {
        tokio::task::yield_now().await;
        Ok(self.0.clone())
    }
}

/// What interceptors say, and how often.
pub(crate) fn sayings() -> Vec<(u64, Says)> {
    let because = |text: &str| Some(text.to_owned());
    vec![
        (140, Says::Allow),
        (4, Says::Deny(because("policy"))),
        (1, Says::Deny(None)),
        (
            2,
            Says::Modify(r#"{"a":[1,2.50,"x"]}"#.into(), because("tidied")),
        ),
        (
            2,
            Says::Modify(r#"{"a":18446744073709551616}"#.into(), None),
        ),
        (1, Says::Modify("[]".into(), None)),
        (
            2,
            Says::Replace(r#""[redacted]""#.into(), Some(false), because("a token")),
        ),
        (
            2,
            Says::Replace(r#"{"e":1.000000000000000000001}"#.into(), Some(true), None),
        ),
        (20, Says::EchoAsValue(None)),
        (5, Says::Ask(because("a person should look"), None)),
        (
            2,
            Says::Ask(
                None,
                Some(Beside::Input(r#"{"command":"echo \u001b[2J"}"#.into())),
            ),
        ),
        (
            1,
            Says::Ask(
                because("all of it?"),
                Some(Beside::Output("[1]".into(), None)),
            ),
        ),
        (3, Says::DenyAgain),
        (2, Says::Wrap),
        (
            2,
            Says::Breaks(FailureKind::Error, "could not answer".into()),
        ),
        (2, Says::Breaks(FailureKind::Panic, "panicked".into())),
    ]
}
