//! The steps a fake hook can be told to take.

use std::{
    env,
    fs::{self, OpenOptions},
    io::{self, BufRead, Read, Write},
    os::unix::process::CommandExt,
    path::Path,
    process::{self, Command, Stdio},
    thread,
    time::{Duration, SystemTime},
};

use hook_contract::Json;
use hook_wire::{HookResponse, encode_response};
use rustix::process::{Signal, getpid, kill_process};

use crate::{lifetime, report::report, unruly};

/// Between two looks at a file that somebody else writes, and between two bytes of a drip.
const PAUSE: Duration = Duration::from_millis(1);

/// How long a chain of processes goes on.
const BREEDING: Duration = Duration::from_secs(25);

/// A hook on its way through its steps.
#[derive(Debug, Default)]
pub(crate) struct Hook {
    input: Vec<u8>,
}

impl Hook {
    /// Takes one step; `rest` are the steps after it.
    pub(crate) fn step(&mut self, word: &str, rest: &[String]) {
        let (verb, value) = word.split_once('=').unwrap_or((word, ""));
        match verb {
            "read" => self.read(value),
            "line" => self.read_line(),
            "repeat" => loop {
                self.steps(value);
            },
            "unruly" => unruly::serve(self, number(value)),
            "nonce" => self.nonce(None),
            "nonce-of" => self.nonce(Some(&format!("{value:?}"))),
            "allow" => answer(&HookResponse::allow()),
            "deny" if value.is_empty() => answer(&HookResponse::deny_without_reason()),
            "deny" => answer(&HookResponse::deny(value)),
            "ask" => answer(&HookResponse::ask(value)),
            "tell" => answer(&HookResponse::allow().with_context(value)),
            "modify" => answer(&HookResponse::modify(json(value))),
            "replace" => answer(&HookResponse::replace(json(value))),
            "echo" => self.echo(),
            "report" => answer(&HookResponse::modify(report())),
            "print" => print(value.as_bytes()),
            "hex" => print(&bytes(value)),
            "file" => print(&fs::read(value).expect("a readable file")),
            "drip" => drip(&bytes(value)),
            "answer-of" => answer_of(number(value)),
            "flood-out" => flood(io::stdout(), b'x', value),
            "flood-err" => flood(io::stderr(), b'x', value),
            "flood-blank" => flood(io::stdout(), b'\n', value),
            "error" => heard(io::stderr().write_all(value.as_bytes())),
            "error-hex" => heard(io::stderr().write_all(&bytes(value))),
            "close" => close(value),
            "exit" => process::exit(i32::try_from(number(value)).expect("a status")),
            "crash" => panic!("as it was told"),
            "signal" => signal(value),
            "stop" => stop(),
            "hang" => hang(),
            "ignore-term" => ignore_term(rest),
            "setsid" => drop(rustix::process::setsid().expect("a session")),
            "spawn-holding" => spawn(value, Stdio::inherit, Stdio::inherit),
            "spawn-detached" => spawn(value, Stdio::null, Stdio::null),
            "breed" => breed(value),
            "mark" => mark(value),
            "wait-for" => wait_for(value),
            _ => panic!("no step is called {verb}"),
        }
    }

    fn read(&mut self, value: &str) {
        let limit = if value.is_empty() {
            u64::MAX
        } else {
            number(value)
        };
        let input = io::stdin().lock().take(limit).read_to_end(&mut self.input);
        input.expect("readable input");
    }

    /// Reads the next line in place of what was read before.
    pub(crate) fn read_line(&mut self) {
        self.input.clear();
        let read = io::stdin().lock().read_until(b'\n', &mut self.input);
        if read.expect("readable input") == 0 {
            process::exit(0);
        }
        lifetime::prolong();
    }

    fn steps(&mut self, steps: &str) {
        let words: Vec<String> = steps
            .split(' ')
            .map(|step| step.replace('~', " "))
            .collect();
        for (index, word) in words.iter().enumerate() {
            self.step(word, words.get(index + 1..).unwrap_or_default());
        }
    }

