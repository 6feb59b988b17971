//! Hooks that want a person to decide.

use std::sync::{Arc, Mutex};

use hook_contract::{Approval, ApprovalRequest, Approver, InterceptorError, async_trait};
use hook_dialect::{Dialect, FailurePolicy};
use hook_runner::{Consultation, HookEvent, HookOutcome, HookRequest, HookRunner, Settled};
use serde_json::json;

use crate::kit::{Place, bash, before, handler, says};

const PRE: &str = "PreToolUse";

/// Answers as it is told, and keeps what it was asked.
#[derive(Clone)]
struct Person(Approval, Arc<Mutex<Vec<ApprovalRequest>>>);

impl Person {
    fn saying(approval: Approval) -> Self {
        Self(approval, Arc::default())
    }

    fn asked(&self) -> Vec<ApprovalRequest> {
        self.1.lock().expect("a lock").clone()
    }
}

#[async_trait]
impl Approver for Person {
    async fn approve(&self, request: &ApprovalRequest) -> Result<Approval, InterceptorError> {
        self.1.lock().expect("a lock").push(request.clone());
        Ok(self.0.clone())
    }
}

/// What comes out before a call of a chain that can ask this person.
async fn with(person: &Person, place: &Place, command: &str) -> Consultation {
    let runner = HookRunner::builder(place.path())
        .with_last_participant(place.hooks())
        .with_approver(person.clone())
        .build()
        .expect("built");
    let request = HookRequest::from_call(HookEvent::PreToolUse, place.path(), &bash(command));
    runner.consult(request).await
}

fn denied(consultation: &Consultation) -> &str {
    let HookOutcome::Deny(reason) = &consultation.outcome else {
        panic!("{consultation:?}")
    };
    reason
}

/// A hook that asks about the call in another form.
fn asking() -> Place {
    let line = says(
        PRE,
        r#""permissionDecision":"ask","permissionDecisionReason":"sure?","updatedInput":{"command":"new"}"#,
    );
    Place::of(Dialect::CLAUDE).with(PRE, &line)
}

