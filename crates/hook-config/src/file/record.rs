//! Reading `record`.

use std::path::PathBuf;

use hook_source::{Node, Reader};

use crate::{
    MAX_KEEP_DAYS, MAX_KEEP_MIB, RecordSpec,
    file::fields::{self, RECORD, bound, word},
    words,
};

/// What is declared; nothing without a directory. Fields that are wrong are at their defaults.
pub(super) fn read(reader: &mut Reader<'_>, node: &Node) -> Option<RecordSpec> {
    // Of another type, or with a name that is no Unicode, it was told.
    node.members()?;
    let fields = RECORD.read(node, |found| fields::tell(reader, &found));
    for field in fields.missing() {
        reader.tell(&node.start(), words::missing_field(field));
    }
    let dir = fields.get("dir").and_then(|node| dir(reader, node));
    let capture = word(reader, &fields);
    let mut number = |field, most| {
        let node = fields.get(field)?;
        bound(reader, node, field, most)
    };
    let keep_days = number("keep_days", MAX_KEEP_DAYS.into());
    let keep_mib = number("keep_mib", MAX_KEEP_MIB);
    let mut record = RecordSpec::new(dir?);
    record.capture = capture.unwrap_or_default();
    record.chain = fields.get("chain").and_then(Node::flag).unwrap_or_default();
    record.keep_days = keep_days.and_then(|days| u32::try_from(days).ok());
    record.keep_mib = keep_mib;
    Some(record)
}

/// A path that means the same wherever a runtime was started.
fn dir(reader: &mut Reader<'_>, node: &Node) -> Option<PathBuf> {
    let found = node.text()?;
    if found.starts_with('/') && !found.contains('\0') {
        return Some(found.into());
    }
    reader.tell(&node.span, words::dir_not_absolute(found));
    None
}
