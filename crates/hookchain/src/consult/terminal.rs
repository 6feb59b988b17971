//! A person at the terminal.

use std::{
    fmt::Write as _,
    fs::{self, File},
    io::{self, BufRead, BufReader, Write as _},
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
    thread,
};

use hook_contract::{
    Approval, ApprovalRequest, Approver, HookEvent, HookOutcome, HookRequest, InterceptorError,
    async_trait, shown,
};
use rustix::{
    fs::{FlockOperation, flock},
    termios::{QueueSelector, tcflush},
};
use tokio::sync::oneshot;

use super::pretty;

/// The terminal that this process belongs to, whatever its standard streams are.
const TERMINAL: &str = "/dev/tty";

/// How many lines of a question a screen surely holds.
const SCREEN: usize = 20;

/// How many characters of a text are repeated.
const LONGEST: usize = 300;

/// Asks the person at the terminal: shows the whole call, and takes anything but a yes for a no.
pub(super) struct Terminal;

#[async_trait]
impl Approver for Terminal {
    async fn approve(&self, request: &ApprovalRequest) -> Result<Approval, InterceptorError> {
        let question = question(request);
        let (sender, answer) = oneshot::channel();
        // Reading a terminal cannot be interrupted; the thread ends with its line, or with the process.
        thread::Builder::new()
            .name("terminal".into())
            .spawn(move || {
                let _given_up = sender.send(ask(&question));
            })?;
        let said = answer.await??;
        Ok(if said {
            Approval::granted()
        } else {
            Approval::refused("the person at the terminal said no")
        })
    }
}

/// Asks on the terminal. What was typed before the question is there is no answer to it.
fn ask(question: &str) -> io::Result<bool> {
    let mut terminal = File::options()
        .read(true)
        .write(true)
        .open(TERMINAL)
        .map_err(|error| no_terminal(&error))?;
    let _turn = turn(&terminal)?;
    tcflush(&terminal, QueueSelector::IFlush)?;
    terminal.write_all(question.as_bytes())?;
    terminal.flush()?;
    let mut line = String::new();
    BufReader::new(&terminal).read_line(&mut line)?;
    Ok(matches!(line.trim(), "y" | "Y" | "yes" | "Yes" | "YES"))
}

fn no_terminal(error: &io::Error) -> io::Error {
    let text = format!(
        "there is no terminal to ask a person at ({error}); choose --on-ask deny or --on-ask report"
    );
    io::Error::new(error.kind(), text)
}

/// One question at a time on one terminal, whichever process asks it: two prompts would be answered crosswise. The turn
/// lasts until the file is dropped.
fn turn(mut terminal: &File) -> io::Result<File> {
    let file = File::open(device().as_deref().unwrap_or(Path::new(TERMINAL)))?;
    if flock(&file, FlockOperation::NonBlockingLockExclusive).is_err() {
        terminal.write_all(
            b"\nhookchain: another question waits on this terminal; the next one comes after it\n",
        )?;
        flock(&file, FlockOperation::LockExclusive)?;
    }
    Ok(file)
}

/// The device of the terminal that this process belongs to. `/dev/tty` is one file for all terminals of all users: a lock
/// on it would hold up every one of them.
#[cfg(target_os = "linux")]
fn device() -> Option<PathBuf> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program, in parentheses, may hold anything; then come state, parent, group, session, terminal.
    let (_, numbers) = stat.rsplit_once(')')?;
    let number: u64 = numbers.split_whitespace().nth(4)?.parse().ok()?;
    let (major, minor) = (
        (number >> 8) & 0xff,
        (number & 0xff) | ((number >> 12) & 0xf_ff00),
    );
    let path = match major {
        136..=143 => format!("/dev/pts/{}", ((major - 136) << 20) + minor),
        4 => format!("/dev/tty{minor}"),
        _ => return None,
    };
    let found = fs::metadata(&path).ok()?.rdev();
    let device = (rustix::fs::major(found), rustix::fs::minor(found));
    let is_it = (u64::from(device.0), u64::from(device.1)) == (major, minor);
    is_it.then(|| path.into())
}

#[cfg(not(target_os = "linux"))]
const fn device() -> Option<PathBuf> {
    None
}

/// Everything that the person has to know, with nothing that drives the terminal.
fn question(request: &ApprovalRequest) -> String {
    let call = &request.call;
    let mut text = String::from("\n");
    for asker in &request.by {
        line(&mut text, "asks  ", &asker.to_string());
    }
    line(&mut text, "in    ", &call.workspace.to_string_lossy());
    line(&mut text, "tool  ", &call.tool_name);
    value(&mut text, "input ", &call.input);
    if call.event == HookEvent::PreToolUse {
        if matches!(request.then, HookOutcome::Modify { .. }) {
            value(&mut text, "was   ", &request.first.input);
        }
        remind(&mut text, request);
        text.push_str("Run it? [y/N] ");
        return text;
    }
    output(&mut text, call);
    remind(&mut text, request);
    text.push_str("Show it to the model? [y/N] ");
    text
}

/// Says once more what it is about, below a question that a screen may not hold. The agent chooses the order of the
/// members, and could push the one that matters out of sight.
fn remind(text: &mut String, request: &ApprovalRequest) {
    let lines = text.lines().count();
    if lines <= SCREEN {
        return;
    }
    let call = &request.call;
    let above = format!("there are {lines} lines above; this is the call once more");
    line(text, "note  ", &above);
    line(text, "asks  ", &bounded(&request.reasons()));
    line(text, "tool  ", &bounded(&call.tool_name));
    if let Some(command) = call.input.get("command").and_then(|value| value.as_str()) {
        line(text, "runs  ", &bounded(command));
    }
}

/// The beginning of a text, on one line.
fn bounded(text: &str) -> String {
    let mut characters = text.chars();
    let mut beginning: String = characters.by_ref().take(LONGEST).collect();
    if characters.next().is_some() {
        beginning.push_str(" … [more above]");
    }
    shown::line(&beginning)
}

fn output(text: &mut String, call: &HookRequest) {
    if let Some(output) = &call.output {
        value(text, "output", output);
    }
}

fn value(text: &mut String, label: &str, value: &hook_contract::Json) {
    for (index, part) in pretty::whole(value).lines().enumerate() {
        line(text, if index == 0 { label } else { "      " }, part);
    }
}

fn line(text: &mut String, label: &str, words: &str) {
    for (index, part) in words.lines().enumerate() {
        let label = if index == 0 { label } else { "      " };
        // Writing to a string cannot fail.
        let _infallible = writeln!(text, "  {label} {}", shown::line(part));
    }
}
