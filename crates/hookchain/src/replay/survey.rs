//! What there is to replay, before any hook is asked.

use std::{collections::BTreeMap, fmt::Write as _};

use super::{
    ReplayArgs,
    calls::{Calls, Incomplete, Item},
};
use crate::command_error::CommandError;

/// How many lines are named.
const NAMED: usize = 10;

/// What is in the records.
#[derive(Debug, Default)]
pub(super) struct Survey {
    /// Calls that can be replayed.
    pub(super) calls: usize,
    /// How many of them were recorded in each workspace.
    pub(super) workspaces: BTreeMap<String, usize>,
    /// Calls that were dropped by the runtime.
    pub(super) abandoned: usize,
    /// Calls of which something is missing, and the first of them.
    pub(super) incomplete: usize,
    named: Vec<(String, Incomplete)>,
    /// Lines that are no records, and the first of them.
    pub(super) unreadable: usize,
    pub(super) first_unreadable: Option<String>,
    /// Records that could not be written.
    pub(super) lost: u64,
}

impl Survey {
    pub(super) fn of(args: &ReplayArgs) -> Result<Self, CommandError> {
        let mut survey = Self::default();
        for item in Calls::open(args)? {
            survey.add(item?);
        }
        Ok(survey)
    }

    fn add(&mut self, item: Item) {
        match item {
            Item::Call(call) => {
                self.calls += 1;
                *self.workspaces.entry(call.ended.workspace).or_default() += 1;
            }
            Item::Incomplete {
                why: Incomplete::Abandoned,
                ..
            } => self.abandoned += 1,
            Item::Incomplete { place, why, .. } => {
                self.incomplete += 1;
                if self.named.len() < NAMED {
                    self.named.push((place, why));
                }
            }
            Item::Unreadable { place, error } => {
                self.unreadable += 1;
                self.first_unreadable
                    .get_or_insert_with(|| format!("{place}: {error}"));
            }
            Item::Lost(records) => self.lost = self.lost.saturating_add(records),
        }
    }

    /// Why nothing is replayed, if nothing is.
    pub(super) fn refusal(&self, args: &ReplayArgs) -> Option<String> {
        if self.incomplete > 0 && !args.skip_incomplete {
            return Some(self.which_are_incomplete());
        }
        (self.calls == 0).then(|| self.nothing())
    }

    fn which_are_incomplete(&self) -> String {
        let all = self.calls + self.incomplete;
        let mut text = format!(
            "error: {} of {all} calls were not recorded in full, and no hook was asked; record with --record-capture full, \
             choose later calls with --since, or leave these out with --skip-incomplete",
            self.incomplete
        );
        for (place, why) in &self.named {
            // Writing to a string cannot fail.
            let _infallible = write!(text, "\n{place}: {why}");
        }
        let others = self.incomplete - self.named.len();
        if others > 0 {
            let _infallible = write!(text, "\nand {others} more");
        }
        text
    }

    fn nothing(&self) -> String {
        let mut text = String::from("error: no call to replay");
        let left_out = [
            (self.incomplete, "were not recorded in full"),
            (self.abandoned, "were dropped by the runtime"),
        ];
        for (count, what) in left_out.into_iter().filter(|(count, _)| *count > 0) {
            let _infallible = write!(text, "; {count} {what}");
        }
        if let Some(first) = &self.first_unreadable {
            let _infallible = write!(text, "\n{first}");
        }
        text
    }
}
