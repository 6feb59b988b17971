//! The cases of `tests/cases/claude` through the command, as their page says; the library has them too.
#![cfg(target_os = "linux")]

use std::{fs, path::Path};

use serde_json::Value;

use crate::machine::Machine;

#[test]
fn every_case_comes_out_right() {
    let root = Path::new(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/cases/claude"
    ));
    let mut judged = 0;
    for case in fs::read_dir(root).expect("the cases") {
        let case = case.expect("a case").path();
        if case.join("expect.json").exists() {
            judge(&case);
            judged += 1;
        }
    }
    assert!(judged >= 8, "{judged}");
}

fn judge(case: &Path) {
    let text = |name: &str| fs::read_to_string(case.join(name)).expect("a file");
    let json = |name: &str| serde_json::from_str::<Value>(&text(name)).expect("JSON");
    let setup = if case.join("setup.json").exists() {
        json("setup.json")
    } else {
        Value::Null
    };
    let workspace = setup["workspace_name"].as_str().unwrap_or("ws");
    let machine = Machine::new();
    machine.file(
        &format!("{workspace}/.claude/settings.json"),
        &text("claude-settings.json"),
    );
    for file in fs::read_dir(case).expect("a case") {
        let path = file.expect("a file").path();
        let name = path
            .file_name()
            .and_then(|name| name.to_str())
            .expect("a name");
        let ending = path.extension().and_then(|ending| ending.to_str());
        if matches!(ending, Some("sh" | "py")) {
            machine.program(&format!("{workspace}/.claude/hooks/{name}"), &text(name));
        }
    }
    let expected = json("expect.json");
    let args = [
        "consult",
        "--workspace",
        workspace,
        "--workspace-only",
        "--hooks",
        "claude",
    ];
    let ran = machine.run_with(&args, &text("call.json"));
    let name = case.display();
    let answer: Value = serde_json::from_str(&ran.stdout).unwrap_or(Value::Null);
    let outcome = answer["outcome"].as_str().unwrap_or("config_error");
    assert_eq!(expected["outcome"], outcome, "{name}: {ran:?}");
    let status = match outcome {
        "config_error" => 1,
        "deny" => 3,
        _ => 0,
    };
    assert_eq!(ran.status, Some(status), "{name}");
    for key in ["input", "output", "is_error"] {
        if let Some(value) = expected.get(key) {
            assert_eq!(&answer[key], value, "{name}");
        }
    }
    let contains = |key: &str, text: &str| {
        for part in expected[key].as_array().into_iter().flatten() {
            let part = part.as_str().expect("a text").to_lowercase();
            assert!(
                text.to_lowercase().contains(&part),
                "{name}: {part} in {ran:?}"
            );
        }
    };
    let reason = answer["reason"].as_str().unwrap_or(&ran.stderr);
    contains("reason_contains", reason);
    contains("report_contains", &ran.stderr);
}
