//! Settings as values that know where they stand, whatever language they are written in.

mod json;
mod toml;

use std::ops::Range;

pub(super) use self::{json::read as read_json, toml::read as read_toml};

/// How deep settings may be nested.
const MAX_DEPTH: usize = 100;

/// A value, and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Node {
    /// The bytes it is written as.
    pub(super) span: Range<usize>,
    pub(super) value: Value,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Null,
    Bool(bool),
    /// A number, as it is written.
    Number(String),
    Text(String),
    List(Vec<Node>),
    Table(Vec<Member>),
    /// A date or a time.
    Time,
}

/// A field of a table. Of one that stands twice, only the last is there.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Member {
    pub(super) name: String,
    /// The bytes the name is written as.
    pub(super) span: Range<usize>,
    pub(super) node: Node,
}

impl Node {
    /// What it is, with its article.
    pub(super) const fn kind(&self) -> &'static str {
        match self.value {
            Value::Null => "null",
            Value::Bool(_) => "a boolean",
            Value::Number(_) => "a number",
            Value::Text(_) => "a string",
            Value::List(_) => "an array",
            Value::Table(_) => "an object",
            Value::Time => "a date or a time",
        }
    }

    pub(super) fn text(&self) -> Option<&str> {
        if let Value::Text(text) = &self.value {
            Some(text)
        } else {
            None
        }
    }

    pub(super) const fn flag(&self) -> Option<bool> {
        if let Value::Bool(flag) = self.value {
            Some(flag)
        } else {
            None
        }
    }

    pub(super) fn list(&self) -> Option<&[Self]> {
        if let Value::List(list) = &self.value {
            Some(list)
        } else {
            None
        }
    }

    pub(super) fn members(&self) -> Option<&[Member]> {
        if let Value::Table(members) = &self.value {
            Some(members)
        } else {
            None
        }
    }

    /// A field of a table.
    pub(super) fn member(&self, name: &str) -> Option<&Member> {
        self.members()?.iter().find(|member| member.name == name)
    }

    /// The value of a field of a table.
    pub(super) fn get(&self, name: &str) -> Option<&Self> {
        self.member(name).map(|member| &member.node)
    }

    /// Its first byte: what is missing in it is told there.
    pub(super) const fn start(&self) -> Range<usize> {
        self.span.start..self.span.start + 1
    }
}
