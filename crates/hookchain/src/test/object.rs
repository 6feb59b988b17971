//! The objects of a case file, taken apart such that everything in them keeps its place.

use hook_contract::json::{Member, Members, Position};
use serde_json::value::RawValue;

use super::problem::{Problem, ProblemKind, What};
use hook_source::{Kind, parser_words};

/// What kind of value a JSON text holds, in words.
pub(super) fn kind_of(value: &str) -> &'static str {
    Kind::of_json(value.as_bytes().first().copied()).in_words()
}

/// Reads values, and keeps what is wrong with them.
pub(super) struct Reader<'a> {
    text: &'a str,
    /// The part that is being read: places are counted from here, since counting from the start for each of thousands of
    /// cases would take longer than running them.
    from: Position,
    problems: Vec<Problem>,
}

/// An object whose keys are known ones, each once.
#[derive(Debug)]
pub(super) struct Object<'a> {
    /// The whole of it, as it is written.
    pub(super) whole: &'a str,
    what: What,
    members: Vec<Member<'a>>,
    /// Keys that were probably meant by others.
    meant: Vec<&'static str>,
}

impl<'a> Object<'a> {
    /// The value of a key, as it is written.
    pub(super) fn get(&self, key: &str) -> Option<&'a str> {
        self.member(key).map(|member| member.value)
    }

    /// The name of a key, as it is written.
    pub(super) fn name(&self, key: &str) -> Option<&'a str> {
        self.member(key).map(|member| member.name_text)
    }

    fn member(&self, key: &str) -> Option<&Member<'a>> {
        self.members.iter().find(|member| member.name == key)
    }
}

