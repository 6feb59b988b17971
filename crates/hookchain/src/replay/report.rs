//! What is printed while calls are replayed, and at the end.

use std::{collections::BTreeMap, io, path::Path};

use hook_runner::Consultation;

use super::{ReplayArgs, calls::RecordedCall, difference::Difference, human, json, survey::Survey};
use crate::{
    cli::Format,
    command_error::CommandError,
    status::Status,
    streams::{Output, diagnose},
};

/// Tells of each difference as it is found, so that none is kept.
#[derive(Debug)]
pub(super) struct Report<'a> {
    args: &'a ReplayArgs,
    output: Output,
    pub(super) sums: Sums,
}

/// How many calls came out how.
#[derive(Debug, Default)]
pub(super) struct Sums {
    pub(super) replayed: usize,
    pub(super) different: usize,
    /// How many outcomes became which other ones: the words of then and now, `ask` where a person has to agree.
    pub(super) changes: BTreeMap<(&'static str, &'static str), usize>,
    /// Answers that failed, and the first of them.
    pub(super) failures: usize,
    pub(super) first_failure: Option<String>,
}

impl<'a> Report<'a> {
    pub(super) fn new(args: &'a ReplayArgs, output: Output) -> Self {
        Self {
            args,
            output,
            sums: Sums::default(),
        }
    }

    pub(super) fn replayed(&self) -> usize {
        self.sums.replayed
    }

    /// Takes what came of a call. Gives the difference, where there is one.
    pub(super) fn add(
        &mut self,
        call: Box<RecordedCall>,
        today: &Consultation,
        workspace: &Path,
    ) -> Option<Difference> {
        self.sums.replayed += 1;
        for step in &today.trail {
            if let Some(failure) = &step.failure {
                self.sums.failures += 1;
                let text = || format!("{} {failure}", step.who);
                self.sums.first_failure.get_or_insert_with(text);
            }
        }
        Difference::between(call, today, workspace, self.args.reasons)
    }

    /// Tells of a difference.
    pub(super) fn tell(&mut self, difference: &Difference) -> Result<(), CommandError> {
        let is_first = self.sums.different == 0;
        self.sums.different += 1;
        let words = (difference.call.upshot.word(), difference.now.word());
        *self.sums.changes.entry(words).or_default() += 1;
        match self.args.format {
            Format::Human => self.styled(&human::difference(difference, is_first)),
            Format::Json => Self::raw(json::difference(difference, is_first)),
        }
    }

    /// Tells how it went, and whether every outcome is what it was.
    pub(super) fn conclude(self, survey: &Survey) -> Result<Status, CommandError> {
        match self.args.format {
            Format::Human => self.styled(&human::end(&self.sums, survey))?,
            Format::Json => Self::raw(json::end(&self.sums, survey))?,
        }
        if let Some(first) = &survey.first_unreadable {
            diagnose(first);
        }
        Ok(if self.sums.different == 0 {
            Status::Done
        } else {
            Status::Trouble
        })
    }

    fn styled(&self, text: &str) -> Result<(), CommandError> {
        self.output.styled(text).map_err(CommandError::Write)
    }

    fn raw(text: Result<String, serde_json::Error>) -> Result<(), CommandError> {
        text.map_err(io::Error::from)
            .and_then(|text| Output::raw(&text))
            .map_err(CommandError::Write)
    }
}
