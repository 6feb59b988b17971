//! Any number of random consultations at once, each compared with a model that predicts it.
//!
//! Everything follows from the seed: the chains (interceptors that allow, deny, rewrite, fail,
//! panic; programs that answer, crash, hang, flood, print nonsense, leave others behind, or do not
//! exist), and for each consultation by its number which chain is asked what, and when the one who
//! asks loses interest. So one that came out wrong is looked at again with `--seed S --only N`.
//!
//! Afterwards the process must have what it had after the first twentieth: the same descriptors, no
//! child, nobody left behind, and no more than a tenth more memory.
//!
//! Usage: `soak [--consults N] [--seed S] [--at-once K] [--only N]`. It ends with status 0 when all
//! is well, and its last line says how many consultations passed.

mod cast;
mod drive;
mod interceptors;
mod programs;
mod question;
mod random;
mod tally;
mod upkeep;

use std::{
    env,
    os::unix::process::CommandExt,
    process::{Command, ExitCode},
    sync::{Arc, atomic::Ordering},
    time::Instant,
};

use tokio::runtime::Builder;

use crate::{
    cast::Cast,
    drive::{Runtimes, Soak},
    tally::Tally,
    upkeep::{Upkeep, peak_kib},
};

const USAGE: &str = "usage: soak [--consults N] [--seed S] [--at-once K] [--only N]";

/// The part of the consultations after which the process has all that it needs.
const WARM_UP: u64 = 20;

/// How many consultations that is at least.
const SHORTEST_WARM_UP: u64 = 100;

/// How the C library's allocator gives back what is free, so that what is resident is what is in
/// use; otherwise it depends on the order in which the largest inputs came and went. It reads this
/// before `main`.
const ALLOCATOR: [(&str, &str); 3] = [
    ("MALLOC_MMAP_THRESHOLD_", "65536"),
    ("MALLOC_TRIM_THRESHOLD_", "131072"),
    ("MALLOC_ARENA_MAX", "2"),
];

#[derive(Clone, Copy, Debug)]
struct Options {
    consults: u64,
    seed: u64,
    at_once: usize,
    only: Option<u64>,
}

fn main() -> ExitCode {
    let Some(options) = options() else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    if env::var_os(ALLOCATOR[0].0).is_none() {
        let error = Command::new(env::current_exe().expect("a path"))
            .args(env::args_os().skip(1))
            .envs(ALLOCATOR)
            .exec();
        eprintln!("soak: it could not start itself again: {error}");
        return ExitCode::FAILURE;
    }
    interceptors::hush();
    let threads = Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build();
    let current = Builder::new_current_thread().enable_all().build();
    let runtimes = Runtimes {
        current: current.expect("a runtime"),
        threads: threads.expect("a runtime"),
    };
    let soak = Soak {
        cast: Arc::new(Cast::new(options.seed)),
        seed: options.seed,
        at_once: options.at_once,
        consults: options.consults,
        done: Arc::default(),
    };
    let failed = match options.only {
        Some(number) => {
            let (shown, tally) = soak.show(&runtimes, number);
            println!("{shown}");
            conclude(&tally, &[])
        }
        None => run(&soak, &runtimes),
    };
    ExitCode::from(u8::from(failed))
}

/// The whole soak; true when something was not as it must be.
fn run(soak: &Soak, runtimes: &Runtimes) -> bool {
    let since = Instant::now();
    let workspace = &soak.cast.workspace;
    let warm_up = (soak.consults / WARM_UP)
        .max(SHORTEST_WARM_UP)
        .min(soak.consults);
    let mut tally = soak.run(runtimes, 0..warm_up);
    runtimes.current.block_on(soak.cast.rest());
    let before = Upkeep::settled(workspace, runtimes);
    tally.add(soak.run(runtimes, warm_up..soak.consults));
    let took = since.elapsed().as_secs_f64();
    runtimes.threads.block_on(soak.cast.rest());
    let after = Upkeep::settled(workspace, runtimes);

    println!(
        "soak         seed {}, {} consultations, {} at once, on both flavours of the runtime",
        soak.seed, soak.consults, soak.at_once
    );
    print!("{tally}");
    println!(
        "descriptors  {} after the warm-up, {} at the end",
        before.census.descriptors(),
        after.census.descriptors()
    );
    println!("children     {} at the end", after.census.children());
    println!(
        "memory       {} KiB after the warm-up, {} at the end, {} at most",
        before.kib,
        after.kib,
        peak_kib()
    );
    #[expect(clippy::cast_precision_loss, reason = "a figure to be read")]
    let rate = soak.consults as f64 / took;
    println!("time         {took:.1} s, {rate:.0} consultations a second");
    let mut complaints = after.complaints(&before, workspace);
    complaints.extend(missing_records(soak, &tally));
    conclude(&tally, &complaints)
}

/// What the recorder was not told.
fn missing_records(soak: &Soak, tally: &Tally) -> Vec<String> {
    // What came out wrong is not in the tally.
    if !tally.failed.is_empty() {
        return Vec::new();
    }
    let records = &soak.cast.records;
    let count = |counter: &std::sync::atomic::AtomicU64| counter.load(Ordering::Relaxed);
    let (invoked, answered) = (count(&records.invoked), count(&records.answered));
    let concluded = count(&records.concluded);
    let (begun, abandoned) = (count(&records.begun), count(&records.abandoned));
    println!(
        "records      {begun} begun, {invoked} asked, {answered} answered, {concluded} concluded, {abandoned} abandoned"
    );
    let mut complaints = Vec::new();
    if begun != concluded + abandoned {
        complaints.push("a consultation has no end, or more than one".into());
    }
    if concluded != tally.concluded {
        complaints.push(format!("{} consultations concluded", tally.concluded));
    }
    if !(tally.steps..=invoked).contains(&answered) {
        complaints.push(format!("{} steps were taken", tally.steps));
    }
    complaints
}

/// Says what is wrong, and how many passed; true when something is wrong.
fn conclude(tally: &Tally, complaints: &[String]) -> bool {
    for (number, details) in tally.failed.iter().zip(&tally.details) {
        eprintln!("consultation {number}: {details}");
    }
    for number in &tally.failed {
        eprintln!("look at it again with --only {number} and the same seed");
    }
    for complaint in complaints {
        eprintln!("{complaint}");
    }
    let failed = tally.failed.len() + complaints.len();
    println!("{} passed, {failed} failed", tally.passed);
    failed > 0
}

fn options() -> Option<Options> {
    let mut options = Options {
        consults: 20_000,
        seed: 1,
        at_once: 32,
        only: None,
    };
    let mut words = env::args().skip(1);
    while let Some(word) = words.next() {
        let value: u64 = words.next()?.parse().ok()?;
        match word.as_str() {
            "--consults" => options.consults = value,
            "--seed" => options.seed = value,
            "--at-once" => options.at_once = usize::try_from(value).ok()?.max(1),
            "--only" => options.only = Some(value),
            _ => return None,
        }
    }
    Some(options)
}
