//! What differs between a recorded session and one that was played.

use serde_json::Value;

use crate::played::{Played, all_texts, beginning};

/// What stands before a text that a hook has given the model.
const MARKS: [&str; 2] = ["hook additional context: ", "hook success: "];

/// What differs; nothing when the two agree.
pub(super) fn differences(row: &Value, played: &Played) -> Vec<String> {
    let expect = &row["expect"];
    let mut differences = Vec::new();
    let mut differ = |what: &str, there: &dyn std::fmt::Debug, here: &dyn std::fmt::Debug| {
        differences.push(format!("{what}: {there:?} there, {here:?} here"));
    };
    // Which of two equally quick hooks counts, and which is killed, is the chance of that run.
    let race = row["race"] == true;
    let ran: Vec<&str> = strings(&expect["tool_input"]);
    if !race && played.ran != ran {
        differ("what ran", &ran, &played.ran);
    }
    if expect["tool_ran"] == ran.is_empty() {
        differ("the recording", &expect["tool_ran"], &ran);
    }
    let requests = expect["model_requests"].as_u64();
    if requests.and_then(|n| usize::try_from(n).ok()) != Some(played.requests) {
        differ("requests", &requests, &played.requests);
    }
    let there: Vec<&str> = expect["hooks"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|hook| hook[0].as_str())
        .collect();
    let as_many = there.len() == played.endings.len() + played.in_background;
    let same = as_many && are_among(&played.endings, &there);
    if !race && !same {
        differ("endings", &there, &played.endings);
    }
    let mut texts = String::new();
    all_texts(expect, &mut texts);
    let here = played
        .contexts
        .iter()
        .chain(&played.results)
        .chain(&played.messages);
    for text in here.filter(|text| !texts.contains(&beginning(text))) {
        differ("a text", &"not", text);
    }
    // What a shell says about a stream that it cannot open is its own; where hooks have pipes, it can.
    let opens_a_stream = row["script"].to_string().contains("/dev/std");
    for reasons in played.refusals.iter().filter(|_| !opens_a_stream) {
        let told = |reason: &String| texts.contains(&beginning(reason));
        // Without anything said, the agent has words of its own.
        if !reasons.is_empty() && !reasons.iter().any(told) {
            differ("a reason", &"not", reasons);
        }
    }
    for text in given(expect) {
        let own = played.contexts.iter().chain(&played.maybe);
        if !own.into_iter().any(|own| beginning(own) == beginning(text)) {
            differ("a text", &text, &"not");
        }
    }
    for (name, there) in expect["recorded"].as_object().into_iter().flatten() {
        let here = played.recorded.get(name).map(String::as_str);
        // A hook in the background may not have come so far.
        let late = here.is_none() && played.in_background > 0;
        if is_told_of_hooks(there) && there.as_str() != here && !late {
            differ(name, &there, &here);
        }
    }
    // How a hook is ended that takes too long is another matter: what it does about a signal, and what has left it.
    if let Some(there) = expect["late_mark"]["at_exit"].as_bool() {
        let here = played.recorded.contains_key("late");
        if there != here && !played.endings.contains(&"cancelled") {
            differ("a late mark", &there, &here);
        }
    }
    differences
}

fn strings(value: &Value) -> Vec<&str> {
    let items = value.as_array().into_iter().flatten();
    items.filter_map(Value::as_str).collect()
}

fn are_among(some: &[&str], all: &[&str]) -> bool {
    let mut left = all.to_vec();
    some.iter().all(|one| {
        let place = left.iter().position(|other| other == one);
        place.map(|place| left.remove(place)).is_some()
    })
}

/// Whether what a hook wrote down is what it was told, and no path of the agent's own or of the machine's shell.
fn is_told_of_hooks(written: &Value) -> bool {
    let own = ["/session-env/", "/bin/"];
    written
        .as_str()
        .is_some_and(|text| !own.iter().any(|own| text.contains(own)))
}

/// The texts of hooks that the model was given.
fn given(expect: &Value) -> Vec<&str> {
    let mut texts = Vec::new();
    for name in [
        "model_saw",
        "first_request",
        "later_requests",
        "subagent_saw",
    ] {
        collect(&expect[name], &mut texts);
    }
    texts
}

fn collect<'v>(value: &'v Value, texts: &mut Vec<&'v str>) {
    match value {
        Value::String(text) => {
            for part in text.split("\n\n") {
                let marked = MARKS.iter().find_map(|mark| part.split_once(mark));
                texts.extend(marked.map(|(_, text)| text));
            }
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, texts)),
        Value::Object(members) => members.values().for_each(|value| collect(value, texts)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
