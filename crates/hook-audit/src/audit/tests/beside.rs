//! What is recorded beside decisions: passes, agreements, words for the model, and single hooks.

use hook_contract::{Answer, Approval, ApprovalRequest, Approver, HookRequest, Rewrite};
use hook_runner::{Part, Rank, Ranks};

use super::*;
use crate::{HookInvoked, RecordedDecision, RecordedOutcome, RecordedSettled};

/// An interceptor that has something to tell the model whenever it is asked.
struct Teller;

#[async_trait]
impl Interceptor for Teller {
    fn name(&self) -> &str {
        "teller"
    }

    async fn intercept(&self, call: &HookRequest) -> Result<HookOutcome, InterceptorError> {
        self.answer(call).await.map(Answer::without_a_person)
    }

    async fn answer(&self, call: &HookRequest) -> Result<Answer, InterceptorError> {
        let told = format!("round {}: password=hunter2", u8::from(call.again) + 1);
        Ok(Answer::allow().with_context(told))
    }
}

/// All hooks of another agent: they ask for a person's agreement to another form of the call or of its result.
struct Agent(Identity);

#[async_trait]
impl Participant for Agent {
    fn identity(&self) -> &Identity {
        &self.0
    }

    fn applies_to(&self, subject: &Subject<'_>) -> bool {
        subject.tool_name == "release"
    }

    fn ranks(&self) -> Ranks {
        Ranks::both(Rank::workspace(0))
    }

    async fn ask(&self, question: &Question) -> Reply {
        let form = match question.request().output {
            None => Rewrite::Input(json!({"command": "make dry-release"}).into()),
            Some(_) => Rewrite::output(json!("the log, less a line"), Some(true)),
        };
        let ask = Answer::ask("to production, with TOKEN=hunter2").with_rewrite(form);
        Reply::new(Ok(ask))
            .with_bytes(300, 90)
            .with_parts(vec![asking(), broken()], 1)
    }
}

fn asking() -> Part {
    let mut part = Part::new("./ask.sh --token hunter2", "user /home/ada/settings.json");
    part.decision = Some("defer");
    part.reason = Some("to production, with TOKEN=hunter2".into());
    part.exit = Some(Exit::Code(0));
    part.took = Duration::from_millis(12);
    part.queued = Duration::from_micros(1_500);
    part
}

fn broken() -> Part {
    let mut part = Part::new("./broken.sh", "project /repo/settings.json");
    part.failure = Some("`decision` says `password=hunter2`".into());
    part.exit = Some(Exit::Signal(9));
    part.stderr = Some("\nPASSWORD=hunter2\n".into());
    part.took = Duration::from_millis(3);
    part
}

/// Answers as the call is named.
struct Person;

#[async_trait]
impl Approver for Person {
    async fn approve(&self, request: &ApprovalRequest) -> Result<Approval, InterceptorError> {
        match request.call.tool_call_id.as_str() {
            "once" => Ok(Approval::granted()),
            "for-the-session" => Ok(Approval::Granted { remember: true }),
            "never" => Ok(Approval::refused("not on a Friday")),
            _ => Err("the phone is off; its token=hunter2".into()),
        }
    }
}

const CALLS: [&str; 4] = ["once", "for-the-session", "never", "unanswered"];

