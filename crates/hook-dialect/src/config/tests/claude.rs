use super::*;
use crate::IfRule;

fn machine() -> Machine {
    Machine::new(Dialect::CLAUDE)
}

#[test]
fn files_add_up_in_the_order_of_their_scopes() {
    let machine = machine()
        .with("org/managed-settings.json", &settings("PreToolUse", &["m"]))
        .with(
            "org/managed-settings.d/20-b.json",
            &settings("PreToolUse", &["b"]),
        )
        .with(
            "org/managed-settings.d/10-a.json",
            &settings("PreToolUse", &["a"]),
        )
        .with("org/managed-settings.d/.hidden.json", "{")
        .with(
            "home/.claude/settings.json",
            &settings("PreToolUse", &["u"]),
        )
        .with("ws/.claude/settings.json", &settings("PreToolUse", &["p"]))
        .with(
            "ws/.claude/settings.local.json",
            &settings("PreToolUse", &["l"]),
        );
    assert_eq!(
        machine.summary(),
        "PreToolUse m (managed org/managed-settings.json:1)\n\
         PreToolUse a (managed org/managed-settings.d/10-a.json:1)\n\
         PreToolUse b (managed org/managed-settings.d/20-b.json:1)\n\
         PreToolUse u (user home/.claude/settings.json:1)\n\
         PreToolUse p (project ws/.claude/settings.json:1)\n\
         PreToolUse l (local ws/.claude/settings.local.json:1)"
    );
    let orders: Vec<_> = machine
        .loaded()
        .hooks
        .iter()
        .map(|hook| hook.order)
        .collect();
    assert_eq!(orders, [0, 1, 2, 3, 4, 5]);
}

#[test]
fn the_users_own_settings_of_a_repository_count_in_its_folders() {
    let outer = || {
        machine()
            .with(".git/HEAD", "ref: refs/heads/main\n")
            .with(
                ".claude/settings.json",
                &settings("PreToolUse", &["shared"]),
            )
            .with(
                ".claude/settings.local.json",
                &settings("PreToolUse", &["outer"]),
            )
    };
    assert_eq!(
        outer().summary(),
        "PreToolUse outer (local .claude/settings.local.json:1)"
    );
    let both = outer().with(
        "ws/.claude/settings.local.json",
        &settings("PreToolUse", &["inner"]),
    );
    assert_eq!(
        both.summary(),
        "PreToolUse inner (local ws/.claude/settings.local.json:1)\n\
         PreToolUse outer (local .claude/settings.local.json:1)"
    );
    // A worktree ends where its own `.git` is, and no repository is none.
    let tree = outer().with("ws/.git", "gitdir: ../.git/worktrees/ws\n");
    assert_eq!(tree.summary(), "");
    let none = machine().with(".claude/settings.local.json", &settings("Stop", &["x"]));
    assert_eq!(none.summary(), "");
    let switch = outer()
        .with(".claude/settings.local.json", "{\"disableAllHooks\": true}")
        .with("ws/.claude/settings.json", &settings("PreToolUse", &["p"]));
    assert!(switch.loaded().hooks.is_empty());
}

#[test]
fn a_file_that_two_scopes_lead_to_is_read_once() {
    let machine = machine().with("ws/.claude/settings.json", &settings("Stop", &["x"]));
    let folder = machine.folder.path().join("ws/.claude");
    let machine = machine.with_config(|config| config.with_claude_dir(folder));
    assert_eq!(
        machine.summary(),
        "Stop x (user ws/.claude/settings.json:1)"
    );
}

#[test]
fn every_field_of_a_command_is_read() {
    let text = r#"{"hooks": {"PreToolUse": [
        {"matcher": "Bash|Edit", "hooks": [
            {"type": "command", "command": "a b", "timeout": 1.5, "if": "Bash(git *)", "async": true,
             "asyncRewake": true, "onFailure": "block", "statusMessage": "looking", "shell": "powershell"},
            {"type": "command", "command": "a", "args": ["b c"], "if": "", "onFailure": "continue"},
            {"type": "command", "command": "d", "args": [], "once": true}
        ]}
    ]}}"#;
    let loaded = machine().with("ws/.claude/settings.json", text).loaded();
    let [first, second, third] = loaded.hooks.as_slice() else {
        panic!("three hooks: {loaded:?}");
    };
    assert_eq!(first.pattern.as_deref(), Some("Bash|Edit"));
    assert!(first.matcher.matches("Edit") && !first.matcher.matches("Write"));
    assert_eq!(first.origin.line, 3);
    let handler = &first.handler;
    assert_eq!(
        handler.command,
        CommandForm::Shell {
            text: "a b".into(),
            shell: Shell::PowerShell
        }
    );
    assert_eq!(
        (handler.timeout, handler.timeout_written),
        (Duration::from_millis(1500), true)
    );
    assert_eq!(handler.rule.as_ref().map(IfRule::text), Some("Bash(git *)"));
    assert_eq!(handler.background, Background::WakesTheModel);
    assert_eq!(handler.on_failure, FailurePolicy::Block);
    assert_eq!(handler.status_message.as_deref(), Some("looking"));
    let exec = |program: &str, args: &[&str]| CommandForm::Exec {
        program: program.into(),
        args: args.iter().map(|arg| (*arg).into()).collect(),
    };
    let mut expected = Handler::new(exec("a", &["b c"]), Duration::from_secs(600));
    expected.on_failure = FailurePolicy::Allow;
    assert_eq!(second.handler, expected);
    assert_eq!(
        third.handler,
        Handler::new(exec("d", &[]), Duration::from_secs(600)).with_once()
    );
}

