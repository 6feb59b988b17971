//! What Claude Code did with what hooks printed.

use hook_contract::Json;
use hook_dialect::{Dialect, Fact, Facts, MergedOutcome, Verdict, config::Shell};
use serde_json::{Value, json};

use crate::{
    asked::{Asking, asked, declared, write},
    stored::{all_agree, rows},
};

/// Why a row says nothing about what is tested here.
fn beside_the_point(row: &Value) -> Option<&'static str> {
    let event = row["event"].as_str().unwrap_or_default();
    let hooks = row["settings"]["hooks"].as_object();
    let alone = |value: &Value| value.as_object().is_none_or(|object| object.len() == 1);
    let groups = hooks
        .and_then(|hooks| hooks.get(event))
        .and_then(Value::as_array);
    let (Some(hooks), Some(groups)) = (hooks, groups) else {
        return Some("how files are read");
    };
    let is_group = |group: &Value| {
        let matcher = &group["matcher"];
        (matcher.is_string() || group.get("matcher").is_none()) && group["hooks"].is_array()
    };
    if row["race"] == true {
        return Some("which of two hooks is quicker");
    }
    if hooks.len() > 1 {
        return Some("several events");
    }
    let settings = [
        "user_settings",
        "local_settings",
        "settings_raw",
        "settings_suffix",
    ];
    if !alone(&row["settings"])
        || !groups.iter().all(is_group)
        || settings.iter().any(|name| {
            row.get(name)
                .is_some_and(|s| s.get("permissions").is_none())
        })
        || row.get("settings_in").is_some()
    {
        return Some("how files are read");
    }
    if !handlers(row, event).iter().all(|handler| is_plain(handler)) {
        return Some("other handlers, or how they are read");
    }
    let turns = row["turns"].as_array();
    if turns.is_some_and(|turns| turns.iter().filter_map(Value::as_array).flatten().count() != 1) {
        return Some("several calls");
    }
    let odd = ["env", "run_in", "repo_name", "extra_files", "write_path"];
    if odd.iter().any(|name| row.get(name).is_some()) {
        return Some("how the agent is started");
    }
    if event.starts_with("Post") && row["expect"]["hooks_started"] == json!([]) {
        return Some("hooks that are not asked");
    }
    None
}

/// Whether a handler is one that is read and runs in the foreground.
fn is_plain(handler: &Value) -> bool {
    const FIELDS: [&str; 12] = [
        "type",
        "command",
        "args",
        "timeout",
        "if",
        "async",
        "asyncRewake",
        "once",
        "onFailure",
        "statusMessage",
        "zzz",
        "continueOnBlock",
    ];
    let known = |(name, _): (&String, &Value)| FIELDS.contains(&name.as_str());
    let timed = |timeout: &Value| timeout.as_f64().is_some_and(|seconds| seconds > 0.0);
    let policy = handler["onFailure"].as_str().unwrap_or("continue");
    let command = handler["command"].as_str().unwrap_or_default();
    handler
        .as_object()
        .is_some_and(|members| members.iter().all(known))
        && handler["type"] == "command"
        && handler.get("timeout").is_none_or(timed)
        && handler.get("if").is_none_or(Value::is_string)
        && ["continue", "block"].contains(&policy)
        && !command.trim().is_empty()
        && !command.contains("/proc/")
        && !command.contains("$FROM_RC")
}

fn handlers<'a>(row: &'a Value, event: &str) -> Vec<&'a Value> {
    let groups = row["settings"]["hooks"][event].as_array();
    let groups = groups.into_iter().flatten();
    groups
        .flat_map(|group| group["hooks"].as_array().into_iter().flatten())
        .collect()
}

/// The tool that the model calls, and its input.
fn call(row: &Value) -> (String, Json) {
    let block = &row["turns"][0][0];
    let name = block["name"].as_str().unwrap_or("Bash");
    let original = json!({"command": "sh tool.sh original", "description": "original"});
    let input = block.get("input").cloned().unwrap_or(original);
    (name.to_owned(), Json::from(input))
}

fn facts(row: &Value, cwd: &str) -> Facts {
    let (tool, input) = call(row);
    Facts::new()
        .with(Fact::SessionId, "s")
        .with(Fact::TranscriptPath, "/t.jsonl")
        .with(Fact::Cwd, cwd)
        .with(Fact::PermissionMode, "default")
        .with(Fact::ToolName, tool)
        .with_json(Fact::ToolInput, input)
        .with(Fact::ToolUseId, "toolu_01")
        .with(Fact::ToolResponse, json!({"stdout": "out-original"}))
        .with(Fact::ToolCalls, json!([]))
        .with(Fact::Error, "Exit code 3")
        .with(Fact::Prompt, "please run it")
        .with(Fact::Source, "startup")
        .with(Fact::Reason, "other")
        .with(Fact::Trigger, "init")
        .with(Fact::StopHookActive, false)
        .with(Fact::AgentId, "a")
        .with(Fact::AgentType, "general-purpose")
        .with(Fact::AgentTranscriptPath, "/a.jsonl")
}

/// The hooks of a row, in a repository with their programs.
fn asking(row: &Value) -> Asking {
    let directory = tempfile::tempdir().expect("a directory");
    let repo = directory.path();
    let event = row["event"].as_str().expect("an event");
    let event = Dialect::CLAUDE.event(event).expect("a known event");
    let scripts = row["script"].as_object().into_iter().flatten();
    let unmarked = row["not_executable"].as_array();
    for (name, content) in scripts {
        let marked = !unmarked.is_some_and(|names| names.contains(&json!(name)));
        let path = repo.join(".claude/hooks").join(name);
        let mode = if marked { 0o755 } else { 0o644 };
        write(&path, content.as_str().expect("a script"), mode);
    }
    let claude = Dialect::CLAUDE;
    let groups = &row["settings"]["hooks"][event.name];
    let hooks = declared(claude, event, Shell::Posix, groups, str::to_owned);
    let facts = facts(row, repo.to_str().expect("UTF-8"));
    Asking {
        repo: directory,
        dialect: claude,
        event,
        hooks,
        facts,
    }
}

