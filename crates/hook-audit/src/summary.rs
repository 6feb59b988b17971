//! What each participant did and what it cost, summed up over any number of records.

mod times;

use std::{collections::HashMap, time::Duration};

use serde::{Deserialize, de::IgnoredAny};
use serde_json::value::RawValue;

pub use self::times::Times;
use crate::{Date, HOOK_RECORD_VERSION, Line, Record, Timestamp};

/// Sums over records, in memory that depends on the number of participants and days and not on that of records.
///
/// ```
/// use hook_audit::{Reader, Summary};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let directory = tempfile::tempdir()?;
/// # let directory = directory.path();
/// let mut summary = Summary::default();
/// let mut reader = Reader::open(directory)?;
/// while let Some(line) = reader.next_line()? {
///     summary.add(&line);
/// }
/// for handler in summary.handlers() {
///     println!("{} {}: {} calls", handler.kind, handler.name, handler.calls);
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Default)]
pub struct Summary {
    handlers: HashMap<String, HandlerSummary>,
    days: Vec<Day>,
    /// How long runtimes waited for consultations.
    wait: Times,
    lost: u64,
    unreadable: u64,
    /// Records before that moment are left out.
    since: Option<String>,
    /// Where in `days` the day of the last record is, and how it is written.
    last_day: (String, usize),
}

/// What one participant did.
#[derive(Debug)]
#[non_exhaustive]
pub struct HandlerSummary {
    /// Which one.
    pub handler_id: String,
    /// How it is reached.
    pub kind: String,
    /// What it is called; lately, if that has changed.
    pub name: String,
    /// Where it was declared.
    pub origin: String,
    /// At which point of a call it is asked.
    pub point: String,
    /// How often it was asked, in every pass.
    pub calls: u64,
    /// How often it denied.
    pub denials: u64,
    /// How often it asked for a person's agreement.
    pub asks: u64,
    /// How often it changed something.
    pub rewrites: u64,
    /// How often it failed to answer.
    pub failures: u64,
    /// How often it was asked and nothing is recorded of an answer: the consultation was dropped, the process ended, or
    /// the answer is yet to come.
    pub unanswered: u64,
    /// How long it took.
    pub took: Times,
    /// How long questions to it waited for their turn, in all.
    pub queued: Duration,
}

/// What happened on one day.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Day {
    /// Which day, in UTC.
    pub date: Date,
    /// Calls that were put through the chain, before and after they ran.
    pub consultations: u64,
    /// How many of them were denied.
    pub denials: u64,
    /// To how many of them a person had to agree, whatever the person said.
    pub asks: u64,
    /// How many were changed.
    pub rewrites: u64,
    /// Answers that failed.
    pub failures: u64,
    /// How long runtimes waited, in all.
    pub wait: Duration,
}

/// What is looked at in every line.
#[derive(Deserialize)]
#[serde(default)]
struct Lean<'a> {
    hook_record: u32,
    #[serde(rename = "type")]
    record_type: &'a str,
    at: &'a str,
    handler_id: &'a str,
    #[serde(borrow)]
    name: Option<&'a RawValue>,
    decision: &'a str,
    outcome: &'a str,
    approval: Option<IgnoredAny>,
    failure: Option<IgnoredAny>,
    duration_ms: f64,
    queued_ms: f64,
    records: u64,
}

impl Default for Lean<'_> {
    fn default() -> Self {
        Self {
            hook_record: 0,
            record_type: "",
            at: "",
            handler_id: "",
            name: None,
            decision: "",
            outcome: "",
            approval: None,
            failure: None,
            duration_ms: 0.0,
            queued_ms: 0.0,
            records: 0,
        }
    }
}

impl Summary {
    /// Leaves out records from before that moment.
    #[must_use]
    pub fn since(self, since: Timestamp) -> Self {
        let since = Some(since.to_string());
        Self { since, ..self }
    }

    /// Adds a line. One that is no record is counted as unreadable.
    pub fn add(&mut self, line: &Line<'_>) {
        let counted = serde_json::from_slice(line.bytes())
            .ok()
            .and_then(|lean| self.count(&lean, line));
        if counted.is_none() {
            self.unreadable += 1;
        }
    }

    /// Each participant, the one that took the most time in all first.
    #[must_use]
    pub fn handlers(&self) -> Vec<&HandlerSummary> {
        let mut handlers: Vec<_> = self.handlers.values().collect();
        handlers.sort_by(|a, b| {
            let (a, b) = (
                (b.took.total(), &a.handler_id),
                (a.took.total(), &b.handler_id),
            );
            a.cmp(&b)
        });
        handlers
    }

    /// Each day on which there were calls, the first one first.
    #[must_use]
    pub fn days(&self) -> Vec<&Day> {
        let mut days: Vec<_> = self.days.iter().collect();
        days.sort_by_key(|day| day.date);
        days
    }

    /// How long runtimes waited for each consultation.
    #[must_use]
    pub fn wait(&self) -> &Times {
        &self.wait
    }