#[test]
fn timeouts_are_seconds_within_what_the_event_allows() {
    let timeout = |event: &str, written: &str| {
        let field = if written.is_empty() {
            String::new()
        } else {
            format!(", \"timeout\": {written}")
        };
        let text = format!(
            r#"{{"hooks": {{"{event}": [{{"hooks": [{{"type": "command", "command": "x"{field}}}]}}]}}}}"#
        );
        machine()
            .with("ws/.claude/settings.json", &text)
            .loaded()
            .hooks[0]
            .handler
            .timeout
    };
    assert_eq!(timeout("PreToolUse", ""), Duration::from_secs(600));
    assert_eq!(timeout("UserPromptSubmit", ""), Duration::from_secs(30));
    assert_eq!(timeout("PreToolUse", "3"), Duration::from_secs(3));
    assert_eq!(
        timeout("PreToolUse", "1e300"),
        Duration::from_secs(365 * 24 * 60 * 60)
    );
    assert_eq!(
        timeout("PreToolUse", "1e999"),
        Duration::from_secs(365 * 24 * 60 * 60)
    );
    assert_eq!(timeout("SessionEnd", "500"), Duration::from_secs(60));
}

#[test]
fn the_same_command_is_one_hook_whatever_its_timeout() {
    let text = r#"{"hooks": {"PreToolUse": [
        {"matcher": "Bash", "hooks": [
            {"type": "command", "command": "a"},
            {"type": "command", "command": "a", "timeout": 5},
            {"type": "command", "command": "a "},
            {"type": "command", "command": "a", "if": "Bash(x)"},
            {"type": "command", "command": "a", "args": []},
            {"type": "command", "command": "a", "async": true}
        ]},
        {"matcher": "*", "hooks": [{"type": "command", "command": "a", "onFailure": "block"}]}
    ], "PostToolUse": [{"hooks": [{"type": "command", "command": "a"}]}]}}"#;
    let machine = machine().with("ws/.claude/settings.json", text).with(
        "home/.claude/settings.json",
        &settings("PreToolUse", &["a"]),
    );
    let same: Vec<_> = machine
        .loaded()
        .hooks
        .iter()
        .map(|hook| hook.same)
        .collect();
    assert_eq!(same, [0, 0, 0, 3, 4, 5, 6, 0, 8]);
}

#[test]
fn other_types_of_handlers_are_listed_with_the_reason() {
    let text = r#"{"hooks": {
        "PreToolUse": [{"matcher": "Bash", "hooks": [
            {"type": "http", "url": "http://localhost/pre"},
            {"type": "mcp_tool", "server": "s", "tool": "t"},
            {"type": "agent", "prompt": "look"}
        ]}],
        "Stop": [{"hooks": [{"type": "command", "command": "x", "if": "Bash"}]}],
        "Setup": [{"hooks": [{"type": "http", "url": "http://localhost/setup"}]}],
        "Nonsense": [{"hooks": [{"type": "command", "command": "y"}]}, 5, {"hooks": 5}]
    }}"#;
    assert_eq!(
        machine().with("ws/.claude/settings.json", text).summary(),
        "- project ws/.claude/settings.json:3: PreToolUse hook `http://localhost/pre` is not run: handlers of type \
         `http` need the agent itself; only commands are run here\n\
         - project ws/.claude/settings.json:4: PreToolUse hook `s t` is not run: handlers of type `mcp_tool` need the \
         agent itself; only commands are run here\n\
         - project ws/.claude/settings.json:5: PreToolUse hook `look` is not run: handlers of type `agent` need the \
         agent itself; only commands are run here\n\
         - project ws/.claude/settings.json:7: Stop hook `x` is not run: a rule (`if`) holds for tool calls only, and \
         this event is none; remove the rule\n\
         - project ws/.claude/settings.json:8: Setup hook `http://localhost/setup` is not run: Claude Code runs no \
         handler of type `http` at this event; write it as a command\n\
         - project ws/.claude/settings.json:9: Nonsense hook `y` is not run: the event is not known to Claude Code \
         2.1.332; correct its name, or use a version that knows it"
    );
}