/// Puts a call with each answer of the person through the chain, and one result; gives the lines.
fn recorded_lines(capture: Capture) -> String {
    let directory = tempfile::tempdir().expect("a directory");
    let audit = builder(directory.path())
        .with_capture(capture)
        .start()
        .expect("a thread");
    let start = Instant::now();
    let ticks = AtomicU64::new(0);
    let origin = HookOrigin::WorkspaceFile {
        path: "/repo/settings.json".into(),
        line: 1,
        column: 1,
    };
    let agent = Identity::new("dialect", "claude", Origin::Declared(origin)).with_dialect("claude");
    let runner = HookRunner::builder("/repo")
        .with_interceptor(Teller)
        .with_last_participant(Agent(agent))
        .with_approver(Person)
        .with_recorder(audit.clone())
        .with_reporter(|_| ())
        .with_clock(move || start + Duration::from_millis(ticks.fetch_add(2, Ordering::Relaxed)))
        .build()
        .expect("a runner");
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .expect("a runtime");
    runtime.block_on(async {
        let release = |id| HookCall::new("agent-1", "release", id, r#"{"command":"make release"}"#);
        for id in CALLS {
            runner.decide(&release(id)).await;
        }
        let log = Json::from(json!("a log"));
        runner.review(&release("never"), log, false).await;
    });
    assert!(audit.close(PATIENCE).is_settled);
    lines(directory.path())
}

#[track_caller]
fn recorded_beside(name: &str, capture: Capture) -> String {
    let text = recorded_lines(capture);
    insta::with_settings!({filters => vec![(r#""[0-9a-f]{12}-\d+""#, r#""(consultation)""#)]}, {
        insta::assert_snapshot!(name, text);
    });
    text
}

#[test]
fn digests_hold_no_words_for_the_model_and_nothing_of_the_call() {
    let text = recorded_beside("digests", Capture::Digests);
    for absent in ["hunter2", "round 1", r#""context":"#, "make", "the log"] {
        assert!(!text.contains(absent), "{absent}");
    }
    assert!(text.contains(r#""context_bytes":50"#));
}

#[test]
fn what_is_said_beside_a_decision_is_masked_where_secrets_are() {
    let text = recorded_beside("redacted", Capture::Redacted);
    assert!(!text.contains("hunter2"));
    assert!(text.contains("round 1: password=[masked]"));
}

#[test]
fn everything_that_is_said_beside_a_decision_is_recorded_in_full() {
    let text = recorded_beside("full", Capture::Full);
    for text_of_a_hook in [
        "--token hunter2",
        "round 2: password=hunter2",
        "`password=hunter2`",
    ] {
        assert!(text.contains(text_of_a_hook), "{text_of_a_hook}");
    }
}

#[test]
fn an_agreement_says_what_was_asked_for_and_what_came_of_it() {
    let text = recorded_lines(Capture::Full);
    let records = text
        .lines()
        .map(|line| Record::parse(line).expect("a record"));
    let approvals: Vec<_> = records
        .filter_map(|record| match record {
            Record::Consultation(ended) => Some(ended),
            Record::Invoked(_) | Record::Result(_) | Record::Lost(_) => None,
        })
        .map(|ended| {
            let approval = ended.approval.expect("an agreement");
            assert_eq!(approval.by, ["claude"]);
            let rewrite = |captured: Option<crate::Captured>| {
                captured.map(|it| it.exact().expect("all of it").text().to_owned())
            };
            (
                (approval.settled, approval.remember, approval.then),
                (rewrite(approval.rewrite), approval.rewrite_is_error),
                (ended.outcome, rewrite(ended.rewrite)),
            )
        })
        .collect();
    let dry = || Some(r#"{"command":"make dry-release"}"#.to_owned());
    let granted = |remember| {
        (
            (RecordedSettled::Granted, remember, RecordedOutcome::Modify),
            (None, None),
            (RecordedOutcome::Modify, dry()),
        )
    };
    let denied = (RecordedOutcome::Deny, None);
    let (refused, unanswered) = (RecordedSettled::Refused, RecordedSettled::Unanswered);
    let result = Some(r#""the log, less a line""#.to_owned());
    assert_eq!(
        approvals,
        [
            granted(false),
            granted(true),
            (
                (refused, false, RecordedOutcome::Modify),
                (dry(), None),
                denied.clone()
            ),
            (
                (unanswered, false, RecordedOutcome::Modify),
                (dry(), None),
                denied.clone()
            ),
            (
                (refused, false, RecordedOutcome::Replace),
                (result, Some(true)),
                denied
            ),
        ]
    );
}

#[test]
fn an_answer_belongs_to_the_question_of_its_own_pass() {
    let text = recorded_lines(Capture::Digests);
    let mut open: Vec<HookInvoked> = Vec::new();
    let mut asked = Vec::new();
    for line in text.lines() {
        match Record::parse(line).expect("a record") {
            // Answered ones stay: without the pass, the first question of the participant would fit as well.
            Record::Invoked(invoked) => open.push(invoked),
            Record::Result(result) => {
                let fits: Vec<_> = open
                    .iter()
                    .filter(|question| result.answers(question))
                    .map(|question| (question.name.clone(), question.pass))
                    .collect();
                assert_eq!(fits.len(), 1, "{fits:?}");
                asked.extend(fits);
            }
            Record::Consultation(_) | Record::Lost(_) => {}
        }
    }
    let each = [("teller", 1), ("claude", 1), ("teller", 2)];
    let each = each.map(|(name, pass)| (name.to_owned(), pass));
    assert_eq!(
        asked,
        [each.clone(), each.clone(), each.clone(), each.clone(), each].concat()
    );
}

#[test]
fn an_ask_is_a_decision_and_single_hooks_keep_their_own_words() {
    let text = recorded_lines(Capture::Digests);
    let results = text.lines().filter_map(|line| match Record::parse(line) {
        Ok(Record::Result(result)) if !result.hooks.is_empty() => Some(result),
        _ => None,
    });
    let results: Vec<_> = results.collect();
    assert_eq!(results.len(), 5);
    for result in results {
        assert_eq!(result.decision, RecordedDecision::Ask);
        assert_eq!(result.in_background, 1);
        let words: Vec<_> = result
            .hooks
            .iter()
            .map(|hook| hook.decision.as_deref())
            .collect();
        assert_eq!(words, [Some("defer"), None]);
    }
}
