//! What differs between a recorded session and one that was played.

use hook_dialect::{
    Dialect, HookOutput,
    dialect::{EventRow, Stop},
    run::HookRun,
};
use serde_json::Value;

use crate::played::{Played, all_texts, beginning};

/// What differs; nothing when the two agree.
pub(super) fn differences(row: &Value, played: &Played) -> Vec<String> {
    let expect = &row["expect"];
    let mut differences = Vec::new();
    let mut differ = |what: &str, there: &dyn std::fmt::Debug, here: &dyn std::fmt::Debug| {
        differences.push(format!("{what}: {there:?} there, {here:?} here"));
    };
    if let Some(ran) = expect["tool_ran"].as_bool() {
        let there = commands(&expect["tool_input"]);
        if ran == played.ran.is_empty() || !are_alike(&there, &played.ran) {
            differ("what ran", &there, &played.ran);
        }
    }
    let requests = expect["requests"]
        .as_u64()
        .and_then(|n| usize::try_from(n).ok());
    // What is said in the background makes one more request when it comes last.
    let more = usize::from(!played.maybe.is_empty());
    let may_be = played.requests..=played.requests + more;
    if !requests.is_some_and(|there| may_be.contains(&there)) {
        differ("requests", &requests, &played.requests);
    }
    let log = played
        .recorded
        .get("hooks.log")
        .map_or(0, |log| log.lines().count());
    let there = expect["hook_ran"]
        .as_u64()
        .and_then(|n| usize::try_from(n).ok());
    if played.in_background == 0 && there != Some(log) {
        differ("hooks that ran", &there, &log);
    }
    let (mut there, mut here) = (recorded_statuses(expect), statuses(played));
    there.sort_unstable();
    here.sort_unstable();
    if there != here && !was_not_looked_at(row) {
        differ("what became of hooks", &there, &here);
    }
    let (there, here) = (recorded_entries(expect), entries(played));
    let kinds = |entries: &[(String, String)]| -> Vec<String> {
        entries.iter().map(|(kind, _)| kind.clone()).collect()
    };
    let same = if is_about_the_machine(row) {
        kinds(&there) == kinds(&here)
    } else {
        there == here
    };
    if !same && !was_not_looked_at(row) {
        differ("what hooks said", &there, &here);
    }
    texts(row, played, &mut differ);
    files(expect, played, &mut differ);
    differences
}

type Differ<'d> = &'d mut dyn FnMut(&str, &dyn std::fmt::Debug, &dyn std::fmt::Debug);

/// Texts that the model was given.
fn texts(row: &Value, played: &Played, differ: Differ<'_>) {
    let expect = &row["expect"];
    let mut all = String::new();
    all_texts(expect, &mut all);
    for text in &played.contexts {
        if !all.contains(&beginning(text)) {
            differ("a context", &"not", text);
        }
    }
    let of_machine = is_about_the_machine(row);
    for reasons in &played.refusals {
        let told = |reason: &String| all.contains(&beginning(&played.shown(reason)));
        if !of_machine && !reasons.iter().all(told) {
            differ("a reason", &"not", reasons);
        }
    }
    let mut given = Vec::new();
    for name in ["model_saw", "first_request_messages"] {
        let items = expect[name].as_array().into_iter().flatten();
        given.extend(items.filter_map(|text| text.as_str()?.strip_prefix("developer: ")));
    }
    for text in given {
        // What was cut has a heading of the agent's.
        let rest = text.strip_prefix("Warning: truncated output");
        let text = rest
            .and_then(|rest| Some(rest.split_once("\n\n")?.1))
            .unwrap_or(text);
        let own = played.contexts.iter().chain(&played.maybe);
        let cut = |text: &str| beginning(text).chars().take(60).collect::<String>();
        if !text.is_empty() && !own.into_iter().any(|own| text.starts_with(&cut(own))) {
            differ("a context", &text, &"not");
        }
    }
}

