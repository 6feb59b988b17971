//! Texts in JSON.

use std::ops::Range;

use hook_contract::json::{Members, Position};
use serde_json::value::RawValue;

use crate::{Kind, Member, Node, SyntaxFault, Value};

/// The value of a text, with arrays and objects opened down to `depth` levels; deeper ones are [`Value::Folded`].
///
/// All of the text is JSON or none of it is read. What two readers could read in two ways is kept as it is: keys that stand
/// twice, numbers as they are written, and what is no Unicode under that name. Each level that is opened is looked through
/// once more, so `depth` should be what the reader knows of, and at most about a hundred.
///
/// ```
/// use hook_source::{Kind, json};
///
/// let node = json::read(r#"{"a": 1.10, "b": [[]]}"#, 2).expect("JSON");
/// assert_eq!(node.get("a").and_then(|node| node.number()), Some("1.10"));
/// let inner = &node.get("b").and_then(|node| node.list()).expect("a list")[0];
/// assert_eq!((inner.kind(), inner.list()), (Kind::Array, None));
/// ```
///
/// # Errors
///
/// Where the text stops being JSON.
pub fn read(text: &str, depth: usize) -> Result<Node, SyntaxFault> {
    let whole = text.trim_matches([' ', '\t', '\r', '\n']);
    let fault = |error: &serde_json::Error| SyntaxFault::of(text, error);
    if whole.starts_with('{') && depth > 0 {
        // Of a large call nothing but its members is looked at, and this one pass is all that it costs.
        if let Ok(members) = serde_json::from_str::<Members<'_>>(text) {
            return Ok(table(text, whole, &members, depth - 1));
        }
    }
    serde_json::from_str::<&RawValue>(text)
        .map(|raw| opened(text, raw.get(), depth))
        .map_err(|error| fault(&error))
}

/// The value that stands at `span`, opened down to `depth` levels; `span` is that of a node of the same text.
///
/// What does not stand there, because the text is another one, is [`Value::Null`].
///
/// ```
/// use hook_source::json;
///
/// let text = r#"{"a": {"b": true}}"#;
/// let folded = json::read(text, 1).expect("JSON");
/// let opened = json::open(text, &folded.get("a").expect("a field").span, 1);
/// assert_eq!(opened.get("b").and_then(|node| node.flag()), Some(true));
/// ```
#[must_use]
pub fn open(text: &str, span: &Range<usize>, depth: usize) -> Node {
    let raw = text
        .get(span.clone())
        .map(serde_json::from_str::<&RawValue>);
    match raw {
        Some(Ok(raw)) => opened(text, raw.get(), depth),
        _ => Node::new(0..0, Value::Null),
    }
}

/// `raw` is a slice of the text, and JSON.
fn opened(text: &str, raw: &str, depth: usize) -> Node {
    let kind = Kind::of_json(raw.as_bytes().first().copied());
    let not_unicode = |error: &serde_json::Error| Value::NotUnicode {
        kind,
        noticed: span(text, raw).start + Position::of_error(raw, error).offset,
    };
    let value = match kind {
        Kind::Array | Kind::Object if depth == 0 => Value::Folded(kind),
        Kind::Object => match serde_json::from_str::<Members<'_>>(raw) {
            Ok(members) => return table(text, raw, &members, depth - 1),
            // The text is JSON, so what is left is a key with half a surrogate pair.
            Err(error) => not_unicode(&error),
        },
        Kind::Array => {
            let list: Vec<&RawValue> = serde_json::from_str(raw).unwrap_or_default();
            let nodes = list
                .into_iter()
                .map(|raw| opened(text, raw.get(), depth - 1));
            Value::List(nodes.collect())
        }
        Kind::String => match serde_json::from_str(raw) {
            Ok(text) => Value::Text(text),
            Err(error) => not_unicode(&error),
        },
        Kind::Boolean => Value::Bool(raw == "true"),
        Kind::Null => Value::Null,
        Kind::Number | Kind::Time => Value::Number(raw.to_owned()),
    };
    Node::new(span(text, raw), value)
}

