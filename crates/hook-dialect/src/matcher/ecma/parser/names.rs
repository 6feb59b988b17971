//! The names of groups: which there are, and whether two may be the same.

use super::{ParseError, Result, SyntaxError};

/// Named groups and references to them.
#[derive(Default)]
pub(super) struct Names {
    /// How many capturing groups the whole pattern has.
    total: u16,
    /// Whether the whole pattern has a named group; only then is `\k` a reference.
    any: bool,
    groups: Vec<Named>,
    references: Vec<(Vec<u16>, usize)>,
    /// The disjunctions around the place, and which of their ways it is in.
    path: Vec<(u32, u32)>,
    disjunctions: u32,
}

struct Named {
    name: Vec<u16>,
    index: u16,
    path: Vec<(u32, u32)>,
    at: usize,
}

impl Names {
    /// Counts the groups, because a reference may stand before its group.
    pub(super) fn scan(units: &[u16]) -> Self {
        let mut names = Self::default();
        let mut in_class = false;
        let mut units = units.iter().copied().enumerate();
        let all: Vec<u16> = units.clone().map(|(_, unit)| unit).collect();
        let is = |at: usize, wanted: u8| all.get(at) == Some(&u16::from(wanted));
        while let Some((at, unit)) = units.next() {
            match u8::try_from(unit).unwrap_or_default() {
                b'\\' => drop(units.next()),
                b'[' => in_class = true,
                b']' => in_class = false,
                b'(' if !in_class => {
                    let named = is(at + 1, b'?') && is(at + 2, b'<') && {
                        !is(at + 3, b'=') && !is(at + 3, b'!')
                    };
                    names.any |= named;
                    let captures = named || !is(at + 1, b'?');
                    names.total = names.total.saturating_add(u16::from(captures));
                }
                _ => {}
            }
        }
        names
    }

    pub(super) fn total(&self) -> u16 {
        self.total
    }

    pub(super) fn any(&self) -> bool {
        self.any
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

    pub(super) fn add(&mut self, name: Vec<u16>, index: u16, at: usize) {
        let path = self.path.clone();
        self.groups.push(Named {
            name,
            index,
            path,
            at,
        });
    }

    /// Remembers a reference; its groups are asked for when all are known.
    pub(super) fn refer(&mut self, name: &[u16], at: usize) {
        self.references.push((name.to_vec(), at));
    }

    /// The groups of that name in a pattern, which is read a second time for it.
    pub(super) fn indices(units: &[u16], name: &[u16]) -> Vec<u16> {
        let mut index = 0;
        let mut found = Vec::new();
        let mut in_class = false;
        let mut at = 0;
        while let Some(&unit) = units.get(at) {
            let is = |at: usize, wanted: u8| units.get(at) == Some(&u16::from(wanted));
            match u8::try_from(unit).unwrap_or_default() {
                b'\\' => at += 1,
                b'[' => in_class = true,
                b']' => in_class = false,
                b'(' if !in_class && !is(at + 1, b'?') => index += 1,
                b'(' if !in_class && is(at + 2, b'<') => {
                    if !is(at + 3, b'=') && !is(at + 3, b'!') {
                        index += 1;
                        let rest = units.get(at + 3..).unwrap_or_default();
                        let end = rest.iter().position(|unit| *unit == u16::from(b'>'));
                        if end.and_then(|end| rest.get(..end)) == Some(name) {
                            found.push(index);
                        }
                    }
                }
                _ => {}
            }
            at += 1;
        }
        found
    }

    /// Whether every reference has a group, and no two groups that can both take part share a name.
    pub(super) fn check(&self) -> Result<()> {
        let error = |what, at| Err(ParseError::Syntax(SyntaxError { what, at }));
        for (position, group) in self.groups.iter().enumerate() {
            let clash = |other: &&Named| {
                other.name == group.name && {
                    let apart = |(id, way): &(u32, u32)| {
                        let same = other.path.iter().find(|(other_id, _)| other_id == id);
                        same.is_some_and(|(_, other_way)| other_way != way)
                    };
                    !group.path.iter().any(apart)
                }
            };
            if self.groups.iter().take(position).find(clash).is_some() {
                return error("duplicate name of a group", group.at);
            }
        }
        for (name, at) in &self.references {
            if !self.groups.iter().any(|group| group.name == *name) {
                return error("reference to a group that is not there", *at);
            }
        }
        debug_assert!(self.groups.iter().all(|group| group.index > 0));
        Ok(())
    }
}
