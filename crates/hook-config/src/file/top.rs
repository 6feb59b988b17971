//! Reading the file's own object.

use std::{
    collections::{HashMap, hash_map::Entry},
    ops::Range,
};

use hook_source::{Kind, Node, Reader, Standing, Subject, json};

use crate::{
    HostSupport, RecordSpec,
    file::{ExaminedApprover, ExaminedEntry, HOOKS_FILE_SCHEMA, approver, entry, fields, record},
    words::{self, Of},
};

/// How deep a file is opened: itself, `hooks`, an entry, and a list in it.
const DEPTH: usize = 4;

/// What a file declares; incomplete when the reader found a problem.
#[derive(Default)]
pub(super) struct Top {
    pub(super) entries: Vec<ExaminedEntry>,
    pub(super) record: Option<RecordSpec>,
    /// Where the value of `record` stands.
    pub(super) record_span: Option<Range<usize>>,
    pub(super) approver: Option<ExaminedApprover>,
    /// Where the value of `approver` stands.
    pub(super) approver_span: Option<Range<usize>>,
}

/// What the reader's text declares.
pub(super) fn read(reader: &mut Reader<'_>, host: &HostSupport) -> Top {
    let text = reader.text();
    if text.trim().is_empty() {
        reader.tell(&(0..text.len()), words::empty());
        return Top::default();
    }
    match json::read(text, DEPTH) {
        Ok(file) => top(reader, &file, host).unwrap_or_default(),
        Err(fault) => {
            reader.tell(&fault.span, words::syntax(&fault));
            Top::default()
        }
    }
}

fn top(reader: &mut Reader<'_>, file: &Node, host: &HostSupport) -> Option<Top> {
    fields::is_object(reader, file, Of::File)?;
    if is_newer(reader, file) {
        return None;
    }
    let mut unknown = None;
    let fields = fields::TOP.read(file, |found| {
        let member = found.member;
        let is_new =
            found.first.is_none() && matches!(found.standing, Standing::Note | Standing::Unknown);
        if is_new && fields::is_of_a_hook(&member.name) {
            reader.tell(&member.span, words::misplaced_field(&member.name));
            return;
        }
        fields::tell(reader, &found);
        if is_new {
            unknown.get_or_insert(member);
        }
    });
    if fields.is_missing("schema") {
        reader.tell(&file.start(), words::missing_schema());
    }
    let (record, approver) = (fields.get("record"), fields.get("approver"));
    let mut top = Top {
        entries: Vec::new(),
        record: record.and_then(|node| record::read(reader, node)),
        record_span: record.map(|node| node.span.clone()),
        approver: approver.and_then(|node| approver::read(reader, node)),
        approver_span: approver.map(|node| node.span.clone()),
    };
    if let Some(hooks) = fields.get("hooks") {
        top.entries = entries(reader, hooks, host);
    } else if fields.is_missing("hooks")
        && let Some(unknown) = unknown
    {
        // A file that says nothing but its version declares no hooks. With anything unknown beside it, the hooks may be
        // what is not known.
        reader.tell(&unknown.span, words::missing_hooks(&unknown.name));
    }
    Some(top)
}

/// Whether the file declares another version. What it says is then not for this reader to judge.
fn is_newer(reader: &mut Reader<'_>, file: &Node) -> bool {
    let Some(schema) = file.get("schema") else {
        return false;
    };
    // As it is written: 1.0 and 1e0 are no version numbers.
    let found = reader.raw(schema);
    if found == HOOKS_FILE_SCHEMA.to_string() {
        return false;
    }
    reader.tell(&schema.span, words::unsupported_schema(found));
    schema.kind() == Kind::Number && found.bytes().all(|byte| byte.is_ascii_digit())
}

fn entries(reader: &mut Reader<'_>, hooks: &Node, host: &HostSupport) -> Vec<ExaminedEntry> {
    let (mut read, mut seen) = (Vec::new(), HashMap::new());
    for (index, node) in hooks.list().unwrap_or_default().iter().enumerate() {
        // Before anything else, so that every message can say whose entry it is.
        let name = node.get("name").and_then(Node::text);
        let name = name.filter(|name| !name.is_empty()).map(str::to_owned);
        reader.about(Some(Subject::entry("hook", "hooks", index, name.clone())));
        let Some(mut entry) = entry::read(reader, index, node, host) else {
            continue;
        };
        entry.name = name;
        if let Some(hook) = &entry.spec {
            match seen.entry(hook.clone()) {
                Entry::Occupied(first) => {
                    reader.tell(&node.span, words::duplicate_hook(*first.get()));
                }
                Entry::Vacant(place) => {
                    place.insert(index);
                }
            }
        }
        read.push(entry);
    }
    reader.about(None);
    read
}
