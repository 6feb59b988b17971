//! The names of groups: which there are, and whether two may be the same.

use super::{ParseError, Result, SyntaxError};

/// Named groups and references to them.
#[derive(Default)]
pub(super) struct Names {
    /// The capturing groups of the whole pattern, with the names of those that have one.
    all: Vec<Option<Vec<u16>>>,
    groups: Vec<Named>,
    references: Vec<(Vec<u16>, usize)>,
    /// The disjunctions around the place, and which of their ways it is in.
    path: Vec<(u32, u32)>,
    disjunctions: u32,
}

struct Named {
    name: Vec<u16>,
    path: Vec<(u32, u32)>,
    at: usize,
}

impl Names {
    /// Looks for the groups, because a reference may stand before its group.
    pub(super) fn scan(units: &[u16]) -> Self {
        let mut all = Vec::new();
        let mut in_class = false;
        let mut at = 0;
        while let Some(&unit) = units.get(at) {
            match u8::try_from(unit).unwrap_or_default() {
                b'\\' => at += 1,
                b'[' => in_class = true,
                b']' => in_class = false,
                b'(' if !in_class => all.extend(opened(units, at + 1)),
                _ => {}
            }
            at += 1;
        }
        Self {
            all,
            ..Self::default()
        }
    }

    /// How many capturing groups the whole pattern has.
    pub(super) fn total(&self) -> usize {
        self.all.len()
    }

    /// Whether the whole pattern has a named group; only then is `\k` a reference.
    pub(super) fn any(&self) -> bool {
        self.all.iter().any(Option::is_some)
    }

    pub(super) fn enter(&mut self) -> usize {
        let outside = self.path.len();
        self.path.push((self.disjunctions, 0));
        self.disjunctions += 1;
        outside
    }

    pub(super) fn next_way(&mut self) {
        if let Some((_, way)) = self.path.last_mut() {
            *way += 1;
        }
    }

    pub(super) fn leave(&mut self, outside: usize) {
        self.path.truncate(outside);
    }

    pub(super) fn add(&mut self, name: Vec<u16>, at: usize) {
        let path = self.path.clone();
        self.groups.push(Named { name, path, at });
    }

    /// The groups that a reference means. Whether there are any is asked when all are known.
    pub(super) fn refer(&mut self, name: &[u16], at: usize) -> Vec<u16> {
        self.references.push((name.to_vec(), at));
        let groups = (1..).zip(&self.all);
        groups
            .filter(|(_, group)| group.as_deref() == Some(name))
            .map(|(index, _)| index)
            .collect()
    }

    /// Whether every reference has a group, and no two groups that can both take part share a name.
    pub(super) fn check(&self) -> Result<()> {
        let error = |what, at| Err(ParseError::Syntax(SyntaxError { what, at }));
        for (position, group) in self.groups.iter().enumerate() {
            let mut others = self.groups.iter().take(position);
            if others.any(|other| other.clashes_with(group)) {
                return error("duplicate name of a group", group.at);
            }
        }
        for (name, at) in &self.references {
            if !self.groups.iter().any(|group| group.name == *name) {
                return error("reference to a group that is not there", *at);
            }
        }
        Ok(())
    }
}

impl Named {
    /// Whether both have the name and can take part in one match.
    fn clashes_with(&self, other: &Self) -> bool {
        let apart = |(id, way): &(u32, u32)| {
            let shared = other.path.iter().find(|(other_id, _)| other_id == id);
            shared.is_some_and(|(_, other_way)| other_way != way)
        };
        self.name == other.name && !self.path.iter().any(apart)
    }
}

/// The capturing group that is opened before a place, with its name when it has one; nothing for another group.
#[expect(
    clippy::option_option,
    reason = "a group need not have a name, and a bracket need not open one"
)]
fn opened(units: &[u16], at: usize) -> Option<Option<Vec<u16>>> {
    let is = |at: usize, wanted: u8| units.get(at) == Some(&u16::from(wanted));
    if !is(at, b'?') {
        return Some(None);
    }
    if !is(at + 1, b'<') || is(at + 2, b'=') || is(at + 2, b'!') {
        return None;
    }
    let rest = units.get(at + 2..).unwrap_or_default();
    let name = rest.split(|unit| *unit == u16::from(b'>')).next();
    Some(Some(name.unwrap_or_default().to_vec()))
}
