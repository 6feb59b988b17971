//! Results as one JSON object (docs/test-json.md).

use hook_contract::Json;
use serde::Serialize;

use super::{
    case::{WORKSPACE, in_json},
    execute::{Setup, Verdict},
    judge::Mismatch,
    page,
    tally::{Result, Tally},
};
use crate::consult::outcome::OutcomeLine;

/// A whole run. The order of the fields is the order in which they are printed.
#[derive(Serialize)]
struct RunLine {
    passed: usize,
    failed: usize,
    skipped: usize,
    took_ms: f64,
    cases: Vec<Json>,
}

#[derive(Serialize)]
struct CaseLine<'a> {
    file: String,
    line: usize,
    name: &'a str,
    status: &'static str,
    took_ms: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<OutcomeLine<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    mismatches: Vec<MismatchLine<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    details: Option<String>,
}

#[derive(Serialize)]
struct MismatchLine<'a> {
    what: &'static str,
    message: &'a str,
    expected: &'a Json,
    found: &'a Json,
}

/// The run on one line, with its end.
pub(super) fn run(tally: &Tally<'_>, setup: &Setup) -> serde_json::Result<String> {
    let cases = tally.results.iter().map(|result| case(result, setup));
    let line = RunLine {
        passed: tally.passed(),
        failed: tally.failed(),
        skipped: tally.skipped,
        took_ms: millis(tally.took),
        cases: cases.collect::<serde_json::Result<_>>()?,
    };
    Ok(serde_json::to_string(&line)? + "\n")
}

/// A case, with the path of its copy, which is gone, as the author would write it.
fn case(result: &Result<'_>, setup: &Setup) -> serde_json::Result<Json> {
    let ran = &result.ran;
    let (mismatches, error): (&[Mismatch], _) = match &ran.verdict {
        Verdict::Passed => (&[], None),
        Verdict::Failed(mismatches) => (mismatches, None),
        Verdict::Broken(message) => (&[], Some(message.as_str())),
    };
    let outcome = |judged| OutcomeLine::new(judged);
    let line = CaseLine {
        file: result.file.display().to_string(),
        line: result.case.position.line,
        name: &result.case.name,
        status: if result.passed() { "passed" } else { "failed" },
        took_ms: millis(ran.took),
        result: ran
            .judged
            .as_ref()
            .map(|judged| outcome(&judged.outcome).with_trail_of(judged)),
        mismatches: mismatches.iter().map(Into::into).collect(),
        error,
        details: (!mismatches.is_empty()).then(|| page::plain_details(ran, setup)),
    };
    let mut text = serde_json::to_string(&line)?;
    if !ran.copy.is_empty() {
        text = text.replace(&in_json(&ran.copy), WORKSPACE);
    }
    serde_json::from_str(&text)
}

impl<'a> From<&'a Mismatch> for MismatchLine<'a> {
    fn from(mismatch: &'a Mismatch) -> Self {
        Self {
            what: mismatch.what,
            message: &mismatch.message,
            expected: &mismatch.expected,
            found: &mismatch.found,
        }
    }
}

/// Milliseconds with microseconds behind the point.
fn millis(time: std::time::Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}
