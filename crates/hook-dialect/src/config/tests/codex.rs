use super::*;

fn machine() -> Machine {
    Machine::new(Dialect::CODEX)
}

fn trusting() -> Machine {
    machine().with_config(DialectConfig::with_every_hook_trusted)
}

const HASH: &str = "sha256:f76ac9a1d284776686b0cbe95d7acf17ccea9794fa9ae7cd363a8b582d63f64d";
const PRE: &str = r#"{"hooks": {"PreToolUse": [{"matcher": "^Bash$", "hooks": [{"type": "command", "command": "python3 hooks/pre.py", "timeout": 30}]}]}}"#;

#[test]
fn layers_add_up_and_each_event_has_its_turn() {
    let machine = trusting();
    let project = machine.path("ws");
    let machine = machine
        .with("org/requirements.toml", "[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = \"command\"\ncommand = \"r\"")
        .with("org/hooks.json", &settings("Stop", &["s"]))
        .with("home/.codex/hooks.json", &settings("Stop", &["u1", "u1"]))
        .with(
            "home/.codex/config.toml",
            &format!(
                "[projects.\"{project}\"]\ntrust_level = \"trusted\"\n\
                 [[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = \"command\"\ncommand = \"u2\"\n\
                 [[hooks.PreToolUse]]\n[[hooks.PreToolUse.hooks]]\ntype = \"command\"\ncommand = \"u0\""
            ),
        )
        .with("ws/.codex/hooks.json", &settings("Stop", &["p"]));
    assert_eq!(
        machine.summary(),
        "Stop r (managed org/requirements.toml:2)\n\
         Stop s (system org/hooks.json:1)\n\
         Stop u1 (user home/.codex/hooks.json:1)\n\
         Stop u1 (user home/.codex/hooks.json:1)\n\
         PreToolUse u0 (user home/.codex/config.toml:8)\n\
         Stop u2 (user home/.codex/config.toml:4)\n\
         Stop p (project ws/.codex/hooks.json:1)"
    );
    let loaded = machine.loaded();
    let codes: Vec<_> = loaded
        .findings
        .iter()
        .map(|finding| finding.what.code)
        .collect();
    assert_eq!(codes, ["two_files"]);
    let same: Vec<_> = loaded.hooks.iter().map(|hook| hook.same).collect();
    assert_eq!(same, [0, 1, 2, 3, 4, 5, 6], "equal entries are run twice");
}

#[test]
fn every_field_of_a_command_is_read() {
    let text = r#"{"description": null, "hooks": {"PreToolUse": [{"matcher": null, "hooks": [
        {"type": "command", "command": "a", "timeout": 0, "async": true, "statusMessage": "m",
         "additionalContextLimit": 0, "commandWindows": null},
        {"type": "command", "command": "b", "timeout": null}
    ]}], "SessionEnd": [{"hooks": [{"type": "command", "command": "c"},
        {"type": "command", "command": "d", "timeout": 9, "async": true, "additionalContextLimit": 5}]}]}}"#;
    let loaded = trusting().with("home/.codex/hooks.json", text).loaded();
    let handlers: Vec<_> = loaded.hooks.into_iter().map(|hook| hook.handler).collect();
    let shell = |text: &str| CommandForm::Shell {
        text: text.into(),
        shell: Shell::OfUser,
    };
    let seconds = Duration::from_secs;
    assert_eq!(
        handlers,
        [
            Handler::new(shell("a"), seconds(600))
                .with_timeout(seconds(1))
                .with_background(Background::Always)
                .with_status_message("m")
                .with_context_limit(0),
            Handler::new(shell("b"), seconds(600)),
            Handler::new(shell("c"), seconds(1)),
            Handler::new(shell("d"), seconds(1)).with_timeout(seconds(3)),
        ]
    );
    let codes: Vec<_> = loaded
        .findings
        .iter()
        .map(|finding| finding.what.code)
        .collect();
    assert_eq!(
        codes,
        ["timeout_beyond", "always_waits", "no_context_to_limit"]
    );
}

fn state(machine: Machine, entry: &str) -> Machine {
    let key = format!(
        "{}:pre_tool_use:0:0",
        machine.path("home/.codex/hooks.json")
    );
    let text = format!("[hooks.state.\"{key}\"]\n{entry}\n");
    machine
        .with("home/.codex/hooks.json", PRE)
        .with("home/.codex/config.toml", &text)
}

