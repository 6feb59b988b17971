//! For a person.

use hook_contract::shown;
use hook_dialect::bridge::Bridge;
use similar::TextDiff;

use super::{change::Outcome, guard::Guard};
use crate::page::{BOLD, DIM, GREEN, INDENT, PLAIN, Page, RED};

/// What was done to a file, or would be.
pub(super) fn changed(outcome: &Outcome, dry: bool) -> String {
    let mut page = Page::default();
    let path = outcome.path.display().to_string();
    if let Some(written) = &outcome.written {
        let what = match (dry, written.removed) {
            (true, false) => "would be changed",
            (true, true) => "would be removed",
            (false, false) => "changed",
            (false, true) => "removed",
        };
        page.line(&[(BOLD, &path), (PLAIN, ": "), (PLAIN, what)]);
    } else {
        page.line(&[(PLAIN, &path), (DIM, ": nothing to change")]);
    }
    if let Some(real) = &outcome.real {
        page.line(&[(DIM, "it is "), (DIM, &real.display().to_string())]);
    }
    if let Some(written) = &outcome.written {
        for line in difference(&written.old, &written.new) {
            let style = match line.as_bytes().first() {
                Some(b'+') => GREEN,
                Some(b'-') => RED,
                Some(b'@') => DIM,
                _ => PLAIN,
            };
            page.line(&[(PLAIN, INDENT), (style, line.trim_end_matches('\r'))]);
        }
        if let Some(copy) = &written.copy {
            let copy = copy.display().to_string();
            page.line(&[(DIM, "as it was before: "), (DIM, &copy)]);
        }
    }
    page.text
}

/// What stays in a file although it has words of the bridge.
pub(super) fn left(outcome: &Outcome) -> String {
    let mut page = Page::default();
    for alike in &outcome.alike {
        let place = format!(
            "{}:{} ({})",
            outcome.path.display(),
            alike.line,
            alike.event
        );
        page.paragraph(
            "",
            &[(BOLD, &place), (PLAIN, ": ")],
            "left alone: it has words of the bridge, and is not what this program writes there; remove it by hand, or name its program \
             with --program if it is an installation of yours",
        );
    }
    page.text
}

/// How many lines are compared one by one, of both texts together.
const COMPARED: usize = 4000;

/// The lines that differ, with two around them. Between them lies everything that changes, so that the same lines at both
/// ends of two large texts are passed over at once.
fn difference(old: &str, new: &str) -> Vec<String> {
    let (old, new): (Vec<&str>, Vec<&str>) = (
        old.split_inclusive('\n').collect(),
        new.split_inclusive('\n').collect(),
    );
    let same = |pairs: &mut dyn Iterator<Item = (&&str, &&str)>| {
        pairs.take_while(|(old, new)| old == new).count()
    };
    let start = same(&mut old.iter().zip(&new));
    let end = same(&mut old.iter().rev().zip(new.iter().rev()));
    let (from, to) = (start.saturating_sub(CONTEXT), end.saturating_sub(CONTEXT));
    let middle = |lines: &[&str]| {
        let end = (lines.len() - to).max(from);
        lines.get(from..end).unwrap_or_default().concat()
    };
    let (old, new) = (middle(&old), middle(&new));
    let count = |text: &str| text.lines().count();
    if count(&old) + count(&new) > COMPARED {
        return vec![
            format!("- {} lines from line {}", count(&old), from + 1),
            format!("+ {} lines in their place", count(&new)),
        ];
    }
    let diff = TextDiff::from_lines(old.as_str(), new.as_str());
    let text = diff.unified_diff().context_radius(CONTEXT).to_string();
    text.lines().map(|line| moved(line, from)).collect()
}

/// How many lines are shown around a change.
const CONTEXT: usize = 2;

/// The line that says where lines stand, counted from the start of the file.
fn moved(line: &str, by: usize) -> String {
    let Some(rest) = line.strip_prefix("@@ -").filter(|_| by > 0) else {
        return line.to_owned();
    };
    let shifted = rest.split(' ').map(|word| {
        let (sign, word) = word
            .strip_prefix('+')
            .map_or(("", word), |word| ("+", word));
        let (start, length) = word.split_once(',').unwrap_or((word, ""));
        let comma = if length.is_empty() { "" } else { "," };
        match start.parse::<usize>() {
            Ok(start) => format!("{sign}{}{comma}{length}", start + by),
            Err(_) => format!("{sign}{word}"),
        }
    });
    format!("@@ -{}", shifted.collect::<Vec<_>>().join(" "))
}

/// What guards each event.
pub(super) fn guarded(bridge: &Bridge, guard: &Guard) -> String {
    let mut page = Page::default();
    page.line(&[(BOLD, bridge.dialect.title)]);
    for event in &guard.events {
        let name = format!("{:<20}", event.event);
        for origin in &event.by {
            page.line(&[
                (PLAIN, "  "),
                (PLAIN, &name),
                (GREEN, "guarded"),
                (PLAIN, " by "),
                (PLAIN, &origin.to_string()),
            ]);
        }
        if event.by.is_empty() {
            page.line(&[(PLAIN, "  "), (PLAIN, &name), (RED, "not guarded")]);
        }
        for missed in &event.not {
            let origin = shown::line(&missed.origin.to_string());
            page.paragraph("    ", &[(DIM, &origin), (PLAIN, ": ")], &missed.why.text());
        }
    }
    page.text
}

/// The two ways to say that a hook of Codex is trusted.
pub(super) fn trust_is_missing() -> String {
    let mut page = Page::default();
    page.line(&[(
        PLAIN,
        "Start codex and trust them in /hooks, or run the same command with --trust.",
    )]);
    page.text
}
