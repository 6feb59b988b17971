//! What Codex did with what hooks printed.

use hook_contract::Json;
use hook_dialect::{
    Decision, Dialect, Exit, Fact, Facts, HookOutput, Verdict, config::Shell, decode_output,
    dialect::EventRow,
};
use serde_json::{Value, json};

use crate::{
    asked::{Asking, asked, declared, write},
    stored::{all_agree, rows},
};

/// Why a row says nothing about what is tested here.
fn beside_the_point(row: &Value) -> Option<&'static str> {
    let text = row.to_string();
    let event = row["event"].as_str().unwrap_or_default();
    let handlers = handlers(row);
    if !row["config"].is_object() || row.get("config_tables").is_some() {
        Some("how files are read")
    } else if row["expect"]["config_warnings"].is_array() || row.get("hook_trust").is_some() {
        Some("what of a file counts")
    } else if text.contains("kill -9 $PPID") {
        Some("the agent's own end")
    } else if handlers.iter().any(|h| h["type"] != "command") {
        Some("other ways to run")
    } else if row["expect"]["hook_status"]
        .as_array()
        .is_none_or(Vec::is_empty)
        && event != "PreToolUse"
    {
        Some("nothing was recorded")
    } else if text.contains("/home/user") || text.contains("CLAUDE_PROJECT_DIR") {
        Some("the environment")
    } else if row["group"] == "shell" || text.contains("umask") {
        Some("how a program is started")
    } else if row["model_turns"][0]
        .as_array()
        .is_none_or(|calls| calls.len() > 1)
    {
        Some("several calls in one reply")
    } else if text.contains("apply_patch <<") && event == "PreToolUse" {
        Some("how Codex takes a patch out of a shell command")
    } else if calls_nothing(&row["model_turns"][0][0]) {
        Some("calls that Codex itself refuses")
    } else {
        None
    }
}

/// Whether the model calls a tool that is not there or not hooked, or forgets what it must say.
fn calls_nothing(call: &Value) -> bool {
    let name = call["name"].as_str().unwrap_or_default();
    let no_command = name == "exec_command" && !call["arguments"].to_string().contains("cmd");
    no_command || name == "no_such_tool" || name == "write_stdin"
}

fn handlers(row: &Value) -> Vec<&Value> {
    let groups = row["config"]["hooks"].as_object().into_iter().flatten();
    groups
        .flat_map(|(_, groups)| groups.as_array().into_iter().flatten())
        .flat_map(|group| group["hooks"].as_array().into_iter().flatten())
        .collect()
}

/// The name of the tool that the model calls first, as hooks are told it, and its input.
fn first_call(row: &Value) -> (String, Json) {
    let call = &row["model_turns"][0][0];
    let arguments = call["arguments"].as_str().unwrap_or("{}");
    let arguments: Value = serde_json::from_str(arguments).unwrap_or_default();
    let namespace = call["namespace"].as_str().unwrap_or_default();
    let (name, input) = match call["name"].as_str() {
        Some("exec_command") => ("Bash".into(), json!({"command": arguments["cmd"]})),
        Some("apply_patch") => ("apply_patch".into(), json!({"command": call["input"]})),
        Some(name) => (format!("{namespace}{name}"), arguments),
        None => ("Bash".into(), json!({"command": "true"})),
    };
    (name, Json::from(input))
}

fn facts(row: &Value, cwd: &str) -> Facts {
    let (tool, input) = first_call(row);
    let event = row["event"].as_str().unwrap_or_default();
    Facts::new()
        .with(Fact::SessionId, "s")
        .with(Fact::TurnId, "t")
        .with(Fact::ThreadId, "s")
        .with(Fact::Cwd, cwd)
        .with(Fact::Model, "gpt")
        .with(Fact::PermissionMode, "bypassPermissions")
        .with(Fact::ToolName, tool)
        .with_json(Fact::ToolInput, input)
        .with(Fact::ToolUseId, "call_1")
        .with(Fact::ToolResponse, "tool-output-original\n")
        .with(Fact::Prompt, "please run the tool")
        .with(Fact::Source, "startup")
        .with(Fact::Reason, "other")
        .with(Fact::Trigger, "auto")
        .with(Fact::StopHookActive, false)
        .with(Fact::AgentId, "a")
        .with(Fact::AgentType, "default")
        .with(Fact::Kind, "sampling")
        .with(Fact::RequestId, "r")
        .with(Fact::AttemptNumber, 1)
        .with(Fact::Status, "completed")
        .with(Fact::HookEventName, event)
}