/// The settings with one more field in front.
fn with_field(field: &str, settings: &str) -> String {
    settings.replacen('{', &format!("{{{field},\n"), 1)
}

fn off(file: &str, value: bool) -> (String, String) {
    (
        file.to_owned(),
        format!(r#"{{"disableAllHooks": {value}}}"#),
    )
}

#[track_caller]
fn check_switches(files: &[(String, String)], expected: &str) {
    check_switches_of(false, files, expected);
}

#[track_caller]
fn check_switches_of(strict: bool, files: &[(String, String)], expected: &str) {
    let mut machine = machine()
        .with_config(|config| config.with_strict(strict))
        .with("org/managed-settings.json", &settings("Stop", &["m"]))
        .with("home/.claude/settings.json", &settings("Stop", &["u"]))
        .with("ws/.claude/settings.json", &settings("Stop", &["p"]));
    for (file, text) in files {
        machine = machine.with(file, text);
    }
    let loaded = machine.loaded();
    let runs: String = loaded
        .hooks
        .iter()
        .map(|hook| hook.handler.command.shown())
        .collect();
    assert_eq!(runs, expected, "{files:?}");
    for not in &loaded.not_run {
        assert!(matches!(not.why, WhyNotRun::SwitchedOff { .. }), "{not}");
    }
    assert_eq!(
        loaded.hooks.len() + loaded.not_run.len(),
        machine.loaded().sources.len() - files.len()
    );
}

#[test]
fn the_switch_of_highest_precedence_counts() {
    let (managed, local) = (
        "org/managed-settings.d/x.json",
        "ws/.claude/settings.local.json",
    );
    check_switches(&[], "mup");
    check_switches(&[off(local, true)], "mu");
    check_switches_of(true, &[off(local, true)], "m");
    check_switches(&[off(managed, true)], "");
    check_switches(&[off(managed, false), off(local, true)], "mup");
    check_switches(&[off(local, false)], "mup");
    let both = |strict: bool, user: bool, project: bool| {
        let text = |own: &str, flag| {
            with_field(
                &format!("\"disableAllHooks\": {flag}"),
                &settings("Stop", &[own]),
            )
        };
        let machine = machine()
            .with_config(|config| config.with_strict(strict))
            .with("home/.claude/settings.json", &text("u", user))
            .with("ws/.claude/settings.json", &text("p", project));
        let loaded = machine.loaded();
        let commands = loaded.hooks.iter().map(|hook| hook.handler.command.shown());
        commands.collect::<String>()
    };
    // What came with the project neither switches the user's hooks off nor on.
    assert_eq!(both(false, true, false), "p");
    assert_eq!(both(false, false, true), "u");
    assert_eq!(both(true, true, false), "up");
    assert_eq!(both(true, false, true), "");
}

#[test]
fn an_organisation_can_leave_its_own_hooks_alone() {
    let managed = |text: &str| vec![("org/managed-settings.d/x.json".to_owned(), text.to_owned())];
    check_switches(&managed(r#"{"allowManagedHooksOnly": true}"#), "m");
    check_switches(&managed(r#"{"allowManagedHooksOnly": false}"#), "mup");
    check_switches(
        &managed(r#"{"strictPluginOnlyCustomization": ["agents", "hooks"]}"#),
        "m",
    );
    check_switches(
        &managed(r#"{"strictPluginOnlyCustomization": ["agents"]}"#),
        "mup",
    );
    let elsewhere = r#"{"allowManagedHooksOnly": true}"#.to_owned();
    check_switches(
        &[("ws/.claude/settings.local.json".into(), elsewhere)],
        "mup",
    );
}

#[test]
fn a_hook_that_is_switched_off_says_by_which_line() {
    let text = with_field("\n\"disableAllHooks\": true", &settings("Stop", &["x"]));
    assert_eq!(
        machine().with("ws/.claude/settings.json", &text).summary(),
        "- project ws/.claude/settings.json:3: Stop hook `x` is not run: `disableAllHooks` in project \
         ws/.claude/settings.json:2 switches it off; change it there"
    );
}

#[test]
fn variables_are_listed_by_rising_precedence() {
    let machine = machine()
        .with("org/managed-settings.json", r#"{"env": {"A": "m"}}"#)
        .with(
            "home/.claude/settings.json",
            r#"{"env": {"A": "u", "B": 5}}"#,
        )
        .with(
            "ws/.claude/settings.json",
            r#"{"env": {"A": "p", "C": true}}"#,
        );
    let loaded = machine.loaded();
    let variables: Vec<_> = loaded
        .environment
        .iter()
        .map(|variable| format!("{}={}", variable.name, variable.value))
        .collect();
    assert_eq!(variables, ["A=u", "B=5", "A=p", "C=true", "A=m"]);
}

#[test]
fn of_two_policies_the_stricter_counts() {
    let policy = |written: &str, said: FailurePolicy| {
        let text = format!(
            r#"{{"hooks": {{"Stop": [{{"hooks": [{{"type": "command", "command": "x"{written}}}]}}]}}}}"#
        );
        let machine = machine()
            .with("ws/.claude/settings.json", &text)
            .with_config(|config| config.with_on_failure(Dialect::CLAUDE, Scope::Project, said));
        machine.loaded().hooks[0].handler.on_failure
    };
    let (goes_on, blocks) = (r#", "onFailure": "continue""#, r#", "onFailure": "block""#);
    assert_eq!(
        policy("", FailurePolicy::Unwritten),
        FailurePolicy::Unwritten
    );
    assert_eq!(policy("", FailurePolicy::Allow), FailurePolicy::Allow);
    assert_eq!(
        policy(goes_on, FailurePolicy::Unwritten),
        FailurePolicy::Allow
    );
    assert_eq!(policy(goes_on, FailurePolicy::Deny), FailurePolicy::Deny);
    assert_eq!(policy(blocks, FailurePolicy::Allow), FailurePolicy::Block);
    assert_eq!(policy(blocks, FailurePolicy::Deny), FailurePolicy::Block);
}

#[track_caller]
fn check_strict(text: &str, expected: &str) {
    let machine = machine().with("ws/.claude/settings.json", text);
    machine
        .load()
        .expect_err("a problem, where the agent is not followed to the letter");
    let machine = machine.with_config(|config| config.with_strict(true));
    assert_eq!(machine.summary(), expected);
    assert!(!machine.loaded().findings.is_empty());
}

#[test]
fn to_the_letter_a_mistake_before_a_tool_costs_the_whole_file() {
    check_strict(
        r#"{"hooks": {"PreToolUse": [{"hooks": [{"type": "shell", "command": "a"}]}],
                      "Stop": [{"hooks": [{"type": "command", "command": "b"}]}]}}"#,
        "- project ws/.claude/settings.json:1: PreToolUse hook `a` is not run: Claude Code drops it: line 1 of its \
         file: `type` cannot be \"shell\"\n\
         - project ws/.claude/settings.json:2: Stop hook `b` is not run: Claude Code drops it: line 1 of its file: \
         `type` cannot be \"shell\"",
    );
}

#[test]
fn to_the_letter_a_mistake_elsewhere_costs_the_hook() {
    check_strict(
        r#"{"hooks": {"PostToolUse": [{"hooks": [{"type": "command", "command": "a", "timeout": 0},
                                                 {"type": "command", "command": "b"}]}]}}"#,
        "PostToolUse b (project ws/.claude/settings.json:2)\n\
         - project ws/.claude/settings.json:1: PostToolUse hook `a` is not run: Claude Code drops it: the timeout \
         cannot be 0",
    );
}

#[test]
fn to_the_letter_a_bad_matcher_or_rule_is_never_asked() {
    let machine = machine()
        .with("ws/.claude/settings.json", r#"{"hooks": {"PreToolUse": [{"matcher": "[", "hooks": [{"type": "command", "command": "a"}]}]}}"#)
        .with_config(|config| config.with_strict(true));
    assert!(!machine.loaded().hooks[0].matcher.matches("Bash"));
    check_strict(
        r#"{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "a", "if": "sh *"}]}]}}"#,
        "- project ws/.claude/settings.json:1: PreToolUse hook `a` is not run: Claude Code drops it: the rule `sh *` \
         cannot be used: it does not begin with the name of a tool",
    );
}

#[test]
fn to_the_letter_the_last_of_two_fields_counts() {
    check_strict(
        r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "a", "command": "b"}]}]}}"#,
        "Stop b (project ws/.claude/settings.json:1)",
    );
    check_strict(
        r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "a"}]}]}, "model": 5}"#,
        "- project ws/.claude/settings.json:1: Stop hook `a` is not run: Claude Code drops it: line 1 of its file: \
         `model` must be a string, not a number",
    );
}
