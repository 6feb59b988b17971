//! Whatever goes wrong, the call does not happen, and somebody is told why.

use std::{
    fs,
    io::{Read, Write},
    os::unix::fs::PermissionsExt,
    process::Stdio,
};

use serde_json::json;

use crate::desk::{Desk, Ran, after, asked, before, ran, result};

const AGENTS: [&str; 2] = ["claude", "codex"];

/// Refused, in words that begin like this.
#[track_caller]
fn refused(agent: &str, ran: &Ran, event: &str, start: &str) {
    assert_eq!(ran.status, Some(2), "{agent}: {ran:?}");
    let heard = ran.heard(agent, event);
    assert!(heard.refuses(), "{agent}: {ran:?}");
    let reason = heard.reason.expect("a reason");
    assert!(reason.starts_with(start), "{agent}: {reason}");
}

#[test]
fn a_broken_hook_denies() {
    for (script, start) in [
        ("exit 1", "denied, because hook 'guard' ended with status 1"),
        ("kill -9 $$", "denied, because hook 'guard' "),
        ("echo nonsense", "denied, because hook 'guard' "),
        (
            "echo '{\"decision\":\"allow\"'",
            "denied, because hook 'guard' ",
        ),
    ] {
        let desk = Desk::with_hook("pre_tool_use", "", script);
        for agent in AGENTS {
            refused(agent, &desk.ask(agent, &before("ls")), "PreToolUse", start);
        }
    }
}

