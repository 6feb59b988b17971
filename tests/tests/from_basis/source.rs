//! The public items in the source of basis, as it was compiled for this test.
//!
//! Read line by line: the source is formatted by rustfmt, so what is public of a module stands at the first column, and what is
//! public of an item at the fifth.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// The modules whose items are public, by `pub mod` or by `pub use`.
const MODULES: [&str; 5] = ["contract", "interceptor", "wire", "config", "runner"];

pub(crate) struct Source {
    /// The file `hooks.rs`.
    root: String,
    /// The texts of the modules below it, without their tests.
    modules: Vec<String>,
}

impl Source {
    /// Finds the source by what the compiler noted when it built the library.
    pub(crate) fn find() -> Self {
        let root = root();
        let folder = root.with_extension("");
        let read = |path: &Path| fs::read_to_string(path).expect("a file of basis");
        let without_tests = |text: String| {
            let end = text
                .find("\n#[cfg(test)]")
                .or(text.find("\n#[cfg(all(test"));
            text[..end.unwrap_or(text.len())].to_owned()
        };
        let modules = MODULES.map(|module| read(&folder.join(format!("{module}.rs"))));
        Self {
            root: read(&root),
            modules: modules.map(without_tests).into(),
        }
    }

    /// What `basis::hooks` exports, by `pub use` and `pub mod`.
    pub(crate) fn names(&self) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        let modules = self
            .root
            .lines()
            .filter_map(|line| line.strip_prefix("pub mod "));
        names.extend(modules.map(|rest| rest.trim_end_matches(';').to_owned()));
        for exported in self.root.split("\npub use ").skip(1) {
            let (list, _) = exported.split_once(';').expect("an end");
            let (_, list) = list.rsplit_once("::").expect("a path");
            let list = list.trim_matches(['{', '}', '\n', ' ']).split(',');
            let list = list.map(str::trim).filter(|name| !name.is_empty());
            names.extend(list.map(str::to_owned));
        }
        names
    }

    /// Every item by its path, with the public fields, variants and functions of it.
    pub(crate) fn items(&self) -> BTreeSet<String> {
        let mut items = self.names();
        for module in &self.modules {
            let found = members(module);
            // What is exported from the module only; the others are private to basis.
            let is_exported = |item: &String| {
                let owner = item.split("::").next().unwrap_or_default();
                items.contains(owner)
            };
            let found: Vec<_> = found.into_iter().filter(is_exported).collect();
            items.extend(found);
        }
        for exported in self
            .modules
            .iter()
            .flat_map(|text| text.split("\npub use ").skip(1))
        {
            let (list, _) = exported.split_once(';').expect("an end");
            let (_, list) = list.rsplit_once("::").expect("a path");
            let list = list.trim_matches(['{', '}', '\n', ' ']).split(',');
            items.extend(list.map(|name| format!("wire::{}", name.trim())));
        }
        items
    }

    /// `Type: Trait` for what is derived and implemented.
    pub(crate) fn traits(&self) -> BTreeSet<String> {
        let names = self.names();
        let mut traits = BTreeSet::new();
        for module in &self.modules {
            let mut derived = Vec::new();
            for line in module.lines() {
                if let Some(list) = line.strip_prefix("#[derive(") {
                    let list = list.trim_end_matches(")]").split(',');
                    derived = list.map(|of| last(of.trim()).to_owned()).collect();
                } else if let Some(name) = item(line) {
                    let here = std::mem::take(&mut derived);
                    if names.contains(name) {
                        traits.extend(here.iter().map(|of| format!("{name}: {of}")));
                    }
                } else if let Some((of, name)) = implementation(line) {
                    let is_pointer = name.ends_with("<T>");
                    if is_pointer || names.contains(name) {
                        traits.insert(format!("{name}: {of}"));
                    }
                }
            }
        }
        traits
    }
}

fn root() -> PathBuf {
    let program = std::env::current_exe().expect("this program");
    let folder = program.parent().expect("its folder");
    let notes = fs::read_dir(folder).expect("the folder of dependencies");
    let notes = notes.map(|entry| entry.expect("an entry").path());
    let is_of_basis = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str());
        let is_note = path.extension() == Some("d".as_ref());
        is_note && name.is_some_and(|name| name.starts_with("basis-"))
    };
    for note in notes.filter(is_of_basis) {
        let text = fs::read_to_string(note).expect("what the compiler read");
        let mut words = text.split_whitespace();
        let found = words.find(|word| word.ends_with("/src/hooks.rs"));
        if let Some(path) = found.filter(|path| path.contains("basis-0.23")) {
            return path.into();
        }
    }
    panic!(
        "the source of basis is not found beside {}",
        program.display()
    );
}

