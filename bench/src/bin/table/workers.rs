//! The rows about programs that are kept.

use std::{io, thread, time::Duration};

use hook_config::{HookMode, HookSpec};
use hook_contract::HookCall;
use hook_runner::HookRunner;
use hookchain_bench::{
    calls::Size,
    cores::Cores,
    floor::PingPong,
    measure::{by_turns, ratio},
    programs::Programs,
    runtimes,
};
use tokio::runtime::Runtime;

use crate::{
    processes::{allowed, line, many},
    row::{Row, shown},
};

/// How many questions are one measurement: what takes microseconds is not timed alone.
const BATCH: u32 = 100;

/// How many questions are under way at once.
const AT_ONCE: [usize; 3] = [1, 8, 64];

/// How many processes answer those, as many as the machine has cores for at most.
const PROCESSES: usize = 2;

/// Where the two sides run. When the scheduler chooses, it decides for each pair anew, and that moves
/// both times by an order of magnitude.
const PLACES: [(&str, usize); 2] = [("one core", 0), ("two cores", 1)];

pub(crate) fn rows(programs: &Programs, rounds: usize) -> io::Result<Vec<Row>> {
    let mut rows = Vec::new();
    let everywhere = Cores::current()?;
    for (language, words) in &programs.lines {
        for (place, core) in PLACES {
            for (flavour, runtime) in runtimes_on(everywhere.only(0))? {
                let what = format!("worker, {language} program, Small call, {flavour}, {place}");
                everywhere.only(core).enter()?;
                let pair = Pair::start(words, &runtime)?;
                everywhere.only(0).enter()?;
                rows.extend(pair.round_trip(&what, &runtime, rounds, core == 0));
            }
        }
        rows.push(against_starts(language, words, rounds)?);
    }
    for (flavour, runtime) in runtimes_on(everywhere.only(0))? {
        let what = format!("worker that names no call, C program, Small call, {flavour}, one core");
        let pair = Pair::start(&programs.unnamed, &runtime)?;
        rows.push(pair.unnamed(what, &runtime, rounds));
    }
    everywhere.enter()?;
    let c = programs.lines.iter().find(|(language, _)| *language == "C");
    if let Some((_, words)) = c {
        for at_once in AT_ONCE {
            rows.extend(concurrent(words, at_once, rounds)?);
        }
    }
    Ok(rows)
}

