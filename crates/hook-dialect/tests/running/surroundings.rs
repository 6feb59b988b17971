//! Where hooks run, and with what.

use std::{path::Path, time::Duration};

use hook_dialect::{
    Dialect, Fact, Facts,
    config::{CommandForm, DialectConfig, Handler, Shell, load},
    run::{Credentials, DialectHooks},
};
use hook_runner::HookOutcome;

use crate::kit::{Place, before, handler};

const START: &str = "SessionStart";

/// What the only hook says, told where the session is.
async fn said(hooks: &DialectHooks, cwd: Option<&str>) -> String {
    let mut facts = Facts::new().with(Fact::Source, "startup");
    if let Some(cwd) = cwd {
        facts = facts.with(Fact::Cwd, cwd);
    }
    let fired = hooks.fire(START, &facts).await.expect("known");
    fired.outcome.additional_context.concat()
}

#[tokio::test]
async fn the_environment_is_the_hosts_less_what_looks_like_a_credential() {
    // This one is the build's, and any other would do.
    const HAS: &str = "CARGO_MANIFEST_DIR";
    let line = format!("echo \"<${HAS}>\"");
    let place = Place::of(Dialect::CLAUDE).with(START, &line);
    let own = format!("<{}>", env!("CARGO_MANIFEST_DIR"));
    assert_eq!(said(&place.hooks(), None).await, own);
    let withheld = Credentials::default().withholding(HAS);
    let hooks = place.builder().with_credentials(withheld).build();
    assert_eq!(said(&hooks, None).await, "<>");
    // What the embedder says is meant to be there.
    let hooks = place
        .builder()
        .with_env("MY_TOKEN", "x")
        .with_env(HAS, "y")
        .build();
    assert_eq!(said(&hooks, None).await, "<y>");
}