#[tokio::test]
async fn the_approver_of_the_chain_decides_about_the_call_as_it_would_happen() {
    let place = asking();
    let person = Person::saying(Approval::granted());
    let granted = with(&person, &place, "old").await;
    let HookOutcome::Modify { input, .. } = &granted.outcome else {
        panic!("{granted:?}")
    };
    assert_eq!(*input.value(), json!({"command": "new"}));
    let came = granted.asked.expect("asked");
    assert_eq!(came.settled, Settled::Granted { remember: false });

    let refused = with(
        &Person::saying(Approval::refused("not today")),
        &place,
        "old",
    )
    .await;
    let reason = denied(&refused);
    assert!(
        reason
            .starts_with("not approved: not today (asked by dialect 'claude': sure? (from hook `"),
        "{reason}"
    );
    let silent = with(&Person::saying(Approval::Refused(None)), &place, "old").await;
    let reason = denied(&silent);
    assert!(
        reason.starts_with("not approved by the person who was asked"),
        "{reason}"
    );
    assert!(reason.contains("sure?"), "{reason}");

    let [request] = &*person.asked() else {
        panic!("asked once")
    };
    assert_eq!(request.first.input.text(), r#"{"command":"old"}"#);
    assert_eq!(request.call.input.text(), r#"{"command":"new"}"#);
    assert_eq!(request.then, granted.outcome);
    let [asker] = &*request.by else {
        panic!("{:?}", request.by)
    };
    assert_eq!((&*asker.kind, &*asker.name), ("dialect", "claude"));
    let reason = asker.reason.as_deref().expect("a reason");
    assert!(reason.starts_with("sure? (from hook `"), "{reason}");
}

#[tokio::test]
async fn a_hook_that_would_put_the_call_off_asks_as_well() {
    let decision = r#""permissionDecision":"defer","permissionDecisionReason":"later""#;
    let place = Place::of(Dialect::CLAUDE).with(PRE, &says(PRE, decision));
    let person = Person::saying(Approval::granted());
    let granted = with(&person, &place, "ls").await;
    assert_eq!(granted.outcome, HookOutcome::Allow);
    let request = &person.asked()[0];
    assert!(request.reasons().contains("later"), "{request:?}");
}

#[tokio::test]
async fn a_hook_that_denies_leaves_nothing_to_ask_about() {
    let place = asking().with(PRE, "echo never >&2; exit 2");
    let person = Person::saying(Approval::granted());
    let consultation = with(&person, &place, "old").await;
    assert!(denied(&consultation).contains("never"));
    assert_eq!((consultation.asked, person.asked().len()), (None, 0));
}

#[tokio::test]
async fn an_ask_that_the_agent_does_not_hear_is_put_to_the_person() {
    for dialect in [Dialect::CLAUDE, Dialect::CODEX] {
        let ask = r#"echo '{"permission_decision":"ask","reason":"sure?"}'; exit 1"#;
        let lax = handler(ask).with_on_failure(FailurePolicy::Allow);
        let place = Place::of(dialect).with_handler(PRE, None, lax);
        let person = Person::saying(Approval::refused("not today"));
        let refused = with(&person, &place, "ls").await;
        let reason = denied(&refused);
        assert!(reason.contains("sure?"), "{dialect}: {reason}");
        assert_eq!(person.asked().len(), 1, "{dialect}");
        let strict = before(&place.strict(), &place, "ls").await;
        assert_eq!(strict.outcome, HookOutcome::Allow, "{dialect}");
    }
}

#[tokio::test]
async fn an_ask_that_cannot_be_put_denies_whatever_is_written_down_about_failures() {
    let line = r#"echo checked; echo '{"permissionDecision":"ask"}'"#;
    let lax = handler(line).with_on_failure(FailurePolicy::Allow);
    let place = Place::of(Dialect::CLAUDE).with_handler(PRE, None, lax);
    let person = Person::saying(Approval::granted());
    let consultation = with(&person, &place, "ls").await;
    let reason = denied(&consultation);
    assert!(
        reason.contains("asked for a person's agreement"),
        "{reason}"
    );
    assert_eq!((consultation.asked, person.asked().len()), (None, 0));
}

/// What the operator hears of a hook of Claude Code that answers this and ends with status 1.
async fn remark(fields: &str) -> String {
    let line = format!("{}; exit 1", says(PRE, fields));
    let place = Place::of(Dialect::CLAUDE).with(PRE, &line);
    let consultation = before(&place.hooks(), &place, "ls").await;
    let mut notes = consultation.notes.iter();
    let note = notes.find(|note| note.text.contains("exit status 1"));
    note.expect("a remark").text.clone()
}

#[tokio::test]
async fn an_answer_that_counts_beside_a_failure_is_not_said_to_be_passed_over() {
    for (fields, meaning) in [
        (r#""permissionDecision":"ask""#, "; its ask counts"),
        (r#""permissionDecision":"defer""#, "; its ask counts"),
        (r#""permissionDecision":"deny""#, "; this was refused"),
        (
            r#""permissionDecision":"allow""#,
            "; what it printed counts",
        ),
        (r#""additionalContext":"c""#, "; what it printed counts"),
        (r#""other":"c""#, "; it was passed over"),
    ] {
        let said = remark(fields).await;
        assert!(said.ends_with(meaning), "{fields}: {said}");
    }
}

#[tokio::test]
async fn hooks_that_ask_without_a_reason_are_named() {
    let silent = says(PRE, r#""permissionDecision":"ask""#);
    let place = Place::of(Dialect::CLAUDE).with(PRE, &silent);
    let person = Person::saying(Approval::granted());
    with(&person, &place, "ls").await;
    let reasons = person.asked()[0].reasons();
    let expected = format!("dialect 'claude': hook `{silent}` gave no reason");
    assert_eq!(reasons, expected);
}

#[tokio::test]
async fn where_no_person_can_be_asked_the_call_is_denied_with_how_to_run_it_by_hand() {
    for word in ["ask", "defer"] {
        let decision =
            format!(r#""permissionDecision":"{word}","permissionDecisionReason":"why not""#);
        let place = Place::of(Dialect::CLAUDE).with(PRE, &says(PRE, &decision));
        let consultation = before(&place.hooks(), &place, "ls -la").await;
        let reason = denied(&consultation);
        for part in [
            "because a person has to agree",
            "dialect 'claude': why not (from hook `",
            "; a person can run it by hand: ls -la",
        ] {
            assert!(reason.contains(part), "{reason}");
        }
        let asked = consultation.asked.as_ref().expect("asked");
        assert_eq!(asked.then, HookOutcome::Allow);
        assert!(matches!(asked.settled, Settled::Unanswered(_)));
    }
}
