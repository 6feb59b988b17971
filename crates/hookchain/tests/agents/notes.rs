//! Notes of people to people in settings.

use crate::machine::{CLAUDE, Machine};

#[test]
fn notes_are_for_people_and_are_not_told_at_each_call() {
    let machine = Machine::new();
    machine.file(
        CLAUDE,
        r##"{
  "_readme": "the guards of the team",
  "//": "see docs",
  "_hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "exit 2"}]}]},
  "hooks": {
    "_about": "one for each tool",
    "// old": [],
    "PreToolUse": [{
      "_why": "since the accident",
      "matcher": "Bash",
      "hooks": [{"type": "command", "command": "exit 0", "_timeout": 5, "//": "quick", "#1": 1, "description": "nothing"}]
    }]
  }
}"##,
    );
    let ran = machine.bash("ls", &[]);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""));
    let ran = machine.fire("Stop", &["--fact", "stop_hook_active:=false"]);
    assert_eq!(ran.stderr, "");
    let page = machine.run(&["check", "my ws", "--workspace-only", "--hooks", "claude"]);
    assert_eq!(page.status, Some(0));
    assert!(
        page.stdout.contains("warning[note]") && page.stdout.contains("`_why` is a note"),
        "{page:?}"
    );
    assert!(!page.stdout.contains("error["), "{page:?}");
}

#[test]
fn a_field_without_which_it_is_no_hook_is_no_note() {
    let machine = Machine::with_claude(
        r#"{"PreToolUse": [{"hooks": [{"type": "command", "_command": "exit 2"}]}]}"#,
    );
    let ran = machine.bash("ls", &[]);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    let machine = Machine::with_claude(r#"{"PreToolUse": [{"matcher": "Bash", "_hooks": []}]}"#);
    assert_eq!(machine.bash("ls", &[]).status, Some(1));
}

#[test]
fn a_long_prompt_that_is_not_asked_here_is_cut_at_calls() {
    let prompt = format!(
        "Is $ARGUMENTS allowed? {}the end",
        "Look twice. ".repeat(80)
    );
    let machine = Machine::with_claude(&format!(
        r#"{{"PreToolUse": [{{"hooks": [{{"type": "prompt", "prompt": "{prompt}"}}]}}]}}"#
    ));
    let ran = machine.bash("ls", &[]);
    assert!(
        ran.stderr.contains("hook `Is $ARGUMENTS allowed? Look")
            && ran.stderr.contains("…` is not run"),
        "{ran:?}"
    );
    assert!(
        !ran.stderr.contains("the end") && ran.stderr.len() < 400,
        "{ran:?}"
    );
    let page = machine.run(&["check", "my ws", "--workspace-only", "--hooks", "claude"]);
    assert!(page.stdout.contains("the end"), "{page:?}");
}
