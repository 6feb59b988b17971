//! What belongs to one consultation.

use std::collections::VecDeque;

use hook_audit::{ConsultationEnded, HookInvoked, HookResult, Record, Timestamp};

/// How many consultations may be without an end at once; beyond it, the oldest one is taken to have none.
const MOST_OPEN: usize = 1000;

/// What stands in place of an outcome where no end is recorded.
pub(super) const UNFINISHED: &str = "unfinished";

/// The records of one consultation, and their lines.
#[derive(Debug, Default)]
pub(crate) struct Group {
    id: String,
    records: Vec<(Record, String)>,
}

/// Consultations that have not ended yet, the oldest first.
#[derive(Debug, Default)]
pub(crate) struct Groups(VecDeque<Group>);

impl Groups {
    /// Adds a record; gives what is complete with it.
    pub(crate) fn add(&mut self, record: Record, line: String) -> Option<Group> {
        let id = record.consultation()?.to_owned();
        let is_end = matches!(record, Record::Consultation(_));
        // The one that was begun last is mostly the one that goes on.
        let open = self.0.iter().rposition(|group| group.id == id);
        let mut group = open
            .and_then(|index| self.0.remove(index))
            .unwrap_or(Group {
                id,
                records: Vec::new(),
            });
        group.records.push((record, line));
        if is_end {
            return Some(group);
        }
        self.0.push_back(group);
        (self.0.len() > MOST_OPEN)
            .then(|| self.0.pop_front())
            .flatten()
    }

    pub(super) fn take_all(&mut self) -> Vec<Group> {
        self.0.drain(..).collect()
    }
}

impl Group {
    pub(super) fn lines(&self) -> impl Iterator<Item = &str> {
        self.records.iter().map(|(_, line)| line.as_str())
    }

    pub(crate) fn ended(&self) -> Option<&ConsultationEnded> {
        self.records.iter().find_map(|(record, _)| match record {
            Record::Consultation(ended) => Some(ended),
            Record::Invoked(_) | Record::Result(_) | Record::Lost(_) | _ => None,
        })
    }

    /// Each question with its answer, if there is one.
    pub(crate) fn steps(&self) -> Vec<(&HookInvoked, Option<&HookResult>)> {
        let mut steps = Vec::new();
        for (record, _) in &self.records {
            match record {
                Record::Invoked(invoked) => steps.push((invoked, None)),
                Record::Result(result) => answer(&mut steps, result),
                Record::Consultation(_) | Record::Lost(_) | _ => {}
            }
        }
        steps
    }

    pub(super) fn at(&self) -> Timestamp {
        let last = self.records.last().map(|(record, _)| record.at());
        last.unwrap_or_else(|| std::time::SystemTime::UNIX_EPOCH.into())
    }

    pub(super) fn tool(&self) -> Option<&String> {
        let asked = || self.steps().first().map(|(invoked, _)| &invoked.tool_name);
        self.ended().map(|ended| &ended.tool_name).or_else(asked)
    }

    /// Whether somebody of that name, or with that `handler_id`, was asked.
    pub(super) fn asked(&self, hook: &str) -> bool {
        let mut steps = self.steps().into_iter();
        steps.any(|(invoked, _)| invoked.name == hook || invoked.handler_id == hook)
    }

    /// Whether a person had to agree to the call.
    pub(super) fn needed_a_person(&self) -> bool {
        self.ended().is_some_and(|ended| ended.approval.is_some())
    }

    pub(super) fn outcome(&self) -> &'static str {
        self.ended()
            .map_or(UNFINISHED, |ended| ended.outcome.as_str())
    }
}

/// Puts an answer to the first question that it answers and that has none.
fn answer<'a>(steps: &mut [(&'a HookInvoked, Option<&'a HookResult>)], result: &'a HookResult) {
    let mut open = steps.iter_mut();
    let step = open.find(|(invoked, answer)| answer.is_none() && result.answers(invoked));
    if let Some((_, answer)) = step {
        *answer = Some(result);
    }
}

#[cfg(test)]
mod tests;
