//! What a consultation allocates, counted. A count, unlike a time, is the same on every machine.

#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on fails"
)]

use std::{
    path::Path,
    pin::pin,
    task::{Context, Poll, Waker},
    time::Duration,
};

use hook_config::HookSpec;
use hook_contract::{
    HookEvent, HookOutcome, HookRequest, Interceptor, InterceptorError, async_trait,
};
use hook_runner::HookRunner;
use hookchain_bench::{
    allocations::{Counting, count, peak_of},
    calls::Size,
};
use tokio::runtime::{Builder, Runtime};

/// The futures of one question: the participant's, `answer`'s and `intercept`'s.
const PER_INTERCEPTOR: usize = 3;

#[global_allocator]
static ALLOCATOR: Counting = Counting::new();

/// The counts are the whole process's, so the rules are tested one after the other.
#[test]
fn a_consultation_allocates_no_more_than_it_must() {
    let runtime = Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    an_empty_runner_allocates_nothing(&runtime);
    hooks_that_do_not_apply_allocate_nothing(&runtime);
    a_large_call_is_not_copied_for_each_participant(&runtime);
    an_answer_that_comes_at_once_costs_no_timer(&runtime);
    asking_again_and_words_for_the_model_cost_nothing_where_there_are_none(&runtime);
}

fn allocated(runtime: &Runtime, runner: &HookRunner, size: Size) -> usize {
    let call = size.call();
    let ask = || {
        runtime.block_on(async {
            let before = count();
            assert_eq!(runner.decide(&call).await, HookOutcome::Allow);
            count() - before
        })
    };
    ask();
    ask()
}

fn an_empty_runner_allocates_nothing(runtime: &Runtime) {
    assert_eq!(
        allocated(runtime, &HookRunner::new("/", vec![]), Size::Small),
        0
    );
}

fn hooks_that_do_not_apply_allocate_nothing(runtime: &Runtime) {
    let other_tool = HookSpec::new("other-tool", ["/bin/false"]).with_tools(["write_file"]);
    let other_event =
        HookSpec::new("other-event", ["/bin/false"]).with_event(HookEvent::PostToolUse);
    let runner = HookRunner::new("/", vec![other_tool, other_event]);
    assert_eq!(allocated(runtime, &runner, Size::Small), 0);
}

struct Agree;

#[async_trait]
impl Interceptor for Agree {
    fn name(&self) -> &str {
        "agree"
    }

    async fn intercept(&self, call: &HookRequest) -> Result<HookOutcome, InterceptorError> {
        assert!(call.input.get("command").is_some());
        Ok(HookOutcome::Allow)
    }
}

fn a_large_call_is_not_copied_for_each_participant(runtime: &Runtime) {
    let peak = |participants: usize| {
        let runner = (0..participants).fold(HookRunner::new("/", vec![]), |runner, _| {
            runner.with_interceptor(Agree)
        });
        let request =
            HookRequest::from_call(HookEvent::PreToolUse, Path::new("/"), &Size::Large.call());
        let (consultation, peak) = peak_of(|| runtime.block_on(runner.consult(request)));
        assert_eq!(consultation.outcome, HookOutcome::Allow);
        peak
    };
    let (one, hundred) = (peak(1), peak(100));
    assert!(
        hundred < one + (256 << 10),
        "{hundred} bytes for a hundred, {one} for one"
    );
}

/// How many allocations one decision about a small call makes, by that way to run it.
fn decided(runner: &HookRunner, run: impl Fn(&HookRunner) -> HookOutcome) -> usize {
    assert_eq!(run(runner), HookOutcome::Allow);
    let before = count();
    assert_eq!(run(runner), HookOutcome::Allow);
    count() - before
}

/// The threads of this process.
fn threads() -> usize {
    std::fs::read_dir("/proc/self/task").expect("Linux").count()
}

fn an_answer_that_comes_at_once_costs_no_timer(runtime: &Runtime) {
    let call = Size::Small.call();
    let builder = || HookRunner::builder("/").with_interceptor(Agree);
    let bounded = builder()
        .with_interceptor_timeout(Duration::from_secs(5))
        .with_budget(Duration::from_secs(60));
    let unbounded = builder().without_interceptor_timeout();
    let [bounded, unbounded] = [bounded, unbounded].map(|runner| runner.build().expect("a runner"));
    let in_runtime = |runner: &HookRunner| runtime.block_on(runner.decide(&call));
    assert_eq!(
        decided(&bounded, in_runtime),
        decided(&unbounded, in_runtime)
    );
    // Outside a runtime a timer would be a thread.
    let alone = |runner: &HookRunner| {
        let mut decide = pin!(runner.decide(&call));
        match decide
            .as_mut()
            .poll(&mut Context::from_waker(Waker::noop()))
        {
            Poll::Ready(outcome) => outcome,
            Poll::Pending => panic!("it waits for nothing"),
        }
    };
    let before = threads();
    assert_eq!(decided(&bounded, alone), decided(&unbounded, alone));
    assert_eq!(threads(), before);
}

fn asking_again_and_words_for_the_model_cost_nothing_where_there_are_none(runtime: &Runtime) {
    let call = Size::Small.call();
    let of = |count: usize| {
        let runner = (0..count).fold(HookRunner::new("/", vec![]), |runner, _| {
            runner.with_interceptor(Agree)
        });
        decided(&runner, |runner| runtime.block_on(runner.decide(&call)))
    };
    // The request, and for each participant its future and the future within.
    let (one, eleven) = (of(1), of(11));
    // A list that grows with the participants is allocated a few times more, and not once for each.
    assert_eq!((eleven - one) / 10, PER_INTERCEPTOR, "{one}, {eleven}");
}