/// The hooks of a row, in a repository with their programs.
fn asking(row: &Value) -> Asking {
    let directory = tempfile::tempdir().expect("a directory");
    let repo = directory.path();
    let event = row["event"].as_str().expect("an event");
    let event = Dialect::CODEX.event(event).expect("a known event");
    let repo_text = repo.to_str().expect("UTF-8");
    let here = |text: &str| {
        text.replace("/hooks/", &format!("{repo_text}/hooks/"))
            .replace("/repo", repo_text)
    };
    for (path, script) in row["script"].as_object().into_iter().flatten() {
        let content = script["content"].as_str().or(script.as_str());
        let mode = script["mode"].as_str().unwrap_or("755");
        let mode = u32::from_str_radix(mode, 8).expect("a mode");
        write(here(path).as_ref(), &here(content.expect("a script")), mode);
    }
    let mut groups = row["config"]["hooks"][event.name].clone();
    for group in groups.as_array_mut().into_iter().flatten() {
        for handler in group["hooks"].as_array_mut().into_iter().flatten() {
            // Codex knows no rules.
            handler["if"] = Value::Null;
        }
    }
    let hooks = declared(Dialect::CODEX, event, Shell::OfUser, &groups, here);
    let facts = facts(row, repo_text);
    Asking {
        repo: directory,
        dialect: Dialect::CODEX,
        event,
        hooks,
        facts,
    }
}

/// The word that Codex has for how a hook ended.
fn status(event: &EventRow, output: &HookOutput) -> &'static str {
    let stopped = output.continues == Some(false)
        || event.stop == hook_dialect::dialect::Stop::Replaces
            && output
                .ignored
                .iter()
                .any(|ignored| ignored.field == "continue");
    if output.failure.is_some() {
        "failed"
    } else if stopped {
        "stopped"
    } else if output.refuses() {
        "blocked"
    } else {
        "completed"
    }
}

/// What Codex says that a hook which did not fail said; reasons it makes up itself are left out.
fn entries(output: &HookOutput) -> Vec<(&'static str, String)> {
    let mut entries = Vec::new();
    let mut add = |kind, text: &Option<String>| {
        entries.extend(text.clone().map(|text| (kind, text)));
    };
    add("warning", &output.system_message);
    add("context", &output.additional_context);
    if output.refuses() {
        add("feedback", &output.reason);
    }
    entries
}

fn recorded_entries(entries: &Value) -> Vec<(String, String)> {
    let entries = entries.as_array().into_iter().flatten();
    entries
        .filter_map(|entry| Some((entry[0].as_str()?.to_owned(), entry[1].as_str()?.to_owned())))
        .filter(|(kind, text)| kind != "stop" && text != "PermissionRequest hook denied approval")
        .collect()
}