#[test]
fn only_a_hook_that_somebody_trusted_is_run() {
    let trusted = format!("trusted_hash = \"{HASH}\"");
    assert_eq!(
        state(machine(), &trusted).summary(),
        "PreToolUse python3 hooks/pre.py (user home/.codex/hooks.json:1)"
    );
    assert_eq!(
        machine().with("home/.codex/hooks.json", PRE).summary(),
        format!(
            "- user home/.codex/hooks.json:1: PreToolUse hook `python3 hooks/pre.py` is not run: nobody has trusted it; \
             review it, and trust it in Codex (`/hooks`) or write trusted_hash = \"{HASH}\" under \
             [hooks.state.\"home/.codex/hooks.json:pre_tool_use:0:0\"] in the user's config.toml"
        )
    );
    let why = |machine: Machine| machine.loaded().not_run[0].why.clone();
    assert!(matches!(
        why(state(machine(), "trusted_hash = \"sha256:0\"")),
        WhyNotRun::ChangedSinceTrusted { .. }
    ));
    assert!(matches!(
        why(state(trusting(), &format!("{trusted}\nenabled = false"))),
        WhyNotRun::Disabled { .. }
    ));
    assert!(matches!(
        why(state(machine(), "trusted_hash = 5")),
        WhyNotRun::NotTrusted { .. }
    ));
    assert_eq!(
        trusting()
            .with("home/.codex/hooks.json", PRE)
            .loaded()
            .hooks
            .len(),
        1
    );
}

#[test]
fn trust_of_a_hook_in_toml_is_the_same() {
    let machine = machine();
    let key = format!(
        "{}:pre_tool_use:0:0",
        machine.path("home/.codex/config.toml")
    );
    let text = format!(
        "[[hooks.PreToolUse]]\nmatcher = \"^Bash$\"\n[[hooks.PreToolUse.hooks]]\ntype = \"command\"\n\
         command = \"python3 hooks/pre.py\"\ntimeout = 0x1E\n[hooks.state.\"{key}\"]\ntrusted_hash = \"{HASH}\"\n"
    );
    assert_eq!(
        machine.with("home/.codex/config.toml", &text).summary(),
        "PreToolUse python3 hooks/pre.py (user home/.codex/config.toml:3)"
    );
}

#[test]
fn a_project_cannot_trust_itself() {
    let machine = machine();
    let (project, key) = (machine.path("ws"), machine.path("ws/.codex/hooks.json"));
    let trust = format!(
        "[projects.\"{project}\"]\ntrust_level = \"trusted\"\n\
         [hooks.state.\"{key}:pre_tool_use:0:0\"]\ntrusted_hash = \"{HASH}\"\n"
    );
    let machine = machine
        .with("ws/.codex/hooks.json", PRE)
        .with("ws/.codex/config.toml", &trust);
    assert_eq!(
        machine.summary(),
        "- project ws/.codex/hooks.json:1: PreToolUse hook `python3 hooks/pre.py` is not run: the project is not \
         trusted; review it, and write trust_level = \"trusted\" under [projects.\"ws\"] in the user's config.toml"
    );
    let machine = machine.with("home/.codex/config.toml", &trust);
    assert_eq!(
        machine.summary(),
        "PreToolUse python3 hooks/pre.py (project ws/.codex/hooks.json:1)"
    );
}

#[test]
fn a_project_that_is_not_trusted_keeps_nobody_from_working() {
    let machine = machine()
        .with("ws/.codex/hooks.json", "{")
        .with("ws/.codex/hooks", "");
    assert_eq!(machine.summary(), "");
    assert_eq!(machine.loaded().findings[0].what.code, "syntax");
}

#[test]
fn folders_from_the_root_of_the_repository_down_count() {
    let machine = trusting();
    let root = machine.path("ws");
    let machine = machine
        .with("ws/.git/HEAD", "")
        .with("ws/.codex/hooks.json", &settings("Stop", &["root"]))
        .with("ws/a/.codex/hooks.json", &settings("Stop", &["a"]))
        .with("ws/a/b/c", "")
        .with(
            "home/.codex/config.toml",
            &format!("[projects.\"{root}\"]\ntrust_level = \"trusted\""),
        );
    let loaded = load(&machine.folder.path().join("ws/a/b"), &machine.config).expect("hooks");
    let commands: Vec<_> = loaded
        .hooks
        .iter()
        .map(|hook| hook.handler.command.shown())
        .collect();
    assert_eq!(commands, ["root", "a"]);
}

