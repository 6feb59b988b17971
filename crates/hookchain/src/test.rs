//! `hookchain test`: the cases of a workspace's hooks, several at a time, each in a copy of the workspace.

mod args;
mod case;
mod copy;
mod document;
mod execute;
mod find;
mod ignored;
mod impatience;
mod judge;
mod junit;
mod object;
mod page;
mod plan;
mod read;
mod schedule;
mod tally;

use std::{io, num::NonZeroUsize, path::Path, sync::Arc, thread, time::Instant};

use hook_config::HooksConfig;
use tokio::task;

pub(crate) use self::{
    args::TestArgs,
    find::{FindError, look},
    plan::CopyError,
};
use self::{
    case::Case,
    execute::Setup,
    plan::Extent,
    schedule::Schedule,
    tally::{Result as CaseResult, Tally},
};
use crate::{
    cli::Format,
    command_error::CommandError,
    progress::Progress,
    signals::Signals,
    status::Status,
    streams::{Output, diagnose},
};

/// Runs the command.
pub(crate) fn run(args: &TestArgs, output: Output) -> Result<Status, CommandError> {
    let files = find::find(&args.workspace, &args.paths)?;
    let config = if args.with_global {
        HooksConfig::default()
    } else {
        HooksConfig::new()
    };
    // What is wrong with the hooks files is said once, and not with each case.
    let loaded = hook_config::load(&args.workspace, &config)?;
    for warning in &loaded.warnings {
        diagnose(&warning.to_string());
    }
    let mut selected = Vec::new();
    let mut skipped = 0;
    for file in files {
        let path: Arc<Path> = file.path.into();
        for case in file.cases {
            if args.selects(&path, &case) {
                selected.push((Arc::clone(&path), Arc::new(case)));
            } else {
                skipped += 1;
            }
        }
    }
    let extent = Extent {
        with_ignored: args.with_ignored,
        max_bytes: args.max_copy * 1024 * 1024,
    };
    let bench = Bench {
        args,
        output,
        setup: Arc::new(Setup::new(args.workspace.clone(), config, extent)),
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(CommandError::Setup)?;
    runtime.block_on(bench.run(&selected, skipped))
}

impl TestArgs {
    fn selects(&self, file: &Path, case: &Case) -> bool {
        self.filter.as_ref().is_none_or(|text| {
            case.name.contains(text) || file.to_string_lossy().contains(text.as_str())
        })
    }

    fn jobs(&self) -> usize {
        let cores = || thread::available_parallelism().map_or(1, NonZeroUsize::get);
        self.jobs.unwrap_or_else(cores)
    }
}

/// Where cases are run and results are handed out.
struct Bench<'a> {
    args: &'a TestArgs,
    output: Output,
    setup: Arc<Setup>,
}

type Selected = (Arc<Path>, Arc<Case>);

impl Bench<'_> {
    async fn run(&self, selected: &[Selected], skipped: usize) -> Result<Status, CommandError> {
        // Before the first copy is made: from here on a signal kills what was started and removes what was copied.
        // The second one ends the process, wherever it is by then.
        let mut signals = Signals::listen().map_err(CommandError::Setup)?;
        impatience::listen().map_err(CommandError::Setup)?;
        let since = Instant::now();
        let mut results = Vec::new();
        if !selected.is_empty() {
            let setup = Arc::clone(&self.setup);
            let plan = task::spawn_blocking(move || setup.plan());
            let plan = tokio::select! {
                biased;
                signal = signals.received() => {
                    self.setup.stop();
                    return Ok(Status::Signalled(signal));
                }
                plan = plan => plan.map_err(|error| CommandError::Setup(io::Error::other(error)))??,
            };
            let mut schedule = Schedule::new(plan, Arc::clone(&self.setup), self.args.jobs());
            let ended = tokio::select! {
                biased;
                signal = signals.received() => Err(signal),
                ended = self.run_all(&mut schedule, selected, &mut results) => Ok(ended),
            };
            schedule.shutdown().await;
            match ended {
                Ok(ended) => ended?,
                Err(signal) => {
                    let (ran, all) = (results.len(), selected.len());
                    diagnose(&format!("interrupted after {ran} of {all} cases"));
                    return Ok(Status::Signalled(signal));
                }
            }
        }
        self.conclude(&Tally {
            results,
            skipped,
            took: since.elapsed(),
        })
    }

    async fn run_all<'s>(
        &self,
        schedule: &mut Schedule,
        selected: &'s [Selected],
        results: &mut Vec<CaseResult<'s>>,
    ) -> Result<(), CommandError> {
        let progress = Progress::new(selected.len(), "cases");
        if self.args.format == Format::Human {
            let mut files: Vec<_> = selected.iter().map(|(file, _)| file).collect();
            files.dedup();
            progress.aside(|| self.print(&page::start(selected.len(), files.len())))?;
        }
        let cases: Vec<_> = selected.iter().map(|(_, case)| Arc::clone(case)).collect();
        let next = |index: usize, ran| {
            let Some((file, case)) = selected.get(index) else {
                return Ok(());
            };
            let result = CaseResult { file, case, ran };
            if self.args.format == Format::Human {
                progress.aside(|| self.print(&page::case(&result, &self.setup)))?;
            }
            results.push(result);
            Ok(())
        };
        schedule.run(&cases, || progress.advance(), next).await
    }

    fn conclude(&self, tally: &Tally<'_>) -> Result<Status, CommandError> {
        match self.args.format {
            Format::Human => self.print(&page::end(tally))?,
            Format::Json => {
                let line = document::run(tally, &self.setup).map_err(io::Error::from);
                line.and_then(|line| Output::raw(&line))
                    .map_err(CommandError::Write)?;
            }
        }
        if let Some(path) = &self.args.junit {
            junit::write(path, tally, &self.setup).map_err(|source| CommandError::WriteFile {
                path: path.clone(),
                source,
            })?;
        }
        if let (true, Some(filter)) = (tally.results.is_empty(), &self.args.filter) {
            diagnose(&format!(
                "error: no case and no file has a name that holds `{filter}`"
            ));
        }
        Ok(if tally.is_success() {
            Status::Done
        } else {
            Status::Trouble
        })
    }

    fn print(&self, text: &str) -> Result<(), CommandError> {
        self.output.styled(text).map_err(CommandError::Write)
    }
}
