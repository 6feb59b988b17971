//! For a person.

use hook_contract::shown;
use hook_dialect::bridge::Bridge;
use similar::TextDiff;

use super::{change::Outcome, guard::Guard};
use crate::page::{BOLD, DIM, GREEN, INDENT, PLAIN, Page, RED};

/// What was done to a file, or would be.
pub(super) fn changed(outcome: &Outcome, dry: bool) -> String {
    let mut page = Page::default();
    let (path, old, new, copy, removed) = match outcome {
        Outcome::AsItWas { path } => {
            page.line(&[
                (PLAIN, &path.display().to_string()),
                (DIM, ": nothing to change"),
            ]);
            return page.text;
        }
        Outcome::Written {
            path,
            old,
            new,
            copy,
            removed,
        } => (path.display().to_string(), old, new, copy, *removed),
    };
    let what = match (dry, removed) {
        (true, false) => "would be changed",
        (true, true) => "would be removed",
        (false, false) => "changed",
        (false, true) => "removed",
    };
    page.line(&[(BOLD, &path), (PLAIN, ": "), (PLAIN, what)]);
    let diff = TextDiff::from_lines(old.as_str(), new.as_str());
    for line in diff.unified_diff().context_radius(2).to_string().lines() {
        let style = match line.as_bytes().first() {
            Some(b'+') => GREEN,
            Some(b'-') => RED,
            Some(b'@') => DIM,
            _ => PLAIN,
        };
        page.line(&[(PLAIN, INDENT), (style, line.trim_end_matches('\r'))]);
    }
    if let Some(copy) = copy {
        let copy = copy.display().to_string();
        page.line(&[(DIM, "as it was before: "), (DIM, &copy)]);
    }
    page.text
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
