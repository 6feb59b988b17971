//! `hookchain replay`: what today's hooks would have said about recorded calls.

mod args;
mod calls;
mod difference;
mod human;
mod json;
mod report;
mod schedule;
mod survey;
mod upshot;
mod why;

use std::num::NonZeroUsize;

pub(crate) use self::args::ReplayArgs;
use self::{calls::Calls, report::Report, schedule::Schedule, survey::Survey};
use crate::{
    agents,
    command_error::CommandError,
    consult::{Loaded, load},
    progress::Progress,
    signals::Signals,
    status::Status,
    streams::{Output, diagnose},
};

/// Runs the command.
pub(crate) fn run(args: &ReplayArgs, output: Output) -> Result<Status, CommandError> {
    let survey = Survey::of(args)?;
    if let Some(refusal) = survey.refusal(args) {
        diagnose(&refusal);
        return Ok(Status::Trouble);
    }
    let Loaded { runner, agents, .. } = load(&args.hooks)?;
    // What fails is told with the calls whose outcome it changes, and counted.
    let runner = runner.with_reporter(|_| ());
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(CommandError::Setup)?;
    let calls = Calls::open(args)?.take(survey.calls);
    let mut report = Report::new(args, output);
    let ended = runtime.block_on(async {
        // Before the first hook is started: from here on a signal kills what was started, and then ends the process.
        let mut signals = Signals::listen().map_err(CommandError::Setup)?;
        let progress = Progress::new(survey.calls, "calls");
        let mut schedule = Schedule::new(runner.clone(), jobs(args));
        let ended = tokio::select! {
            biased;
            signal = signals.received() => Ok(Some(signal)),
            ended = schedule.run(calls, &progress, &mut report) => ended.map(|()| None),
        };
        schedule.shutdown().await;
        runner.shutdown().await;
        match ended {
            Ok(None) => Ok(agents::settle(&agents, &mut signals).await),
            ended => ended,
        }
    })?;
    if let Some(signal) = ended {
        let (done, all) = (report.replayed(), survey.calls);
        diagnose(&format!("interrupted after {done} of {all} calls"));
        return Ok(Status::Signalled(signal));
    }
    report.conclude(&survey)
}

fn jobs(args: &ReplayArgs) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    args.jobs.unwrap_or_else(cores)
}
