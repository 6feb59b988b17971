//! The same hooks file loaded by both.

use std::time::Duration;

use basis::hooks as theirs;
use hook_config::HooksConfig;
use hook_contract::HookEvent;
use hookchain_tests::Workspace;

/// What of a declared hook both have: name, command, tools, whether it is asked before the call,
/// how long it gets, and whether the call goes on when it fails.
type Declared = (
    String,
    Vec<String>,
    Option<Vec<String>>,
    bool,
    Duration,
    bool,
);

/// The hooks, or nothing when the file is refused.
fn ours(workspace: &Workspace) -> Option<Vec<Declared>> {
    let loaded = hook_config::load(workspace.path(), &HooksConfig::new()).ok()?;
    let hooks = loaded.hooks.into_iter().map(|hook| {
        let before = hook.event == HookEvent::PreToolUse;
        let opens = hook.on_failure == hook_config::OnFailure::Allow;
        let timeout = hook.timeout();
        let command = hook.command().expect("a program").to_vec();
        (hook.name, command, hook.tools, before, timeout, opens)
    });
    Some(hooks.collect())
}

fn basis(workspace: &Workspace) -> Option<Vec<Declared>> {
    let config = theirs::HooksConfig {
        global_dir: None,
        ..theirs::HooksConfig::default()
    };
    let hooks = theirs::load(workspace.path(), &config).ok()?;
    let hooks = hooks.into_iter().map(|hook| {
        let before = hook.event == theirs::HookEvent::PreToolUse;
        let opens = hook.on_failure == theirs::OnFailure::Allow;
        let timeout = hook.timeout();
        (hook.name, hook.command, hook.tools, before, timeout, opens)
    });
    Some(hooks.collect())
}

fn with(text: &str) -> Workspace {
    let workspace = Workspace::new();
    workspace.write(".basis/hooks.json", text, 0o644);
    workspace
}

fn hook(more: &str) -> String {
    format!(r#"{{"schema":1,"hooks":[{{"name":"g","command":["./g","-x"]{more}}}]}}"#)
}

#[test]
fn a_file_that_basis_loads_is_loaded_as_the_same_hooks() {
    let files = [
        r#"{"schema":1}"#.to_owned(),
        r#"{"schema":1,"hooks":[]}"#.to_owned(),
        r#"{"$schema":"x","schema":1,"hooks":[]}"#.to_owned(),
        hook(""),
        hook(r#","tools":["shell","edit"]"#),
        hook(r#","tools":[]"#),
        hook(r#","tools":null,"timeout_ms":null"#),
        hook(r#","event":"post_tool_use","timeout_ms":1,"on_failure":"allow""#),
        hook(r#","event":"pre_tool_use","timeout_ms":86400000,"on_failure":"deny""#),
        hook(r#","colour":"blue""#),
        format!(" \r\n\t{}\n", hook("")),
        r#"{"schema":1,"hooks":[{"name":"a","command":["x"]},{"name":"a","command":["y"]}]}"#
            .to_owned(),
    ];
    for text in files {
        let workspace = with(&text);
        let loaded = basis(&workspace);
        assert!(loaded.is_some(), "{text}");
        assert_eq!(ours(&workspace), loaded, "{text}");
    }
    let empty = Workspace::new();
    assert_eq!((ours(&empty), basis(&empty)), (Some(vec![]), Some(vec![])));
}

#[test]
fn a_file_that_basis_refuses_is_refused() {
    let files = [
        "",
        "{",
        "null",
        "[]",
        r#"{"hooks":[]}"#,
        r#"{"schema":2,"hooks":[]}"#,
        r#"{"schema":"1","hooks":[]}"#,
        r#"{"schema":1,"hooks":{}}"#,
        r#"{"schema":1,"hooks":[],}"#,
        r#"{"schema":1,"hooks":[],"hooks":[]}"#,
        r#"{"schema":1,"hooks":[{"name":"g"}]}"#,
        r#"{"schema":1,"hooks":[{"command":["g"]}]}"#,
        r#"{"schema":1,"hooks":[{"name":"g","command":[]}]}"#,
        r#"{"schema":1,"hooks":[{"name":"g","command":"g"}]}"#,
    ];
    let words = [
        r#""event":"before""#,
        r#""on_failure":"ignore""#,
        r#""timeout_ms":-1"#,
        r#""tools":"shell""#,
    ];
    let words = words.map(|word| hook(&format!(",{word}")));
    for text in files.iter().map(ToString::to_string).chain(words) {
        let workspace = with(&text);
        assert_eq!(basis(&workspace), None, "{text}");
        assert_eq!(ours(&workspace), None, "{text}");
    }
}

#[test]
fn what_is_refused_here_and_loaded_by_basis_is_meant_to_be() {
    let files = [
        // A mistyped option is a guard that is not there.
        r#"{"schema":1,"hook":[{"name":"g","command":["g"]}]}"#.to_owned(),
        hook(r#","tool":["shell"]"#),
        hook(r#","timeout":5"#),
        hook(r#","onFailure":"allow""#),
        // Out of range, or nothing that can be run or named.
        hook(r#","timeout_ms":0"#),
        hook(r#","timeout_ms":86400001"#),
        hook(r#","later":{"a":1,"a":2}"#),
        r#"{"schema":1,"hooks":[{"name":"","command":["g"]}]}"#.to_owned(),
        r#"{"schema":1,"hooks":[{"name":"g","command":[""]}]}"#.to_owned(),
        r#"{"schema":1,"hooks":[{"name":"g","command":["g","a\u0000b"]}]}"#.to_owned(),
        // Fields by their position.
        r#"[1,[["g",["g"],null,"pre_tool_use",null,"deny"]]]"#.to_owned(),
    ];
    for text in files {
        let workspace = with(&text);
        assert!(basis(&workspace).is_some(), "{text}");
        assert_eq!(ours(&workspace), None, "{text}");
    }
    // A file that is there and cannot be read is not the same as none.
    let folder = Workspace::new();
    folder.write(".basis/hooks.json/file", "", 0o644);
    assert_eq!((ours(&folder), basis(&folder)), (None, Some(vec![])));
    let dangling = Workspace::new();
    std::fs::create_dir(dangling.path().join(".basis")).expect("a directory");
    std::os::unix::fs::symlink("nowhere", dangling.path().join(".basis/hooks.json"))
        .expect("a link");
    assert_eq!((ours(&dangling), basis(&dangling)), (None, Some(vec![])));
}

#[test]
fn a_byte_order_mark_is_read_here_and_refused_by_basis() {
    let workspace = with(&format!("\u{feff}{}", hook("")));
    assert_eq!(basis(&workspace), None);
    assert_eq!(ours(&workspace).map(|hooks| hooks.len()), Some(1));
}
