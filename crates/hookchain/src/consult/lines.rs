//! One call per line in, one outcome per line out.
//!
//! A call with an `id` is judged beside others and answered under its id as soon as it is decided; calls without one are judged one
//! after the other and answered in their order. Whatever a line is, it has exactly one answer, but for a cancellation, whose answer is
//! that of the call.
//!
//! ```text
//!  reader thread ──► Floor: waiting, running, in the lane ──► writer thread
//!        ▲                                                        │
//!        └──────────── a place and its bytes, given back ─────────┘
//! ```
//!
//! A line holds a place until its answer is written. So a client that does not read its answers is not read any more, and
//! nothing grows.

mod floor;
mod id;
mod line;
mod places;
mod reader;
mod writer;

use std::{io::Read, num::NonZeroUsize, thread};

use serde::Serialize;

pub(super) use self::id::Id;
use self::{floor::Floor, line::Line, writer::Writer};
use super::Desk;
use crate::{cli::LinesArgs, command_error::CommandError, signals::Signals, status::Status};

/// How many calls with an id are judged at once for each processor, unless set.
const JOBS_PER_CORE: usize = 4;

/// What is printed first, when it is asked for.
#[derive(Serialize)]
struct Hello<'a> {
    hookchain: &'static str,
    wire: u32,
    workspace: &'a str,
    pid: u32,
    parent: u32,
}

/// Puts each line of `source` through the chain until its end.
pub(super) async fn consult_each(
    desk: &Desk,
    args: &LinesArgs,
    source: Box<dyn Read + Send>,
    from: &str,
    signals: &mut Signals,
) -> Result<Status, CommandError> {
    let mut lines = reader::start(source).map_err(CommandError::Setup)?;
    let mut writer = Writer::start(desk.format, desk.output).map_err(CommandError::Setup)?;
    if args.hello {
        writer.write(hello(desk)?, None);
    }
    let state = writer.state();
    let jobs = args.jobs.map_or_else(default_jobs, NonZeroUsize::get);
    let mut floor = Floor::new(desk, jobs);
    let (mut number, mut input_is_over) = (0, false);
    loop {
        floor.start_what_may(&writer)?;
        if input_is_over && floor.is_empty() {
            break;
        }
        tokio::select! {
            biased;
            signal = signals.received() => return Ok(Status::Signalled(signal)),
            error = writer.failed() => return Err(CommandError::Write(error)),
            ended = floor.ended(), if floor.is_judging() => floor.answer(&ended, &writer)?,
            line = lines.recv(), if !input_is_over => match line {
                None => input_is_over = true,
                Some(Ok(read)) => {
                    number += 1;
                    let line = Line::of(&read.bytes, from, number);
                    floor.take(line, read.place, &writer)?;
                }
                Some(Err(source)) => {
                    let from = from.to_owned();
                    return Err(CommandError::Read { from, source });
                }
            },
            () = state.has_written(), if floor.holds_back() => {}
        }
    }
    let status = floor.status();
    tokio::select! {
        biased;
        signal = signals.received() => Ok(Status::Signalled(signal)),
        written = writer.finish() => written.map(|()| status).map_err(CommandError::Write),
    }
}

fn default_jobs() -> usize {
    JOBS_PER_CORE * thread::available_parallelism().map_or(1, NonZeroUsize::get)
}

fn hello(desk: &Desk) -> Result<String, CommandError> {
    let hello = Hello {
        hookchain: env!("CARGO_PKG_VERSION"),
        wire: 2,
        workspace: &desk.runner.workspace().to_string_lossy(),
        pid: std::process::id(),
        parent: std::os::unix::process::parent_id(),
    };
    let line = serde_json::to_string(&hello).map_err(|error| CommandError::Write(error.into()))?;
    Ok(line + "\n")
}
