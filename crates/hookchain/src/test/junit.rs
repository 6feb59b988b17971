//! Results as JUnit XML, which build servers read.

use std::{fs, io, path::Path};

use hook_contract::shown;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::{
    execute::{Setup, Verdict},
    page,
    tally::{Result, Tally},
};

/// Writes the results: a suite for each file.
pub(super) fn write(path: &Path, tally: &Tally<'_>, setup: &Setup) -> io::Result<()> {
    let text = report(tally, setup).to_string().map_err(io::Error::other)?;
    fs::write(path, text + "\n")
}

fn report(tally: &Tally<'_>, setup: &Setup) -> Report {
    let mut report = Report::new("hookchain test");
    report.set_time(tally.took);
    let mut results = tally.results.as_slice();
    while let Some(first) = results.first() {
        let length = results
            .iter()
            .take_while(|result| result.file == first.file)
            .count();
        let (of_file, rest) = results.split_at(length);
        let mut suite = TestSuite::new(plain(&first.file.display().to_string()));
        suite.set_time(of_file.iter().map(|result| result.ran.took).sum());
        for result in of_file {
            suite.add_test_case(case(result, setup));
        }
        report.add_test_suite(suite);
        results = rest;
    }
    report
}

fn case(result: &Result<'_>, setup: &Setup) -> TestCase {
    let (kind, message) = match &result.ran.verdict {
        Verdict::Passed => (None, String::new()),
        Verdict::Failed(mismatches) => {
            let first = mismatches
                .iter()
                .map(|mismatch| mismatch.message.clone())
                .next();
            (Some(NonSuccessKind::Failure), first.unwrap_or_default())
        }
        Verdict::Broken(message) => (Some(NonSuccessKind::Error), message.clone()),
    };
    let status = match kind {
        None => TestCaseStatus::success(),
        Some(kind) => {
            let mut status = TestCaseStatus::non_success(kind);
            status
                .set_message(plain(&message))
                .set_description(page::plain_details(&result.ran, setup));
            status
        }
    };
    let mut case = TestCase::new(plain(&result.case.name), status);
    case.set_classname(plain(&result.file.display().to_string()))
        .set_time(result.ran.took);
    case
}

/// Text with every character in it that XML may hold. Of the others the library leaves some out, and some in.
fn plain(text: &str) -> String {
    text.lines().map(shown::line).collect::<Vec<_>>().join("\n")
}
