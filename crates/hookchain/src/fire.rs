//! `hookchain fire`: the events of other agents that are no tool calls.

mod args;
mod facts;
mod human;
mod json;

use std::io;

use hook_dialect::{Dialect, MergedOutcome, Verdict, dialect::EventRow, run::Fired};
use hook_source::nearest;

pub(crate) use self::args::FireArgs;
use crate::{
    agents::{self, Native},
    cli::{Format, usage_error},
    command_error::CommandError,
    signals::Signals,
    status::Status,
    streams::{Output, diagnose},
};

/// Runs the command.
pub(crate) fn run(args: &FireArgs, output: Output) -> Result<Status, CommandError> {
    let event = event(args.agent, &args.event)?;
    let facts = facts::read(args, event)?;
    let config = args.reading.settings_of(args.agent);
    let hooks = agents::load_hooks(
        args.agent,
        &args.workspace,
        &config,
        &[event.name],
        Native::NotAsked,
    )?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(CommandError::Setup)?;
    runtime.block_on(async {
        // As in `consult`: a signal kills what was started, and then ends the process.
        let mut signals = Signals::listen().map_err(CommandError::Setup)?;
        let fired = tokio::select! {
            biased;
            signal = signals.received() => return Ok(Status::Signalled(signal)),
            fired = hooks.fire(event.name, &facts) => fired,
        };
        let status = match fired {
            Ok(fired) => show(args, event, &fired, output),
            Err(error) => Err(error.into()),
        };
        match agents::settle(&[hooks], &mut signals).await {
            Some(signal) => Ok(Status::Signalled(signal)),
            None => status,
        }
    })
}

/// The row of the event that is named.
fn event(agent: &'static Dialect, name: &str) -> Result<&'static EventRow, CommandError> {
    Dialect::event(agent, name).ok_or_else(|| {
        let names: Vec<_> = agent.events.iter().map(|row| row.name).collect();
        let meant = nearest(name, &names).map(|near| format!("did you mean {near}? "));
        let message = format!(
            "{} has no event '{name}'; {}its events are {}",
            agent.title,
            meant.unwrap_or_default(),
            names.join(", ")
        );
        usage_error("fire", &message)
    })
}

fn show(
    args: &FireArgs,
    event: &EventRow,
    fired: &Fired,
    output: Output,
) -> Result<Status, CommandError> {
    let written = match args.format {
        Format::Human => output.styled(&human::page(args.agent, event, fired)),
        Format::Json => {
            remark(fired);
            json::line(args.agent, event, fired, args.trail)
                .map_err(io::Error::from)
                .and_then(|line| Output::raw(&line))
        }
    };
    written.map_err(CommandError::Write)?;
    Ok(status(event, &fired.outcome))
}

/// Tells the operator what went wrong; a person who reads the page reads it there.
fn remark(fired: &Fired) {
    for remark in fired.remarks() {
        diagnose(&remark);
    }
}

/// Whether what is about to happen may happen. Nobody can be asked here, so what wants somebody asked may not.
fn status(event: &EventRow, outcome: &MergedOutcome) -> Status {
    let refused = match outcome.decision {
        Verdict::Deny | Verdict::Defer | Verdict::Ask => true,
        // Where nothing is about to happen, the end of the turn is the course of things.
        Verdict::None | Verdict::Allow => outcome.stop && event.before,
    };
    if refused {
        Status::Denied
    } else {
        Status::Done
    }
}
