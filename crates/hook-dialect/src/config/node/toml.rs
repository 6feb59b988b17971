//! Settings in TOML.

use std::ops::Range;

use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use super::{Member, Node, Value};
use crate::config::finding::{AtHome, FindingKind, Report};

/// The table of a text; nothing when it is not TOML. What is wrong is told to the report.
pub(in crate::config) fn read(report: &mut Report<'_>) -> Option<Node> {
    let (table, errors) = DeTable::parse_recoverable(report.text);
    for error in &errors {
        let kind = FindingKind::Syntax {
            language: "TOML",
            message: error.message().to_owned(),
            help: "correct the text there",
        };
        let span = error.span().unwrap_or_default();
        report.add(span, kind, AtHome::Refuses);
    }
    if !errors.is_empty() {
        return None;
    }
    let span = table.span();
    Some(Node {
        span,
        value: members(table.get_ref()),
    })
}

fn members(table: &DeTable<'_>) -> Value {
    let mut members: Vec<Member> = table
        .iter()
        .map(|(name, value)| Member {
            name: name.get_ref().clone().into_owned(),
            span: name.span(),
            node: node(value),
        })
        .collect();
    members.sort_by_key(|member| member.span.start);
    Value::Table(members)
}

fn node(value: &Spanned<DeValue<'_>>) -> Node {
    let span: Range<usize> = value.span();
    let value = match value.get_ref() {
        DeValue::String(text) => Value::Text(text.clone().into_owned()),
        DeValue::Integer(number) => Value::Number(decimal(number.as_str(), number.radix())),
        DeValue::Float(number) => Value::Number(number.as_str().to_owned()),
        DeValue::Boolean(flag) => Value::Bool(*flag),
        DeValue::Datetime(_) => Value::Time,
        DeValue::Array(list) => Value::List(list.iter().map(node).collect()),
        DeValue::Table(table) => members(table),
    };
    Node { span, value }
}

/// An integer in decimal digits, where it is one of at most 128 bits.
fn decimal(digits: &str, radix: u32) -> String {
    let digits = digits.trim_start_matches('+');
    let number = i128::from_str_radix(digits, radix).map(|number| number.to_string());
    number.unwrap_or_else(|_too_large| digits.to_owned())
}