impl<'a> Reader<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self {
            text,
            from: Position::at(text, 0),
            problems: Vec::new(),
        }
    }

    /// What is wrong, in the order of the text.
    pub(super) fn finish(mut self) -> Vec<Problem> {
        self.problems.sort_by_key(|problem| problem.position.offset);
        self.problems
    }

    /// Where a part of the text begins, which is read next.
    pub(super) fn begin(&mut self, part: &str) -> Position {
        self.from = self.position(self.offset(part));
        self.from
    }

    /// The bytes before a part of the text.
    fn offset(&self, part: &str) -> usize {
        (part.as_ptr() as usize)
            .checked_sub(self.text.as_ptr() as usize)
            .filter(|offset| offset + part.len() <= self.text.len())
            .unwrap_or(0)
    }

    /// The place that many bytes into the text.
    fn position(&self, offset: usize) -> Position {
        let Some(between) = self.text.get(self.from.offset..offset) else {
            return Position::at(self.text, offset);
        };
        let further = Position::at(between, between.len());
        let mut position = self.from;
        position.offset += further.offset;
        position.line += further.line - 1;
        position.column = match further.line {
            1 => position.column + further.column - 1,
            _ => further.column,
        };
        position
    }

    /// Something is wrong at the beginning of that part of the text.
    pub(super) fn wrong(&mut self, part: &str, kind: ProblemKind) {
        self.wrong_in(part, 0, kind);
    }

    /// Something is wrong that many bytes into that part.
    pub(super) fn wrong_in(&mut self, part: &str, offset: usize, kind: ProblemKind) {
        let position = self.position(self.offset(part) + offset);
        self.problems.push(Problem { position, kind });
    }

    /// An object of the keys that `what` has. Names that begin like a comment are notes.
    pub(super) fn object(&mut self, value: &'a str, what: What) -> Option<Object<'a>> {
        let members = self.members(value, what)?;
        let mut known: Vec<Member<'a>> = Vec::new();
        let mut all_meant = Vec::new();
        for member in members {
            let name = member.name.as_ref();
            if name.starts_with("//") || name.starts_with('#') {
                continue;
            }
            if known.iter().any(|other| other.name == member.name) {
                let key = name.to_owned();
                self.wrong(member.name_text, ProblemKind::Twice { key });
            } else if what.keys().contains(&name) {
                known.push(member);
            } else {
                let meant = nearest(name, what.keys());
                all_meant.extend(meant);
                let written = name.to_owned();
                let unknown = ProblemKind::UnknownKey {
                    what,
                    written,
                    meant,
                };
                self.wrong(member.name_text, unknown);
            }
        }
        Some(Object {
            whole: value,
            what,
            members: known,
            meant: all_meant,
        })
    }

    /// The members of an object of any keys.
    pub(super) fn members(&mut self, value: &'a str, what: What) -> Option<Members<'a>> {
        if !value.starts_with('{') {
            let found = kind_of(value);
            self.wrong(value, ProblemKind::NotAnObject { what, found });
            return None;
        }
        match serde_json::from_str(value) {
            Ok(members) => Some(members),
            Err(error) => {
                let offset = Position::of_error(value, &error).offset;
                self.wrong_in(value, offset, ProblemKind::NotJson(parser_words(&error)));
                None
            }
        }
    }

    /// The value of a key that must be there. One that is there under another name was complained about already.
    pub(super) fn required(&mut self, object: &Object<'a>, key: &'static str) -> Option<&'a str> {
        let value = object.get(key);
        if value.is_none() && !object.meant.contains(&key) {
            let what = object.what;
            self.wrong(object.whole, ProblemKind::Missing { what, key });
        }
        value
    }

    /// A string that says something.
    pub(super) fn text(
        &mut self,
        value: &'a str,
        key: &'static str,
        help: &'static str,
    ) -> Option<String> {
        let text: String = self.typed(value, key, "a string")?;
        if text.is_empty() {
            self.wrong(value, ProblemKind::EmptyValue { key, help });
            return None;
        }
        Some(text)
    }

    /// A value of a type that the library reads.
    pub(super) fn typed<T: serde::Deserialize<'a>>(
        &mut self,
        value: &'a str,
        key: &'static str,
        wanted: &'static str,
    ) -> Option<T> {
        let typed = serde_json::from_str(value).ok();
        if typed.is_none() {
            self.wrong_type(value, key, wanted);
        }
        typed
    }

    /// A value is of another type than it must be.
    pub(super) fn wrong_type(&mut self, value: &str, key: &'static str, wanted: &'static str) {
        let found = kind_of(value);
        self.wrong(value, ProblemKind::WrongType { key, found, wanted });
    }

    /// The elements of a list, as they are written.
    pub(super) fn list(&mut self, value: &'a str, key: &'static str) -> Option<Vec<&'a str>> {
        let elements: Vec<&'a RawValue> = self.typed(value, key, "a list")?;
        Some(elements.into_iter().map(RawValue::get).collect())
    }

    /// A list of names.
    pub(super) fn names(&mut self, value: &'a str, key: &'static str) -> Option<Vec<String>> {
        let elements = self.list(value, key)?;
        let count = elements.len();
        let names: Vec<String> = elements
            .into_iter()
            .filter_map(|element| self.typed(element, key, "a list of strings"))
            .collect();
        (names.len() == count).then_some(names)
    }
}

/// The key that was probably meant.
fn nearest(written: &str, keys: &[&'static str]) -> Option<&'static str> {
    // A long name is nobody's slip, and comparing it would cost.
    if written.len() > 40 {
        return None;
    }
    let written = plain(written);
    if written.len() > 2
        && let Some(longer) = keys.iter().find(|key| plain(key).starts_with(&written))
    {
        return Some(longer);
    }
    let distance = |key: &&&str| strsim::damerau_levenshtein(&written, &plain(key));
    let nearest = keys.iter().min_by_key(distance)?;
    let slips = if nearest.len() > 5 { 2 } else { 1 };
    (distance(&nearest) <= slips).then_some(*nearest)
}

/// Without case and separators, which differ most between habits.
fn plain(name: &str) -> String {
    name.chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|character| character.to_ascii_lowercase())
        .collect()
}
