//! What a consultation allocates, counted. A count, unlike a time, is the same on every machine.

use std::path::Path;

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
