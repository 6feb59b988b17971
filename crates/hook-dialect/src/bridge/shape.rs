//! Results in the shape that an agent expects of its tools.

use hook_contract::Json;
use serde_json::Value;

use super::table::{Bridge, TextOf};

/// Members whose text is a word that the agent knows, and not for anybody to read.
const WORDS: [&str; 2] = ["type", "status"];

/// `output` in the shape of this tool's results, if it has or can be given one.
pub(super) fn fitted(bridge: &Bridge, tool: &str, original: &Json, output: &Json) -> Option<Json> {
    if tool.starts_with(bridge.any_shape) {
        // `null` is taken for nothing.
        let null = output.is_null();
        return Some(if null { text("null") } else { output.clone() });
    }
    if alike(original, output) {
        let mut result = output.value().clone();
        if let Some(place) = place_of(bridge, tool) {
            leave_out(&mut result, place.leads);
        }
        return Some(Json::from(result));
    }
    with_text(bridge, tool, original, &text_of(output))
}

/// This text as a result of the tool, if it is known where it goes.
pub(super) fn with_text(bridge: &Bridge, tool: &str, original: &Json, new: &str) -> Option<Json> {
    if tool.starts_with(bridge.any_shape) {
        return Some(text(new));
    }
    let place = place_of(bridge, tool)?;
    let plain = || {
        place
            .plain
            .and_then(|plain| serde_json::from_str(plain).ok())
    };
    let mut result = original.value().clone();
    if put(&mut result, place, new).is_none() {
        result = plain()?;
        put(&mut result, place, new)?;
    }
    for name in place.blank {
        if let Some(other) = result.get_mut(name).filter(|other| other.is_string()) {
            *other = Value::from("");
        }
    }
    leave_out(&mut result, place.leads);
    Some(Json::from(result))
}

fn place_of(bridge: &Bridge, tool: &str) -> Option<&'static TextOf> {
    bridge.texts.iter().find(|place| place.tool == tool)
}

/// Puts the text where a text stands.
fn put(result: &mut Value, place: &TextOf, new: &str) -> Option<()> {
    let way = place.path.iter();
    let slot = way
        .copied()
        .try_fold(result, |at, name| at.get_mut(name))
        .filter(|slot| slot.is_string())?;
    *slot = Value::from(new);
    Some(())
}

fn leave_out(result: &mut Value, names: &[&str]) {
    if let Some(members) = result.as_object_mut() {
        members.retain(|name, _| !names.contains(&name.as_str()));
    }
}

/// A result as text.
pub(super) fn text_of(output: &Json) -> String {
    output
        .as_str()
        .map_or_else(|| output.text().to_owned(), str::to_owned)
}

fn text(text: &str) -> Json {
    Json::from(Value::from(text))
}

/// Whether `new` has the members of `old` and no others, each of the same type, and of a list only such elements as
/// the old one has.
fn alike(old: &Value, new: &Value) -> bool {
    match (old, new) {
        (Value::Object(old), Value::Object(new)) => {
            old.len() == new.len()
                && old.iter().all(|(name, old)| {
                    let word = WORDS.contains(&name.as_str()) && old.is_string();
                    new.get(name)
                        .is_some_and(|new| alike(old, new) && (!word || old == new))
                })
        }
        (Value::Array(old), Value::Array(new)) => {
            new.iter().all(|new| old.iter().any(|old| alike(old, new)))
        }
        _ => std::mem::discriminant(old) == std::mem::discriminant(new),
    }
}
