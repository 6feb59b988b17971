//! `hookchain explain`: who would be asked about a call, and who would not and why. Runs nothing.

mod agent;
mod args;
mod explanation;
mod human;
mod json;
mod passed_over;

use std::io::{self, BufRead, BufReader, Read};

use hook_runner::HookRunner;
use hook_source::Severity;

pub(crate) use self::args::ExplainArgs;
use self::explanation::Explanation;
use crate::{
    check::{Report, drawings},
    cli::Format,
    command_error::CommandError,
    consult::{Call, Calls},
    handed::located,
    status::Status,
    streams::{Output, diagnose},
};

/// Runs the command.
pub(crate) fn run(args: &ExplainArgs, output: Output) -> Result<Status, CommandError> {
    let calls = Calls::of("explain", &args.call, args.each_line)?;
    let workspace = &args.hooks.workspace;
    let mut report = Report::of(workspace, &args.hooks.sources);
    report.look_at_doubts();
    output.diagnose_styled(&drawings(&report));
    if report.count(Severity::Error) > 0 {
        return Ok(Status::Trouble);
    }
    let desk = Desk {
        runner: HookRunner::new(workspace, report.hooks()),
        report,
        format: args.format,
        output,
    };
    match calls {
        Calls::One(call) => {
            desk.explain(&call)?;
            Ok(Status::Done)
        }
        Calls::EachLine { source, from } => desk.explain_each(source, from),
    }
}

/// Where calls are explained.
struct Desk {
    runner: HookRunner,
    report: Report,
    format: Format,
    output: Output,
}

impl Desk {
    fn explain(&self, call: &Call) -> Result<(), CommandError> {
        let explanation = Explanation::of(call, &self.runner, &self.report);
        let written = match self.format {
            Format::Human => self.output.styled(&human::page(&explanation, &self.report)),
            Format::Json => json::line(&explanation, &self.report)
                .map_err(io::Error::from)
                .and_then(|line| Output::raw(&line)),
        };
        written.map_err(CommandError::Write)
    }

    /// Explains each line of `source`. Every line has its explanation or its error, so that the two can be paired by counting.
    fn explain_each(
        &self,
        source: Box<dyn Read + Send>,
        from: String,
    ) -> Result<Status, CommandError> {
        let mut status = Status::Done;
        for (index, line) in BufReader::new(source).split(b'\n').enumerate() {
            let text = match line {
                Ok(text) => text,
                Err(source) => return Err(CommandError::Read { from, source }),
            };
            if index > 0 && self.format == Format::Human {
                self.output.styled("\n").map_err(CommandError::Write)?;
            }
            match Call::parse_one_of_many(&text, index + 1) {
                Ok(call) => self.explain(&call)?,
                Err(error) => {
                    status = Status::Trouble;
                    self.refuse(&located(&error, &from, index + 1))?;
                }
            }
        }
        Ok(status)
    }

    fn refuse(&self, error: &str) -> Result<(), CommandError> {
        diagnose(error);
        match self.format {
            Format::Human => Ok(()),
            Format::Json => Output::raw(&json::error(error)).map_err(CommandError::Write),
        }
    }
}
