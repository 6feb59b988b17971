//! `hookchain check`: every hooks file that would be used, and every program named in it.

mod args;
mod cases;
mod diagnostic;
mod drawing;
mod json;
mod report;
mod settings;
mod summary;

use std::io;

use hook_source::Severity;

pub(crate) use self::{
    args::CheckArgs,
    json::{FileLine, NotRunLine, files},
    report::Report,
    settings::Settings,
    summary::drawings,
};
use crate::{cli::Format, command_error::CommandError, status::Status, streams::Output};

/// Runs the command.
pub(crate) fn run(args: &CheckArgs, output: Output) -> Result<Status, CommandError> {
    let mut report = Report::of(args.workspace(), &args.sources);
    report.look_at_programs(args.workspace());
    if args.sources.native().is_some() {
        report.add_cases(args.workspace());
    }
    if args.strict {
        report.be_strict();
    }
    let written = match args.format {
        Format::Human => output.styled(&summary::page(&report)),
        Format::Json => json::line(&report, args.strict)
            .map_err(io::Error::from)
            .and_then(|line| Output::raw(&line)),
    };
    written.map_err(CommandError::Write)?;
    Ok(if report.count(Severity::Error) == 0 {
        Status::Done
    } else {
        Status::Trouble
    })
}