#[test]
fn every_hook_is_understood_as_codex_understood_it() {
    let rows = rows("oracle-codex", "matrix.json");
    let telling = rows.iter().filter(|row| beside_the_point(row).is_none());
    let telling: Vec<&Value> = telling.collect();
    let fired = asked(telling.iter().copied(), asking);
    let mut differences = Vec::new();
    for (row, fired) in telling.iter().zip(fired) {
        let event = row["event"].as_str().expect("an event");
        let event = Dialect::CODEX.event(event).expect("a known event");
        let outputs: Vec<HookOutput> = fired.runs.into_iter().map(|run| run.output).collect();
        let expect = &row["expect"];
        let recorded = expect["hook_status"].as_array().expect("a list");
        let statuses: Vec<_> = outputs.iter().map(|output| status(event, output)).collect();
        // A hook that is asked again answers again; here each is asked once.
        let first: Vec<_> = recorded.iter().take(outputs.len()).cloned().collect();
        if json!(statuses) != json!(first) || outputs.is_empty() != recorded.is_empty() {
            differences.push(format!(
                "{}: {recorded:?}, here {statuses:?}: {outputs:?}",
                row["id"]
            ));
            continue;
        }
        for (output, entry) in outputs
            .iter()
            .zip(expect["hook_entries"].as_array().into_iter().flatten())
        {
            let said: Vec<_> = entries(output)
                .into_iter()
                .map(|(k, t)| (k.to_owned(), t))
                .collect();
            let recorded = recorded_entries(entry);
            let cut = |text: &str| text.chars().take(200).collect::<String>();
            let same = said.len() == recorded.len()
                && said
                    .iter()
                    .zip(&recorded)
                    .all(|(a, b)| a.0 == b.0 && cut(&a.1) == cut(&b.1));
            if output.failure.is_none() && status(event, output) != "stopped" && !same {
                differences.push(format!("{}: {recorded:?}, here {said:?}", row["id"]));
            }
        }
    }
    let compared = telling.len();
    all_agree("codex, each hook", compared, &differences);
    assert!(
        compared * 2 > rows.len(),
        "only {compared} of {}",
        rows.len()
    );
}

#[test]
fn the_call_runs_as_it_ran_in_codex() {
    let rows = rows("oracle-codex", "matrix.json");
    let telling = rows.iter().filter(|row| {
        let outcome = row["expect"]["outcome"].as_str().unwrap_or_default();
        let judged = ["ran", "ran-updated", "blocked", "not-run"].contains(&outcome);
        let asks_nobody = row.get("approval").is_none();
        judged && asks_nobody && row["event"] == "PreToolUse" && beside_the_point(row).is_none()
    });
    let telling: Vec<&Value> = telling.collect();
    let fired = asked(telling.iter().copied(), asking);
    let mut differences = Vec::new();
    for (row, fired) in telling.iter().zip(fired) {
        let outcome = row["expect"]["outcome"].as_str().unwrap_or_default();
        let merged = fired.outcome;
        let (tool, original) = first_call(row);
        let command = |input: &Json| input["command"].as_str().map(str::to_owned);
        let found = if merged.decision == Verdict::Deny {
            "blocked".to_owned()
        } else if let Some(input) = &merged.updated_input {
            // Codex takes a command for shells and patches, and anything for other tools.
            match command(input) {
                Some(command) => format!("ran {command}"),
                None if tool == "Bash" || tool == "apply_patch" => "not-run".to_owned(),
                None => format!("ran {input}"),
            }
        } else {
            format!("ran {}", command(&original).unwrap_or_default())
        };
        let recorded = match outcome {
            "blocked" | "not-run" => outcome.to_owned(),
            _ if tool != "Bash" => "ran".to_owned(),
            _ => format!(
                "ran {}",
                row["expect"]["tool_input"][0].as_str().unwrap_or_default()
            ),
        };
        if found != recorded && !(recorded == "ran" && found.starts_with("ran")) {
            differences.push(format!("{}: {recorded}, here {found}", row["id"]));
        }
    }
    all_agree("codex, calls", telling.len(), &differences);
}

/// What Codex lets pass and a guarded profile does not.
#[test]
fn a_refusal_that_codex_does_not_hear_is_heard() {
    for (exit, stdout) in [
        (0, r#"{"hookSpecificOutput":{"permissionDecision":"deny"}}"#),
        (0, r#"{"decision":"block"}"#),
        (0, r#"{"decision":"block","reason":"r","extra":1}"#),
        (0, r#"{"continue":false,"decision":"block","reason":"r"}"#),
        (0, "loading...\n{\"decision\":\"block\",\"reason\":\"r\"}"),
        (
            0,
            r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"ls"}}}"#,
        ),
        (1, r#"{"decision":"block","reason":"r"}"#),
        (2, ""),
    ] {
        let decode = |profile| {
            let exit = Exit::Code(exit);
            decode_output(exit, stdout.as_bytes(), b"", Some("PreToolUse"), profile).decision
        };
        assert_eq!(decode(Dialect::CODEX.strict()), None, "{exit} {stdout}");
        let guarded = decode(Dialect::CODEX.guarded());
        assert_eq!(guarded, Some(Decision::Deny), "{exit} {stdout}");
    }
}
