//! What can be told of a text for a shell without running it: the variables that it names and sets, and what of it a POSIX
//! shell does not have.
//!
//! This is no shell. Where a text is more than can be told, less is told of it.

mod code;
mod command;
mod documents;
mod errors;
mod odd;
mod parameter;
mod scanner;
mod words;

use std::collections::BTreeSet;

pub(crate) use self::{code::names_in_code, command::is_shell, errors::own_errors, odd::Odd};

/// A longer text is not looked at.
const LONGEST: usize = 256 * 1024;

/// How deep texts within texts are looked at.
const DEEPEST: usize = 16;

/// What a text for a shell names.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Named {
    /// The variables whose value it takes.
    pub(crate) used: BTreeSet<String>,
    /// The variables that it can do without: it has a value of its own at hand (`${X:-y}`), or says that there is none.
    pub(crate) spare: BTreeSet<String>,
    /// The variables that it sets itself.
    pub(crate) set: BTreeSet<String>,
    /// Whether it reads commands that stand elsewhere, which can set anything.
    pub(crate) reads_more: bool,
    /// What of it a POSIX shell does not have.
    pub(crate) odd: BTreeSet<Odd>,
    /// The words of its commands, without quotes and without assignments in front; a variable in them is `$NAME`.
    pub(crate) commands: Vec<Vec<String>>,
}

impl Named {
    /// What a text names; nothing in one that is too long.
    pub(crate) fn by(text: &str) -> Self {
        let mut named = Self::default();
        named.add(text, 0, true);
        named
    }

    /// The variables whose value it takes from outside, with whether it can do without.
    pub(crate) fn taken(&self) -> impl Iterator<Item = (&str, bool)> {
        let names = self.used.union(&self.spare);
        let names = names.filter(|name| !self.sets(name));
        names.map(|name| (name.as_str(), self.spare.contains(name)))
    }

    /// Whether it may set a variable itself.
    pub(crate) fn sets(&self, name: &str) -> bool {
        self.reads_more || self.set.contains(name)
    }

    /// Adds what a text names; `is_posix`: whether a POSIX shell reads it.
    fn add(&mut self, text: &str, depth: usize, is_posix: bool) {
        if text.len() > LONGEST || depth > DEEPEST {
            return;
        }
        let mut scanner = scanner::Scanner::new(text);
        scanner.commands(None, depth);
        let (mut found, inner) = scanner.found();
        if is_posix {
            self.odd.append(&mut found.odd);
        }
        self.used.append(&mut found.used);
        self.spare.append(&mut found.spare);
        self.set.append(&mut found.set);
        self.commands.append(&mut found.commands);
        self.reads_more |= found.reads_more;
        for text in inner {
            self.add(&text.text, depth + 1, text.is_posix);
        }
    }
}

#[cfg(test)]
mod tests;
