//! What became of a call, compared with what must become of it.

use std::{collections::BTreeMap, time::Duration};

use hook_contract::{Decision, HookOutcome, Json, OnFailure, json::Members};
use hook_runner::{Consultation, Step};
use serde_json::{Value, value::RawValue};

use super::case::{Expectation, Outcome, Template, WORKSPACE};
use crate::consult::{
    diff::{self, DiffLine},
    human::duration,
    outcome::reasons,
};

/// One thing that is not as it must be.
#[derive(Debug, PartialEq)]
pub(super) struct Mismatch {
    /// Which part of the expectation, by its key.
    pub(super) what: &'static str,
    /// In words; one line.
    pub(super) message: String,
    pub(super) expected: Json,
    pub(super) found: Json,
    /// What differs: what is expected and is not there, what is there and is not expected.
    pub(super) diff: Vec<DiffLine>,
}

/// How long the hooks took together.
pub(super) fn took(judged: &Consultation) -> Duration {
    judged.trail.iter().map(|step| step.took).sum()
}

/// Compares. `workspace` is the copy in which the case ran.
pub(super) fn compare(
    expect: &Expectation,
    judged: &Consultation,
    workspace: &str,
) -> Vec<Mismatch> {
    let judge = Judge {
        expect,
        judged,
        workspace,
    };
    let mut mismatches = Vec::new();
    mismatches.extend(judge.outcome());
    if mismatches.is_empty() {
        mismatches.extend(judge.by());
        mismatches.extend(judge.reason());
        mismatches.extend(judge.values());
    }
    mismatches.extend(judge.asked());
    mismatches.extend(judge.failed());
    mismatches.extend(judge.context());
    mismatches.extend(judge.time());
    mismatches
}

struct Judge<'a> {
    expect: &'a Expectation,
    judged: &'a Consultation,
    workspace: &'a str,
}

impl Judge<'_> {
    fn outcome(&self) -> Option<Mismatch> {
        let found = Outcome::from(self.judged);
        let expected = self.expect.outcome;
        if found == expected {
            return None;
        }
        let reason = match self.judged.outcome.reason() {
            Some(reason) => format!(": {}", self.hidden(reason)),
            None => String::new(),
        };
        Some(plain(
            "outcome",
            format!("expected {expected}, found {found}{reason}"),
            expected.as_str(),
            found.as_str(),
        ))
    }

    fn by(&self) -> Option<Mismatch> {
        let expected = self.expect.by.as_deref()?;
        if let Some(asked) = &self.judged.asked
            && asked.by.iter().any(|asker| asker.name == expected)
        {
            return None;
        }
        let found = self.judged.trail.iter().rev().find(|step| decided(step));
        let found = found.map(|step| step.who.name());
        if found == Some(expected) && self.judged.asked.is_none() {
            return None;
        }
        let who = match found {
            Some(found) => format!("`{found}`"),
            None => "nobody who was asked".into(),
        };
        let message = format!("expected `{expected}` to decide, found {who}");
        Some(plain("by", message, expected, found))
    }

    fn reason(&self) -> Option<Mismatch> {
        let expected = self.expect.reason_contains.as_ref()?;
        // Of an ask the reasons of those that ask, and not what the host says where no person answers.
        let found = match &self.judged.asked {
            Some(asked) => Some(reasons(asked)),
            None => self.judged.outcome.reason().map(str::to_owned),
        };
        let holds = |reason: &String| reason.contains(&expected.text(self.workspace));
        if found.as_ref().is_some_and(holds) {
            return None;
        }
        let expected = expected.0.as_str();
        let found = found.map(|reason| self.hidden(&reason));
        let is = match &found {
            Some(found) => format!("is `{found}`"),
            None => "there is none".into(),
        };
        let message = format!("expected the reason to hold `{expected}`; {is}");
        let found = found.as_deref();
        Some(plain("reason_contains", message, expected, found))
    }

    /// The new input, or the new output and whether it is an error.
    fn values(&self) -> Vec<Mismatch> {
        let asked = self.judged.asked.as_ref();
        let outcome = asked.map_or(&self.judged.outcome, |asked| &asked.then);
        match outcome {
            HookOutcome::Modify { input, .. } => {
                let differs = self.value("input", self.expect.input.as_ref(), input);
                differs.into_iter().collect()
            }
            HookOutcome::Replace {
                output, is_error, ..
            } => {
                let output = self.value("output", self.expect.output.as_ref(), output);
                let expected = self.expect.is_error.filter(|expected| expected != is_error);
                let flag = expected.map(|expected| {
                    let message = format!("expected is_error to be {expected}, found {is_error}");
                    plain("is_error", message, expected, *is_error)
                });
                output.into_iter().chain(flag).collect()
            }
            HookOutcome::Allow | HookOutcome::Deny(_) => self.no_values(),
        }
    }

    /// What is expected of an ask beside which no other form stands.
    fn no_values(&self) -> Vec<Mismatch> {
        let expect = self.expect;
        let value = |what, expected: &Option<Template>| {
            let expected = Json::parse(&expected.as_ref()?.json(self.workspace)).ok()?;
            Some((what, expected))
        };
        let flag = expect
            .is_error
            .map(|flag| ("is_error", Json::from(Value::from(flag))));
        let expected = [
            value("input", &expect.input),
            value("output", &expect.output),
            flag,
        ];
        let expected = expected.into_iter().flatten();
        let mismatches = expected.map(|(what, expected)| Mismatch {
            what,
            message: format!(
                "expected another `{what}` beside the ask, and no hook rewrote the call"
            ),
            expected,
            found: Json::from(Value::Null),
            diff: Vec::new(),
        });
        mismatches.collect()
    }

    fn value(
        &self,
        what: &'static str,
        expected: Option<&Template>,
        found: &Json,
    ) -> Option<Mismatch> {
        let expected = expected?;
        // It was read before, with another path in its place.
        let meant = Json::parse(&expected.json(self.workspace)).ok()?;
        if meant == *found {
            return None;
        }
        let as_written = |text: &str| {
            let shown = Json::parse(&self.hidden(text));
            sorted(&shown.unwrap_or_else(|_| found.clone()))
        };
        let (expected, found) = (as_written(&expected.0), as_written(found.text()));
        Some(Mismatch {
            what,
            message: format!("the new {what} differs (- expected, + found)"),
            diff: diff::between(&expected, &found),
            expected,
            found,
        })
    }

    fn asked(&self) -> Option<Mismatch> {
        let found: Vec<&str> = self.names(|_| true);
        match &self.expect.asked {
            Some(expected) if *expected == found => None,
            Some(expected) => Some(plain(
                "asked",
                format!(
                    "expected {} to be asked, found {}",
                    listed(expected),
                    listed(&found)
                ),
                expected.clone(),
                found,
            )),
            None if found.is_empty() => Some(plain(
                "asked",
                "nobody was asked about this call, so nothing was tested; `hookchain explain` says why; if that is \
                 what is expected, write \"asked\": []"
                    .into(),
                Value::Null,
                found,
            )),
            None => None,
        }
    }

    fn failed(&self) -> Option<Mismatch> {
        let found = self.names(|step| step.decision.is_none());
        let expected = &self.expect.failed;
        if *expected == found {
            return None;
        }
        let hint = if expected.is_empty() {
            "; a hook that gives no answer has not decided anything"
        } else {
            ""
        };
        let message = format!(
            "expected {} to fail, found {}{hint}",
            listed(expected),
            listed(&found)
        );
        Some(plain("failed", message, expected.clone(), found))
    }

    /// The words for the model: each part that is expected is in some of them, and none are there where none is expected.
    fn context(&self) -> Option<Mismatch> {
        let expected = self.expect.context.as_ref()?;
        let found: Vec<_> = self
            .judged
            .context
            .iter()
            .map(|said| self.hidden(&said.text))
            .collect();
        let is_said = |part: &Template| found.iter().any(|said| said.contains(&part.0));
        if expected.iter().all(is_said) && expected.is_empty() == found.is_empty() {
            return None;
        }
        let expected: Vec<_> = expected.iter().map(|part| part.0.clone()).collect();
        let message = format!(
            "expected the model to be told {}, found {}",
            quoted_or_nothing(&expected),
            quoted_or_nothing(&found)
        );
        Some(plain("context", message, expected, found))
    }

    fn time(&self) -> Option<Mismatch> {
        let limit = self.expect.max_ms?;
        let took = took(self.judged);
        if took <= Duration::from_millis(limit) {
            return None;
        }
        let millis = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
        let message = format!("expected {limit} ms at most, found {}", duration(took));
        Some(plain("max_ms", message, limit, millis))
    }

    fn names(&self, which: impl Fn(&Step) -> bool) -> Vec<&str> {
        let steps = self.judged.trail.iter().filter(|step| which(step));
        steps.map(|step| step.who.name()).collect()
    }

    /// The text as the author of a case would write it.
    fn hidden(&self, text: &str) -> String {
        text.replace(self.workspace, WORKSPACE)
    }
}