/// Both kinds of runtime, whose threads stay there.
fn runtimes_on(cores: Cores) -> io::Result<[(&'static str, Runtime); 2]> {
    cores.enter()?;
    runtimes::both()
}

/// A worker and a bare process of the same program.
struct Pair {
    runner: HookRunner,
    floor: PingPong,
}

impl Pair {
    fn start(words: &[String], runtime: &Runtime) -> io::Result<Self> {
        let runner = runner(words, HookMode::Worker)?;
        runtime.block_on(runner.warm_up());
        let floor = PingPong::start(words)?;
        Ok(Self { runner, floor })
    }

    /// One question after the other, against a write and a read that block: the time of each.
    fn times(self, runtime: &Runtime, rounds: usize) -> [Duration; 2] {
        let call = Size::Small.call();
        let bytes = line(&call);
        let Self { runner, mut floor } = self;
        by_turns(
            rounds,
            [
                &mut || (0..BATCH).for_each(|_| drop(floor.ask(&bytes))),
                &mut || {
                    // In a task, as an agent's questions are.
                    let asked = runtime.spawn(in_turn(runner.clone(), call.clone(), BATCH));
                    drop(runtime.block_on(asked));
                },
            ],
        )
        .map(|time| time / BATCH)
    }

    /// Of a program that gets the end of a question when it has taken the rest.
    fn unnamed(self, what: String, runtime: &Runtime, rounds: usize) -> Row {
        let [floor, ours] = self.times(runtime, rounds);
        let detail = format!("{} to {}", shown(ours), shown(floor));
        Row::of_comparison(what, ratio(ours, floor), &detail)
    }

    fn round_trip(self, what: &str, runtime: &Runtime, rounds: usize, is_near: bool) -> Vec<Row> {
        let [floor, ours] = self.times(runtime, rounds);
        let detail = format!("{} to {}", shown(ours), shown(floor));
        let row = Row::of_ratio(what, ratio(ours, floor), 3.0, &detail);
        let is_small = is_near && what.contains("C program");
        let most = Duration::from_micros(20);
        let all = is_small.then(|| Row::of_time(format!("{what}, in all"), ours, most));
        [Some(row), all].into_iter().flatten().collect()
    }
}

fn runner(words: &[String], mode: HookMode) -> io::Result<HookRunner> {
    let hook = HookSpec::new("hook", words.to_vec()).with_mode(mode);
    // A worker that is replaced in the middle is another thing to measure.
    let hook = hook.with_max_questions(hook_config::MAX_MAX_QUESTIONS);
    HookRunner::builder("/")
        .with_hooks([hook])
        .with_workers(if mode == HookMode::Worker {
            PROCESSES
        } else {
            1
        })
        .build()
        .map_err(io::Error::other)
}

/// The same program kept, and started for each question.
fn against_starts(language: &str, words: &[String], rounds: usize) -> io::Result<Row> {
    let call = Size::Small.call();
    let [(_, runtime), _] = runtimes::both()?;
    let (kept, started) = (
        runner(words, HookMode::Worker)?,
        runner(words, HookMode::Oneshot)?,
    );
    let ask = |runner: &HookRunner, times: u32| {
        runtime.block_on(in_turn(runner.clone(), call.clone(), times));
    };
    let [kept, started] = by_turns(
        rounds.div_ceil(10),
        [&mut || ask(&kept, BATCH), &mut || ask(&started, 1)],
    );
    let kept = kept / BATCH;
    let what = format!("worker, {language} program, against a start for each question");
    let detail = format!("{} to {}", shown(kept), shown(started));
    // A C program starts in a fraction of the time.
    let least = if language == "C" { 10.0 } else { 30.0 };
    Ok(Row::of_gain(what, ratio(started, kept), least, &detail))
}

/// So many questions at once to two processes, against two threads that ask one each.
fn concurrent(words: &[String], at_once: usize, rounds: usize) -> io::Result<Vec<Row>> {
    let call = Size::Small.call();
    let bytes = line(&call);
    let mut rows = Vec::new();
    for (flavour, runtime) in runtimes::both()? {
        let runner = runner(words, HookMode::Worker)?;
        let mut floors = [PingPong::start(words)?, PingPong::start(words)?];
        let batches = 256_usize.div_ceil(at_once);
        let all = u32::try_from(batches * at_once).unwrap_or(u32::MAX);
        let [floor, ours] = by_turns(
            rounds.div_ceil(3),
            [
                &mut || together(&mut floors, &bytes, at_once, all),
                &mut || runtime.block_on(in_batches(&runner, &call, at_once, batches)),
            ],
        )
        .map(|time| time / all);
        let what = format!("{at_once} questions at once to {PROCESSES} workers, {flavour}");
        let detail = format!("{} to {} each", shown(ours), shown(floor));
        rows.push(Row::of_comparison(what, ratio(ours, floor), &detail));
    }
    Ok(rows)
}

async fn in_turn(runner: HookRunner, call: HookCall, times: u32) {
    for _ in 0..times {
        allowed(&runner.decide(&call).await);
    }
}

async fn in_batches(runner: &HookRunner, call: &HookCall, at_once: usize, batches: usize) {
    for _ in 0..batches {
        many(runner, call, at_once).await;
    }
}

/// The floor for that: one thread when one is asked at a time, else one for each process.
fn together(floors: &mut [PingPong], line: &[u8], at_once: usize, all: u32) {
    let threads = at_once.min(floors.len());
    let each = all / u32::try_from(threads).unwrap_or(1);
    thread::scope(|scope| {
        for floor in floors.iter_mut().take(threads) {
            scope.spawn(move || (0..each).for_each(|_| drop(floor.ask(line))));
        }
    });
}
