//! What came of a session that was played.

use std::collections::BTreeMap;

use hook_dialect::run::Fired;
use serde_json::Value;

use crate::machine::{Machine, read};

/// What came of a session.
#[derive(Default)]
pub(crate) struct Played {
    /// What tools really did, as the recordings have it.
    pub(crate) ran: Vec<String>,
    /// How many requests the model got.
    pub(crate) requests: usize,
    /// How each hook ended that was waited for.
    pub(crate) endings: Vec<&'static str>,
    pub(crate) in_background: usize,
    /// Texts that hooks have given the model.
    pub(crate) contexts: Vec<String>,
    /// Texts of hooks that the model may have been given: beside a refusal, or late.
    pub(crate) maybe: Vec<String>,
    pub(crate) messages: Vec<String>,
    /// The reasons of each refusal, of which the agent tells one or all.
    pub(crate) refusals: Vec<Vec<String>>,
    /// What the model was shown in place of a result.
    pub(crate) results: Vec<String>,
    /// What hooks have written down, with the places of the recordings.
    pub(crate) recorded: BTreeMap<String, String>,
    /// What recordings call the places of this machine.
    pub(crate) places: Vec<(&'static str, String)>,
    /// Why the settings are not used at all.
    pub(crate) invalid: Option<String>,
    /// Everything that was asked, in order.
    pub(crate) fired: Vec<(&'static str, Fired)>,
}

impl Played {
    /// A text with the places that recordings have.
    pub(crate) fn shown(&self, text: &str) -> String {
        let places = self.places.iter();
        places.fold(text.to_owned(), |text, (there, own)| {
            text.replace(own, there)
        })
    }

    /// Takes over what hooks have written down.
    pub(crate) fn look_at(&mut self, machine: &Machine) {
        let files = std::fs::read_dir(machine.at("rec")).expect("a folder");
        for file in files {
            let path = file.expect("a file").path();
            let name = path.file_name().expect("a name").to_string_lossy();
            let text = self.shown(&read(&path).unwrap_or_default());
            self.recorded.insert(name.into_owned(), text);
        }
    }
}

/// Every text in a recording, one below the other.
pub(crate) fn all_texts(value: &Value, texts: &mut String) {
    match value {
        Value::String(text) => {
            texts.push_str(text);
            texts.push('\n');
        }
        Value::Array(items) => items.iter().for_each(|item| all_texts(item, texts)),
        Value::Object(members) => members.values().for_each(|value| all_texts(value, texts)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// The beginning of a text, by which it is found again: recordings cut what is long.
pub(crate) fn beginning(text: &str) -> String {
    let line = text.trim_start().lines().next().unwrap_or_default();
    let line = line.replace("</system-reminder", "&lt;/system-reminder");
    line.chars().take(200).collect()
}
