//! What guards calls at home beside hooks of settings.

use crate::machine::{CLAUDE, Machine, Ran};

fn machine(settings: &str) -> Machine {
    let machine = Machine::new();
    machine.file(CLAUDE, settings);
    machine
}

fn check(machine: &Machine, args: &[&str]) -> Ran {
    let check = ["check", "my ws", "--workspace-only", "--hooks", "claude"];
    machine.run(&[&check[..], args].concat())
}

#[test]
fn rules_of_permissions_are_counted_once() {
    let machine = machine(
        r#"{"permissions": {"deny": ["Read(.env)", "Bash(curl *)"], "ask": ["WebFetch"], "allow": ["Edit"]}}"#,
    );
    machine.file(
        "my ws/.claude/settings.local.json",
        r#"{"permissions": {"deny": ["Write(dist/**)"]}}"#,
    );
    let ran = machine.bash("ls", &[]);
    assert_eq!(ran.status, Some(0));
    assert_eq!(
        ran.stderr,
        "project my ws/.claude/settings.json:1, local my ws/.claude/settings.local.json:1: `permissions` has 3 rules to deny and \
         1 rule to ask, which are not looked at: hooks alone are asked here\n"
    );
    let ran = check(&machine, &["--strict"]);
    assert_eq!(ran.status, Some(0));
    assert!(
        ran.stdout
            .contains("4 rules of permissions not looked at here"),
        "{ran:?}"
    );
    let json = check(&machine, &["--format", "json"]).stdout;
    assert!(json.contains(r#""beside":[{"agent":"claude","what":"permissions","origin":"project my ws/.claude/settings.json:1""#), "{json}");
    // Another event than a call is none of theirs.
    assert_eq!(
        machine
            .fire("Stop", &["--fact", "stop_hook_active:=false"])
            .stderr,
        ""
    );
}

#[test]
fn rules_that_only_allow_guard_nothing() {
    let machine = machine(
        r#"{"permissions": {"allow": ["Bash(ls)"], "deny": [], "defaultMode": "plan"}, "enabledPlugins": {}}"#,
    );
    assert_eq!(machine.bash("ls", &[]).stderr, "");
    assert!(
        check(&machine, &[])
            .stdout
            .contains("nothing is wrong: 1 file with 0 hooks\n")
    );
}

#[test]
fn plugins_that_are_enabled_are_named() {
    let machine = machine(
        r#"{"enabledPlugins": {"fence@market": true, "old@market": false, "paint@market": true}}"#,
    );
    machine.file(
        "my ws/.claude/settings.local.json",
        r#"{"enabledPlugins": {"paint@market": false, "lock@own": ["1.0"]}}"#,
    );
    let ran = machine.bash("ls", &[]);
    assert!(
        ran.stderr.contains(
            "hooks of plugins are not asked here; enabled are `fence@market`, `lock@own`:"
        ),
        "{ran:?}"
    );
    assert_eq!(ran.stderr.lines().count(), 1, "{ran:?}");
    let page = check(&machine, &[]).stdout;
    assert!(
        page.contains("`fence@market`") && page.contains("2 plugins not looked at here"),
        "{page}"
    );
}
