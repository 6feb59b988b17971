//! The fields of one object, sorted into known ones, mistakes and others.

use std::collections::HashSet;

use hook_contract::json::{Member, Members};

use crate::{ProblemKind, WarningKind, file::reader::Reader};

/// The fields of one object.
pub(super) struct Fields<'m, 't> {
    known: Vec<&'m Member<'t>>,
    /// The known fields for which some unknown field is a mistake.
    meant: Vec<&'static str>,
    unknown: Option<&'m Member<'t>>,
}

impl<'m, 't> Fields<'m, 't> {
    /// Sorts the fields and tells of every one that is repeated, mistaken or unknown.
    pub(super) fn read(
        reader: &mut Reader<'t>,
        members: &'m Members<'t>,
        known: &[&'static str],
        mistake: impl Fn(&str) -> Option<ProblemKind>,
    ) -> Self {
        let mut fields = Self {
            known: Vec::new(),
            meant: Vec::new(),
            unknown: None,
        };
        let mut seen = HashSet::new();
        for member in members {
            let name = member.name.as_ref();
            if !seen.insert(name) {
                let key = name.to_owned();
                reader.problem(member.name_text, ProblemKind::DuplicateKey { key });
            } else if known.contains(&name) {
                fields.known.push(member);
            } else if let Some(kind) = mistake(name) {
                fields.meant.extend(kind.intended());
                reader.problem(member.name_text, kind);
            } else {
                fields.unknown.get_or_insert(member);
                let field = name.to_owned();
                reader.warning(member.name_text, WarningKind::UnknownField { field });
                reader.unknown_value(name, member.value);
            }
        }
        fields
    }

    /// The value of a known field, as it was written.
    pub(super) fn get(&self, field: &str) -> Option<&'t str> {
        let member = self.known.iter().find(|member| member.name == field)?;
        Some(member.value)
    }

    /// Whether the field is there neither under its name nor under a mistaken one, which was told
    /// already.
    pub(super) fn is_missing(&self, field: &str) -> bool {
        self.get(field).is_none() && !self.meant.contains(&field)
    }

    /// The first field that is neither known nor a mistake.
    pub(super) const fn first_unknown(&self) -> Option<&'m Member<'t>> {
        self.unknown
    }
}