#[test]
fn a_hook_that_takes_too_long_denies() {
    let desk = Desk::with_hook("pre_tool_use", r#","timeout_ms":100"#, "exec sleep 60");
    for agent in AGENTS {
        let ran = desk.ask(agent, &before("ls"));
        refused(
            agent,
            &ran,
            "PreToolUse",
            "denied, because hook 'guard' did not finish within 100 ms and was killed",
        );
    }
}

#[test]
fn all_hooks_together_have_a_limit() {
    let desk = Desk::with_hook("pre_tool_use", r#","timeout_ms":60000"#, "exec sleep 60");
    for agent in AGENTS {
        let ran = desk.ask_with(
            &["bridge", agent, "--within", "1"],
            &before("ls").to_string(),
        );
        refused(agent, &ran, "PreToolUse", "denied");
    }
}

#[test]
fn a_broken_hooks_file_blocks_before_and_after() {
    let desk = Desk::new();
    desk.write(
        "ws/.basis/hooks.json",
        r#"{"schema":1,"hooks":[{"name":"a"}]}"#,
    );
    for agent in AGENTS {
        let start = "hookchain cannot judge this, and so it is blocked: ";
        refused(agent, &desk.ask(agent, &before("ls")), "PreToolUse", start);
        let ran = desk.ask(agent, &after("ls", &result(agent, "secret")));
        let heard = ran.heard(agent, "PostToolUse");
        assert!(
            heard.refuses() && !ran.stdout.contains("secret"),
            "{agent}: {ran:?}"
        );
        assert!(
            heard.reason.expect("a reason").contains("hooks.json:1:"),
            "{agent}"
        );
    }
}

#[test]
fn a_payload_that_is_not_known_blocks() {
    let desk = Desk::new();
    let payloads = [
        String::new(),
        "{".to_owned(),
        json!({"hook_event_name": "Tomorrow"}).to_string(),
        json!({"hook_event_name": "PreToolUse", "session_id": "s", "tool_name": "Bash"})
            .to_string(),
    ];
    for agent in AGENTS {
        for payload in &payloads {
            let ran = desk.ask_with(&["bridge", agent], payload);
            refused(
                agent,
                &ran,
                "PreToolUse",
                "hookchain cannot judge this, and so it is blocked: ",
            );
            assert_eq!(ran.stdout, "", "{agent}");
        }
    }
}

#[test]
fn a_call_with_two_readings_is_denied_where_somebody_would_be_asked() {
    let payload = before("X")
        .to_string()
        .replace(r#"{"command":"X"}"#, r#"{"command":"a","command":"b"}"#);
    let guarded = Desk::with_hook("pre_tool_use", "", r#"echo '{"decision":"allow"}'"#);
    for agent in AGENTS {
        let ran = guarded.ask_with(&["bridge", agent], &payload);
        refused(
            agent,
            &ran,
            "PreToolUse",
            "denied before any hook was asked: the input of the call",
        );
        assert_eq!(
            Desk::new().ask_with(&["bridge", agent], &payload).status,
            Some(0),
            "{agent}"
        );
    }
}

#[test]
fn wrong_arguments_block() {
    let desk = Desk::new();
    for args in [["bridge", "claude", "--what"], ["bridge", "gemini", ""]] {
        let ran = desk.ask_with(&args, "");
        assert!(
            ran.status == Some(2) && !ran.stderr.trim().is_empty(),
            "{ran:?}"
        );
    }
    let ran = desk.ask_with(
        &["bridge", "codex", "--workspace", "/no/such/dir"],
        &before("ls").to_string(),
    );
    refused(
        "codex",
        &ran,
        "PreToolUse",
        "hookchain cannot judge this, and so it is blocked: /no/such/dir is no directory",
    );
}

/// Starts the bridge by a shell that has done something to its streams.
fn with_streams(desk: &Desk, agent: &str, redirection: &str, payload: &str) -> Ran {
    let mut command = desk.program("/bin/sh");
    command.args([
        "-c",
        &format!("exec hookchain bridge {agent} {redirection}"),
    ]);
    let mut child = command.stdin(Stdio::piped()).spawn().expect("started");
    // With standard input closed nobody reads.
    let _unread = child
        .stdin
        .take()
        .expect("its input")
        .write_all(payload.as_bytes());
    ran(child.wait_with_output().expect("its end"))
}

#[test]
fn a_closed_standard_input_blocks() {
    let desk = Desk::new();
    for agent in AGENTS {
        let ran = with_streams(&desk, agent, "<&-", "");
        refused(
            agent,
            &ran,
            "PreToolUse",
            "hookchain cannot judge this, and so it is blocked: ",
        );
    }
}

#[test]
fn a_rewrite_that_cannot_be_handed_over_blocks() {
    let rewrites = Desk::with_hook(
        "pre_tool_use",
        "",
        r#"echo '{"decision":"modify","input":{"command":"b"}}'"#,
    );
    let replaces = Desk::with_hook(
        "post_tool_use",
        "",
        r#"echo '{"decision":"replace","output":"b"}'"#,
    );
    for agent in AGENTS {
        for redirection in [">&-", ">/dev/full", ">/dev/null"] {
            let ran = with_streams(&rewrites, agent, redirection, &before("a").to_string());
            refused(
                agent,
                &ran,
                "PreToolUse",
                "a hook changed the input of this call, and the change could not be handed",
            );
            let payload = after("a", &result(agent, "a")).to_string();
            let ran = with_streams(&replaces, agent, redirection, &payload);
            refused(
                agent,
                &ran,
                "PostToolUse",
                "a hook put another result in the place of this one, and it could not",
            );
        }
    }
}

#[test]
fn a_denial_is_said_on_the_stream_that_is_left() {
    let desk = Desk::with_hook(
        "pre_tool_use",
        "",
        r#"echo '{"decision":"deny","reason":"no"}'"#,
    );
    for agent in AGENTS {
        for closed in [">&-", ">/dev/full", "2>&-", "2>/dev/full", "2>/dev/null"] {
            let ran = with_streams(&desk, agent, closed, &before("a").to_string());
            let heard = ran.heard(agent, "PreToolUse");
            assert!(heard.refuses(), "{agent} {closed}: {ran:?}");
            // Claude Code keeps the end of a line on standard error.
            assert_eq!(
                heard.reason.as_deref().map(str::trim_end),
                Some("denied by hook 'guard': no"),
                "{agent} {closed}"
            );
        }
        let ran = with_streams(&desk, agent, ">&- 2>&-", &before("a").to_string());
        assert_eq!(ran.status, Some(2), "{agent}");
    }
}

#[test]
fn a_signal_kills_the_hook_and_blocks() {
    let desk = Desk::with_hook(
        "pre_tool_use",
        r#","timeout_ms":60000"#,
        "echo $$ > pid; mkfifo up; echo > up; exec sleep 60",
    );
    for agent in AGENTS {
        for name in ["pid", "up"] {
            let _absent = fs::remove_file(desk.path().join("ws").join(name));
        }
        desk.write(
            "ws/guard.sh",
            "#!/bin/sh\necho $$ > pid\necho ready > up\nexec sleep 60\n",
        );
        fs::set_permissions(
            desk.path().join("ws/guard.sh"),
            fs::Permissions::from_mode(0o755),
        )
        .expect("its mode");
        let made = desk.program("mkfifo").arg("up").status().expect("started");
        assert!(made.success());
        let mut child = desk
            .command(&["bridge", agent])
            .stdin(Stdio::piped())
            .spawn()
            .expect("started");
        child
            .stdin
            .take()
            .expect("its input")
            .write_all(before("a").to_string().as_bytes())
            .expect("read");
        let mut ready = String::new();
        fs::File::open(desk.path().join("ws/up"))
            .expect("opened")
            .read_to_string(&mut ready)
            .expect("read");
        let term = desk
            .program("kill")
            .arg(child.id().to_string())
            .status()
            .expect("started");
        assert!(term.success());
        let ran = ran(child.wait_with_output().expect("its end"));
        refused(
            agent,
            &ran,
            "PreToolUse",
            "hookchain cannot judge this, and so it is blocked: a signal (15)",
        );
        let pid = desk.read("ws/pid");
        let alive = desk
            .program("kill")
            .args(["-0", pid.trim()])
            .status()
            .expect("started");
        assert!(!alive.success(), "the hook lives");
    }
}

/// The command as it stands in the settings of Codex.
fn as_codex_starts_it(desk: &Desk, program: &str) -> Ran {
    let ran = desk.run(&[
        "bridge",
        "install",
        "codex",
        "--scope",
        "user",
        "--program",
        program,
    ]);
    assert_eq!(ran.status, Some(1), "not trusted yet: {ran:?}");
    let settings: serde_json::Value =
        serde_json::from_str(&desk.read("home/.codex/hooks.json")).expect("JSON");
    let command = settings["hooks"]["PreToolUse"][0]["hooks"][0]["command"]
        .as_str()
        .expect("a command")
        .to_owned();
    let mut shell = desk.program("/bin/sh");
    shell.args(["-c", &command]);
    // A program that is gone reads nothing.
    let (answer, _written) = asked(shell, before("ls").to_string().as_bytes());
    let ran = desk.run(&["bridge", "uninstall", "codex", "--scope", "user"]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    answer
}

#[test]
fn in_codex_a_bridge_that_is_gone_or_dies_blocks_too() {
    let desk = Desk::with_hook(
        "pre_tool_use",
        "",
        r#"echo '{"decision":"deny","reason":"no"}'"#,
    );
    let ran = as_codex_starts_it(&desk, env!("CARGO_BIN_EXE_hookchain"));
    refused("codex", &ran, "PreToolUse", "denied by hook 'guard': no");
    assert_eq!(ran.stderr, "denied by hook 'guard': no\n");
    let gone = as_codex_starts_it(&desk, "/no/such/hookchain");
    assert_eq!(gone.status, Some(2));
    assert!(
        gone.stderr
            .contains("hookchain gave no answer (exit status 127), and so this is blocked"),
        "{gone:?}"
    );
    for (name, script, status) in [
        ("hookchain-dies", "cat >/dev/null; kill -9 $$", 137),
        ("hookchain-fails", "cat >/dev/null; exit 1", 1),
    ] {
        desk.write(name, &format!("#!/bin/sh\n{script}\n"));
        let path = desk.path().join(name);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("its mode");
        let ran = as_codex_starts_it(&desk, path.to_str().expect("UTF-8"));
        assert_eq!(ran.status, Some(2), "{ran:?}");
        assert!(
            ran.stderr.contains(&format!("(exit status {status})")),
            "{ran:?}"
        );
    }
}
