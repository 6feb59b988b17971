//! One call per line in, one outcome per line out.

use std::{
    io::{self, BufRead, BufReader, Read},
    thread,
};

use hook_contract::HookOutcome;
use tokio::sync::mpsc;

use super::{Desk, call::Call, human, outcome::OutcomeLine, print_line};
use crate::{
    cli::Format, command_error::CommandError, handed::located, signals::Signals, status::Status,
    streams::diagnose,
};

/// Puts each line of `source` through the chain, in order, until its end. Every line has its answer, so that a runtime
/// can pair the two by counting.
pub(super) async fn consult_each(
    desk: &Desk,
    source: Box<dyn Read + Send>,
    from: &str,
    signals: &mut Signals,
) -> Result<Status, CommandError> {
    let mut lines = read(source).map_err(CommandError::Setup)?;
    let mut status = Status::Done;
    let mut number = 0;
    loop {
        let line = tokio::select! {
            biased;
            signal = signals.received() => return Ok(Status::Signalled(signal)),
            line = lines.recv() => line,
        };
        let text = match line {
            None => return Ok(status),
            Some(Ok(text)) => text,
            Some(Err(source)) => {
                let from = from.to_owned();
                return Err(CommandError::Read { from, source });
            }
        };
        number += 1;
        if number > 1 && desk.format == Format::Human {
            desk.styled("\n")?;
        }
        let call = match Call::parse_one_of_many(&text, number) {
            Ok(call) => call,
            Err(error) => {
                status = Status::Trouble;
                refuse(desk, &located(&error, from, number))?;
                continue;
            }
        };
        if let ended @ Status::Signalled(_) = desk.one(&call, signals).await? {
            return Ok(ended);
        }
    }
}

/// Answers a line that is no call such that a runtime which looks at nothing but the outcome stops.
fn refuse(desk: &Desk, error: &str) -> Result<(), CommandError> {
    let outcome = HookOutcome::deny("denied before any hook was asked: the call could not be read");
    match desk.format {
        Format::Human => desk.styled(&human::refusal(&outcome, error)),
        Format::Json => {
            diagnose(error);
            print_line(&OutcomeLine::new(&outcome).with_error(error))
        }
    }
}

/// Reads lines on a thread of its own: a read cannot be interrupted, and a signal must not wait for one.
///
/// The thread ends with its source, or with the process.
fn read(source: Box<dyn Read + Send>) -> io::Result<mpsc::Receiver<io::Result<Vec<u8>>>> {
    let (sender, receiver) = mpsc::channel(1);
    thread::Builder::new().name("lines".into()).spawn(move || {
        let mut source = BufReader::new(source);
        loop {
            let mut line = Vec::new();
            let read = match source.read_until(b'\n', &mut line) {
                Ok(0) => return,
                Ok(_) => Ok(line),
                Err(error) => Err(error),
            };
            let failed = read.is_err();
            if sender.blocking_send(read).is_err() || failed {
                return;
            }
        }
    })?;
    Ok(receiver)
}
