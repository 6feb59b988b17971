//! What one consultation costs, for comparing a change with what was there before.
//!
//! The ratios to a floor, which `docs/performance.md` shows, are measured by `cargo xtask bench`.

#![expect(
    clippy::expect_used,
    reason = "a benchmark that cannot be set up has nothing to say"
)]

use std::{hint::black_box, path::Path};

use criterion::{
    BenchmarkGroup, BenchmarkId, Criterion, criterion_group, criterion_main, measurement::WallTime,
};
use hook_contract::{
    HookEvent, HookOutcome, HookRequest, HookSpec, Interceptor, InterceptorError, async_trait,
};
use hook_runner::HookRunner;
use hookchain_bench::{calls::Size, floor, programs::Programs, runtimes};
use tokio::runtime::Runtime;

struct Agree;

#[async_trait]
impl Interceptor for Agree {
    fn name(&self) -> &str {
        "agree"
    }

    async fn intercept(&self, _call: &HookRequest) -> Result<HookOutcome, InterceptorError> {
        Ok(HookOutcome::Allow)
    }
}

fn in_process(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("in_process");
    let [(_, runtime), _] = runtimes::both().expect("a runtime");
    for size in [Size::Small, Size::Large] {
        let call = size.call();
        group.bench_function(name("parsing", size), |bencher| {
            bencher.iter(|| HookRequest::from_call(HookEvent::PreToolUse, Path::new("/"), &call));
        });
        for count in [0, 1, 10, 100] {
            let runner = (0..count).fold(HookRunner::new("/", vec![]), |runner, _| {
                runner.with_interceptor(Agree)
            });
            ask(
                &mut group,
                name(format!("{count}_interceptors"), size),
                &runtime,
                &runner,
                size,
            );
        }
    }
    group.finish();
}

fn programs(criterion: &mut Criterion) {
    let directory = tempfile::tempdir().expect("a directory");
    let programs = Programs::build(directory.path()).expect("a C compiler");
    for (flavour, runtime) in runtimes::both().expect("a runtime") {
        let mut group = criterion.benchmark_group(format!("programs_{flavour}"));
        for (language, program) in [("C", &programs.c), ("sh", &programs.shell)] {
            let hook = HookSpec::new("hook", [program.display().to_string()]);
            let runner = HookRunner::new("/", vec![hook]);
            for size in [Size::Small, Size::Large] {
                let line = size.input().into_bytes();
                let floor = name(format!("floor_{language}"), size);
                group.bench_function(floor, |bencher| bencher.iter(|| floor::ask(program, &line)));
                ask(
                    &mut group,
                    name(format!("hook_{language}"), size),
                    &runtime,
                    &runner,
                    size,
                );
            }
        }
        group.finish();
    }
}

fn ask(
    group: &mut BenchmarkGroup<'_, WallTime>,
    name: BenchmarkId,
    runtime: &Runtime,
    runner: &HookRunner,
    size: Size,
) {
    let call = size.call();
    group.bench_function(name, |bencher| {
        bencher.iter(|| black_box(runtime.block_on(runner.decide(&call))));
    });
}

fn name(what: impl Into<String>, size: Size) -> BenchmarkId {
    BenchmarkId::new(what, format!("{size:?}"))
}

criterion_group!(benches, in_process, programs);
criterion_main!(benches);
