//! The single hooks behind a participant that speaks for several.

use anstyle::Style;
use hook_audit::{HookResult, RecordedHook};

use super::{stderr, time};
use crate::page::{DIM, GREEN, PLAIN, Page, RED, YELLOW};

/// What each of them said, after what the participant said for them all.
pub(super) fn all(page: &mut Page, indent: &str, answer: &HookResult) {
    for hook in &answer.hooks {
        one(page, indent, hook);
    }
    if answer.in_background > 0 {
        let text = format!("{} in the background", answer.in_background);
        page.line(&[(PLAIN, indent), (DIM, "- "), (DIM, &text)]);
    }
}

fn one(page: &mut Page, indent: &str, hook: &RecordedHook) {
    let (style, word) = said(hook);
    page.line(&[
        (PLAIN, indent),
        (DIM, "- "),
        (PLAIN, &format!("{}  ", hook.command)),
        (style, word),
        (DIM, &time(hook.duration_ms, hook.queued_ms)),
    ]);
    let indent = format!("{indent}  ");
    page.line(&[(PLAIN, &indent), (DIM, &hook.origin)]);
    if let Some(reason) = &hook.reason {
        page.paragraph(&indent, &[], reason);
    }
    if let Some(failure) = &hook.failure {
        page.paragraph(&indent, &[], failure);
    }
    stderr(page, &indent, hook.stderr_summary.as_deref());
}

/// The decision in the words of the hook's agent.
fn said(hook: &RecordedHook) -> (Style, &str) {
    if hook.failure.is_some() {
        return (RED, "failed");
    }
    match hook.decision.as_deref() {
        None => (DIM, "no decision"),
        Some(word @ ("allow" | "approve")) => (GREEN, word),
        Some(word @ ("ask" | "defer")) => (YELLOW, word),
        Some(word) => (RED, word),
    }
}
