//! What the agents wrote to standard input.

use std::fs;

use hook_contract::{Json, json::Members};
use hook_dialect::{Dialect, Fact, Facts, payload};

use crate::stored::{all_agree, folder};

#[track_caller]
fn check(dialect: &Dialect, folder_name: &str) {
    let mut compared = 0;
    let mut differences = Vec::new();
    let directory = folder(folder_name);
    let files =
        fs::read_dir(&directory).unwrap_or_else(|error| panic!("{}: {error}", directory.display()));
    for file in files {
        let path = file.expect("an entry").path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        compared += 1;
        let recorded = fs::read(&path).expect("a recording");
        let text = str::from_utf8(&recorded).expect("UTF-8");
        let members: Members<'_> = serde_json::from_str(text).expect("an object");
        let mut facts = Facts::new();
        let mut event = String::new();
        for member in members {
            let fact = Fact::named(&member.name);
            let fact = fact.unwrap_or_else(|| panic!("{} is not known", member.name));
            let value = Json::parse(member.value).expect("a value");
            if fact == Fact::HookEventName {
                value.as_str().expect("a name").clone_into(&mut event);
            } else {
                facts.set(fact, value);
            }
        }
        let written =
            payload(&event, &facts, dialect).unwrap_or_else(|error| error.to_string().into());
        if written != recorded {
            let written = String::from_utf8_lossy(&written).into_owned();
            differences.push(format!("{}:\n{text}\n{written}", path.display()));
        }
    }
    all_agree(folder_name, compared, &differences);
}

#[test]
fn payloads_of_claude_code_are_the_same_to_the_byte() {
    check(Dialect::CLAUDE, "oracle-claude/payloads");
}

#[test]
fn payloads_of_codex_are_the_same_to_the_byte() {
    check(Dialect::CODEX, "oracle-codex/payloads/stdin");
}
