//! The rows about the bridge: what a call costs in an agent that starts it.

use std::{fs, io, path::Path, time::Duration};

use hookchain_bench::{
    floor::{self, PingPong},
    measure::{by_turns, ratio},
    programs::Programs,
};

use crate::row::{Row, shown};

/// A call as Claude Code sends it.
const PAYLOAD: &[u8] = br#"{"session_id":"s","transcript_path":"/t.jsonl","cwd":"/repo","permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"git status","description":"Shows what has changed"},"tool_use_id":"toolu_01"}
"#;

/// How many lines are one measurement.
const LINES: u32 = 100;

/// The bridge, started for each call, as an agent starts it.
pub(crate) fn rows(programs: &Programs, rounds: usize) -> io::Result<Vec<Row>> {
    let command = std::env::current_exe()?.with_file_name("hookchain");
    if !command.is_file() {
        let message =
            "the command `hookchain` is not beside this program; cargo xtask bench builds it";
        return Err(io::Error::other(message));
    }
    let unguarded = Workspace::new(&command, &programs.c, "Write")?;
    let guarded = Workspace::new(&command, &programs.stamp, "Bash")?;
    let resident = Workspace::with_worker(&command, programs)?;
    // Its end is waited for when it is dropped.
    let _server = resident.serve(&command)?;
    let (mut starts, mut failed) = (Vec::new(), Ok(()));
    let [bare, passed, asked, warm, cold] = by_turns(
        rounds,
        [
            &mut || drop(floor::ask(&programs.c, PAYLOAD)),
            &mut || drop(floor::ask_words(&unguarded.words, PAYLOAD)),
            &mut || match guarded.start() {
                Ok(start) => starts.push(start),
                Err(error) => failed = Err(error),
            },
            &mut || drop(floor::ask_words(&resident.connecting(), PAYLOAD)),
            &mut || drop(floor::ask_words(&resident.words, PAYLOAD)),
        ],
    );
    failed?;
    starts.sort_unstable();
    let start = starts.get(starts.len() / 2).copied().unwrap_or_default();
    let detail = |time| format!("{} to {}", shown(time), shown(bare));
    let line = each_line(&unguarded, &command, &programs.unnamed, rounds)?;
    Ok(vec![
        line,
        Row::of_time(
            "bridge, from its start to that of the first hook",
            start,
            Duration::from_millis(3),
        ),
        Row::of_comparison(
            "bridge, a tool that no hook guards, to starting a C program",
            ratio(passed, bare),
            &detail(passed),
        ),
        Row::of_comparison(
            "bridge, one hook, C program, to starting that alone",
            ratio(asked, bare),
            &detail(asked),
        ),
        Row::of_comparison(
            "bridge --connect, one warm worker, to starting a C program",
            ratio(warm, bare),
            &detail(warm),
        ),
        Row::of_comparison(
            "bridge, the same worker, started for the call, to --connect",
            ratio(cold, warm),
            &format!("{} to {}", shown(cold), shown(warm)),
        ),
    ])
}

/// A call that no hook guards, to a kept child: what it takes beyond a line to a program and a line back.
fn each_line(
    workspace: &Workspace,
    command: &Path,
    echo: &[String],
    rounds: usize,
) -> io::Result<Row> {
    let root = workspace.directory.path().display().to_string();
    let command = command.display().to_string();
    let words = [&command, "consult", "--each-line", "--workspace", &root].map(str::to_owned);
    let (mut ours, mut bare) = (PingPong::start(&words)?, PingPong::start(echo)?);
    let line = b"{\"id\":1,\"tool_name\":\"shell\",\"input\":{\"command\":\"git status\"}}\n";
    let [bare, ours] = by_turns(
        rounds,
        [
            &mut || (0..LINES).for_each(|_| drop(bare.ask(line))),
            &mut || (0..LINES).for_each(|_| drop(ours.ask(line))),
        ],
    )
    .map(|time| time / LINES);
    Ok(Row::of_time(
        "consult --each-line, a call that no hook guards, beyond a line there and back",
        ours.saturating_sub(bare),
        Duration::from_micros(60),
    ))
}

/// A workspace with one hook, and the bridge into it.
struct Workspace {
    directory: tempfile::TempDir,
    words: Vec<String>,
}

impl Workspace {
    fn new(command: &Path, hook: &Path, tool: &str) -> io::Result<Self> {
        Self::of(
            command,
            &serde_json::json!({"name": "hook", "command": [hook], "tools": [tool]}),
        )
    }

    /// A worker in Python where there is one: what takes long to start is what is kept.
    fn with_worker(command: &Path, programs: &Programs) -> io::Result<Self> {
        let mut lines = programs.lines.iter();
        let words = lines.find(|(language, _)| *language == "Python");
        let words = words.or(programs.lines.first()).map(|(_, words)| words);
        Self::of(
            command,
            &serde_json::json!({"name": "hook", "command": words, "mode": "worker", "tools": ["Bash"], "event": "pre_tool_use"}),
        )
    }

    fn of(command: &Path, hook: &serde_json::Value) -> io::Result<Self> {
        let directory = tempfile::tempdir()?;
        fs::create_dir(directory.path().join(".basis"))?;
        let hooks = serde_json::json!({"schema": 1, "hooks": [hook]});
        fs::write(
            directory.path().join(".basis/hooks.json"),
            hooks.to_string(),
        )?;
        let words = ["bridge", "claude", "--workspace"].map(str::to_owned);
        let words = [command.display().to_string()].into_iter().chain(words);
        let words = words
            .chain([directory.path().display().to_string()])
            .collect();
        Ok(Self { directory, words })
    }

    /// The words of a bridge that asks the server.
    fn connecting(&self) -> Vec<String> {
        [&self.words[..], &["--connect".to_owned()]].concat()
    }

    /// A server that listens and has its worker.
    fn serve(&self, command: &Path) -> io::Result<PingPong> {
        let words = ["serve", "--socket", "--idle", "5", "--workspace"].map(str::to_owned);
        let words = [command.display().to_string()].into_iter().chain(words);
        let words: Vec<_> = words
            .chain([self.directory.path().display().to_string()])
            .collect();
        let mut server = PingPong::start(&words)?;
        // It says where it listens.
        server.ask(b"")?;
        floor::ask_words(&self.connecting(), PAYLOAD)?;
        Ok(server)
    }

    /// How long it takes from the start of the bridge to the first instruction of the hook.
    fn start(&self) -> io::Result<Duration> {
        let since = floor::now();
        floor::ask_words(&self.words, PAYLOAD)?;
        let stamp = fs::read_to_string(self.directory.path().join("stamp"))?;
        let started = stamp.parse().map_err(io::Error::other)?;
        Ok(Duration::from_nanos(started).saturating_sub(since))
    }
}
