//! Reading `record`.

use std::path::PathBuf;

use crate::{
    MAX_KEEP_DAYS, MAX_KEEP_MIB, ProblemKind, RecordSpec,
    file::{
        fields,
        object::Fields,
        reader::{Reader, bound, first_byte},
    },
    problem::Subject,
};

/// What is declared; nothing without a directory. Fields that are wrong are at their defaults.
pub(super) fn read<'t>(reader: &mut Reader<'t>, value: &'t str) -> Option<RecordSpec> {
    let members = reader.object(value, Subject::Field("record"))?;
    let fields = Fields::read(reader, &members, fields::RECORD, fields::mistake_in_record);
    if fields.is_missing("dir") {
        let field = "dir";
        reader.problem(first_byte(value), ProblemKind::MissingField { field });
    }
    let dir = fields.get("dir").and_then(|value| dir(reader, value));
    let capture = fields.get("capture").and_then(|value| reader.word(value));
    let chain = fields
        .get("chain")
        .and_then(|value| reader.boolean(value, Subject::Field("chain")));
    // As absent as in a file that does not say it.
    let written = |field| fields.get(field).filter(|value| *value != "null");
    let keep_days = written("keep_days")
        .and_then(|value| bound(reader, value, "keep_days", MAX_KEEP_DAYS.into()))
        .and_then(|days| u32::try_from(days).ok());
    let keep_mib =
        written("keep_mib").and_then(|value| bound(reader, value, "keep_mib", MAX_KEEP_MIB));
    let mut record = RecordSpec::new(dir?);
    record.capture = capture.unwrap_or_default();
    record.chain = chain.unwrap_or_default();
    record.keep_days = keep_days;
    record.keep_mib = keep_mib;
    Some(record)
}

/// A path that means the same wherever a runtime was started.
fn dir(reader: &mut Reader<'_>, value: &str) -> Option<PathBuf> {
    let found = reader.string(value, Subject::Field("dir"))?;
    if found.starts_with('/') && !found.contains('\0') {
        return Some(found.into());
    }
    reader.problem(value, ProblemKind::DirNotAbsolute { found });
    None
}
