use hook_contract::Transport;

use crate::{HooksConfig, HooksFile, HostSupport, InvalidFile, load};

fn host() -> HostSupport {
    HostSupport::new()
        .with_transport_key("http")
        .with_transport_key("grpc")
}

fn entry(rest: &str) -> String {
    format!("{{\"schema\": 1, \"hooks\": [\n{{\"name\": \"g\"{rest}}}]}}")
}

fn read(rest: &str) -> Result<HooksFile, InvalidFile> {
    HooksFile::parse_for(&entry(rest), &host())
}

#[track_caller]
fn refused(rest: &str, expected: &str) {
    let error = read(rest).expect_err("a problem");
    assert_eq!(error.to_string(), expected);
}

#[test]
fn a_hook_is_reached_under_the_key_of_a_transport_of_the_host() {
    let file = read(r#", "http": {"url": "u", "n": 1.10, "tools": ["x"]}, "tools": ["a"]"#)
        .expect("a file");
    let hook = &file.hooks[0];
    let Transport::Other { key, config, .. } = &hook.transport else {
        panic!("{hook:?}");
    };
    assert_eq!(key, "http");
    assert_eq!(config.text(), r#"{"url":"u","n":1.10,"tools":["x"]}"#);
    assert_eq!(hook.tools.as_deref(), Some(&["a".to_owned()][..]));
    assert!(file.warnings.is_empty(), "{:?}", file.warnings);
    let again = HooksFile::parse_for(&file.to_json(), &host()).expect("a file");
    assert_eq!(again.hooks[0].transport, hook.transport);
    // What the settings are is for the transport to judge.
    for config in ["null", "7", "[]", "\"u\""] {
        let file = read(&format!(r#", "grpc": {config}"#)).expect("a file");
        assert_eq!(file.hooks[0].transport.key(), "grpc");
    }
}

#[test]
fn an_entry_has_exactly_one_transport() {
    refused(
        r#", "http": {}, "command": ["x"]"#,
        "2:27: hook `g`: `http` and `command` both say how the hook is reached; keep one of the two",
    );
    refused(
        r#", "http": {}, "grpc": {}"#,
        "2:27: hook `g`: `http` and `grpc` both say how the hook is reached; keep one of the two",
    );
    refused(
        r#", "http": {}, "http": {}"#,
        "2:27: hook `g`: the field `http` stands twice in one object; keep one of the two",
    );
    refused(
        "",
        "2:1: hook `g`: the field `command` is missing; add the program and its arguments, such as \
         \"command\": [\"./.basis/hooks/guard.sh\"], or write `http` or `grpc`",
    );
}

#[test]
fn a_transport_that_the_host_does_not_have_is_no_unknown_field() {
    refused(
        r#", "wasm": "guard.wasm""#,
        "2:15: hook `g`: this host has no transport `wasm`; write one of `command`, `http`, `grpc`, or use a host that has it",
    );
    // Also beside one that it has: a newer host would refuse the two, and never ask the program alone.
    refused(
        r#", "command": ["x"], "socket": "/run/s""#,
        "2:33: hook `g`: this host has no transport `socket`; write one of `command`, `http`, `grpc`, or use a host that has it",
    );
    // An unknown name is a transport where there is no other and it has settings.
    refused(
        r#", "pigeon": {"loft": 7}"#,
        "2:15: hook `g`: this host has no transport `pigeon`; write one of `command`, `http`, `grpc`, or use a host that has it",
    );
    let file = read(r#", "command": ["x"], "pigeon": {"loft": 7}"#).expect("a file");
    assert_eq!(file.warnings[0].code, "unknown_field");
    let error = HooksFile::parse(&entry(r#", "http": {}"#)).expect_err("a problem");
    assert_eq!(
        error.to_string(),
        "2:15: hook `g`: this host has no transport `http`; write `command`, or use a host that has it"
    );
}

#[test]
fn a_misspelt_transport_is_told_once() {
    refused(
        r#", "htpp": {}"#,
        "2:15: hook `g`: unknown field `htpp`; write `http`",
    );
    refused(
        r#", "comand": ["x"]"#,
        "2:15: hook `g`: unknown field `comand`; write `command`, one array of the program and its arguments",
    );
}

#[test]
fn what_says_how_a_program_is_run_has_no_meaning_beside_another_transport() {
    for field in ["mode", "max_questions", "max_age_ms", "max_idle_ms"] {
        let value = if field == "mode" { "\"worker\"" } else { "5" };
        let error = read(&format!(r#", "http": {{}}, "{field}": {value}"#)).expect_err("a problem");
        assert_eq!(error.problems[0].code, "needs_command");
        assert!(error.to_string().contains(field), "{error}");
    }
}

#[test]
fn settings_with_two_readings_are_refused() {
    refused(
        r#", "http": {"url": 1, "url": 2}"#,
        "2:34: hook `g`: the field `url` stands twice in one object; keep one of the two",
    );
    refused(
        r#", "http": {"n": 1e999}"#,
        "2:29: hook `g`: in the field `http`: a number that is out of range; correct or remove the field",
    );
}

#[test]
fn the_keys_of_the_host_reach_the_files_that_are_loaded() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("f"), entry(r#", "http": {"url": "u"}"#)).expect("a file");
    let config = HooksConfig::new().with_workspace_file("f");
    let error = load(folder.path(), &config).expect_err("no transport");
    assert!(
        error
            .to_string()
            .contains("f:2:15: hook `g`: this host has no transport"),
        "{error}"
    );
    let config = ["http", "command", "http"]
        .into_iter()
        .fold(config, HooksConfig::with_transport_key);
    assert_eq!(config.transport_keys(), ["http"]);
    let loaded = load(folder.path(), &config).expect("a file");
    assert_eq!(loaded.hooks[0].transport.key(), "http");
    assert_eq!(
        loaded.hooks[0].origin().to_string(),
        format!("workspace {}:2", folder.path().join("f").display())
    );
}
