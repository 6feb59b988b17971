//! Reading the file's own object.

use std::collections::{HashMap, hash_map::Entry};

use hook_contract::json::Members;
use serde_json::value::RawValue;

use crate::{
    ProblemKind, RecordSpec, WarningKind,
    file::{
        ExaminedEntry, HOOKS_FILE_SCHEMA, entry, fields,
        object::Fields,
        reader::{Reader, first_byte},
        record,
    },
    problem::{JsonType, Subject},
};

/// What a file declares; incomplete when the reader found a problem.
#[derive(Default)]
pub(super) struct Top<'t> {
    pub(super) entries: Vec<ExaminedEntry>,
    pub(super) record: Option<RecordSpec>,
    /// The value of `record` as it is written.
    pub(super) record_text: Option<&'t str>,
}

/// What the reader's text declares.
pub(super) fn read<'t>(reader: &mut Reader<'t>) -> Top<'t> {
    if reader.text.trim().is_empty() {
        reader.problem_at(0..reader.text.len(), ProblemKind::Empty);
        return Top::default();
    }
    // All of the text is JSON or none of it is read.
    let whole = match serde_json::from_str::<&RawValue>(reader.text) {
        Ok(value) => value.get(),
        Err(error) => {
            reader.syntax(&error);
            return Top::default();
        }
    };
    let Some(members) = reader.object(whole, Subject::File) else {
        return Top::default();
    };
    if is_newer(reader, &members) {
        return Top::default();
    }
    let fields = Fields::read(reader, &members, fields::TOP, fields::mistake_at_top);
    if fields.is_missing("schema") {
        reader.problem(first_byte(whole), ProblemKind::MissingSchema);
    }
    let record_text = fields.get("record");
    let record = record_text.and_then(|value| record::read(reader, value));
    if let Some(value) = fields.get("hooks") {
        return Top {
            entries: entries(reader, value),
            record,
            record_text,
        };
    }
    // A file that says nothing but its version declares no hooks. With anything unknown beside it, the hooks may be
    // what is not known.
    if fields.is_missing("hooks")
        && let Some(unknown) = fields.first_unknown()
    {
        let beside = unknown.name.clone().into_owned();
        reader.problem(unknown.name_text, ProblemKind::MissingHooks { beside });
    }
    Top {
        entries: Vec::new(),
        record,
        record_text,
    }
}

/// Whether the file declares another version. What it says is then not for this reader to judge.
fn is_newer(reader: &mut Reader<'_>, members: &Members<'_>) -> bool {
    let Some(found) = members.get("schema") else {
        return false;
    };
    // As it is written: 1.0 and 1e0 are no version numbers.
    if found == HOOKS_FILE_SCHEMA.to_string() {
        return false;
    }
    reader.problem(
        found,
        ProblemKind::UnsupportedSchema {
            found: found.to_owned(),
        },
    );
    JsonType::of(found) == JsonType::Number && found.bytes().all(|byte| byte.is_ascii_digit())
}

fn entries<'t>(reader: &mut Reader<'t>, value: &'t str) -> Vec<ExaminedEntry> {
    let Some(entries) = reader.array(value, "hooks") else {
        return Vec::new();
    };
    let (mut read, mut seen) = (Vec::new(), HashMap::new());
    for (index, value) in entries.into_iter().enumerate() {
        reader.entry = Some(index);
        reader.hook = None;
        let Some(entry) = entry::read(reader, index, value) else {
            continue;
        };
        if let Some(hook) = &entry.spec {
            match seen.entry(hook.clone()) {
                Entry::Occupied(first) => {
                    let first = *first.get();
                    reader.warning(value, WarningKind::DuplicateHook { first });
                }
                Entry::Vacant(place) => {
                    place.insert(index);
                }
            }
        }
        read.push(entry);
    }
    read
}
