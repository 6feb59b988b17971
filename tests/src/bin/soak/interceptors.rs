//! The interceptors of the soak.

use hook_contract::{HookOutcome, HookRequest, Interceptor, InterceptorError, Json, async_trait};
use hook_runner::FailureKind;
use hookchain_tests::model::{Says, Voice};

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
    async fn answer(&self, request: &HookRequest) -> Result<HookOutcome, InterceptorError> {
        match self.manner {
            Manner::AtOnce => {}
            Manner::Later => tokio::task::yield_now().await,
            Manner::Never => std::future::pending().await,
        }
        Ok(match &self.voice.says {
            Says::Allow => HookOutcome::Allow,
            Says::Deny(reason) => HookOutcome::deny(reason.clone().unwrap_or_default()),
            Says::Modify(input, reason) => HookOutcome::Modify {
                input: Json::parse(input)?,
                reason: reason.clone(),
            },
            Says::Replace(output, flag, reason) => HookOutcome::Replace {
                output: Json::parse(output)?,
                is_error: flag.expect("an outcome says it"),
                reason: reason.clone(),
            },
            Says::EchoAsValue => match (&request.output, request.is_error) {
                (Some(output), Some(flag)) => HookOutcome::replace(output.value().clone(), flag),
                _ => HookOutcome::modify(request.input.value().clone()),
            },
            Says::Breaks(FailureKind::Panic, _) => panic_as_meant(),
            Says::Breaks(..) => return Err("it has no opinion".into()),
            Says::Echo => return Err("that is for programs".into()),
        })
    }
}

#[async_trait]
impl Interceptor for Scripted {
    fn name(&self) -> &str {
        &self.voice.name
    }

    async fn intercept(&self, call: &HookRequest) -> Result<HookOutcome, InterceptorError> {
        self.answer(call).await
    }

    async fn review(&self, result: &HookRequest) -> Result<HookOutcome, InterceptorError> {
        self.answer(result).await
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
        (20, Says::EchoAsValue),
        (
            2,
            Says::Breaks(
                FailureKind::Error,
                "answered with an error: it has no opinion".into(),
            ),
        ),
        (2, Says::Breaks(FailureKind::Panic, "panicked".into())),
    ]
}
