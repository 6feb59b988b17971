//! What becomes of a call to which a person has to agree, in each mode of each agent.

use hook_contract::{Answer as Said, Approval, HookEvent, Json, Rewrite};
use hook_dialect::{
    Decision,
    bridge::{Answer, Asked, Asks, Attendance, Bridge},
};
use serde_json::json;

use crate::kit::{Failing, Person, Speaker, Streams, consulted, consulted_with, heard, question};

/// Every word that was seen as the `permission_mode`, one that was not, and none.
const MODES: [Option<&str>; 8] = [
    Some("default"),
    Some("acceptEdits"),
    Some("auto"),
    Some("dontAsk"),
    Some("plan"),
    Some("bypassPermissions"),
    Some("newMode"),
    None,
];

/// A question of this agent at this event, in a mode.
fn asked(bridge: &'static Bridge, event: &str, mode: (Attendance, Option<&str>)) -> Asked {
    let mut payload = json!({
        "session_id": "s", "turn_id": "7", "hook_event_name": event, "tool_name": "Bash",
        "tool_input": {"command": "make deploy"}, "tool_use_id": "t", "error": "Exit code 1",
        "tool_response": {"stdout": "token", "stderr": "", "interrupted": false, "isImage": false},
    });
    if let Some(permission_mode) = mode.1 {
        payload["permission_mode"] = json!(permission_mode);
    }
    question(bridge, &payload.to_string()).with_attendance(mode.0)
}

fn claude(attendance: Attendance) -> Asked {
    asked(Bridge::CLAUDE, "PreToolUse", (attendance, Some("default")))
}

fn ask() -> Speaker {
    Speaker::named("deploys", Said::ask("to production"))
}