/// The public items of a module, and what is public of them.
fn members(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut owner: Option<(&str, Kind)> = None;
    for line in text.lines() {
        if let Some(name) = item(line) {
            found.push(name.to_owned());
            owner = Kind::of(line).map(|kind| (name, kind));
        } else if let Some(rest) = line.strip_prefix("impl ") {
            // Of an implementation of a trait nothing is public by itself.
            let name = rest.strip_suffix(" {").filter(|name| !name.contains(' '));
            owner = name.map(|name| (name, Kind::Functions));
        } else if line == "}" {
            owner = None;
        } else if let Some((owner, kind)) = owner {
            let inner = line.strip_prefix("    ").unwrap_or_default();
            if let Some(name) = kind.member(inner) {
                found.push(format!("{owner}::{name}"));
            }
        }
    }
    found
}

/// What can be public of an item.
#[derive(Clone, Copy)]
enum Kind {
    Fields,
    Variants,
    Methods,
    Functions,
}

impl Kind {
    fn of(line: &str) -> Option<Self> {
        let word = line.split(' ').nth(1)?;
        match word {
            "struct" => Some(Self::Fields),
            "enum" => Some(Self::Variants),
            "trait" => Some(Self::Methods),
            _ => None,
        }
    }

    /// The name of what this line declares.
    fn member(self, line: &str) -> Option<&str> {
        let rest = match self {
            Self::Fields => line.strip_prefix("pub ")?,
            Self::Variants => line,
            Self::Methods => after_fn(line)?,
            Self::Functions => after_fn(line.strip_prefix("pub ")?)?,
        };
        let name = word(rest)?;
        let is_variant = name.starts_with(char::is_uppercase);
        let is_wanted = matches!(self, Self::Variants) == is_variant;
        is_wanted.then_some(name)
    }
}

fn after_fn(line: &str) -> Option<&str> {
    let line = line.strip_prefix("async ").unwrap_or(line);
    line.strip_prefix("fn ")
}

/// The name of the public item that this line begins.
fn item(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("pub ")?;
    let rest = rest.strip_prefix("async ").unwrap_or(rest);
    let (kind, rest) = rest.split_once(' ')?;
    let is_item = ["struct", "enum", "trait", "fn", "const", "type"].contains(&kind);
    is_item.then(|| word(rest)).flatten()
}

/// The trait and the type of an implementation.
fn implementation(line: &str) -> Option<(&str, &str)> {
    let rest = line.strip_prefix("impl")?.strip_suffix(" {")?;
    let (of, name) = rest.rsplit_once(" for ")?;
    Some((last(of.rsplit_once(' ').map_or(of, |(_, of)| of)), name))
}

/// The last name of a path.
fn last(path: &str) -> &str {
    path.rsplit("::").next().unwrap_or(path)
}

fn word(text: &str) -> Option<&str> {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_');
    let name = &text[..end.unwrap_or(text.len())];
    (!name.is_empty()).then_some(name)
}

#[test]
fn what_is_public_is_found_and_nothing_else() {
    let text = "\
#[derive(Debug, Clone)]
pub struct Call {
    pub name: String,
    private: String,
}

impl Call {
    pub fn new() -> Self {
    pub(crate) fn hidden(&self) {
    pub async fn ask(&self) {
}

impl fmt::Display for Call {
    fn fmt(&self) {
}

pub enum Outcome {
    /// Said.
    Allow,
    Modify {
        input: Value,
    },
    #[default]
    Deny(String),
}

pub trait Guard: Send {
    fn name(&self) -> &str;
    async fn judge(&self);
}

enum Private {
    Variant,
}
";
    let expected = [
        "Call",
        "Call::name",
        "Call::new",
        "Call::ask",
        "Outcome",
        "Outcome::Allow",
        "Outcome::Modify",
        "Outcome::Deny",
        "Guard",
        "Guard::name",
        "Guard::judge",
    ];
    assert_eq!(members(text), expected);
    assert_eq!(
        implementation("impl fmt::Display for Call {"),
        Some(("Display", "Call"))
    );
    let pointer = "impl<T: Guard + ?Sized> Guard for Box<T> {";
    assert_eq!(implementation(pointer), Some(("Guard", "Box<T>")));
}
