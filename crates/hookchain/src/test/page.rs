//! Results as a person reads them.

use std::time::Duration;

use anstyle::Style;
use hook_runner::NoteKind;
use similar::ChangeTag;

use super::{
    execute::{Ran, Setup, Verdict},
    judge::Mismatch,
    tally::{Result, Tally},
};
use crate::{
    consult::{
        diff::DiffLine,
        human::{chain, duration},
    },
    page::{BOLD, DIM, GREEN, PLAIN, Page, RED, YELLOW},
};

/// Where what belongs to a case begins.
const INDENT: &str = "             ";

/// How many lines of a diff are shown.
const DIFF_LINES: usize = 200;

/// The first line of a run.
pub(super) fn start(cases: usize, files: usize) -> String {
    let mut page = Page::default();
    let text = format!(" {} from {}", count(cases, "case"), count(files, "file"));
    page.line(&[(GREEN.bold(), &word("Running")), (PLAIN, &text)]);
    page.text
}

/// A case, with everything that is to be known when it failed.
pub(super) fn case(result: &Result<'_>, setup: &Setup) -> String {
    let mut page = Page::default();
    page.result(result);
    let ran = &result.ran;
    match &ran.verdict {
        Verdict::Passed => {
            let notes = ran.judged.iter().flat_map(|judged| &judged.notes);
            // A failure is expected, or told as what is not as it must be.
            let notes = notes.filter(|note| note.kind != NoteKind::Failure);
            for note in notes {
                page.paragraph(INDENT, &[(YELLOW, "note: ")], &note.to_string());
            }
        }
        Verdict::Failed(mismatches) => {
            page.details(mismatches, ran, setup);
            page.line(&[]);
        }
        Verdict::Broken(message) => {
            page.lines(message);
            page.line(&[]);
        }
    }
    page.text
}

/// What a failed case did, without its first line and without colours; for other formats.
pub(super) fn plain_details(ran: &Ran, setup: &Setup) -> String {
    let mut page = Page::default();
    match &ran.verdict {
        Verdict::Passed => {}
        Verdict::Failed(mismatches) => page.details(mismatches, ran, setup),
        Verdict::Broken(message) => page.lines(message),
    }
    let plain = anstream::adapter::strip_str(&page.text).to_string();
    let lines = plain.lines();
    let lines = lines.map(|line| line.strip_prefix(INDENT).unwrap_or(line));
    lines.collect::<Vec<_>>().join("\n")
}

/// The end of a run: what failed once more, and the closing line.
pub(super) fn end(tally: &Tally<'_>) -> String {
    let ran = tally.results.len();
    let all = ran + tally.skipped;
    let style = if tally.is_success() { GREEN } else { RED };
    let cases = if ran == all {
        format!("{} run", count(ran, "case"))
    } else {
        format!("{ran} of {} run", count(all, "case"))
    };
    let mut page = Page::default();
    page.line(&[(PLAIN, "------------")]);
    let took = format!(" {} {cases}", time(tally.took));
    page.line(&[(style.bold(), &word("Summary")), (PLAIN, &took)]);
    for result in tally.results.iter().filter(|result| !result.passed()) {
        page.result(result);
    }
    page.line(&[(PLAIN, &tally.closing())]);
    page.text
}

impl Page {
    fn result(&mut self, result: &Result<'_>) {
        let (style, verdict) = if result.passed() {
            (GREEN, "PASS")
        } else {
            (RED, "FAIL")
        };
        let place = format!("{}:{}", result.file.display(), result.case.position.line);
        self.line(&[
            (style.bold(), &word(verdict)),
            (PLAIN, &format!(" {} ", time(result.ran.took))),
            (DIM, &place),
            (PLAIN, " "),
            (BOLD, &result.case.name),
        ]);
    }

    fn details(&mut self, mismatches: &[Mismatch], ran: &Ran, setup: &Setup) {
        for mismatch in mismatches {
            let what = format!("{}: ", mismatch.what);
            self.paragraph(INDENT, &[(RED, &what)], &mismatch.message);
            self.diff(&mismatch.diff);
        }
        let judged = ran.judged.as_ref();
        let Some(judged) = judged.filter(|judged| !judged.trail.is_empty()) else {
            return;
        };
        self.line(&[(PLAIN, INDENT), (DIM, "who said what:")]);
        // It has its colours, and is harmless already.
        for line in setup.shown(&chain(judged), &ran.copy).lines() {
            self.text.extend([INDENT, line, "\n"]);
        }
        if ran.may_lack_ignored {
            let hint = "what .gitignore names is not in the copy, except in .basis; --with-ignored takes it along";
            self.paragraph(INDENT, &[(YELLOW, "note: ")], hint);
        }
    }

    fn diff(&mut self, lines: &[DiffLine]) {
        for line in lines.iter().take(DIFF_LINES) {
            let (style, sign, line): (Style, _, _) = match line {
                DiffLine::Text(ChangeTag::Delete, line) => (RED, "- ", line.as_str()),
                DiffLine::Text(ChangeTag::Insert, line) => (GREEN, "+ ", line.as_str()),
                DiffLine::Text(ChangeTag::Equal, line) => (DIM, "  ", line.as_str()),
                DiffLine::Gap => (DIM, "  ", "…"),
            };
            self.line(&[(PLAIN, INDENT), (PLAIN, "  "), (style, sign), (style, line)]);
        }
        let left_out = lines.len().saturating_sub(DIFF_LINES);
        if left_out > 0 {
            let text = format!("  … {left_out} more lines");
            self.line(&[(PLAIN, INDENT), (DIM, &text)]);
        }
    }

    fn lines(&mut self, text: &str) {
        for line in text.lines() {
            self.line(&[(PLAIN, INDENT), (PLAIN, line)]);
        }
    }
}

/// A word that ends where all others end.
fn word(word: &str) -> String {
    format!("{word:>12}")
}

fn time(time: Duration) -> String {
    format!("[{:>9}]", duration(time))
}

fn count(number: usize, thing: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {thing}{plural}")
}
