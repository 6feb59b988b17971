//! The rows about programs that are started.

use std::{io, path::Path, thread, time::Duration};

use hook_config::HookSpec;
use hook_contract::{HookCall, HookEvent, HookOutcome, HookRequest};
use hook_runner::HookRunner;
use hookchain_bench::{
    calls::Size,
    floor,
    measure::{by_turns, ratio},
    programs::Programs,
    runtimes,
};
use tokio::runtime::Runtime;

use crate::{
    peer::Peer,
    row::{Row, shown},
};

/// How many consultations are under way at once.
const AT_ONCE: usize = 64;

/// Memory that this process holds, as an agent with a long history does.
pub(crate) fn hold(bytes: usize) -> Vec<u8> {
    // Every page is touched, so that a fork would have to copy its table.
    vec![1; bytes]
}

/// One program asked on each runtime, small and large calls; `circumstance` ends each row's name.
pub(crate) fn rows(programs: &Programs, rounds: usize, circumstance: &str) -> io::Result<Vec<Row>> {
    let most = |size, held: bool| match (size, held) {
        (Size::Small, false) => 1.15,
        (Size::Small, true) => 1.2,
        (Size::Large, _) => 1.25,
    };
    let mut rows = Vec::new();
    for (flavour, runtime) in runtimes::both()? {
        for (language, program) in [("C", &programs.c), ("sh", &programs.shell)] {
            for size in [Size::Small, Size::Large] {
                let what =
                    format!("one-shot, {language} program, {size:?} call, {flavour}{circumstance}");
                let most = most(size, !circumstance.is_empty());
                rows.push(one_shot(what, &runtime, program, size, rounds, most));
            }
        }
    }
    Ok(rows)
}

#[expect(clippy::too_many_arguments, reason = "one row is this many facts")]
fn one_shot(
    what: String,
    runtime: &Runtime,
    program: &Path,
    size: Size,
    rounds: usize,
    most: f64,
) -> Row {
    let call = size.call();
    let runner = runner(program);
    let line = line(&call);
    let [floor, ours] = by_turns(
        rounds,
        [&mut || drop(floor::ask(program, &line)), &mut || {
            allowed(&runtime.block_on(runner.decide(&call)));
        }],
    );
    let reading = match size {
        Size::Small => String::new(),
        Size::Large => {
            let reading = reading(&call, rounds);
            let without = ratio(ours.saturating_sub(reading), floor);
            format!("; {without:.2} x without reading it, {}", shown(reading))
        }
    };
    let detail = format!("{} to {}{reading}", shown(ours), shown(floor));
    Row::of_ratio(what, ratio(ours, floor), most, &detail)
        .beside(peer_ratio(runtime, program, size, rounds))
}

/// How long it takes to read the call itself, of which the floor has nothing: it writes bytes that are there already.
fn reading(call: &HookCall, rounds: usize) -> Duration {
    let [time] = by_turns(
        rounds,
        [&mut || {
            let request = HookRequest::from_call(HookEvent::PreToolUse, Path::new("/"), call);
            assert!(request.ambiguity().is_none(), "the call has one reading");
        }],
    );
    time
}

/// The same for the peer, against a floor of its own: a fork of a large process slows down whatever
/// comes after it.
fn peer_ratio(runtime: &Runtime, program: &Path, size: Size, rounds: usize) -> Option<String> {
    let peer = Peer::with_program(program, size)?;
    let line = line(&size.call());
    let [floor, peers] = by_turns(
        rounds.div_ceil(4),
        [&mut || drop(floor::ask(program, &line)), &mut || {
            runtime.block_on(peer.ask());
        }],
    );
    Some(format!("{:.2} x", ratio(peers, floor)))
}

/// Many consultations at once against as many threads that do the least.
pub(crate) fn at_once(programs: &Programs, rounds: usize) -> io::Result<Vec<Row>> {
    let program = &programs.c;
    let call = Size::Small.call();
    let line = line(&call);
    let runner = runner(program);
    let mut rows = Vec::new();
    for (flavour, runtime) in runtimes::both()? {
        let [floor, ours] = by_turns(
            rounds.div_ceil(10),
            [&mut || floors(program, &line), &mut || {
                runtime.block_on(many(&runner, &call, AT_ONCE));
            }],
        );
        let each = |time: Duration| shown(time / u32::try_from(AT_ONCE).unwrap_or(1));
        let detail = format!("{} to {} each", each(ours), each(floor));
        let what = format!("{AT_ONCE} consultations at once, {flavour}");
        rows.push(Row::of_ratio(what, ratio(ours, floor), 1.2, &detail));
    }
    Ok(rows)
}

/// The floor, as often and as much at once.
fn floors(program: &Path, line: &[u8]) {
    thread::scope(|threads| {
        for _ in 0..AT_ONCE {
            threads.spawn(|| floor::ask(program, line));
        }
    });
}

pub(crate) async fn many(runner: &HookRunner, call: &HookCall, at_once: usize) {
    let asked: Vec<_> = (0..at_once)
        .map(|_| {
            let (runner, call) = (runner.clone(), call.clone());
            tokio::spawn(async move { runner.decide(&call).await })
        })
        .collect();
    for outcome in asked {
        if let Ok(outcome) = outcome.await {
            allowed(&outcome);
        }
    }
}

pub(crate) fn runner(program: &Path) -> HookRunner {
    HookRunner::new(
        "/",
        vec![HookSpec::new("hook", [program.display().to_string()])],
    )
}

pub(crate) fn line(call: &HookCall) -> Vec<u8> {
    let request = HookRequest::from_call(HookEvent::PreToolUse, Path::new("/"), call);
    hook_wire::encode_request(&request).unwrap_or_default()
}

pub(crate) fn allowed(outcome: &HookOutcome) {
    assert!(matches!(outcome, HookOutcome::Allow), "{outcome:?}");
}
