//! The arguments of `hookchain replay`.

use std::path::PathBuf;

use clap::{Args, builder::RangedU64ValueParser};
use hook_audit::Timestamp;

use crate::{
    cli::{Format, HooksArgs},
    since,
};

/// Ask today's hooks about recorded calls, and show which outcomes differ
///
/// A regression test for a change of hooks: reads calls that `hookchain consult --record DIR --record-capture full` or a
/// runtime recorded, puts each through the hooks as they are now, and compares what comes out with what came out then.
/// No tool is run, but the hooks are, with whatever they do beside answering.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ReplayArgs {
    /// The directory of records, or one of its files
    #[arg(value_name = "RECORDS")]
    pub(super) records: PathBuf,
    #[command(flatten)]
    pub(super) hooks: HooksArgs,
    /// Only calls from then on: a moment, a day, or how long ago (90s, 30m, 2h, 7d)
    #[arg(long, value_name = "WHEN", value_parser = since::parse)]
    pub(super) since: Option<Timestamp>,
    /// Only calls of this tool
    #[arg(long, value_name = "TOOL")]
    pub(super) tool: Option<String>,
    /// Only calls that were recorded in this workspace: its path as the records have it
    #[arg(long, value_name = "DIR")]
    pub(super) recorded_in: Option<String>,
    /// Leave out calls whose inputs and outputs were not recorded in full, instead of refusing all
    #[arg(long)]
    pub(super) skip_incomplete: bool,
    /// Another reason for the same outcome is a difference, too
    #[arg(long)]
    pub(super) reasons: bool,
    /// How many calls are asked about at a time, one for each core unless given; with 1, in the order in which they
    /// ended
    #[arg(long, short, value_name = "N", value_parser = RangedU64ValueParser::<usize>::new().range(1..=1024))]
    pub(super) jobs: Option<usize>,
    /// Print for a person, or one JSON object for a program
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub(super) format: Format,
}

const EXAMPLES: &str = "\
Examples:
  hookchain replay /var/log/agent/hooks --workspace /repo
  hookchain replay /var/log/agent/hooks --since 7d --tool shell --jobs 8
  hookchain replay hooks-2026-11-30.0001.jsonl --format json | jq '.differences[] | select(.now.outcome == \"deny\")'

Exit status: 0 every outcome is as it was; 1 an outcome differs, there is no call to replay, a call was
not recorded in full, or something is wrong with the records or a hooks file; 2 wrong usage.";
