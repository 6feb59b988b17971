//! Settings in JSON.

use std::{collections::HashMap, ops::Range};

use hook_contract::json::Members;
use hook_source::SyntaxFault;
use serde_json::value::RawValue;

use super::{MAX_DEPTH, Member, Node, Value};
use crate::config::finding::{AtHome, FindingKind, Report};

/// The value of a text; nothing when it is not JSON. What is wrong is told to the report.
pub(in crate::config) fn read(report: &mut Report<'_>) -> Option<Node> {
    let text = report.text;
    if text.trim().is_empty() {
        report.add(0..0, FindingKind::Empty, AtHome::DropsFile);
        return None;
    }
    match serde_json::from_str::<&RawValue>(text) {
        Ok(raw) => Some(node(report, raw.get(), 0)),
        Err(error) => {
            let SyntaxFault {
                span,
                message,
                help,
                ..
            } = SyntaxFault::of(text, &error);
            let language = "JSON";
            let kind = FindingKind::Syntax {
                language,
                message,
                help,
            };
            report.add(span, kind, AtHome::DropsFile);
            None
        }
    }
}

/// `raw` is a slice of the report's text, and JSON.
fn node(report: &mut Report<'_>, raw: &str, depth: usize) -> Node {
    let span = span(report.text, raw);
    let wrong = |report: &mut Report<'_>, kind| {
        report.add(span.clone(), kind, AtHome::DropsFile);
        // What it would have been, as far as that can be told.
        match raw.as_bytes().first() {
            Some(b'{') => Value::Table(Vec::new()),
            Some(b'[') => Value::List(Vec::new()),
            _ => Value::Text(String::new()),
        }
    };
    let value = match raw.as_bytes().first() {
        Some(b'{' | b'[') if depth > MAX_DEPTH => wrong(report, FindingKind::TooDeep),
        Some(b'{') => match serde_json::from_str::<Members<'_>>(raw) {
            Ok(members) => table(report, &members, depth),
            Err(_half_a_pair) => wrong(report, FindingKind::NotUnicode),
        },
        Some(b'[') => {
            let list: Vec<&RawValue> = serde_json::from_str(raw).unwrap_or_default();
            let nodes = list
                .into_iter()
                .map(|raw| node(report, raw.get(), depth + 1));
            Value::List(nodes.collect())
        }
        Some(b'"') => match serde_json::from_str(raw) {
            Ok(text) => Value::Text(text),
            Err(_half_a_pair) => wrong(report, FindingKind::NotUnicode),
        },
        Some(b't') => Value::Bool(true),
        Some(b'f') => Value::Bool(false),
        Some(b'n') => Value::Null,
        _ => Value::Number(raw.to_owned()),
    };
    Node { span, value }
}

fn table(report: &mut Report<'_>, members: &Members<'_>, depth: usize) -> Value {
    let mut table: Vec<Member> = Vec::new();
    let mut places = HashMap::new();
    for member in members {
        let read = Member {
            name: member.name.clone().into_owned(),
            span: span(report.text, member.name_text),
            node: node(report, member.value, depth + 1),
        };
        let first = places.get(&read.name).copied();
        if let Some(first) = first.and_then(|place: usize| table.get_mut(place)) {
            let key = read.name.clone();
            let kind = FindingKind::DuplicateKey { key };
            report.add(read.span.clone(), kind, AtHome::TakesLast);
            *first = read;
        } else {
            places.insert(read.name.clone(), table.len());
            table.push(read);
        }
    }
    Value::Table(table)
}

/// Where `part`, a slice of the text, stands in it.
fn span(text: &str, part: &str) -> Range<usize> {
    let start = (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
    start..start + part.len()
}