#[test]
fn switches_are_the_users_and_the_organisations() {
    let hooks = settings("Stop", &["u"]);
    let off = |files: &[(&str, &str)]| {
        let machine = trusting()
            .with("org/hooks.json", &settings("Stop", &["s"]))
            .with("home/.codex/hooks.json", &hooks);
        let machine = files
            .iter()
            .fold(machine, |machine, (file, text)| machine.with(file, text));
        let loaded = machine.loaded();
        loaded
            .hooks
            .iter()
            .map(|hook| hook.handler.command.shown())
            .collect::<String>()
    };
    let (user, org) = ("home/.codex/config.toml", "org/requirements.toml");
    assert_eq!(off(&[]), "su");
    assert_eq!(off(&[(user, "[features]\nhooks = false")]), "");
    assert_eq!(off(&[(user, "features.codex_hooks = false")]), "");
    assert_eq!(
        off(&[
            (org, "features.hooks = true"),
            (user, "features.hooks = false")
        ]),
        "su"
    );
    assert_eq!(off(&[(org, "allow_managed_hooks_only = true")]), "s");
    assert_eq!(off(&[(user, "allow_managed_hooks_only = true")]), "su");
}

#[track_caller]
fn check_strict(text: &str, expected: &str) {
    let machine = trusting().with("home/.codex/hooks.json", text);
    machine
        .load()
        .expect_err("a problem, where the agent is not followed to the letter");
    let machine = machine.with_config(|config| config.with_strict(true));
    assert_eq!(machine.summary(), expected);
}

#[test]
fn to_the_letter_mistakes_cost_a_file_a_group_or_a_hook() {
    check_strict(
        r#"{"disableAllHooks": true, "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "a"}]}]}}"#,
        "- user home/.codex/hooks.json:1: Stop hook `a` is not run: Codex drops it: line 1 of its file: the field \
         `disableAllHooks` may not stand here",
    );
    check_strict(
        r#"{"hooks": {"PreToolUse": [{"matcher": "[", "hooks": [{"type": "command", "command": "a"}]},
                                     {"hooks": [{"type": "command", "command": " "}, {"type": "command", "command": "b"}]}]}}"#,
        "PreToolUse b (user home/.codex/hooks.json:2)\n\
         - user home/.codex/hooks.json:1: PreToolUse hook `a` is not run: Codex drops it: the matcher `[` is not a \
         regular expression: unclosed character class\n\
         - user home/.codex/hooks.json:2: PreToolUse hook ` ` is not run: Codex drops it: the command is empty",
    );
}

#[test]
fn to_the_letter_a_byte_order_mark_costs_the_file_in_json_and_nothing_in_toml() {
    let marked = format!("\u{feff}{}", settings("Stop", &["a"]));
    check_strict(
        &marked,
        "- user home/.codex/hooks.json:1: Stop hook `a` is not run: Codex drops it: line 1 of its file: a byte order mark \
         stands in front",
    );
    let toml =
        "\u{feff}[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = \"command\"\ncommand = \"a\"\n";
    let machine = trusting().with("home/.codex/config.toml", toml);
    assert_eq!(machine.summary(), "Stop a (user home/.codex/config.toml:2)");
}

#[test]
fn a_mistake_in_toml_keeps_codex_from_starting_and_is_an_error_always() {
    let machine = trusting()
        .with("home/.codex/config.toml", "[[hooks.Stop]]\nmatcher = 7\n")
        .with_config(|config| config.with_strict(true));
    assert_eq!(
        machine.error(),
        "home/.codex/config.toml:2:11: Stop[0]: `matcher` must be a string, not a number; write names such as \
         \"Bash|Edit\", or leave the field out for everything (Codex does not start)"
    );
}

#[test]
fn a_handler_whose_type_or_command_is_null_is_not_passed_over_in_silence() {
    for handler in [
        r#"{"type": null, "command": "x"}"#,
        r#"{"type": "command", "command": null}"#,
    ] {
        let text = format!(r#"{{"hooks": {{"PreToolUse": [{{"hooks": [{handler}]}}]}}}}"#);
        let error = trusting().with("home/.codex/hooks.json", &text).error();
        assert!(error.contains("is missing; add"), "{error}");
    }
}

#[test]
fn plugins_that_the_user_has_enabled_are_known() {
    let machine = Machine::new(Dialect::CODEX).with(
        "home/.codex/config.toml",
        "[plugins.\"fence@market\"]\nenabled = true\n[plugins.\"old@market\"]\nenabled = false\n",
    );
    let beside = machine.loaded().beside;
    let [plugins] = &*beside else {
        panic!("{beside:?}")
    };
    assert_eq!(plugins.what, Guarding::Plugins(vec!["fence@market".into()]));
    let none = Machine::new(Dialect::CODEX).with("home/.codex/config.toml", "model = \"x\"\n");
    assert!(none.loaded().beside.is_empty());
}
