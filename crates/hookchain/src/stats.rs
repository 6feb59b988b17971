//! `hookchain stats`: what each hook did and what it cost.

mod html;
mod human;
mod json;

use std::{fs, path::PathBuf};

use clap::Args;
use hook_audit::{Reader, Summary, Timestamp};

use crate::{cli::Format, command_error::CommandError, since, status::Status, streams::Output};

/// Sum up what each hook did and what it cost
///
/// Reads the records that `hookchain consult --record` or a runtime wrote: calls, denials, asks, changes, failures and
/// times of each hook, its share of all waiting, and what happened day by day.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct StatsArgs {
    /// The directory of records, or one of its files
    #[arg(value_name = "DIR")]
    directory: PathBuf,
    /// Only records from then on: a moment, a day, or how long ago (90s, 30m, 2h, 7d)
    #[arg(long, value_name = "WHEN", value_parser = since::parse)]
    since: Option<Timestamp>,
    /// Also write a page with charts to this file: one that needs no other file and no network
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Print for a person, or for a program: one JSON object
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    format: Format,
}

const EXAMPLES: &str = "\
Examples:
  hookchain stats /var/log/agent/hooks --since 7d
  hookchain stats /var/log/agent/hooks --html hooks.html
  hookchain stats /var/log/agent/hooks --format json | jq '.hooks[] | select(.failures > 0)'

Exit status: 0 done; 1 records cannot be read, or the page not be written; 2 wrong usage.";

/// Runs the command.
pub(crate) fn run(args: &StatsArgs, output: Output) -> Result<Status, CommandError> {
    let summary = read(args)?;
    if let Some(path) = &args.html {
        fs::write(path, html::page(&summary, &args.directory)).map_err(|source| {
            CommandError::WriteFile {
                path: path.clone(),
                source,
            }
        })?;
    }
    let printed = match args.format {
        Format::Json => Output::raw(&json::report(&summary)),
        Format::Human => output.styled(&human::report(&summary).text),
    };
    printed.map_err(CommandError::Write)?;
    Ok(Status::Done)
}

fn read(args: &StatsArgs) -> Result<Summary, CommandError> {
    let mut reader = Reader::open(&args.directory).map_err(CommandError::Records)?;
    let mut summary = Summary::default();
    if let Some(since) = args.since {
        reader = reader.since(since.date());
        summary = summary.since(since);
    }
    while let Some(line) = reader.next_line().map_err(CommandError::Records)? {
        summary.add(&line);
    }
    Ok(summary)
}
