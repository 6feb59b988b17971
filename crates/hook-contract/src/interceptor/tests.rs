mod pointers;

use std::{
    future::Future,
    path::Path,
    pin::pin,
    task::{Context, Poll, Waker},
};

use super::*;
use crate::{HookCall, HookEvent};

struct Both;

#[async_trait]
impl Interceptor for Both {
    fn name(&self) -> &str {
        "both"
    }

    fn kind(&self) -> &str {
        "policy"
    }

    fn applies_to(&self, subject: &Subject<'_>) -> bool {
        subject.tool_name == "shell"
    }

    fn on_failure(&self) -> OnFailure {
        OnFailure::Allow
    }

    fn timeout(&self) -> Option<Duration> {
        Some(Duration::from_millis(7))
    }

    async fn intercept(&self, _call: &HookRequest) -> Result<HookOutcome, InterceptorError> {
        Ok(HookOutcome::deny("before"))
    }

    async fn review(&self, _result: &HookRequest) -> Result<HookOutcome, InterceptorError> {
        Ok(HookOutcome::deny("after"))
    }

    async fn answer(&self, _call: &HookRequest) -> Result<Answer, InterceptorError> {
        Ok(Answer::ask("whether").with_context("by the way"))
    }
}

struct BeforeOnly;

#[async_trait]
impl Interceptor for BeforeOnly {
    fn name(&self) -> &str {
        "before-only"
    }

    async fn intercept(&self, _call: &HookRequest) -> Result<HookOutcome, InterceptorError> {
        Err("no opinion to be had".into())
    }
}

/// Nothing in these tests waits, so one poll is the whole run.
fn now<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("nothing here waits"),
    }
}

fn request() -> HookRequest {
    let call = HookCall::new("a", "shell", "c", "{}");
    HookRequest::from_call(HookEvent::PreToolUse, Path::new("/ws"), &call)
}

#[test]
fn a_pointer_to_an_interceptor_forwards_every_method() {
    let boxed: Box<dyn Interceptor> = Box::new(Both);
    let shared: Arc<dyn Interceptor> = Arc::new(Both);
    let nested: Box<Arc<dyn Interceptor>> = Box::new(Arc::new(Both));
    for interceptor in [&boxed as &dyn Interceptor, &shared, &nested] {
        assert_eq!((interceptor.name(), interceptor.kind()), ("both", "policy"));
        let applies = |tool| interceptor.applies_to(&Subject::new(HookEvent::PreToolUse, tool));
        assert_eq!((applies("shell"), applies("read")), (true, false));
        assert_eq!(interceptor.on_failure(), OnFailure::Allow);
        assert_eq!(interceptor.timeout(), Some(Duration::from_millis(7)));
        let answer = now(interceptor.answer(&request())).expect("an answer");
        assert_eq!(answer, Answer::ask("whether").with_context("by the way"));
        let before = now(interceptor.intercept(&request())).expect("an answer");
        assert_eq!(before, HookOutcome::deny("before"));
        let after = now(interceptor.review(&request())).expect("an answer");
        assert_eq!(after, HookOutcome::deny("after"));
    }
}

#[test]
fn an_interceptor_that_says_nothing_of_results_lets_them_stand() {
    assert_eq!(BeforeOnly.kind(), "interceptor");
    for event in HookEvent::ALL {
        let asks = BeforeOnly.applies_to(&Subject::new(*event, "any"));
        assert_eq!(asks, event.is_tool_event());
    }
    assert_eq!(BeforeOnly.on_failure(), OnFailure::Deny);
    assert_eq!(BeforeOnly.timeout(), None);
    let after = now(BeforeOnly.review(&request())).expect("an answer");
    assert_eq!(after, HookOutcome::Allow);
}

#[test]
fn an_interceptor_may_fail_with_any_error() {
    let error = now(BeforeOnly.intercept(&request())).expect_err("an error");
    assert_eq!(error.to_string(), "no opinion to be had");
}

/// Written before there was an `answer`.
struct Older;

#[async_trait]
impl Interceptor for Older {
    fn name(&self) -> &str {
        "older"
    }

    async fn intercept(&self, call: &HookRequest) -> Result<HookOutcome, InterceptorError> {
        Ok(HookOutcome::modify(call.input.clone()).because("before"))
    }

    async fn review(&self, result: &HookRequest) -> Result<HookOutcome, InterceptorError> {
        let output = result.output.clone().ok_or("no result")?;
        Ok(HookOutcome::replace(output, true))
    }
}

#[test]
fn what_an_older_interceptor_decides_is_its_answer() {
    let before = now(Older.answer(&request())).expect("an answer");
    assert_eq!(
        before,
        Answer::modify(request().input).with_reason("before")
    );
    let mut result = request().with_output(serde_json::json!("x"), false);
    result.event = HookEvent::PostToolUse;
    let after = now(Older.answer(&result)).expect("an answer");
    let expected = Answer::replace(serde_json::json!("x")).with_is_error(true);
    assert_eq!(after, expected);
    let error = now(BeforeOnly.answer(&request())).expect_err("an error");
    assert_eq!(error.to_string(), "no opinion to be had");
}
