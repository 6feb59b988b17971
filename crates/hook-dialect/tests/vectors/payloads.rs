//! What the agents wrote to standard input: every recorded payload, made again from what it says.

use std::{fs, path::Path};

use hook_contract::{Json, json::Members};
use hook_dialect::{Dialect, Fact, Facts, payload};
use serde_json::Value;

use crate::stored::{all_agree, folder, read, rows};

/// A payload, and where it was recorded.
struct Recorded {
    place: String,
    bytes: Vec<u8>,
}

/// What differs between a payload and the one that is made from what it says.
fn difference(dialect: &Dialect, recorded: &Recorded) -> Option<String> {
    let place = &recorded.place;
    let text = str::from_utf8(&recorded.bytes).expect("UTF-8");
    let members: Members<'_> = serde_json::from_str(text).expect("an object");
    let mut facts = Facts::new();
    let mut event = String::new();
    for member in members {
        let Some(fact) = Fact::named(&member.name) else {
            return Some(format!("{place}: {} is not known", member.name));
        };
        let value = Json::parse(member.value).expect("a value");
        if fact == Fact::HookEventName {
            value.as_str().expect("a name").clone_into(&mut event);
        } else {
            facts.set(fact, value);
        }
    }
    let written = payload(&event, &facts, dialect).unwrap_or_else(|error| error.to_string().into());
    let shown = String::from_utf8_lossy(&written);
    (written != recorded.bytes).then(|| format!("{place}:\n{text}\n{shown}"))
}

#[track_caller]
fn check(dialect: &Dialect, recorded: &[Recorded]) {
    let differences = recorded
        .iter()
        .filter_map(|recorded| difference(dialect, recorded));
    let differences: Vec<_> = differences.collect();
    all_agree(
        &format!("payloads of {dialect}"),
        recorded.len(),
        &differences,
    );
}

fn json_files(folder: &Path) -> Vec<std::path::PathBuf> {
    let files =
        fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let paths = files.map(|file| file.expect("an entry").path());
    let mut paths: Vec<_> = paths
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "json")
        })
        .collect();
    paths.sort();
    paths
}

/// The files of a folder, each of which is a payload.
fn whole_files(name: &str) -> Vec<Recorded> {
    let files = json_files(&folder(name)).into_iter();
    let recorded = files.map(|path| Recorded {
        bytes: fs::read(&path).expect("a recording"),
        place: path.display().to_string(),
    });
    recorded.collect()
}

/// Whether a text is a payload that was recorded whole.
fn is_payload(text: &str) -> bool {
    let whole = text.starts_with('{') && !text.contains(" characters in all]");
    whole
        && serde_json::from_str::<Value>(text)
            .is_ok_and(|value| value["hook_event_name"].is_string())
}

/// The payloads that hooks wrote down, one on each line.
fn lines(place: &str, text: &str, end: &str) -> Vec<Recorded> {
    let payloads = text.lines().filter(|line| is_payload(line));
    let recorded = payloads.map(|line| Recorded {
        place: place.to_owned(),
        bytes: format!("{line}{end}").into_bytes(),
    });
    recorded.collect()
}

#[test]
fn payloads_of_claude_code_are_the_same_to_the_byte() {
    let mut recorded = whole_files("oracle-claude/payloads");
    for row in rows("oracle-claude", "matrix.json") {
        for (name, text) in row["expect"]["recorded"].as_object().into_iter().flatten() {
            let place = format!("{}, {name}", row["id"]);
            recorded.extend(lines(&place, text.as_str().unwrap_or_default(), "\n"));
        }
    }
    check(Dialect::CLAUDE, &recorded);
}

#[test]
fn payloads_of_codex_are_the_same_to_the_byte() {
    let mut recorded = whole_files("oracle-codex/payloads/stdin");
    for row in rows("oracle-codex", "matrix.json") {
        for (name, text) in row["expect"]["files_after"]
            .as_object()
            .into_iter()
            .flatten()
        {
            let place = format!("{}, {name}", row["id"]);
            recorded.extend(lines(&place, text.as_str().unwrap_or_default(), ""));
        }
    }
    // Whole runs, each with everything that its hooks were told.
    for path in json_files(&folder("oracle-codex/payloads")) {
        let run = read(&path);
        let hooks = run["hooks_in_start_order"].as_array().into_iter().flatten();
        for hook in hooks {
            let text = hook["stdin"].as_str().unwrap_or_default();
            recorded.extend(lines(&path.display().to_string(), text, ""));
        }
    }
    check(Dialect::CODEX, &recorded);
}
