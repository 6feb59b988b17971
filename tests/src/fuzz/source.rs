//! What may stand in any text that a person writes.

use hook_source::{
    Diagnostic, Field, Kind, Node, Reader, Standing, SyntaxFault, Table, Value, json, toml,
};

use super::strict::is_grammatical;

/// How deep a text is opened.
const DEPTH: usize = 4;

const TABLE: Table = Table::new(&[
    Field::new("name").or("title").required().of(Kind::String),
    Field::new("command").of(Kind::Array),
    Field::new("timeout").nullable().of(Kind::Number),
])
.with_habits(&[("cmd", "command")], &["comment"]);

/// Any text is a value whose parts stand in it, or is refused where it stops being one; in JSON and in TOML.
pub fn source(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    match json::read(text, DEPTH) {
        Ok(node) => {
            assert!(is_grammatical(text));
            is_as_written(text, &node);
            are_told(text, &node);
        }
        Err(fault) => {
            assert!(!is_grammatical(text));
            are_shown(text, &[fault]);
        }
    }
    match toml::read(text) {
        Ok(node) => {
            stands(text, &node);
            are_told(text, &node);
        }
        Err(faults) => are_shown(text, &faults),
    }
}

/// Every value stands in the text.
fn stands(text: &str, node: &Node) {
    assert!(text.get(node.span.clone()).is_some(), "{node:?}");
    assert!(text.get(node.start()).is_some(), "{node:?}");
    for inner in node.list().unwrap_or_default() {
        stands(text, inner);
    }
    for member in node.members().unwrap_or_default() {
        assert!(text.get(member.span.clone()).is_some(), "{member:?}");
        stands(text, &member.node);
    }
}

/// A value of JSON is what another reader finds at its place, as far as it was opened.
fn is_as_written(text: &str, node: &Node) {
    stands(text, node);
    let raw = &text[node.span.clone()];
    let first = raw.as_bytes().first().copied();
    assert_eq!(node.kind(), Kind::of_json(first), "{raw}");
    match &node.value {
        Value::Text(text) => {
            assert_eq!(
                serde_json::from_str::<String>(raw).ok().as_ref(),
                Some(text)
            );
        }
        Value::Number(number) => assert_eq!(number, raw),
        Value::List(list) => {
            let read: Vec<&serde_json::value::RawValue> =
                serde_json::from_str(raw).expect("an array");
            assert!(
                read.iter()
                    .map(|read| read.get())
                    .eq(list.iter().map(|node| &text[node.span.clone()]))
            );
            for inner in list {
                is_as_written(text, inner);
            }
        }
        Value::Table(members) => {
            for member in members {
                let name = serde_json::from_str::<String>(&text[member.span.clone()]);
                assert_eq!(name.ok().as_ref(), Some(&member.name));
                is_as_written(text, &member.node);
            }
        }
        Value::NotUnicode { noticed, .. } => assert!(node.span.contains(noticed), "{node:?}"),
        Value::Null | Value::Bool(_) | Value::Folded(_) | Value::Time | _ => {}
    }
}

/// Each member is told once, and everything that is told stands in the text in its order.
fn are_told(text: &str, node: &Node) {
    let mut reader = Reader::new(text);
    let mut members = 0;
    let fields = TABLE.read(node, |found| {
        members += 1;
        let is_wrong = matches!(
            found.standing,
            Standing::Meant(_) | Standing::OfAnotherKind(..)
        );
        let told = if is_wrong {
            Diagnostic::error("e", "e")
        } else {
            Diagnostic::warning("w", "w")
        };
        reader.tell(&found.member.span, told);
    });
    assert_eq!(members, node.members().map_or(0, <[_]>::len));
    for name in TABLE.names() {
        assert!(
            fields.get(name).is_none() || !fields.is_missing(name),
            "{name}"
        );
    }
    let told = reader.finish_each();
    assert!(told.len() <= members.min(202));
    let starts = told.iter().map(|told| {
        let place = told.place.as_ref().expect("a place");
        assert!(text.get(place.span.clone()).is_some(), "{told:?}");
        place.span.start
    });
    assert!(starts.is_sorted());
}

fn are_shown(text: &str, faults: &[SyntaxFault]) {
    assert!(!faults.is_empty());
    for fault in faults {
        assert!(!fault.message.is_empty() && !fault.help.is_empty());
        let told = Diagnostic::error("syntax", &*fault.message).at(text, fault.span.clone());
        let place = told.place.expect("a place");
        assert!(text.get(place.span).is_some(), "{fault:?}");
    }
}