/// What hooks left behind: what they were told, and that they were not cut short.
fn files(expect: &Value, played: &Played, differ: Differ<'_>) {
    let told = |text: &str| text.split("\"tool_response\":").next().map(str::to_owned);
    for (name, there) in expect["files_after"].as_object().into_iter().flatten() {
        let Some(there) = there.as_str() else {
            continue;
        };
        let here = played
            .recorded
            .get(name)
            .map(String::as_str)
            .unwrap_or_default();
        if name == "in.log" || name.contains("stdin") {
            // What a tool answered is the tool's.
            let (there, here): (Vec<_>, Vec<_>) = (
                there.lines().map(told).collect(),
                here.lines().map(told).collect(),
            );
            if there != here {
                differ(name, &there, &here);
            }
        } else if name == "cwd.txt" && there != here {
            differ(name, &there, &here);
        }
    }
}

/// Whether hooks say something about the process that started them, such as its limits.
fn is_about_the_machine(row: &Value) -> bool {
    row["group"] == "shell" || row.to_string().contains("ulimit")
}

/// Recordings of how hooks ended are missing where only one of the two drivers was used.
fn was_not_looked_at(row: &Value) -> bool {
    row.get("env").is_some() && row["expect"]["hook_status"] == serde_json::json!([])
}

/// What ran: commands as they are, and what other tools were called with as JSON.
fn commands(value: &Value) -> Vec<String> {
    let items = value.as_array().into_iter().flatten();
    let text = |item: &Value| {
        item.as_str()
            .map_or_else(|| item.to_string(), str::to_owned)
    };
    items.map(text).collect()
}

/// Whether the same ran; of patches and of the agent's own tools, only that they did.
fn are_alike(there: &[String], here: &[String]) -> bool {
    let mut left: Vec<_> = there.to_vec();
    left.len() == here.len()
        && here.iter().all(|own| {
            let is_other = ["a patch", "a tool"].contains(&own.as_str());
            let place = left.iter().position(|there| is_other || there == own);
            place.map(|place| left.remove(place)).is_some()
        })
}

/// The word that Codex has for how a hook ended.
fn status(event: &EventRow, output: &HookOutput) -> &'static str {
    let ignored = |field: &str| output.ignored.iter().any(|ignored| ignored.field == field);
    let stopped =
        output.continues == Some(false) || event.stop == Stop::Replaces && ignored("continue");
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

/// The hooks that Codex reports: those at the end of a session are not among them.
fn reported(played: &Played) -> impl Iterator<Item = (&'static EventRow, &HookRun)> {
    let fired = played
        .fired
        .iter()
        .filter(|(event, _)| *event != "SessionEnd");
    fired.flat_map(|(event, fired)| {
        let event = Dialect::CODEX.event(event).expect("an event");
        fired.runs.iter().map(move |run| (event, run))
    })
}

fn statuses(played: &Played) -> Vec<&'static str> {
    reported(played)
        .map(|(event, run)| status(event, &run.output))
        .collect()
}

fn recorded_statuses(expect: &Value) -> Vec<&str> {
    let items = expect["hook_status"].as_array().into_iter().flatten();
    items.filter_map(Value::as_str).collect()
}

/// What hooks said that neither failed nor stopped anything; reasons that Codex makes up are left out.
fn entries(played: &Played) -> Vec<(String, String)> {
    let mut entries = Vec::new();
    for (event, run) in reported(played) {
        let output = &run.output;
        if !matches!(status(event, output), "completed" | "blocked") {
            continue;
        }
        let reason = output.reason.clone().filter(|_| output.refuses());
        for (kind, text) in [
            ("warning", &output.system_message),
            ("context", &output.additional_context),
            ("feedback", &reason),
        ] {
            let text = text.as_deref().map(|text| played.shown(text));
            let text = text.map(|text| text.chars().take(100).collect());
            entries.extend(text.map(|text| (kind.to_owned(), text)));
        }
    }
    entries.sort();
    entries
}

fn recorded_entries(expect: &Value) -> Vec<(String, String)> {
    let statuses = recorded_statuses(expect);
    let lists = expect["hook_entries"].as_array().into_iter().flatten();
    let mut entries = Vec::new();
    for (list, status) in lists.zip(statuses) {
        if !["completed", "blocked"].contains(&status) {
            continue;
        }
        for entry in list.as_array().into_iter().flatten() {
            let text = entry[1].as_str().unwrap_or_default();
            if text != "PermissionRequest hook denied approval" {
                let text = text.chars().take(100).collect();
                entries.push((entry[0].as_str().unwrap_or_default().to_owned(), text));
            }
        }
    }
    entries.sort();
    entries
}
