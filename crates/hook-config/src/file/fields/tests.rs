use std::collections::BTreeSet;

use super::*;
use crate::HooksFile;

#[track_caller]
fn meant(table: Table, field: &str, expected: Option<&str>) {
    assert_eq!(table.meant(field), expected, "{field}");
}

#[test]
fn a_misspelt_field_of_a_hook_is_recognised() {
    for (field, intended) in [
        ("names", "name"),
        ("Name", "name"),
        ("commands", "command"),
        ("cmmand", "command"),
        ("_command", "command"),
        ("tool", "tools"),
        ("kind", "kinds"),
        ("toolKinds", "kinds"),
        ("fact", "facts"),
        ("TOOLS", "tools"),
        ("evnt", "event"),
        ("events", "event"),
        ("timeoutMs", "timeout_ms"),
        ("timeout-ms", "timeout_ms"),
        ("time_out", "timeout_ms"),
        ("timeout_s", "timeout_ms"),
        ("onFailure", "on_failure"),
        ("on_failre", "on_failure"),
        ("modes", "mode"),
        ("max_age", "max_age_ms"),
        ("maxIdle", "max_idle_ms"),
        ("max_question", "max_questions"),
    ] {
        meant(ENTRY, field, Some(intended));
    }
}

#[test]
fn a_misspelt_field_of_the_file_is_recognised() {
    for (field, intended) in [
        ("hook", "hooks"),
        ("Hooks", "hooks"),
        ("scheme", "schema"),
        ("schemaVersion", "schema"),
        ("PreToolUse", "hooks"),
        ("post_tool_use", "hooks"),
    ] {
        meant(TOP, field, Some(intended));
    }
}

#[test]
fn every_habit_is_met_by_its_own_field() {
    for (habit, intended) in RECORD_HABITS {
        assert_eq!(*habit, fold(habit), "listed as it is compared");
        assert!(RECORD.field(intended).is_some(), "{intended}");
        meant(RECORD, habit, Some(intended));
    }
    for (habit, intended) in APPROVER_HABITS {
        assert_eq!(*habit, fold(habit), "listed as it is compared");
        assert!(APPROVER.field(intended).is_some(), "{intended}");
        meant(APPROVER, habit, Some(intended));
    }
    for (habit, intended) in ENTRY_HABITS {
        assert_eq!(*habit, fold(habit), "listed as it is compared");
        assert!(ENTRY.field(intended).is_some(), "{intended}");
        meant(ENTRY, habit, Some(intended));
    }
    for (habit, intended) in TOP_HABITS {
        assert_eq!(*habit, fold(habit), "listed as it is compared");
        assert!(TOP.field(intended).is_some(), "{intended}");
        meant(TOP, habit, Some(intended));
    }
}

#[test]
fn a_field_of_a_newer_version_is_no_mistake() {
    for field in [
        "",
        "$comment",
        "// command",
        "#tools",
        "comment",
        "comments",
        "cwd",
        "description",
        "enabled",
        "env",
        "id",
        "max_output_bytes",
        "model",
        "note",
        "priority",
        "title",
        "type",
        "version",
        "worker",
        "workers",
    ] {
        assert_eq!(ENTRY.meant(field), None, "{field} in an entry");
        assert_eq!(TOP.meant(field), None, "{field} in the file");
        assert!(!is_of_a_hook(field), "{field}");
    }
}

#[test]
fn the_name_of_a_file_is_no_misplaced_field() {
    assert!(TOP.meant("name").is_none() && !is_of_a_hook("name"));
    for field in NOT_AT_TOP {
        assert!(TOP.meant(field).is_none() && is_of_a_hook(field), "{field}");
    }
}

#[test]
fn no_known_field_is_taken_for_another() {
    for field in ENTRY.names() {
        let others: Vec<&str> = ENTRY.names().filter(|other| *other != field).collect();
        assert_eq!(nearest(field, &others), None, "{field}");
        let folded = fold(field);
        assert!(
            ENTRY_HABITS.iter().all(|(habit, _)| *habit != folded),
            "{field}"
        );
    }
}

#[test]
fn what_is_written_are_the_fields_that_are_read() {
    let hook = crate::HookSpec::new("guard", ["guard.sh"])
        .with_tools(["shell"])
        .with_kinds([hook_contract::Kind::Shell])
        .with_facts()
        .with_event(hook_contract::HookEvent::PostToolUse)
        .with_timeout(std::time::Duration::from_millis(1))
        .with_on_failure(crate::OnFailure::Allow)
        .with_mode(crate::HookMode::Worker)
        .with_max_questions(1)
        .with_max_age(std::time::Duration::from_millis(1))
        .with_max_idle(std::time::Duration::from_millis(1));
    let text = HooksFile::new(vec![hook]).to_json();
    let file: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(keys(&file["hooks"][0]), ENTRY.names().collect());
    assert_eq!(keys(&file), BTreeSet::from(["schema", "hooks"]));
}

#[cfg(feature = "schema")]
#[test]
fn the_schema_describes_the_fields_that_are_read() {
    let schema = serde_json::Value::from(crate::schema::hooks_file());
    let entry = &schema["$defs"]["Hook"];
    assert_eq!(keys(&schema["properties"]), TOP.names().collect());
    assert_eq!(keys(&entry["properties"]), ENTRY.names().collect());
    for field in ENTRY.names() {
        let description = &entry["properties"][field]["description"];
        assert!(description.is_string(), "{field} is not described");
    }
}