/// The agent's own step, in the modes that were recorded: in print mode nobody can be asked, so that whatever asks
/// refuses. Rules that deny or ask hold whatever a hook says; a hook's allow lifts the rest.
fn runs(row: &Value, verdict: Verdict, command: &str) -> bool {
    let mode = row["mode"].as_str().unwrap_or_default();
    let rules = row["user_settings"]["permissions"]["deny"].as_array();
    let denied = rules.is_some_and(|rules| rules.contains(&json!(format!("Bash({command})"))));
    let ruled_out = denied || ["denyrule", "askrule"].contains(&mode) && command.starts_with("sh ");
    let lets_pass = ["allowed", "bypass"].contains(&mode);
    if row["event"] == "PermissionRequest" {
        // Its hooks are asked where somebody would be.
        return match mode {
            "prompt" | "askrule" => verdict == Verdict::Allow && !denied,
            _ => lets_pass,
        };
    }
    match verdict {
        Verdict::Deny | Verdict::Defer | Verdict::Ask => false,
        Verdict::Allow => !ruled_out,
        Verdict::None => !ruled_out && lets_pass,
    }
}

/// What a tool was called with, as the recordings show it; nothing when it does not take the input.
fn called(tool: &str, input: &Json) -> Option<String> {
    let text = |name: &str| input[name].as_str();
    match tool {
        "Bash" => text("command").map(str::to_owned),
        "Write" => text("content").map(|content| format!("wrote {content:?}").replace('"', "'")),
        _ => text("text").map(|text| format!("note {text}")),
    }
}

/// What differs between a recorded row and what its hooks lead to here.
fn difference(row: &Value, merged: &MergedOutcome) -> Option<String> {
    let expect = &row["expect"];
    let (tool, original) = call(row);
    let requests = expect["model_requests"].as_u64().unwrap_or_default();
    let saw = expect["model_saw"].to_string();
    let first = expect["first_request"].to_string();
    let denies = merged.decision == Verdict::Deny;
    let contexts = |seen: &str| {
        let lines = |context: &String| {
            let line = context.lines().next().unwrap_or_default();
            line.replace("</system-reminder", "&lt;/system-reminder")
        };
        let told = |text: String| {
            seen.contains(json!(text).to_string().trim_matches('"')) || text.len() > 10_000
        };
        merged.additional_context.iter().map(lines).all(told)
    };
    let (found, recorded) = match row["event"].as_str().unwrap_or_default() {
        "PreToolUse" | "PermissionRequest" => {
            let input = merged.updated_input.as_ref().unwrap_or(&original);
            let call = called(&tool, input);
            let command = call.clone().unwrap_or_default();
            let call = call.filter(|_| runs(row, merged.decision, &command));
            let told = call.is_none() || contexts(&saw);
            (
                json!([call.is_some(), call, told]),
                json!([expect["tool_ran"], expect["tool_input"][0], true]),
            )
        }
        "PostToolUse" | "PostToolUseFailure" => {
            let replaced = merged.updated_tool_output.as_ref();
            // A result of another shape than the tool's is left out by the agent.
            let replaced = replaced.filter(|output| output["interrupted"].is_boolean());
            let replaced = replaced.and_then(|output| output["stdout"].as_str().map(str::to_owned));
            let shown = replaced.is_none_or(|text| saw.contains(&text));
            let blocks = saw.contains("hook blocking error");
            (
                json!([
                    merged.stop,
                    denies && !merged.stop,
                    shown,
                    merged.stop || contexts(&saw)
                ]),
                json!([requests == 1, blocks, true, true]),
            )
        }
        "PostToolBatch" => (json!(merged.stop || denies), json!(requests == 1)),
        "UserPromptSubmit" => {
            let blocked = merged.stop || denies;
            (
                json!([blocked, blocked || contexts(&first)]),
                json!([requests == 0, true]),
            )
        }
        "SessionStart" | "Setup" => {
            let none = !first.contains("hook success") && !first.contains("additional context");
            (
                json!([merged.additional_context.is_empty(), contexts(&first)]),
                json!([none, true]),
            )
        }
        "Stop" => {
            let goes_on = (denies || !merged.additional_context.is_empty()) && !merged.stop;
            (json!(goes_on), json!(requests > 1))
        }
        "SubagentStop" => {
            let again = expect["hooks"].as_array().map_or(0, Vec::len) > 1;
            (
                json!((denies || !merged.additional_context.is_empty()) && !merged.stop),
                json!(again),
            )
        }
        _ => return None,
    };
    (found != recorded).then(|| format!("{}: {recorded}, here {found}: {merged:?}", row["id"]))
}

#[test]
fn hooks_lead_to_what_they_led_to_in_claude_code() {
    let rows = rows("oracle-claude", "matrix.json");
    let telling = rows.iter().filter(|row| beside_the_point(row).is_none());
    let telling: Vec<&Value> = telling.collect();
    let fired = asked(telling.iter().copied(), asking);
    let pairs = telling.iter().zip(&fired);
    let differences: Vec<_> = pairs
        .filter_map(|(row, fired)| difference(row, &fired.outcome))
        .collect();
    let compared = telling.len();
    all_agree("claude", compared, &differences);
    assert!(
        compared * 2 > rows.len(),
        "only {compared} of {}",
        rows.len()
    );
}