fn table(text: &str, raw: &str, members: &Members<'_>, depth: usize) -> Node {
    let members = members.iter().map(|member| Member {
        name: member.name.clone().into_owned(),
        span: span(text, member.name_text),
        node: opened(text, member.value, depth),
    });
    Node::new(span(text, raw), Value::Table(members.collect()))
}

/// Where `part`, a slice of the text, stands in it. Only its address tells: equal texts stand in many places.
fn span(text: &str, part: &str) -> Range<usize> {
    let start = (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
    start..start + part.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn node(text: &str, depth: usize) -> Node {
        read(text, depth).expect("JSON")
    }

    #[test]
    fn a_value_is_kept_as_it_is_written_with_its_place() {
        let text = " {\"a\": [1.10, \"x\"], \"a\": null, \"b\": false}\n";
        let root = node(text, 2);
        assert_eq!(text.get(root.span.clone()), Some(text.trim()));
        let names: Vec<_> = root.members().expect("an object").iter().collect();
        assert_eq!(names.len(), 3, "a key that stands twice is there twice");
        assert_eq!(text.get(names[1].span.clone()), Some("\"a\""));
        let list = root.get("a").and_then(Node::list).expect("an array");
        assert_eq!(list[0].number(), Some("1.10"));
        assert_eq!(text.get(list[1].span.clone()), Some("\"x\""));
        assert_eq!(root.get("b").and_then(Node::flag), Some(false));
    }

    #[test]
    fn what_is_deeper_than_was_asked_for_stays_folded() {
        let text = "[[[]], {}]";
        assert_eq!(node(text, 0).value, Value::Folded(Kind::Array));
        let root = node(text, 1);
        let list = root.list().expect("an array");
        assert_eq!(list[0].value, Value::Folded(Kind::Array));
        assert_eq!(list[1].value, Value::Folded(Kind::Object));
        assert_eq!(open(text, &list[0].span, 5).list().map(<[_]>::len), Some(1));
        assert_eq!(open("", &(3..9), 5).value, Value::Null);
        let deep = format!("{}{}", "[".repeat(20_000), "]".repeat(20_000));
        assert_eq!(node(&deep, 2).kind(), Kind::Array);
    }

    #[test]
    fn half_a_character_is_told_where_it_stands() {
        let text = r#"{"a": "\ud800"}"#;
        let root = node(text, 1);
        let value = &root.get("a").expect("a field").value;
        assert!(
            matches!(value, Value::NotUnicode { kind: Kind::String, noticed } if (6..14).contains(noticed))
        );
        let root = node(r#"{"a": 1, "\udc00": 2}"#, 1);
        assert!(
            matches!(root.value, Value::NotUnicode { kind: Kind::Object, noticed } if noticed > 8)
        );
    }

    #[test]
    fn a_text_that_is_not_json_is_told_where_it_stops() {
        let fault = read("{\"a\": 1,}", 1).expect_err("no JSON");
        assert_eq!(
            (fault.span, &*fault.message),
            (7..8, "a comma with nothing after it")
        );
        let fault = read("[1", 3).expect_err("no JSON");
        assert_eq!(
            (fault.span, fault.help),
            (2..2, "the file ends too early; restore the rest of it")
        );
        let fault = read("{\"a\": {,}}", 1).expect_err("no JSON");
        assert_eq!((&*fault.said, fault.stopped), ("key must be a string", 7));
    }

    #[test]
    fn only_plain_digits_are_a_whole_number() {
        let whole = |text| node(text, 0).whole();
        assert_eq!(whole("15"), Some(15));
        for text in ["1.0", "1e3", "-1", "-0", "99999999999999999999", "\"1\""] {
            assert_eq!(whole(text), None, "{text}");
        }
    }
}
