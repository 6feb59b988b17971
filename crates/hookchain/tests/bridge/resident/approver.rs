//! The operator's approver answers for a person, with a resident chain and without one, before the agent gives up.

use std::{fs, os::unix::fs::PermissionsExt};

use super::{AGENTS, Desk, Residence};
use crate::desk::{Ran, answered, before};

/// A hook that asks, and an operator whose approver does this. It has ten minutes.
fn desk(script: &str) -> Desk {
    let ask = r#"echo '{"decision":"ask","reason":"to production"}'"#;
    let desk = Desk::with_hook("pre_tool_use", "", ask);
    desk.write(
        "home/.config/basis/hooks.json",
        r#"{"schema":1,"approver":{"command":["./ask"]}}"#,
    );
    let path = "home/.config/basis/ask";
    desk.write(path, &format!("#!/bin/sh\necho x >> asked\n{script}\n"));
    fs::set_permissions(desk.path().join(path), fs::Permissions::from_mode(0o755)).expect("a mode");
    desk
}

/// What each agent is told, without a server and with one, in so many seconds.
fn told(desk: &Desk, within: &str) -> Vec<Ran> {
    let residence = Residence::new(desk);
    let payload = before("ls").to_string();
    let mut told = Vec::new();
    for agent in AGENTS {
        told.push(desk.ask_with(&["bridge", agent, "--within", within], &payload));
    }
    let server = residence.serve(&[]);
    for agent in AGENTS {
        let bridge = residence.command(&["bridge", agent, "--connect", "--within", within]);
        told.push(answered(bridge, payload.as_bytes()));
    }
    assert_eq!(server.end("TERM"), Some(0));
    let asked = desk.read("home/.config/basis/asked");
    assert_eq!(asked.lines().count(), told.len(), "each was asked once");
    told
}

#[test]
fn a_person_who_agrees_lets_the_call_be_made() {
    let desk = desk(r#"echo '{"approval":"granted"}'"#);
    for ran in told(&desk, "60") {
        assert_eq!((ran.status, &*ran.stderr), (Some(0), ""), "{ran:?}");
        assert!(!ran.stdout.contains("deny"), "{ran:?}");
    }
}

#[test]
fn a_person_who_does_not_agree_has_the_last_word() {
    let desk = desk(r#"echo '{"approval":"refused","reason":"not on a Friday"}'"#);
    for ran in told(&desk, "60") {
        let said = format!("{}{}", ran.stdout, ran.stderr);
        assert!(said.contains("not approved: not on a Friday"), "{ran:?}");
    }
}

#[test]
fn a_person_who_takes_longer_than_the_bridge_has_does_not_keep_it_from_answering() {
    let desk = desk("exec sleep 600");
    for ran in told(&desk, "1") {
        let said = format!("{}{}", ran.stdout, ran.stderr);
        assert!(said.contains("to production"), "{ran:?}");
        assert!(!said.contains("hookchain cannot judge this"), "{ran:?}");
    }
}

#[test]
fn the_user_reads_why_the_approver_did_not_answer_and_the_model_does_not() {
    for (script, why) in [
        ("echo token=hunter2 >&2; exit 3", "status 3: token=hunter2"),
        ("echo nonsense", "gave no answer"),
    ] {
        let desk = desk(script);
        for (ran, agent) in told(&desk, "60").iter().zip(AGENTS.iter().cycle()) {
            let (user, model): (String, String) = match serde_json::from_str(&ran.stdout) {
                Ok::<serde_json::Value, _>(answer) => {
                    let user = answer["systemMessage"].as_str().unwrap_or_default();
                    let said = &answer["hookSpecificOutput"]["permissionDecisionReason"];
                    (user.to_owned(), said.to_string())
                }
                Err(_) => (ran.stdout.clone(), ran.stderr.clone()),
            };
            assert!(
                user.contains("host 'approval': the approver failed: "),
                "{agent}: {ran:?}"
            );
            assert!(user.contains(why), "{agent}: {ran:?}");
            assert!(
                !model.contains("hunter2") && !model.contains("approver"),
                "{agent}: {ran:?}"
            );
        }
    }
}
