use std::time::Duration;

use hook_contract::HookEvent;

use super::*;
use crate::{HookMode, OnFailure, RecordCapture};

fn entry(rest: &str) -> String {
    format!(r#"{{"schema": 1, "hooks": [{{"name": "g", "command": ["x"]{rest}}}]}}"#)
}

#[track_caller]
fn hook(text: &str) -> HookSpec {
    let mut file = HooksFile::parse(text).expect("a hooks file");
    assert_eq!((file.hooks.len(), file.warnings.len()), (1, 0));
    file.hooks.remove(0)
}

#[track_caller]
fn kinds(text: &str) -> Vec<(&'static str, String)> {
    let error = HooksFile::parse(text).expect_err("problems");
    let problems = error.problems.into_iter();
    problems
        .map(|problem| (problem.code, problem.message))
        .collect()
}

#[test]
fn every_field_is_read() {
    let text = entry(
        r#", "tools": ["a", "b"], "event": "post_tool_use", "timeout_ms": 250,
            "on_failure": "allow", "mode": "worker", "max_questions": 7, "max_age_ms": 8, "max_idle_ms": 9"#,
    );
    let expected = HookSpec::new("g", ["x"])
        .with_tools(["a", "b"])
        .with_event(HookEvent::PostToolUse)
        .with_timeout(Duration::from_millis(250))
        .with_on_failure(OnFailure::Allow)
        .with_mode(HookMode::Worker)
        .with_max_questions(7)
        .with_max_age(Duration::from_millis(8))
        .with_max_idle(Duration::from_millis(9));
    assert_eq!(hook(&text), expected);
}

#[test]
fn records_are_declared_beside_the_hooks() {
    let record = |text: &str| {
        let file = HooksFile::parse(&format!(r#"{{"schema": 1, "record": {text}}}"#));
        file.expect("a hooks file").record
    };
    assert_eq!(record(r#"{"dir": "/r"}"#), Some(RecordSpec::new("/r")));
    let nothing = r#"{"dir": "/r", "keep_days": null, "keep_mib": null}"#;
    assert_eq!(record(nothing), Some(RecordSpec::new("/r")));
    let all =
        r#"{"dir": "/r", "capture": "full", "chain": true, "keep_days": 30, "keep_mib": 1024}"#;
    let mut expected = RecordSpec::new("/r");
    expected.capture = RecordCapture::Full;
    expected.chain = true;
    expected.keep_days = Some(30);
    expected.keep_mib = Some(1024);
    assert_eq!(record(all), Some(expected.clone()));
    let file = HooksFile {
        record: Some(expected),
        ..HooksFile::new(Vec::new())
    };
    assert_eq!(
        HooksFile::parse(&file.to_json()),
        Ok(file),
        "written and read again"
    );
}

#[test]
fn an_approver_is_declared_beside_the_hooks() {
    let approver = |text: &str| {
        let file = HooksFile::parse(&format!(r#"{{"schema": 1, "approver": {text}}}"#));
        file.expect("a hooks file").approver
    };
    let expected = ApproverSpec::new(["./ask", "", "-x"]);
    assert_eq!(expected.timeout, Duration::from_secs(600));
    for text in [
        r#"{"command": ["./ask", "", "-x"]}"#,
        r#"{"command": ["./ask", "", "-x"], "timeout_ms": null}"#,
        r#"{"command": ["./ask", "", "-x"], "timeout_ms": 600000}"#,
    ] {
        assert_eq!(approver(text), Some(expected.clone()), "{text}");
    }
    for (text, timeout) in [
        ("1", Duration::from_millis(1)),
        ("86400000", Duration::from_secs(86_400)),
    ] {
        let mut expected = ApproverSpec::new(["ask"]);
        expected.timeout = timeout;
        let declared = approver(&format!(r#"{{"command": ["ask"], "timeout_ms": {text}}}"#));
        assert_eq!(declared, Some(expected.clone()));
        let file = HooksFile {
            approver: Some(expected),
            ..HooksFile::new(Vec::new())
        };
        assert_eq!(
            HooksFile::parse(&file.to_json()),
            Ok(file),
            "written and read again"
        );
    }
}

#[test]
fn a_command_of_an_approver_obeys_the_rules_of_one_of_a_hook() {
    for command in [
        "[]",
        r#"[""]"#,
        r#""./ask --now | tee x""#,
        r#"["a", "b\u0000"]"#,
        r#"["a", 1]"#,
        r#"["\ud800"]"#,
        r#""\ud800""#,
        "null",
        "{}",
    ] {
        let of_hook =
            format!(r#"{{"schema": 1, "hooks": [{{"name": "g", "command": {command}}}]}}"#);
        let of_approver = format!(r#"{{"schema": 1, "approver": {{"command": {command}}}}}"#);
        let said = |text: &str| {
            let problems = HooksFile::parse(text).expect_err("problems").problems;
            let said = problems.into_iter();
            said.map(|told| (told.code, told.message, told.help))
                .collect::<Vec<_>>()
        };
        assert_eq!(said(&of_approver), said(&of_hook), "{command}");
    }
    for timeout in ["0", "86400001", "5.0", "5e3", "-1", r#""5""#, "true"] {
        let text = format!(
            r#"{{"schema": 1, "approver": {{"command": ["a"], "timeout_ms": {timeout}}}}}"#
        );
        assert_eq!(kinds(&text)[0].0, "timeout_out_of_range", "{timeout}");
    }
}

#[test]
fn what_is_wrong_with_an_approver_has_its_place() {
    let text = r#"{"schema": 1, "approver": {"command": ["./a", ""], "timeout_ms": 0}}"#;
    let examined = HooksFile::examine(text);
    let approver = examined.approver.expect("an object");
    let place = |span: &std::ops::Range<usize>| text.get(span.clone());
    assert_eq!(
        place(&approver.span),
        Some(r#"{"command": ["./a", ""], "timeout_ms": 0}"#)
    );
    let words: Vec<_> = approver
        .command
        .iter()
        .map(|word| place(&word.span))
        .collect();
    assert_eq!(words, [Some(r#""./a""#), Some(r#""""#)]);
    assert_eq!(approver.spec, Some(ApproverSpec::new(["./a", ""])));
    let [problem] = &*examined.problems else {
        panic!("one problem")
    };
    let at = problem.place.as_ref().map(|at| place(&at.span));
    assert_eq!(at, Some(Some("0")));
    let none = HooksFile::examine(r#"{"schema": 1, "approver": {}}"#);
    assert_eq!(none.approver.expect("an object").spec, None);
}

#[test]
fn what_is_absent_takes_its_default() {
    assert_eq!(hook(&entry("")), HookSpec::new("g", ["x"]));
}

#[test]
fn null_is_absent_where_the_field_has_no_word_for_it() {
    let text = entry(
        r#", "tools": null, "timeout_ms": null, "max_questions": null, "max_age_ms": null, "max_idle_ms": null"#,
    );
    assert_eq!(hook(&text), HookSpec::new("g", ["x"]));
    for field in ["event", "on_failure", "mode"] {
        assert_eq!(kinds(&entry(&format!(r#", "{field}": null"#))).len(), 1);
    }
}

#[test]
fn the_bounds_of_a_worker_stand_beside_that_mode_only() {
    for field in ["max_questions", "max_age_ms", "max_idle_ms"] {
        for mode in ["", r#", "mode": "oneshot""#] {
            let text = entry(&format!(r#"{mode}, "{field}": 5"#));
            let message = format!("`{field}` has no meaning for a hook that is no worker");
            assert_eq!(kinds(&text), [("needs_worker", message)]);
        }
        // What the mode is to be is not known: one problem is enough.
        let text = entry(&format!(r#", "mode": "wroker", "{field}": 5"#));
        assert_eq!(kinds(&text).len(), 1);
    }
    let hook = HookSpec::new("g", ["x"]).with_max_questions(5);
    let written = HooksFile::new(vec![hook]).to_json();
    assert!(!written.contains("max_questions"), "{written}");
}

#[test]
fn an_empty_word_is_an_argument_like_any_other() {
    let text = r#"{"schema": 1, "hooks": [{"name": "g", "command": ["x", "", " "]}]}"#;
    assert_eq!(hook(text), HookSpec::new("g", ["x", "", " "]));
}

#[test]
fn a_file_that_says_only_its_version_declares_no_hooks() {
    for text in [
        r#"{"schema": 1}"#,
        r#"{"$schema": "x", "schema": 1}"#,
        r#"{"schema": 1, "hooks": []}"#,
        "\u{feff}\r\n{ \"schema\" : 1 }\r\n",
    ] {
        assert_eq!(HooksFile::parse(text), Ok(HooksFile::default()), "{text}");
    }
}

#[test]
fn a_file_of_a_newer_version_is_judged_by_nothing_else() {
    let text = r#"{"schema": 2, "hook": [], "hooks": {"guard": ["x"]}}"#;
    let message = "the file declares schema 2, and this version reads schema 1".to_owned();
    assert_eq!(kinds(text), [("unsupported_schema", message)]);
}

#[test]
fn the_limits_of_a_timeout_belong_to_it() {
    let timeout = |value| hook(&entry(&format!(r#", "timeout_ms": {value}"#))).timeout();
    assert_eq!(timeout("1"), Duration::from_millis(1));
    assert_eq!(timeout("86400000"), Duration::from_secs(86_400));
}

#[test]
fn an_array_is_never_read_as_an_object() {
    assert_eq!(kinds(r#"[1, [["g", ["x"]]]]"#).len(), 1);
    assert_eq!(kinds(r#"{"schema": 1, "hooks": [["g", ["x"]]]}"#).len(), 1);
}

#[test]
fn a_key_that_a_library_reserves_is_an_unknown_field() {
    for key in [
        "$serde_json::private::Number",
        "$serde_json::private::RawValue",
    ] {
        let file = HooksFile::parse(&entry(&format!(r#", "{key}": "1""#))).expect("a file");
        let warning = &file.warnings[0];
        assert_eq!(warning.code, "unknown_field");
        assert!(warning.message.contains(key), "{warning}");
        let hidden = format!(r#"{{"{key}": "{{}}"}}"#);
        assert_eq!(kinds(&hidden)[0].0, "missing_schema");
    }
}

#[test]
fn a_value_that_nobody_can_read_is_refused_in_an_unknown_field_too() {
    let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
    let text = entry(&format!(r#", "limits": {deep}"#));
    let error = HooksFile::parse(&text).expect_err("too deep");
    assert_eq!(
        error.to_string(),
        "1:194: hook `g`: in the field `limits`: nested deeper than 127 levels; correct or remove the field"
    );
}

#[test]
fn nesting_without_end_is_no_danger() {
    assert_eq!(kinds(&"[".repeat(MAX_FILE_BYTES)).len(), 1);
    assert_eq!(
        kinds(&format!(r#"{{"schema":{}"#, "{\"a\":".repeat(100_000))).len(),
        1
    );
}

#[test]
fn of_very_many_problems_the_first_hundred_are_told() {
    let entries = vec![r#"{"nam": 1, "x": 1}"#; 40_000].join(",");
    let text = format!(r#"{{"schema": 1, "hooks": [{entries}]}}"#);
    let error = HooksFile::parse(&text).expect_err("problems");
    assert_eq!((error.problems.len(), error.warnings.len()), (101, 101));
    let last = error.problems.last().map(|problem| &*problem.message);
    assert_eq!(last, Some("79900 more problems"));
    let last = error.warnings.last().map(|warning| &*warning.message);
    assert_eq!(last, Some("39900 more warnings"));
}

#[test]
fn a_hook_knows_its_line_however_many_there_are() {
    let entries = vec!["{\"name\": \"g\", \"command\": [\"x\"]}"; 20_000].join(",\n");
    let text = format!("{{\"schema\": 1, \"hooks\": [\n{entries}]}}");
    let origin = |line, column| HookOrigin::WorkspaceFile {
        path: "f".into(),
        line,
        column,
    };
    let file = HooksFile::of(examine(&text, &HostSupport::new(), origin)).expect("a file");
    assert_eq!(file.hooks[0].origin(), &origin(2, 1));
    assert_eq!(file.hooks[19_999].origin(), &origin(20_001, 1));
}

#[test]
fn a_hook_knows_its_column_also_where_all_stand_on_one_line() {
    let text = r#"{"schema": 1, "hooks": [{"name": "gä", "command": ["x"]}, {"name": "h", "command": ["x"]}]}"#;
    let text = text.replace(r"\u00e4", "\u{e4}");
    let origin = |line, column| HookOrigin::WorkspaceFile {
        path: "f".into(),
        line,
        column,
    };
    let file = HooksFile::of(examine(&text, &HostSupport::new(), origin)).expect("a file");
    let columns: Vec<_> = file.hooks.iter().map(HookSpec::origin).collect();
    assert_eq!(columns, [&origin(1, 25), &origin(1, 59)]);
}

#[test]
fn a_hook_of_another_transport_is_written_under_its_key() {
    let remote = HookSpec::over("policy", "http", serde_json::json!({"url": "u"}));
    let text = HooksFile::new(vec![remote]).to_json();
    assert!(
        text.contains("\"http\": {\n        \"url\": \"u\"\n      }")
            || text.contains(r#""http": {"url":"u"}"#),
        "{text}"
    );
    assert!(!text.contains("command"), "{text}");
}

#[test]
fn a_file_is_written_as_an_author_would() {
    let hooks = vec![
        HookSpec::new("guard", ["./guard.sh", "a b"]),
        HookSpec::new("own", ["own"])
            .with_tools::<String>([])
            .with_mode(HookMode::Worker),
    ];
    let text = HooksFile::new(hooks.clone()).to_json();
    assert_eq!(
        text,
        r#"{
  "schema": 1,
  "hooks": [
    {
      "name": "guard",
      "command": [
        "./guard.sh",
        "a b"
      ]
    },
    {
      "name": "own",
      "command": [
        "own"
      ],
      "tools": [],
      "mode": "worker"
    }
  ]
}
"#
    );
    assert_eq!(HooksFile::parse(&text).expect("a file").hooks, hooks);
}

#[test]
fn a_text_with_mistakes_is_examined_to_its_end() {
    let text = r#"{"schema": 1, "hooks": [
        {"nam": "a", "command": ["./a", "b"]}, 7,
        {"name": "c", "command": ["", "\u0064"], "timeout_ms": 0}]}"#;
    let examined = HooksFile::examine(text);
    let codes: Vec<_> = examined
        .problems
        .iter()
        .map(|problem| problem.code)
        .collect();
    assert_eq!(
        codes,
        [
            "misspelt_field",
            "wrong_type",
            "empty_program",
            "timeout_out_of_range"
        ]
    );
    let entries: Vec<_> = examined
        .entries
        .iter()
        .map(|entry| {
            let words = entry.command.iter();
            let words: Vec<_> = words
                .map(|word| (word.text.as_str(), text.get(word.span.clone())))
                .collect();
            (entry.index, entry.name.as_deref(), words)
        })
        .collect();
    assert_eq!(
        entries,
        [
            (
                0,
                None,
                vec![("./a", Some(r#""./a""#)), ("b", Some(r#""b""#))]
            ),
            (
                2,
                Some("c"),
                vec![("", Some(r#""""#)), ("d", Some(r#""\u0064""#))]
            ),
        ]
    );
    assert_eq!(examined.entries[0].spec, None);
    let spec = HookSpec::new("c", ["", "d"]);
    assert_eq!(examined.entries[1].spec, Some(spec));
}
