//! What is noticed while a file is read.

use std::{ops::Range, path::Path};

use hook_source::{Diagnostic, Kind, Member, Node, Reader, Severity, Subject, Value, json, toml};

use super::{AtHome, Finding, duplicate_key};
use crate::Dialect;

/// How deep settings may be nested.
const MAX_DEPTH: usize = 101;

/// What is noticed in one text.
pub(in crate::config) struct Report<'t> {
    reader: Reader<'t>,
    path: &'t Path,
    agent: &'static str,
    /// Whether the file is used whatever is wrong in it.
    lenient: bool,
    /// What was noticed first for which the agent uses nothing of the file, in words.
    dropped: Option<String>,
}

impl<'t> Report<'t> {
    pub(in crate::config) fn new(
        text: &'t str,
        path: &'t Path,
        dialect: &Dialect,
        lenient: bool,
    ) -> Self {
        Self {
            reader: Reader::new(text),
            path,
            agent: dialect.title,
            lenient,
            dropped: None,
        }
    }

    /// Which part is read from now on: `PreToolUse[0].hooks[1]`.
    pub(in crate::config) fn at(&mut self, part: Option<String>) {
        self.reader.about(part.map(Subject::Part));
    }

    /// Remembers something about these bytes, and what the agent does about it.
    pub(in crate::config) fn add(
        &mut self,
        span: &Range<usize>,
        mut told: Diagnostic,
        at_home: AtHome,
    ) {
        if at_home == AtHome::DropsFile && self.dropped.is_none() {
            let line = self.line(span.start);
            self.dropped = Some(format!("line {line} of its file: {}", told.message));
        }
        if self.lenient && at_home != AtHome::Refuses {
            told.severity = Severity::Warning;
        }
        if let Some(at_home) = at_home.as_str() {
            told = told.with_note(format!("{} {at_home}", self.agent));
        }
        self.reader.tell(span, told);
    }

    /// What was noticed first for which the agent uses nothing of the file, in words.
    pub(in crate::config) fn drops_file(&self) -> Option<String> {
        self.dropped.clone()
    }

    /// The line on which a byte stands, from 1.
    pub(in crate::config) fn line(&self, offset: usize) -> usize {
        self.reader.line(offset)
    }

    /// Everything, in the order of the text.
    pub(in crate::config) fn finish(self) -> Vec<Finding> {
        let path = self.path;
        let told = self.reader.finish_together().into_iter();
        let finding = |what| Finding {
            path: path.to_owned(),
            what,
        };
        told.map(finding).collect()
    }

    /// The value of a text in JSON; nothing when it is none.
    pub(in crate::config) fn json(&mut self) -> Option<Node> {
        let text = self.reader.text();
        if text.trim().is_empty() {
            let told = Diagnostic::error("empty", "the file is empty")
                .with_help("write {} when no settings are wanted, or remove the file");
            self.add(&(0..0), told, AtHome::DropsFile);
            return None;
        }
        match json::read(text, MAX_DEPTH) {
            Ok(mut node) => {
                self.settle(&mut node);
                Some(node)
            }
            Err(fault) => {
                let told = super::syntax("JSON", &fault.message, fault.help);
                self.add(&fault.span, told, AtHome::DropsFile);
                None
            }
        }
    }

    /// The table of a text in TOML; nothing when it is none.
    pub(in crate::config) fn toml(&mut self) -> Option<Node> {
        match toml::read(self.reader.text()) {
            Ok(node) => Some(node),
            Err(faults) => {
                for fault in faults {
                    let told = super::syntax("TOML", &fault.message, fault.help);
                    self.add(&fault.span, told, AtHome::Refuses);
                }
                None
            }
        }
    }

    /// Makes one reading of a value: of a field that stands twice the last is left, and what cannot be read is empty.
    fn settle(&mut self, node: &mut Node) {
        let told = match &mut node.value {
            Value::List(list) => {
                for node in list {
                    self.settle(node);
                }
                return;
            }
            Value::Table(members) => {
                for member in members.iter_mut() {
                    self.settle(&mut member.node);
                }
                self.keep_last(members);
                return;
            }
            Value::Folded(_) => {
                Diagnostic::error("too_deep", "nested more deeply than any settings are")
                    .with_help("take the nesting away")
            }
            Value::NotUnicode { .. } => {
                Diagnostic::error("not_unicode", "an escape stands for no character")
                    .with_help("write the character itself, or both halves of the pair")
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::Time | _ => {
                return;
            }
        };
        self.add(&node.span, told, AtHome::DropsFile);
        node.value = match node.kind() {
            Kind::Object => Value::Table(Vec::new()),
            Kind::Array => Value::List(Vec::new()),
            Kind::Null | Kind::Boolean | Kind::Number | Kind::String | Kind::Time | _ => {
                Value::Text(String::new())
            }
        };
    }

    fn keep_last(&mut self, members: &mut Vec<Member>) {
        let mut places = std::collections::HashMap::new();
        let mut kept: Vec<Member> = Vec::new();
        for member in members.drain(..) {
            let first = places.get(&member.name).copied();
            if let Some(first) = first.and_then(|place: usize| kept.get_mut(place)) {
                self.add(&member.span, duplicate_key(&member.name), AtHome::TakesLast);
                *first = member;
            } else {
                places.insert(member.name.clone(), kept.len());
                kept.push(member);
            }
        }
        *members = kept;
    }
}
