//! A host that records: it puts the same call through a chain again and again.
//!
//! Usage: `recorder DIRECTORY CONSULTATIONS [OPTION…]`. At the end it prints one JSON object: how often it was answered
//! what, how many records were written and lost, and what was reported.
//!
//! | option | what it does |
//! |---|---|
//! | `full` | captures everything |
//! | `chain` | chains the lines |
//! | `input=N` | the input has N bytes |
//! | `part=N` | files have N bytes at most |
//! | `waiting=N` | N bytes may wait to be written |
//! | `flush=N` | waits after every N consultations until they are written, and prints how many records are |
//! | `fsize=N` | no file may have more than N bytes, for this process |
//! | `vanish` | half-way, the directory is removed |
//! | `back` | at three quarters, once that was reported, it is made again |

use std::{
    collections::BTreeMap,
    env, fs,
    path::PathBuf,
    process::ExitCode,
    sync::{Arc, Condvar, Mutex},
    time::Duration,
};

use hook_audit::{Audit, AuditBuilder, Capture, Trouble};
use hook_contract::{
    HookCall, HookOutcome, HookRequest, Interceptor, InterceptorError, async_trait,
};
use hook_runner::HookRunner;
use hookchain_tests::as_json;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use serde_json::json;

/// As long as the slowest disk takes.
const PATIENCE: Duration = Duration::from_secs(300);

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

/// What was reported.
#[derive(Default)]
struct Reports {
    said: Mutex<Vec<String>>,
    more: Condvar,
}

impl Reports {
    fn add(&self, trouble: &Trouble) {
        self.said.lock().expect("a lock").push(trouble.to_string());
        self.more.notify_all();
    }

    /// Waits until it was reported that nothing can be written.
    fn wait_for_outage(&self) {
        let is_outage = |text: &String| text.contains("cannot be written");
        let said = self.said.lock().expect("a lock");
        let waited = self
            .more
            .wait_timeout_while(said, PATIENCE, |said| !said.iter().any(is_outage));
        assert!(
            !waited.expect("a lock").1.timed_out(),
            "nothing was reported"
        );
    }
}

/// What was asked for.
struct Options {
    directory: PathBuf,
    consultations: u64,
    words: Vec<String>,
}

impl Options {
    fn read() -> Option<Self> {
        let mut words = env::args().skip(1);
        Some(Self {
            directory: words.next()?.into(),
            consultations: words.next()?.parse().ok()?,
            words: words.collect(),
        })
    }

    fn has(&self, word: &str) -> bool {
        self.words.iter().any(|given| given == word)
    }

    fn number(&self, name: &str) -> Option<u64> {
        let mut values = self.words.iter().filter_map(|word| word.split_once('='));
        let (_, value) = values.find(|(given, _)| *given == name)?;
        Some(value.parse().expect("a number"))
    }

    fn builder(&self) -> AuditBuilder {
        let mut builder = Audit::builder(&self.directory);
        if self.has("full") {
            builder = builder.with_capture(Capture::Full);
        }
        if self.has("chain") {
            builder = builder.with_chain();
        }
        if let Some(bytes) = self.number("part") {
            builder = builder.with_max_file_bytes(bytes);
        }
        if let Some(bytes) = self.number("waiting") {
            builder = builder.with_max_waiting_bytes(usize::try_from(bytes).expect("a size"));
        }
        builder
    }

    fn call(&self) -> HookCall {
        let bytes = usize::try_from(self.number("input").unwrap_or(8)).expect("a size");
        let input = format!(r#"{{"command":"{}"}}"#, "x".repeat(bytes));
        HookCall::new("agent-1", "shell", "call-1", input)
    }
}

fn main() -> ExitCode {
    let Some(options) = Options::read() else {
        return ExitCode::from(2);
    };
    if let Some(bytes) = options.number("fsize") {
        let limit = Rlimit {
            current: Some(bytes),
            ..getrlimit(Resource::Fsize)
        };
        setrlimit(Resource::Fsize, limit).expect("a lower limit");
    }
    let reports = Arc::new(Reports::default());
    let sink = Arc::clone(&reports);
    let audit = options
        .builder()
        .with_reporter(move |trouble| sink.add(trouble))
        .start()
        .expect("a thread");
    let outcomes = consult(&options, &audit, &reports);
    let closed = audit.close(PATIENCE);
    let reports = reports.said.lock().expect("a lock").clone();
    println!(
        "{}",
        json!({
            "outcomes": outcomes,
            "written": closed.written,
            "lost": closed.lost,
            "settled": closed.is_settled,
            "reports": reports,
        })
    );
    ExitCode::SUCCESS
}

/// How often each outcome came.
fn consult(options: &Options, audit: &Audit, reports: &Reports) -> BTreeMap<String, u64> {
    let runner = HookRunner::new("/repo", vec![])
        .with_interceptor(Agree)
        .with_recorder(audit.clone());
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .expect("a runtime");
    let call = options.call();
    let mut outcomes = BTreeMap::new();
    for number in 1..=options.consultations {
        let outcome = runtime.block_on(runner.decide(&call));
        *outcomes.entry(as_json(&outcome).to_string()).or_default() += 1;
        if options.has("vanish") && number == options.consultations / 2 {
            assert!(audit.flush(PATIENCE));
            fs::remove_dir_all(&options.directory).expect("removed");
        }
        if options.has("back") && number == options.consultations / 4 * 3 {
            reports.wait_for_outage();
            fs::create_dir(&options.directory).expect("made");
        }
        let is_mark = options
            .number("flush")
            .is_some_and(|every| number % every == 0);
        if is_mark && audit.flush(PATIENCE) {
            println!("{}", audit.written());
        }
    }
    outcomes
}
