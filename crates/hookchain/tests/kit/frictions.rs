//! What a new user stumbles over: it is said what to do, to whom can do it.

use crate::desk::Desk;

fn hooks(desk: &Desk, hooks: &str) {
    desk.write(
        ".basis/hooks.json",
        &format!("{{\"schema\":1,\"hooks\":[{hooks}]}}"),
    );
}

#[test]
fn a_denial_in_the_way_of_other_agents_is_named_to_the_operator() {
    for (script, is_named) in [
        ("echo no >&2; exit 2", true),
        ("exit 2", false),
        ("echo no >&2; exit 3", false),
        ("echo no >&2; echo x; exit 2", false),
    ] {
        let desk = Desk::empty();
        hooks(
            &desk,
            &format!(r#"{{"name":"g","command":["/bin/sh","-c","{script}"]}}"#),
        );
        let ran = desk.run(&["consult", "--tool", "t", "--input", "{}"]);
        assert_eq!(ran.status, Some(3), "{ran:?}");
        let told = ran
            .stderr
            .contains("is how a hook for Claude Code or Codex denies");
        assert_eq!(told, is_named, "{script}: {ran:?}");
        assert!(!ran.stdout.contains("Claude"), "{ran:?}");
    }
}

#[test]
fn the_model_is_told_what_happened_and_not_how_the_host_looks() {
    let desk = Desk::empty();
    hooks(
        &desk,
        r#"{"name":"a","command":["no-such-program"],"tools":["a"]},
           {"name":"b","command":["/bin/sh","-c","exit 127"],"tools":["b"]}"#,
    );
    let ran = desk.run(&["consult", "--tool", "a", "--input", "{}"]);
    assert_eq!(
        ran.stdout,
        "{\"outcome\":\"deny\",\"reason\":\"denied, because hook 'a' could not be started: there is no program `no-such-program`\"}\n"
    );
    assert!(
        ran.stderr.contains("/bin") && ran.stderr.contains("with a slash"),
        "{ran:?}"
    );
    let ran = desk.run(&["consult", "--tool", "b", "--input", "{}"]);
    assert_eq!(
        ran.stdout,
        "{\"outcome\":\"deny\",\"reason\":\"denied, because hook 'b' ended with status 127\"}\n"
    );
    assert!(ran.stderr.contains("was not found"), "{ran:?}");
}

#[test]
fn a_path_that_begins_at_the_hooks_file_is_named_where_it_is() {
    let desk = Desk::empty();
    desk.write(".basis/hooks/guard.sh", "#!/bin/sh\n");
    desk.write("other/hooks/guard.sh", "#!/bin/sh\n");
    hooks(&desk, r#"{"name":"g","command":["./hooks/guard.sh"]}"#);
    for args in [&["check"][..], &["consult", "--tool", "t", "--input", "{}"]] {
        let ran = desk.run(args);
        let said = ran.stdout + &ran.stderr;
        assert!(said.contains(".basis/hooks/guard.sh"), "{args:?}: {said}");
        assert!(
            said.contains("begins where the hook is started"),
            "{args:?}: {said}"
        );
    }
}

#[test]
fn the_workspace_is_named_to_check_as_to_every_other_command() {
    let desk = Desk::empty();
    hooks(&desk, r#"{"name":"g","command":["true"]}"#);
    let here = desk.path().display().to_string();
    for args in [&["check", &here][..], &["check", "--workspace", &here]] {
        let ran = desk.run(args);
        assert!(
            ran.status == Some(0) && ran.stdout.contains("1 hook"),
            "{ran:?}"
        );
    }
    let ran = desk.run(&["check", &here, "--workspace", &here]);
    assert_eq!(ran.status, Some(2), "{ran:?}");
}

#[test]
fn completions_offer_the_words_that_there_are() {
    let desk = Desk::empty();
    for shell in ["bash", "zsh", "fish"] {
        let ran = desk.run(&["completions", shell]);
        for word in ["native", "codex", "post_tool_use", "human", "prompt"] {
            assert!(ran.stdout.contains(word), "{shell}: {word}");
        }
    }
}