    /// Records that their recorders lost.
    #[must_use]
    pub fn lost(&self) -> u64 {
        self.lost
    }

    /// Lines that are no records that this version can read: cut off, altered, or of another version.
    #[must_use]
    pub fn unreadable(&self) -> u64 {
        self.unreadable
    }

    /// The part of all waiting that was waiting for this participant, from 0 to 1.
    #[must_use]
    pub fn share(&self, handler: &HandlerSummary) -> f64 {
        let own = handler.took.total().saturating_add(handler.queued);
        let all = self.wait.total();
        if all.is_zero() {
            0.0
        } else {
            (own.as_secs_f64() / all.as_secs_f64()).min(1.0)
        }
    }

    fn count(&mut self, lean: &Lean<'_>, line: &Line<'_>) -> Option<()> {
        if lean.hook_record != HOOK_RECORD_VERSION {
            return None;
        }
        // Moments are written such that the earlier text is the earlier moment.
        if self.since.as_deref().is_some_and(|since| lean.at < since) {
            return Some(());
        }
        match lean.record_type {
            "hook/invoked" => self.invoked(lean, line),
            "hook/result" => self.answered(lean),
            "consultation" => self.ended(lean),
            "lost" => {
                self.lost = self.lost.saturating_add(lean.records);
                Some(())
            }
            _ => None,
        }
    }

    fn invoked(&mut self, lean: &Lean<'_>, line: &Line<'_>) -> Option<()> {
        let name = lean.name?.get();
        let is_known = self
            .handlers
            .get_mut(lean.handler_id)
            .is_some_and(|handler| {
                handler.calls += 1;
                handler.unanswered += 1;
                is_called(name, &handler.name)
            });
        if is_known {
            return Some(());
        }
        let Ok(Record::Invoked(record)) = line.record() else {
            return None;
        };
        let handler = self
            .handlers
            .entry(record.handler_id.clone())
            .or_insert_with(|| HandlerSummary::new(&record));
        handler.name = record.name;
        Some(())
    }

    fn answered(&mut self, lean: &Lean<'_>) -> Option<()> {
        self.day(lean)?.failures += u64::from(lean.failure.is_some());
        // Its question stands in a file that was removed, or before the first day that is looked at.
        let Some(handler) = self.handlers.get_mut(lean.handler_id) else {
            return Some(());
        };
        if handler.unanswered == 0 {
            return Some(());
        }
        handler.unanswered -= 1;
        handler.failures += u64::from(lean.failure.is_some());
        match lean.decision {
            "deny" => handler.denials += 1,
            "ask" => handler.asks += 1,
            "modify" | "replace" => handler.rewrites += 1,
            _ => {}
        }
        handler.took.add(duration(lean.duration_ms));
        handler.queued = handler.queued.saturating_add(duration(lean.queued_ms));
        Some(())
    }

    fn ended(&mut self, lean: &Lean<'_>) -> Option<()> {
        let wait = duration(lean.duration_ms);
        self.wait.add(wait);
        let day = self.day(lean)?;
        day.consultations += 1;
        day.wait = day.wait.saturating_add(wait);
        day.asks += u64::from(lean.approval.is_some());
        match lean.outcome {
            "deny" => day.denials += 1,
            "modify" | "replace" => day.rewrites += 1,
            _ => {}
        }
        Some(())
    }

    fn day(&mut self, lean: &Lean<'_>) -> Option<&mut Day> {
        const DATE: usize = "2026-11-30".len();
        let written = lean.at.get(..DATE)?;
        if self.last_day.0 != written {
            let date = written.parse().ok()?;
            let known = self.days.iter().position(|day| day.date == date);
            let index = known.unwrap_or_else(|| {
                self.days.push(Day::new(date));
                self.days.len() - 1
            });
            self.last_day = (written.to_owned(), index);
        }
        self.days.get_mut(self.last_day.1)
    }
}

impl HandlerSummary {
    fn new(record: &crate::HookInvoked) -> Self {
        Self {
            handler_id: record.handler_id.clone(),
            kind: record.kind.clone(),
            name: record.name.clone(),
            origin: record.origin.clone(),
            point: record.point.as_str().to_owned(),
            calls: 1,
            denials: 0,
            asks: 0,
            rewrites: 0,
            failures: 0,
            unanswered: 1,
            took: Times::default(),
            queued: Duration::ZERO,
        }
    }
}

impl Day {
    fn new(date: Date) -> Self {
        Self {
            date,
            consultations: 0,
            denials: 0,
            asks: 0,
            rewrites: 0,
            failures: 0,
            wait: Duration::ZERO,
        }
    }
}

/// Whether a JSON text is that name. One with escapes in it is read in full instead.
fn is_called(literal: &str, name: &str) -> bool {
    let inside = literal
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'));
    inside == Some(name)
}

/// A time as a record has it; one that cannot be is none.
fn duration(millis: f64) -> Duration {
    Duration::try_from_secs_f64(millis / 1e3).unwrap_or_default()
}

#[cfg(test)]
mod tests;
