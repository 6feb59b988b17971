//! Bytes to the members of one object, and why that failed.

use std::borrow::Cow;

use hook_contract::json::{JsonError, Member, Members, Position, parser_words};
use serde_json::value::RawValue;

/// White space between the tokens of JSON; nothing else is ever skipped.
const WHITE_SPACE: [char; 4] = [' ', '\t', '\n', '\r'];

/// One object, its members as they were written, and the text it was read from.
pub(crate) struct Object<'a> {
    text: &'a str,
    pub(crate) members: Members<'a>,
}

/// Why bytes are not one object.
pub(crate) enum NotOneObject<'a> {
    /// There is nothing but white space.
    Empty { white_space: bool },
    /// From this byte on they are not UTF-8.
    NotUtf8 { offset: usize },
    /// The text is not JSON.
    NotJson {
        text: &'a str,
        problem: String,
        position: Position,
        at_end: bool,
    },
    /// The text is another JSON value.
    OtherValue { value: &'a str },
    /// Something follows the object.
    More { rest: &'a str, position: Position },
}

impl<'a> Object<'a> {
    /// Reads one object. One byte order mark in front and white space around are accepted.
    pub(crate) fn read(bytes: &'a [u8]) -> Result<Self, NotOneObject<'a>> {
        let mark = bytes.strip_prefix(b"\xef\xbb\xbf");
        let text = std::str::from_utf8(mark.unwrap_or(bytes)).map_err(|error| {
            let offset = error.valid_up_to() + if mark.is_some() { 3 } else { 0 };
            NotOneObject::NotUtf8 { offset }
        })?;
        match text.trim_start_matches(WHITE_SPACE).as_bytes().first() {
            None => Err(NotOneObject::Empty {
                white_space: !text.is_empty(),
            }),
            Some(b'{') => {
                let (members, rest) = first_value::<Members<'a>>(text)?;
                if rest.is_empty() {
                    Ok(Self { text, members })
                } else {
                    let position = Position::of(text, rest);
                    Err(NotOneObject::More { rest, position })
                }
            }
            Some(_) => Err(other_value(text)),
        }
    }

    /// The first member of that name.
    pub(crate) fn get(&self, name: &str) -> Option<&Member<'a>> {
        self.members.iter().find(|member| member.name == name)
    }

    /// The first member whose name was there before.
    pub(crate) fn repeated(&self) -> Option<&Member<'a>> {
        /// Up to here comparing each with each is cheaper than hashing.
        const FEW: usize = 16;
        let all = || self.members.iter();
        if all().len() <= FEW {
            return all()
                .enumerate()
                .find(|(index, member)| all().take(*index).any(|other| other.name == member.name))
                .map(|(_, member)| member);
        }
        let mut seen = std::collections::HashSet::new();
        all().find(|member| !seen.insert(member.name.as_ref()))
    }

    /// Where a part of the text stands.
    pub(crate) fn position_of(&self, part: &str) -> Position {
        Position::of(self.text, part)
    }

    /// Where in the whole text a reader of one value stopped.
    pub(crate) fn position_of_error(&self, value: &str, error: &serde_json::Error) -> Position {
        let before = self.position_of(value).offset;
        Position::at(self.text, before + Position::of_error(value, error).offset)
    }

    /// Where in the whole text an error of one value is.
    pub(crate) fn position_in(&self, value: &str, error: &JsonError) -> Position {
        let before = self.position_of(value).offset;
        Position::at(self.text, before + error.position().offset)
    }
}

/// The first JSON value of the text, and what follows it after white space.
fn first_value<'a, T: serde::Deserialize<'a>>(
    text: &'a str,
) -> Result<(T, &'a str), NotOneObject<'a>> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<T>();
    let read = values.next();
    let rest = text.get(values.byte_offset()..).unwrap_or_default();
    match read {
        Some(Ok(value)) => Ok((value, rest.trim_matches(WHITE_SPACE))),
        Some(Err(error)) => Err(NotOneObject::NotJson {
            text,
            problem: parser_words(&error),
            position: if error.is_eof() {
                Position::at(text, text.trim_end_matches(WHITE_SPACE).len())
            } else {
                Position::of_error(text, &error)
            },
            at_end: error.is_eof(),
        }),
        None => Err(NotOneObject::Empty {
            white_space: !text.is_empty(),
        }),
    }
}

fn other_value(text: &str) -> NotOneObject<'_> {
    match first_value::<&RawValue>(text) {
        Ok((value, "")) => NotOneObject::OtherValue { value: value.get() },
        Ok((_, rest)) => NotOneObject::NotJson {
            text,
            problem: "more text after a value".to_owned(),
            position: Position::of(text, rest),
            at_end: false,
        },
        Err(not_json) => not_json,
    }
}

/// The content of a JSON string; nothing for another value or for half a surrogate pair.
pub(crate) fn string(value: &str) -> Option<Cow<'_, str>> {
    let content = value.strip_prefix('"')?.strip_suffix('"')?;
    if content.contains('\\') {
        serde_json::from_str(value).ok().map(Cow::Owned)
    } else {
        Some(Cow::Borrowed(content))
    }
}
