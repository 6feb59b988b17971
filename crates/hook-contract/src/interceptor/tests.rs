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

    async fn intercept(&self, _call: &HookRequest) -> Result<HookOutcome, InterceptorError> {
        Ok(HookOutcome::deny("before"))
    }

    async fn review(&self, _result: &HookRequest) -> Result<HookOutcome, InterceptorError> {
        Ok(HookOutcome::deny("after"))
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
        let before = now(interceptor.intercept(&request())).expect("an answer");
        assert_eq!(before, HookOutcome::deny("before"));
        let after = now(interceptor.review(&request())).expect("an answer");
        assert_eq!(after, HookOutcome::deny("after"));
    }
}

#[test]
fn an_interceptor_that_says_nothing_of_results_lets_them_stand() {
    assert_eq!(BeforeOnly.kind(), "interceptor");
    let after = now(BeforeOnly.review(&request())).expect("an answer");
    assert_eq!(after, HookOutcome::Allow);
}

#[test]
fn an_interceptor_may_fail_with_any_error() {
    let error = now(BeforeOnly.intercept(&request())).expect_err("an error");
    assert_eq!(error.to_string(), "no opinion to be had");
}