    /// What it read.
    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.input.clone()).expect("a request in UTF-8")
    }

    fn nonce(&self, call: Option<&str>) {
        let request = json(self.text().trim_end());
        let own = request["tool_call_id"].to_string();
        let number = request["input"]["n"].to_string();
        print(&unruly::answer(&number, Some(call.unwrap_or(&own))));
    }

    /// The request as it was written, digit for digit.
    fn echo(&self) {
        let request = self.text();
        let event = json(request.trim_end())["event"].clone();
        let saw = json(&format!(r#"{{"saw":{}}}"#, request.trim_end()));
        answer(&if event == "post_tool_use" {
            HookResponse::replace(saw)
        } else {
            HookResponse::modify(saw)
        });
    }
}

fn answer(response: &HookResponse) {
    print(&encode_response(response));
}

pub(crate) fn print(bytes: &[u8]) {
    let mut out = io::stdout().lock();
    heard(out.write_all(bytes).and_then(|()| out.flush()));
}

/// Nobody may be listening any more; that is what some of the steps are about.
fn heard(result: io::Result<()>) {
    if let Err(error) = result {
        assert_eq!(error.kind(), io::ErrorKind::BrokenPipe, "{error}");
    }
}

fn drip(bytes: &[u8]) {
    for byte in bytes {
        print(&[*byte]);
        thread::sleep(PAUSE);
    }
}

fn answer_of(size: u64) {
    let (start, end) = (r#"{"decision":"allow","padding":""#, r#""}"#);
    let padding = usize::try_from(size).expect("a size") - start.len() - end.len();
    print(format!("{start}{}{end}", "x".repeat(padding)).as_bytes());
}

fn flood(mut stream: impl Write, of: u8, size: &str) {
    let mut left = if size == "endless" {
        u64::MAX
    } else {
        number(size)
    };
    let block = [of; 8192];
    while left > 0 {
        let count = block.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        if stream.write_all(&block[..count]).is_err() {
            process::exit(0);
        }
        left -= count as u64;
    }
    heard(stream.flush());
}

/// Puts nothing in the stream's place: the other side sees the end of the pipe.
fn close(stream: &str) {
    let null = OpenOptions::new().read(true).write(true).open("/dev/null");
    let null = null.expect("/dev/null");
    let done = match stream {
        "0" => rustix::stdio::dup2_stdin(&null),
        "1" => rustix::stdio::dup2_stdout(&null),
        _ => rustix::stdio::dup2_stderr(&null),
    };
    done.expect("a closed stream");
}

fn signal(value: &str) {
    let number = i32::try_from(number(value)).expect("a signal");
    let signal = Signal::from_named_raw(number).expect("a signal");
    // Rust's own handler of some signals swallows the first one.
    loop {
        kill_process(getpid(), signal).expect("sent");
        thread::sleep(PAUSE);
    }
}

/// Stopped, it cannot end by itself; so it ends with whoever started it.
fn stop() {
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL)).expect("set");
    kill_process(getpid(), Signal::STOP).expect("sent");
}

fn hang() {
    loop {
        thread::park();
    }
}

/// An ignored signal stays ignored across an exec, and a shell can ignore one without unsafe code.
fn ignore_term(rest: &[String]) {
    let error = Command::new("/bin/sh")
        .args(["-c", r#"trap '' TERM INT HUP; exec "$@""#, "sh"])
        .arg(env::current_exe().expect("a path"))
        .args(rest)
        .exec();
    panic!("{error}");
}

fn spawn(steps: &str, stdin: fn() -> Stdio, stdout: fn() -> Stdio) {
    let mut child = Command::new(env::current_exe().expect("a path"));
    child
        .args(steps.split(' ').map(|step| step.replace('~', " ")))
        .stdin(stdin());
    child.stdout(stdout()).stderr(stdout());
    // It is not waited for: that is the point.
    drop(child.spawn().expect("started"));
}

fn breed(until: &str) {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let now = u64::try_from(now.expect("a time").as_millis()).expect("a time");
    let until = if until.is_empty() {
        now + u64::try_from(BREEDING.as_millis()).expect("a time")
    } else {
        number(until)
    };
    if now < until {
        spawn(&format!("breed={until}"), Stdio::inherit, Stdio::inherit);
    }
    process::exit(0);
}

fn mark(path: &str) {
    let file = OpenOptions::new().create(true).append(true).open(path);
    let line = format!("{}\n", process::id());
    file.and_then(|mut file| file.write_all(line.as_bytes()))
        .expect("written");
}

fn wait_for(value: &str) {
    let (path, lines) = value.split_once(':').unwrap_or((value, "1"));
    let wanted = usize::try_from(number(lines)).expect("a count");
    while lines_of(Path::new(path)) < wanted {
        thread::sleep(PAUSE);
    }
}

fn lines_of(path: &Path) -> usize {
    fs::read_to_string(path).map_or(0, |text| text.lines().count())
}

fn number(text: &str) -> u64 {
    text.parse().expect("a number")
}

fn json(text: &str) -> Json {
    Json::parse(text).expect("JSON")
}

fn bytes(digits: &str) -> Vec<u8> {
    let pairs = digits.as_bytes().chunks(2);
    pairs
        .map(|pair| {
            let pair = std::str::from_utf8(pair).expect("digits");
            u8::from_str_radix(pair, 16).expect("two hexadecimal digits")
        })
        .collect()
}