/// Each event of each agent in each mode.
fn each_mode(mut look: impl FnMut(&'static Bridge, &str, (Attendance, Option<&str>))) {
    let rows = Bridge::ALL
        .into_iter()
        .flat_map(|bridge| bridge.rows.iter().map(move |row| (bridge, row)));
    let modes = Attendance::ALL
        .into_iter()
        .flat_map(|attendance| MODES.map(move |mode| (attendance, mode)));
    let modes: Vec<_> = modes.collect();
    for (bridge, row) in rows {
        for mode in &modes {
            look(bridge, row.event, *mode);
        }
    }
}

#[test]
fn an_ask_is_handed_on_where_a_row_says_so_and_refused_everywhere_else() {
    let mut handed_on = 0;
    each_mode(|bridge, event, mode| {
        let name = format!("{} {event} {mode:?}", bridge.dialect.name);
        let asked = asked(bridge, event, mode);
        let answer = asked.answer(&consulted(&asked, [ask()]));
        let row = bridge.row(event).expect("a row");
        let heard = heard(bridge, event, &answer, Streams::Both);
        assert_eq!(heard.failure, None, "{name}");
        let reason = heard.reason.clone().expect("a reason");
        assert!(
            reason.contains("interceptor 'deploys': to production"),
            "{name}: {reason}"
        );
        let by_hand = "a person can run it by hand: make deploy";
        let ask = row.ask_in(mode.0, mode.1);
        let tells_how = if let Some(ask) = ask {
            handed_on += 1;
            assert_eq!(heard.decision, Some(Decision::Ask), "{name}");
            ask.asks == Asks::HostIfAny
        } else {
            assert!(heard.refuses(), "{name}: {heard:?}");
            asked.event() == HookEvent::PreToolUse
        };
        assert_eq!(reason.contains(by_hand), tells_how, "{name}: {reason}");
    });
    // Claude Code before a call, in six ways to permit calls, with a person and without.
    assert_eq!(handed_on, 12);
}

#[test]
fn an_ask_that_does_not_arrive_is_a_refusal() {
    each_mode(|bridge, event, mode| {
        let asked = asked(bridge, event, mode);
        let answer = asked.answer(&consulted(&asked, [ask()]));
        let heard = heard(bridge, event, &answer, Streams::NoStdout);
        let name = format!("{} {event} {mode:?}", bridge.dialect.name);
        assert!(heard.refuses(), "{name}: {heard:?}");
        let reason = heard.reason.expect("a reason");
        assert!(reason.contains("to production"), "{name}: {reason}");
    });
}

#[test]
fn the_person_reads_every_reason_with_the_name_of_who_asks() {
    let two = || {
        [
            ask(),
            Speaker::named("budget", Said::ask("costs\n\u{1b}[2Jmoney")),
        ]
    };
    let reason = |attendance| {
        let asked = claude(attendance);
        let answer = asked.answer(&consulted(&asked, two()));
        let heard = heard(Bridge::CLAUDE, "PreToolUse", &answer, Streams::Both);
        heard.reason.expect("a reason")
    };
    // What would drive the terminal of the person is shown as what it is.
    let both = "interceptor 'deploys': to production\ninterceptor 'budget': costs\n\\u{1b}[2Jmoney";
    assert_eq!(reason(Attendance::Attended), both);
    let by_hand = "if no person is asked here, a person can run it by hand: make deploy";
    assert_eq!(reason(Attendance::Unattended), format!("{both}\n{by_hand}"));
}

#[test]
fn a_rewrite_that_is_asked_about_goes_with_the_ask() {
    let input = json!({"command": "make dry-run", "timeout": 5});
    let rewrite = Rewrite::Input(Json::from(input.clone()));
    let chains: [Vec<Speaker>; 2] = [
        vec![Speaker::named(
            "deploys",
            Said::ask("to production").with_rewrite(rewrite),
        )],
        vec![ask(), Speaker::named("drier", Said::modify(input.clone()))],
    ];
    for chain in chains {
        let asked = claude(Attendance::Unattended);
        let answer = asked.answer(&consulted(&asked, chain));
        let heard = heard(Bridge::CLAUDE, "PreToolUse", &answer, Streams::Both);
        assert_eq!(heard.decision, Some(Decision::Ask));
        assert_eq!(heard.updated_input.as_ref().map(Json::value), Some(&input));
        let reason = heard.reason.expect("a reason");
        assert!(
            reason.ends_with("a person can run it by hand: make dry-run"),
            "{reason}"
        );
    }
    // Codex is told no, with the form that a person would run.
    let asked = asked(
        Bridge::CODEX,
        "PreToolUse",
        (Attendance::Attended, Some("default")),
    );
    let chain = [ask(), Speaker::named("drier", Said::modify(input))];
    let answer = asked.answer(&consulted(&asked, chain));
    let heard = heard(Bridge::CODEX, "PreToolUse", &answer, Streams::Both);
    assert!(heard.refuses() && heard.updated_input.is_none());
    let reason = heard.reason.expect("a reason");
    assert!(
        reason.ends_with("a person can run it by hand: make dry-run"),
        "{reason}"
    );
}

#[test]
fn an_ask_that_a_person_answered_is_an_outcome_like_any_other() {
    let answer = |approval, chain: Vec<Speaker>| {
        let asked = claude(Attendance::Attended);
        let approver =
            |builder: hook_runner::HookRunnerBuilder| builder.with_approver(Person(approval));
        asked.answer(&consulted_with(&asked, chain, approver))
    };
    let granted = answer(Approval::granted(), vec![ask()]);
    let stdout = String::new();
    assert_eq!(granted, Answer::Nothing { stdout });
    let rewritten = Speaker::says(Said::modify(json!({"command": "make dry-run"})));
    let granted = answer(Approval::granted(), vec![ask(), rewritten]);
    let heard_of = |answer| heard(Bridge::CLAUDE, "PreToolUse", &answer, Streams::Both);
    let heard = heard_of(granted);
    assert_eq!(heard.decision, None);
    assert_eq!(
        heard.updated_input.expect("another input")["command"],
        "make dry-run"
    );
    let heard = heard_of(answer(Approval::refused("not today"), vec![ask()]));
    assert!(heard.refuses());
    let reason = heard.reason.expect("a reason");
    assert!(reason.starts_with("not approved: not today"), "{reason}");
}

#[test]
fn an_approver_that_fails_leaves_the_ask_to_the_agent() {
    let asked = claude(Attendance::Attended);
    let consultation = consulted_with(&asked, [ask()], |builder| builder.with_approver(Failing));
    let answer = asked.answer(&consultation);
    let heard = heard(Bridge::CLAUDE, "PreToolUse", &answer, Streams::Both);
    assert_eq!(heard.decision, Some(Decision::Ask));
}

#[test]
fn a_denial_beside_an_ask_is_a_denial() {
    for chain in [
        [ask(), Speaker::says(Said::deny("never"))],
        [Speaker::says(Said::deny("never")), ask()],
    ] {
        let asked = claude(Attendance::Attended);
        let answer = asked.answer(&consulted(&asked, chain));
        assert!(matches!(answer, Answer::Refused { .. }), "{answer:?}");
    }
}

#[test]
fn after_a_call_the_result_is_withheld_where_it_can_be() {
    let reason = "a person has to agree to this result before it is used, and none can be asked here (asked by \
                  interceptor 'deploys': to production)";
    let mode = (Attendance::Attended, Some("default"));
    let heard_of = |bridge, event| {
        let asked = asked(bridge, event, mode);
        let answer = asked.answer(&consulted(&asked, [ask()]));
        heard(bridge, event, &answer, Streams::Both)
    };
    let claude = heard_of(Bridge::CLAUDE, "PostToolUse");
    assert_eq!(
        (claude.refuses(), claude.reason.as_deref()),
        (true, Some(reason))
    );
    let output = claude.updated_tool_output.expect("another result");
    assert_eq!(
        output["stdout"],
        format!("[a hook withheld this result: {reason}]")
    );
    let codex = heard_of(Bridge::CODEX, "PostToolUse");
    assert_eq!(
        (codex.refuses(), codex.reason.as_deref()),
        (true, Some(reason))
    );
    // What cannot be withheld is told.
    let failed = heard_of(Bridge::CLAUDE, "PostToolUseFailure");
    let told = format!(
        "{reason}\nClaude Code cannot withhold this result of Bash, and you may have seen it; do not use it"
    );
    assert_eq!((failed.refuses(), failed.reason), (true, Some(told)));
}