fn keys(object: &serde_json::Value) -> BTreeSet<&str> {
    let object = object.as_object().expect("an object");
    object.keys().map(String::as_str).collect()
}

#[cfg(feature = "schema")]
#[test]
fn the_schema_knows_the_words_that_are_read() {
    use crate::vocabulary::Word;

    #[track_caller]
    fn check<W: Word>(schema: &serde_json::Value, name: &str) {
        let choices = schema["$defs"][name]["oneOf"].as_array();
        let words: Vec<&str> = choices
            .expect("choices")
            .iter()
            .map(|choice| choice["const"].as_str().expect("a word"))
            .collect();
        let read: Vec<&str> = W::ALL.iter().map(|word| word.word()).collect();
        assert_eq!(words, read, "{name}");
        let field = &schema["$defs"]["Hook"]["properties"][W::FIELD];
        assert_eq!(field["$ref"], format!("#/$defs/{name}"));
        assert_eq!(field["default"], read[0], "the first word is the default");
    }

    let schema = serde_json::Value::from(crate::schema::hooks_file());
    check::<hook_contract::HookEvent>(&schema, "HookEvent");
    check::<crate::OnFailure>(&schema, "OnFailure");
    check::<crate::HookMode>(&schema, "HookMode");
    let choices = schema["$defs"]["Kind"]["oneOf"].as_array();
    let words = choices.expect("choices").iter();
    let read = hook_contract::Kind::ALL.iter().map(|kind| kind.as_str());
    assert!(words.map(|choice| &choice["const"]).eq(read));
}

#[cfg(feature = "schema")]
#[test]
fn the_schema_knows_the_limits_that_are_read() {
    let schema = serde_json::Value::from(crate::schema::hooks_file());
    let hook = &schema["$defs"]["Hook"];
    let limits = |field| {
        ["minimum", "maximum", "default"].map(|limit| hook["properties"][field][limit].as_u64())
    };
    let milliseconds = |timeout: std::time::Duration| u64::try_from(timeout.as_millis()).ok();
    let times = |times: [std::time::Duration; 3]| times.map(milliseconds);
    let (least, most) = (crate::MIN_HOOK_TIMEOUT, crate::MAX_HOOK_TIMEOUT);
    let expected = times([least, most, crate::DEFAULT_HOOK_TIMEOUT]);
    assert_eq!(limits("timeout_ms"), expected);
    let most = crate::MAX_WORKER_TIME;
    let expected = times([least, most, crate::DEFAULT_MAX_AGE]);
    assert_eq!(limits("max_age_ms"), expected);
    let expected = times([least, most, crate::DEFAULT_MAX_IDLE]);
    assert_eq!(limits("max_idle_ms"), expected);
    let expected = [1, crate::MAX_MAX_QUESTIONS, crate::DEFAULT_MAX_QUESTIONS];
    assert_eq!(limits("max_questions"), expected.map(Some));
    assert_eq!(
        schema["properties"]["schema"]["const"],
        crate::HOOKS_FILE_SCHEMA
    );
    assert_eq!(schema["required"], serde_json::json!(["schema"]));
    assert_eq!(hook["required"], serde_json::json!(["name", "command"]));
    assert_eq!(hook.get("additionalProperties"), None);
}

#[cfg(feature = "schema")]
#[test]
fn the_schema_and_the_reader_are_of_one_mind_about_an_approver() {
    let schema = serde_json::Value::from(crate::schema::hooks_file());
    let approver = &schema["$defs"]["Approver"];
    assert_eq!(keys(&approver["properties"]), APPROVER.names().collect());
    for field in APPROVER.names() {
        let description = &approver["properties"][field]["description"];
        assert!(description.is_string(), "{field} is not described");
    }
    assert_eq!(approver["required"], serde_json::json!(["command"]));
    let milliseconds = |time: std::time::Duration| u64::try_from(time.as_millis()).ok();
    let (least, most) = (crate::MIN_HOOK_TIMEOUT, crate::MAX_HOOK_TIMEOUT);
    let timeout = &approver["properties"]["timeout_ms"];
    assert_eq!(
        ["minimum", "maximum", "default"].map(|limit| timeout[limit].as_u64()),
        [least, most, crate::DEFAULT_APPROVER_TIMEOUT].map(milliseconds)
    );
    for example in [
        &approver["examples"],
        &schema["properties"]["approver"]["examples"],
    ] {
        let file = HooksFile::parse(&format!(r#"{{"schema": 1, "approver": {}}}"#, example[0]));
        let file = file.expect("a hooks file");
        assert!(
            file.approver.is_some() && file.warnings.is_empty(),
            "{file:?}"
        );
    }
}

#[cfg(feature = "schema")]
#[test]
fn the_example_of_the_schema_loads_without_a_warning() {
    let schema = serde_json::Value::from(crate::schema::hooks_file());
    let example = schema["examples"][0].to_string();
    let file = HooksFile::parse(&example).expect("a hooks file");
    assert_eq!((file.hooks.len(), file.warnings.len()), (2, 0));
}
