//! A host in a state that a test process must not be in itself; started by C's `main`.
//!
//! Rust's own start ignores `SIGPIPE` and opens standard streams that were closed. A host in
//! another language does neither, and this one must not either.
//!
//! Usage: `embedder FILE MODE WORKSPACE HOOK-WORDS…`. What comes out is written to FILE, one JSON
//! object per line; the first tells the state that the host was in.
//!
//! | mode | what it does |
//! |---|---|
//! | `consult` | asks once |
//! | `large` | asks once, with an input that no pipe holds |
//! | `starved` | asks again and again, each time with one more free descriptor, until a program starts; then frees them all and asks once more |
//! | `crowded` | asks once while it may start no process more, and once when it may again |
//! | `diskless` | asks while nobody may write to a file |
//! | `reaping` | asks fifty times while it waits for every child that there is, whoever started it |
//! | `nested` | answers as a hook: it asks the same hook in turn |

#![no_main]
#![expect(
    unsafe_code,
    reason = "C's `main` is a symbol, and the name of a symbol is a promise"
)]

use std::{
    env,
    ffi::c_int,
    fs,
    io::Write,
    sync::atomic::{AtomicBool, Ordering},
    thread,
};

use hook_config::HookSpec;
use hook_contract::HookOutcome;
use hook_runner::HookRunner;
use hook_wire::{HookResponse, encode_response};
use hookchain_tests::{as_json, call};
use rustix::{
    process::{Resource, Rlimit, Signal, WaitOptions, getrlimit, setrlimit},
    stdio::{stderr, stdin, stdout},
};
use serde_json::{Value, json};
use tokio::runtime::{Builder, Runtime};

/// What a C host starts with.
// SAFETY: no other `main` is linked: `no_main` leaves out Rust's.
#[unsafe(no_mangle)]
pub extern "C" fn main() -> c_int {
    let words: Vec<String> = env::args().skip(1).collect();
    let [file, mode, workspace, hook @ ..] = words.as_slice() else {
        return 2;
    };
    let state = state();
    let runtime = Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    let runner = HookRunner::new(workspace, vec![HookSpec::new("hook", hook.to_vec())]);
    let outcomes = match mode.as_str() {
        "consult" => vec![ask(&runtime, &runner, r#"{"command":"ls"}"#)],
        "large" => {
            let input = format!(r#"{{"text":"{}"}}"#, "x".repeat(3 << 20));
            vec![ask(&runtime, &runner, &input)]
        }
        "starved" => starved(&runtime, &runner),
        "crowded" => limited(&runtime, &runner, Resource::Nproc),
        "diskless" => limited(&runtime, &runner, Resource::Fsize),
        "reaping" => reaping(&runtime, &runner),
        "nested" => return nested(&runtime, file, workspace),
        _ => return 2,
    };
    let lines = outcomes
        .iter()
        .map(|outcome| format!("{}\n", as_json(outcome)));
    fs::write(file, format!("{state}\n{}", lines.collect::<String>())).expect("written");
    0
}

/// What the tests mean to bring about, so that they can see that they did.
fn state() -> Value {
    let streams = [stdin(), stdout(), stderr()];
    let status = fs::read_to_string("/proc/self/status").expect("a status");
    let mask = status
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:\t"))
        .expect("a mask");
    let mask = u64::from_str_radix(mask, 16).expect("a mask");
    let ignores = |signal: Signal| mask & (1 << (signal.as_raw() - 1)) != 0;
    json!({
        "ignores": {"pipe": ignores(Signal::PIPE), "child": ignores(Signal::CHILD)},
        "open": streams.map(|stream| rustix::io::fcntl_getfd(stream).is_ok()),
    })
}

fn ask(runtime: &Runtime, runner: &HookRunner, input: &str) -> HookOutcome {
    runtime.block_on(runner.decide(&call(input)))
}

/// The outcome with no free descriptor, with one, with two, and so on; then with all of them.
fn starved(runtime: &Runtime, runner: &HookRunner) -> Vec<HookOutcome> {
    let usual = getrlimit(Resource::Nofile);
    let mut outcomes = Vec::new();
    for free in 0..64 {
        let limit = Rlimit {
            current: Some(first_free() + free),
            ..usual
        };
        setrlimit(Resource::Nofile, limit).expect("a lower limit");
        outcomes.push(ask(runtime, runner, "{}"));
        setrlimit(Resource::Nofile, usual).expect("the usual limit");
        if outcomes.last() == Some(&HookOutcome::Allow) {
            break;
        }
    }
    outcomes.push(ask(runtime, runner, "{}"));
    outcomes
}

/// The outcome without any of a resource, and with as much as usual again.
fn limited(runtime: &Runtime, runner: &HookRunner, resource: Resource) -> Vec<HookOutcome> {
    let usual = getrlimit(resource);
    let none = Rlimit {
        current: Some(0),
        ..usual
    };
    setrlimit(resource, none).expect("a lower limit");
    let without = ask(runtime, runner, "{}");
    setrlimit(resource, usual).expect("the usual limit");
    vec![without, ask(runtime, runner, "{}")]
}

/// The outcomes while somebody else takes the status of whatever has ended.
fn reaping(runtime: &Runtime, runner: &HookRunner) -> Vec<HookOutcome> {
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| take_every_status(&done));
        let outcomes = (0..50).map(|_| ask(runtime, runner, "{}")).collect();
        done.store(true, Ordering::Relaxed);
        outcomes
    })
}

fn take_every_status(done: &AtomicBool) {
    while !done.load(Ordering::Relaxed) {
        match rustix::process::wait(WaitOptions::NOHANG) {
            Ok(Some(_taken)) => {}
            Ok(None) | Err(_) => thread::yield_now(),
        }
    }
}

/// The number that the next descriptor gets.
fn first_free() -> u64 {
    let probe = fs::File::open("/dev/null").expect("a descriptor");
    u64::try_from(std::os::fd::AsRawFd::as_raw_fd(&probe)).expect("a number")
}

/// A hook that starts an agent that runs the same hook.
fn nested(runtime: &Runtime, file: &str, workspace: &str) -> c_int {
    let own = env::current_exe()
        .expect("a path")
        .into_os_string()
        .into_string()
        .expect("UTF-8");
    let words = [own.as_str(), file, "nested", workspace].map(str::to_owned);
    let hook =
        HookSpec::new("nested", words.to_vec()).with_timeout(std::time::Duration::from_secs(60));
    let runner = HookRunner::new(workspace, vec![hook]).with_reporter(|_| {});
    let mut log = fs::OpenOptions::new()
        .create(true)
        .append(true)
        .open(file)
        .expect("a log");
    writeln!(log, "asked").expect("written");
    let outcome = ask(runtime, &runner, "{}");
    let answer = encode_response(&HookResponse::from(outcome));
    std::io::stdout().write_all(&answer).expect("written");
    0
}
