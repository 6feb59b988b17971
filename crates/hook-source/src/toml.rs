//! Texts in TOML.

use std::ops::Range;

use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use crate::{Member, Node, SyntaxFault, Value};

/// The table of a text.
///
/// A whole number of at most 128 bits is kept in decimal digits, whatever base it is written in; a larger one, and one with
/// parts, as it is written.
///
/// ```
/// let node = hook_source::toml::read("[a]\nb = 0x10").expect("TOML");
/// let b = node.get("a").and_then(|a| a.get("b")).expect("a value");
/// assert_eq!((b.number(), b.span.clone()), (Some("16"), 8..12));
/// ```
///
/// # Errors
///
/// Everything for which the text is not TOML, in the order of the text; at least one thing.
pub fn read(text: &str) -> Result<Node, Vec<SyntaxFault>> {
    let (table, errors) = DeTable::parse_recoverable(text);
    if errors.is_empty() {
        let span = table.span();
        return Ok(Node::new(span, members(table.get_ref())));
    }
    let faults = errors.iter().map(|error| {
        let span = error.span().unwrap_or_default();
        let message = error.message().to_owned();
        SyntaxFault {
            said: message.clone(),
            message,
            help: "correct the text there",
            stopped: span.start,
            span,
        }
    });
    Err(faults.collect())
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
    Node::new(span, value)
}

/// An integer in decimal digits, where it is one of at most 128 bits.
fn decimal(digits: &str, radix: u32) -> String {
    let digits = digits.trim_start_matches('+');
    let number = i128::from_str_radix(digits, radix).map(|number| number.to_string());
    number.unwrap_or_else(|_too_large| digits.to_owned())
}