#[tokio::test]
async fn what_is_loaded_brings_its_variables_along() {
    let workspace = tempfile::tempdir().expect("a directory");
    let write = |file: &str, text: &str| {
        let path = workspace.path().join(file);
        std::fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
        std::fs::write(path, text).expect("a file");
    };
    let hook = r#"{"hooks": [{"type": "command", "command": "echo \"<$MADE_UP $OTHER>\""}]}"#;
    write(
        ".claude/settings.json",
        &format!(r#"{{"env": {{"MADE_UP": "p", "OTHER": 1}}, "hooks": {{"{START}": [{hook}]}}}}"#),
    );
    write(
        ".claude/settings.local.json",
        r#"{"env": {"MADE_UP": "l"}}"#,
    );
    write(
        "codex/hooks.json",
        &format!(r#"{{"hooks": {{"{START}": [{hook}]}}}}"#),
    );
    let config = DialectConfig::new()
        .with_codex_home(workspace.path().join("codex"))
        .with_every_hook_trusted();
    let loaded = load(workspace.path(), &config).expect("settings");
    let builder = |dialect| DialectHooks::builder(dialect, workspace.path()).with_loaded(&loaded);
    assert_eq!(said(&builder(Dialect::CLAUDE).build(), None).await, "<l 1>");
    let hooks = builder(Dialect::CLAUDE).with_env("OTHER", "2").build();
    assert_eq!(said(&hooks, None).await, "<l 2>");
    // What the settings of one agent say is not for the hooks of another.
    assert_eq!(said(&builder(Dialect::CODEX).build(), None).await, "< >");
}

#[tokio::test]
async fn at_the_start_each_hook_has_a_file_for_the_variables_of_what_follows() {
    let exports = |text: &str| {
        format!(
            "echo \"$CLAUDE_ENV_FILE\" > \"$MARKS/{text}\"; echo 'export {text}=1' >> \"$CLAUDE_ENV_FILE\""
        )
    };
    let place = Place::of(Dialect::CLAUDE)
        .with(START, &exports("ONE"))
        .with(START, "true")
        .with(START, &exports("TWO"))
        .with("Stop", "echo \"<$CLAUDE_ENV_FILE>\" > \"$MARKS/stop\"");
    let hooks = place.hooks();
    let facts = Facts::new()
        .with(Fact::Source, "startup")
        .with(Fact::StopHookActive, false);
    let fired = hooks.fire(START, &facts).await.expect("known");
    let exported: Vec<_> = fired.exports().collect();
    assert_eq!(exported, ["export ONE=1\n", "export TWO=1\n"]);
    let files =
        ["ONE", "TWO"].map(|name| std::fs::read_to_string(place.mark(name)).expect("a file"));
    assert_ne!(files[0], files[1]);
    assert!(files.iter().all(|file| !Path::new(file.trim()).exists()));
    let fired = hooks.fire("Stop", &facts).await.expect("known");
    assert_eq!(fired.exports().count(), 0);
    let stop = std::fs::read_to_string(place.mark("stop")).expect("a file");
    assert_eq!(stop, "<>\n");
}

#[tokio::test]
async fn long_texts_are_cut_where_there_is_a_place_for_them() {
    let place = Place::of(Dialect::CODEX).with(START, "head -c 12000 /dev/zero | tr '\\0' x");
    assert_eq!(said(&place.hooks(), None).await.len(), 12_000);
    let hooks = place.builder().with_long_texts_in(place.path()).build();
    let text = said(&hooks, None).await;
    assert!(
        text.len() <= 10_000 && text.contains("/hook-text-"),
        "{text}"
    );
}

#[tokio::test]
async fn a_hook_of_claude_code_runs_where_the_session_is_and_one_of_codex_in_the_project() {
    let line = "echo \"$(pwd) $PWD ${CLAUDE_PROJECT_DIR:-none}\"";
    for (dialect, follows) in [(Dialect::CLAUDE, true), (Dialect::CODEX, false)] {
        let place = Place::of(dialect).with(START, line);
        let root = place.path().canonicalize().expect("a path");
        let sub = root.join("a b");
        std::fs::create_dir(&sub).expect("a directory");
        let (root, sub) = (root.display().to_string(), sub.display().to_string());
        let (here, project) = if follows {
            (&sub, &*root)
        } else {
            (&root, "none")
        };
        let hooks = DialectHooks::builder(dialect, &root)
            .with_hooks(place.hooks().hooks().cloned())
            .build();
        assert_eq!(
            said(&hooks, Some(&sub)).await,
            format!("{here} {here} {project}")
        );
        // Where the session was is gone.
        let gone = format!("{root}/gone");
        let expected = format!("{root} {root} {project}");
        assert_eq!(said(&hooks, Some(&gone)).await, expected);
    }
}

#[tokio::test]
async fn a_command_without_a_shell_is_started_as_it_is() {
    let exec = |program: &str, args: &[&str]| {
        let program = program.to_owned();
        let args = args.iter().map(|arg| (*arg).to_owned()).collect();
        Handler::new(
            CommandForm::Exec { program, args },
            Duration::from_secs(600),
        )
    };
    let words = exec("echo", &["$HOME  ;", "${CLAUDE_PROJECT_DIR}/x"]);
    let place = Place::of(Dialect::CLAUDE).with_handler(START, None, words);
    let expected = format!("$HOME  ; {}/x", place.path().display());
    assert_eq!(said(&place.hooks(), None).await, expected);

    let missing = exec("no-such-program-here", &[]);
    let place = Place::of(Dialect::CLAUDE).with_handler("PreToolUse", None, missing);
    let consultation = before(&place.hooks(), &place, "ls").await;
    assert!(matches!(consultation.outcome, HookOutcome::Deny(_)));
    let note = &consultation.notes[0].text;
    assert!(note.contains("no program `no-such-program-here`"), "{note}");
}

#[tokio::test]
async fn the_shell_of_the_user_takes_a_line_like_any_other() {
    let text = "echo \"$0\" | grep -c sh".to_owned();
    let shell = Shell::OfUser;
    let handler = Handler::new(CommandForm::Shell { text, shell }, Duration::from_secs(600));
    let place = Place::of(Dialect::CODEX).with_handler(START, None, handler);
    assert_eq!(said(&place.hooks(), None).await, "1");
}

#[tokio::test]
async fn at_most_so_many_hooks_run_at_once() {
    // Each fails when it is not alone.
    let alone = "mkdir \"$MARKS/alone\" || exit 2; sleep 0.02; rmdir \"$MARKS/alone\"";
    let place = (0..4).fold(Place::of(Dialect::CLAUDE), |place, number| {
        place.with_handler("PreToolUse", None, handler(&format!("{alone} # {number}")))
    });
    let hooks = place.builder().with_max_programs(1).build();
    let consultation = before(&hooks, &place, "ls").await;
    assert_eq!(consultation.outcome, HookOutcome::Allow);
    assert!(consultation.trail[0].queued > Duration::ZERO);
}