/// Whether this step made the outcome what it is: a denial, or the last change.
fn decided(step: &Step) -> bool {
    match step.decision {
        Some(decision) => decision != Decision::Allow,
        None => step.on_failure == OnFailure::Deny,
    }
}

fn plain(
    what: &'static str,
    message: String,
    expected: impl Into<Value>,
    found: impl Into<Value>,
) -> Mismatch {
    Mismatch {
        what,
        message,
        expected: expected.into().into(),
        found: found.into().into(),
        diff: Vec::new(),
    }
}

fn listed<S: AsRef<str>>(names: &[S]) -> String {
    if names.is_empty() {
        return "nobody".into();
    }
    let names: Vec<_> = names
        .iter()
        .map(|name| format!("`{}`", name.as_ref()))
        .collect();
    names.join(", ")
}

fn quoted_or_nothing(texts: &[String]) -> String {
    if texts.is_empty() {
        return "nothing".into();
    }
    let texts: Vec<_> = texts.iter().map(|text| format!("`{text}`")).collect();
    texts.join(", ")
}

/// The same value with the members of its objects in alphabetical order, so that only what differs is shown.
fn sorted(value: &Json) -> Json {
    Json::parse(&sorted_text(value.text())).unwrap_or_else(|_| value.clone())
}

fn sorted_text(text: &str) -> String {
    if let Ok(members) = serde_json::from_str::<Members<'_>>(text) {
        let members: BTreeMap<_, _> = members
            .into_iter()
            .map(|member| (member.name_text, sorted_text(member.value)))
            .collect();
        let members: Vec<_> = members
            .iter()
            .map(|(name, value)| format!("{name}:{value}"))
            .collect();
        return format!("{{{}}}", members.join(","));
    }
    if let Ok(elements) = serde_json::from_str::<Vec<&RawValue>>(text) {
        let elements: Vec<_> = elements
            .iter()
            .map(|element| sorted_text(element.get()))
            .collect();
        return format!("[{}]", elements.join(","));
    }
    text.to_owned()
}

#[cfg(test)]
mod tests;
