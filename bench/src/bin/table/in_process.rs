//! The rows about what happens inside the process.

use std::{hint::black_box, io, path::Path, time::Duration};

use hook_config::HookSpec;
use hook_contract::{
    HookEvent, HookOutcome, HookRequest, Interceptor, InterceptorError, async_trait,
};
use hook_runner::HookRunner;
use hookchain_bench::{
    allocations,
    calls::Size,
    measure::{by_turns, each, ratio},
    programs::Programs,
    runtimes,
};
use tokio::runtime::Runtime;

use crate::{
    peer::Peer,
    processes::{allowed, runner},
    row::{Row, shown},
};

/// How often something that takes less than a microsecond is done for one measurement.
const REPETITIONS: u32 = 1000;

struct Agree(String);

#[async_trait]
impl Interceptor for Agree {
    fn name(&self) -> &str {
        &self.0
    }

    async fn intercept(&self, _call: &HookRequest) -> Result<HookOutcome, InterceptorError> {
        Ok(HookOutcome::Allow)
    }
}

pub(crate) fn rows(rounds: usize) -> io::Result<Vec<Row>> {
    let mut rows = vec![nobody(rounds)?, nobody_applies(rounds)?];
    for (flavour, runtime) in runtimes::both()? {
        rows.push(one(flavour, &runtime, rounds));
        rows.push(a_hundred(flavour, &runtime, rounds));
    }
    Ok(rows)
}

fn nobody(rounds: usize) -> io::Result<Row> {
    let [(_, runtime), _] = runtimes::both()?;
    let runner = HookRunner::new("/", vec![]);
    let call = Size::Small.call();
    let time = runtime.block_on(async {
        let before = allocations::count();
        allowed(&runner.decide(&call).await);
        assert_eq!(
            allocations::count(),
            before,
            "an empty runner allocates nothing"
        );
        repeated(rounds, || runner.decide(&call)).await
    });
    Ok(Row::of_time("empty runner", time, Duration::from_nanos(50)))
}

fn nobody_applies(rounds: usize) -> io::Result<Row> {
    let [(_, runtime), _] = runtimes::both()?;
    let hooks = (0..20).map(|number| {
        HookSpec::new(format!("hook-{number}"), ["/bin/false"]).with_tools(["write_file"])
    });
    let runner = HookRunner::new("/", hooks.collect());
    let call = Size::Small.call();
    let time = runtime.block_on(repeated(rounds, || runner.decide(&call)));
    Ok(Row::of_time(
        "20 hooks of which none applies",
        time,
        Duration::from_nanos(200),
    ))
}

/// The median time of one of many futures awaited in a row, without entering the runtime each time.
async fn repeated<F: Future<Output = HookOutcome>>(rounds: usize, ask: impl Fn() -> F) -> Duration {
    let mut times = Vec::new();
    for _ in 0..rounds {
        let since = std::time::Instant::now();
        for _ in 0..REPETITIONS {
            allowed(&black_box(ask().await));
        }
        times.push(since.elapsed() / REPETITIONS);
    }
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

fn interceptors(count: usize) -> HookRunner {
    (0..count).fold(HookRunner::new("/", vec![]), |runner, number| {
        runner.with_interceptor(Agree(format!("agree-{number}")))
    })
}

fn one(flavour: &str, runtime: &Runtime, rounds: usize) -> Row {
    let call = Size::Small.call();
    let runner = interceptors(1);
    let time = runtime.block_on(repeated(rounds, || runner.decide(&call)));
    let parsing = each(REPETITIONS, rounds, || {
        let request = HookRequest::from_call(HookEvent::PreToolUse, Path::new("/"), &call);
        black_box(request.input.value());
    });
    let peer = Peer::with_interceptors(1, Size::Small).map(|peer| {
        runtime.block_on(async {
            let ask = || async {
                peer.ask().await;
                HookOutcome::Allow
            };
            shown(repeated(rounds.div_ceil(10), ask).await)
        })
    });
    let what = format!("one interceptor, small call, beyond parsing, {flavour}");
    let beyond = time.saturating_sub(parsing);
    let mut row = Row::of_time(what, beyond, Duration::from_nanos(500))
        .beside(peer.map(|peer| format!("{peer} in all")));
    row.measured = format!("{} ({} in all)", shown(beyond), shown(time));
    row
}

fn a_hundred(flavour: &str, runtime: &Runtime, rounds: usize) -> Row {
    let call = Size::Large.call();
    let (single, hundred) = (interceptors(1), interceptors(100));
    let [one, all] = by_turns(
        rounds,
        [
            &mut || allowed(&runtime.block_on(single.decide(&call))),
            &mut || allowed(&runtime.block_on(hundred.decide(&call))),
        ],
    );
    let detail = format!("{} to {}", shown(all), shown(one));
    let what = format!("100 interceptors to 1, 1 MiB call, {flavour}");
    Row::of_ratio(what, ratio(all, one), 1.1, &detail).beside(peers_hundred(runtime, rounds))
}

fn peers_hundred(runtime: &Runtime, rounds: usize) -> Option<String> {
    let single = Peer::with_interceptors(1, Size::Large)?;
    let hundred = Peer::with_interceptors(100, Size::Large)?;
    let [one, all] = by_turns(
        rounds.div_ceil(4),
        [&mut || runtime.block_on(single.ask()), &mut || {
            runtime.block_on(hundred.ask());
        }],
    );
    Some(format!("{:.2} x", ratio(all, one)))
}

/// What a consultation about a large call needs at its peak, beyond the call itself.
pub(crate) fn memory(programs: &Programs) -> io::Result<Row> {
    const MOST: usize = 4 << 20;
    let [(_, runtime), _] = runtimes::both()?;
    let call = Size::Large.call();
    let runner = runner(&programs.c);
    runtime.block_on(async { allowed(&runner.decide(&call).await) });
    let (outcome, peak) = allocations::peak_of(|| runtime.block_on(runner.decide(&call)));
    allowed(&outcome);
    #[expect(clippy::cast_precision_loss, reason = "a few MiB")]
    let mib = |bytes: usize| format!("{:.2} MiB", bytes as f64 / f64::from(1 << 20));
    Ok(Row {
        what: "peak memory of a consultation, 1 MiB call".into(),
        must: format!("<= {}", mib(MOST)),
        measured: mib(peak),
        peer: String::new(),
        holds: peak <= MOST,
    })
}
