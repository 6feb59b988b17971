//! A person at the terminal.

use std::{
    fmt::Write as _,
    fs::File,
    io::{self, BufRead, BufReader, Write as _},
    thread,
};

use hook_contract::{
    Approval, ApprovalRequest, Approver, HookEvent, HookOutcome, HookRequest, InterceptorError,
    async_trait, shown,
};
use rustix::fs::{FlockOperation, flock};
use tokio::sync::oneshot;

use super::pretty;

/// The terminal that this process belongs to, whatever its standard streams are.
const TERMINAL: &str = "/dev/tty";

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

/// One question at a time, whichever process asks it: two prompts on one terminal would be answered crosswise.
fn ask(question: &str) -> io::Result<bool> {
    let mut terminal = File::options().read(true).write(true).open(TERMINAL)?;
    flock(&terminal, FlockOperation::LockExclusive)?;
    terminal.write_all(question.as_bytes())?;
    terminal.flush()?;
    let mut line = String::new();
    BufReader::new(&terminal).read_line(&mut line)?;
    flock(&terminal, FlockOperation::Unlock)?;
    Ok(matches!(line.trim(), "y" | "Y" | "yes" | "Yes" | "YES"))
}

/// Everything that the person has to know, with nothing that drives the terminal.
fn question(request: &ApprovalRequest) -> String {
    let call = &request.call;
    let mut text = String::from("\n");
    for asker in &request.by {
        line(&mut text, "asks  ", &asker.to_string());
    }
    line(&mut text, "tool  ", &call.tool_name);
    value(&mut text, "input ", &call.input);
    if call.event == HookEvent::PreToolUse {
        if matches!(request.then, HookOutcome::Modify { .. }) {
            value(&mut text, "was   ", &request.first.input);
        }
        text.push_str("Run it? [y/N] ");
        return text;
    }
    output(&mut text, call);
    text.push_str("Show it to the model? [y/N] ");
    text
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
