//! What a record says beside the outcome: whether a person agreed, and what the model was told.

use hook_audit::{
    ConsultationEnded, HookInvoked, HookResult, RecordedApproval, RecordedOutcome, RecordedSettled,
};

use crate::page::{DIM, GREEN, INDENT, PLAIN, Page, RED, YELLOW};

/// What came of asking a person; nothing where no participant asked for it.
pub(super) fn approval(page: &mut Page, ended: &ConsultationEnded) {
    let Some(approval) = &ended.approval else {
        return;
    };
    let (style, text) = match approval.settled {
        RecordedSettled::Granted if approval.remember => {
            (GREEN, "a person agreed, for the rest of the session")
        }
        RecordedSettled::Granted => (GREEN, "a person agreed"),
        RecordedSettled::Refused => (RED, "a person did not agree"),
        RecordedSettled::Unanswered => (RED, "no person answered"),
        RecordedSettled::HandedOn => (YELLOW, "left to the caller to ask a person"),
        _ => (RED, approval.settled.as_str()),
    };
    let asked_by = format!("  ({})", details(approval));
    page.line(&[(PLAIN, INDENT), (style, text), (DIM, &asked_by)]);
    // After a yes the reason is that of a rewrite, which stands with the participant.
    let is_denied = ended.outcome == RecordedOutcome::Deny;
    if let Some(reason) = ended.reason.as_ref().filter(|_| is_denied) {
        page.paragraph(&format!("{INDENT}  "), &[], reason);
    }
}

/// Which participants asked, and what a yes would have led to where there was none.
fn details(approval: &RecordedApproval) -> String {
    let names: Vec<_> = approval.by.iter().map(|name| format!("'{name}'")).collect();
    let by = names.join(", ");
    if approval.settled == RecordedSettled::Granted {
        format!("asked by {by}")
    } else {
        format!("asked by {by}; after a yes: {}", approval.then.as_str())
    }
}

/// The words for the model with the participant that said them; only how many there were, where they were not kept.
pub(super) fn context(
    page: &mut Page,
    ended: &ConsultationEnded,
    steps: &[(&HookInvoked, Option<&HookResult>)],
) {
    const LEAD: &str = "for the model: ";
    for context in &ended.context {
        let id = &context.handler_id;
        let said_by = steps.iter().find(|(asked, _)| asked.handler_id == *id);
        let who = match said_by {
            Some((asked, _)) => format!("{} '{}'", asked.kind, asked.name),
            // The record of the question was lost.
            None => id.clone(),
        };
        let text = format!("{who}: {}", context.text);
        page.paragraph(INDENT, &[(YELLOW, LEAD)], &text);
    }
    if ended.context.is_empty() && ended.context_bytes > 0 {
        let text = format!("{} bytes, which were not kept", ended.context_bytes);
        page.line(&[(PLAIN, INDENT), (YELLOW, LEAD), (DIM, &text)]);
    }
}
