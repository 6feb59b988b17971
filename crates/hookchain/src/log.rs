//! `hookchain log`: what hooks said about earlier calls.

mod group;
mod human;
mod verify;

use std::{path::PathBuf, time::Duration};

use clap::{Args, ValueEnum};
use hook_audit::{Digest, Reader, Record, Timestamp};

pub(crate) use self::group::{Group, Groups};
use crate::{
    cli::Format,
    command_error::CommandError,
    page::Page,
    signals::Signals,
    since,
    status::Status,
    streams::{Output, diagnose},
};

/// How often whoever follows looks for more.
const PAUSE: Duration = Duration::from_millis(100);

/// Show what hooks said about earlier calls
///
/// Reads the records that `hookchain consult --record` or a runtime wrote, and shows one call after the other.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct LogArgs {
    /// The directory of records, or one of its files
    #[arg(value_name = "DIR")]
    directory: PathBuf,
    /// Wait for more, until interrupted
    #[arg(long)]
    follow: bool,
    /// Only calls from then on: a moment, a day, or how long ago (90s, 30m, 2h, 7d)
    #[arg(long, value_name = "WHEN", value_parser = since::parse)]
    since: Option<Timestamp>,
    /// Only calls that this hook was asked about: its name or its `handler_id`
    #[arg(long, value_name = "NAME")]
    hook: Option<String>,
    /// Only calls of this tool
    #[arg(long, value_name = "TOOL")]
    tool: Option<String>,
    /// Only calls with one of these outcomes, separated by commas
    #[arg(long = "outcome", value_name = "OUTCOMES", value_delimiter = ',')]
    outcomes: Vec<OutcomeWord>,
    /// Show nothing, but find the first line that was altered, is missing, or stands elsewhere
    #[arg(long, conflicts_with_all = ["follow", "since", "hook", "tool", "outcomes"])]
    verify: bool,
    /// A digest that --verify printed earlier: the line it is of must still be there
    #[arg(long, value_name = "DIGEST", requires = "verify")]
    kept: Option<Digest>,
    /// Print for a person, or for a program: the recorded lines, as they are
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    format: Format,
}

const EXAMPLES: &str = "\
Examples:
  hookchain log /var/log/agent/hooks --since 2h --outcome deny
  hookchain log /var/log/agent/hooks --follow --hook no-force-push
  hookchain log /var/log/agent/hooks --format json | jq 'select(.type == \"hook/result\")'
  hookchain log /var/log/agent/hooks --verify

Exit status: 0 done; 1 records cannot be read, or --verify found a line that is not as it was written;
2 wrong usage.";

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum OutcomeWord {
    Allow,
    Deny,
    Modify,
    Replace,
    /// A person had to agree, whatever came of it
    Ask,
    /// The runtime lost interest
    Abandoned,
    /// No end is recorded: it is still under way, or its process ended
    Unfinished,
}

impl OutcomeWord {
    fn is_of(self, group: &Group) -> bool {
        let word = match self {
            Self::Allow => "allow",
            Self::Deny => "deny",
            Self::Modify => "modify",
            Self::Replace => "replace",
            Self::Ask => return group.needed_a_person(),
            Self::Abandoned => "abandoned",
            Self::Unfinished => group::UNFINISHED,
        };
        word == group.outcome()
    }
}

/// Runs the command.
pub(crate) fn run(args: &LogArgs, output: Output) -> Result<Status, CommandError> {
    if args.verify {
        return verify::run(&args.directory, args.kept, args.format, output);
    }
    let mut reader = Reader::open(&args.directory).map_err(CommandError::Records)?;
    if let Some(since) = args.since {
        // A call may have begun the day before it ended.
        reader = reader.since(since.date().days_before(1));
    }
    let mut log = Log {
        args,
        output,
        groups: Groups::default(),
        unreadable: None,
        is_told: false,
    };
    if args.follow {
        return log.follow(reader.following());
    }
    log.show(&mut reader)?;
    for group in log.groups.take_all() {
        log.print(&group)?;
    }
    log.conclude();
    Ok(Status::Done)
}

struct Log<'a> {
    args: &'a LogArgs,
    output: Output,
    groups: Groups,
    /// The first line that is no record, and why.
    unreadable: Option<String>,
    /// Whether that was told.
    is_told: bool,
}

impl Log<'_> {
    /// Shows what there is, again and again, until a signal comes.
    fn follow(&mut self, mut reader: Reader) -> Result<Status, CommandError> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(CommandError::Setup)?;
        runtime.block_on(async {
            let mut signals = Signals::listen().map_err(CommandError::Setup)?;
            loop {
                self.show(&mut reader)?;
                self.conclude();
                tokio::select! {
                    biased;
                    signal = signals.received() => return Ok(Status::Signalled(signal)),
                    () = tokio::time::sleep(PAUSE) => {}
                }
            }
        })
    }

    /// Shows every call that has ended.
    fn show(&mut self, reader: &mut Reader) -> Result<(), CommandError> {
        while let Some(line) = reader.next_line().map_err(CommandError::Records)? {
            let record = match line.record() {
                Ok(record) => record,
                Err(error) => {
                    self.unreadable
                        .get_or_insert_with(|| format!("{}: {error}", line.place()));
                    continue;
                }
            };
            let text = String::from_utf8_lossy(line.bytes()).into_owned();
            if let Record::Lost(lost) = &record {
                self.print_lost(lost, &text)?;
            } else if let Some(group) = self.groups.add(record, text) {
                self.print(&group)?;
            }
        }
        Ok(())
    }

    fn print(&self, group: &Group) -> Result<(), CommandError> {
        if !self.is_wanted(group) {
            return Ok(());
        }
        match self.args.format {
            Format::Json => group.lines().try_for_each(print_line),
            Format::Human => self.styled(&human::group(group)),
        }
    }

    fn print_lost(&self, lost: &hook_audit::RecordsLost, text: &str) -> Result<(), CommandError> {
        if self.args.since.is_some_and(|since| lost.at < since) {
            return Ok(());
        }
        match self.args.format {
            Format::Json => print_line(text),
            Format::Human => self.styled(&human::lost(lost)),
        }
    }

    fn styled(&self, page: &Page) -> Result<(), CommandError> {
        self.output.styled(&page.text).map_err(CommandError::Write)
    }

    fn is_wanted(&self, group: &Group) -> bool {
        let args = self.args;
        let outcomes = &args.outcomes;
        args.since.is_none_or(|since| group.at() >= since)
            && args
                .tool
                .as_ref()
                .is_none_or(|tool| group.tool() == Some(tool))
            && args.hook.as_ref().is_none_or(|hook| group.asked(hook))
            && (outcomes.is_empty() || outcomes.iter().any(|word| word.is_of(group)))
    }

    /// Tells once of lines that are no records.
    fn conclude(&mut self) {
        if let (Some(problem), false) = (&self.unreadable, self.is_told) {
            diagnose(problem);
            self.is_told = true;
        }
    }
}

/// What stands behind the name of a participant that is asked again: nothing in the first pass.
pub(crate) fn again(pass: u8) -> String {
    if pass > 1 {
        format!(" (asked again, pass {pass})")
    } else {
        String::new()
    }
}

fn print_line(line: &str) -> Result<(), CommandError> {
    Output::raw(&format!("{line}\n")).map_err(CommandError::Write)
}
