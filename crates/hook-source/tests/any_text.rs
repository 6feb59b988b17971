//! Any bytes are a value or are refused, and everything that is told stands in the text.

use hook_source::{Diagnostic, Field, Kind, Node, Reader, Table, Value, json, nearest};
use proptest::{collection::vec, prelude::*, sample::select};

/// Pieces that texts are made of, so that arbitrary ones get past the first brace.
const PIECES: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "\\",
    "\n",
    "\r",
    " ",
    "\u{feff}",
    "ä",
    "\u{1f47e}",
    "null",
    "true",
    "1",
    "-0",
    "1.10",
    "1e999",
    "\"a\"",
    "\"a\":",
    "\"\\ud800\"",
    "\"\\udc00\":",
    "\"\\u0000\"",
    "\"name\":",
    "#",
    "=",
    "'",
    "[a]\n",
    "a = ",
    "0x10",
    "1979-05-27",
    "\"\"\"",
];

const TABLE: Table = Table::new(&[
    Field::new("name").required().of(Kind::String),
    Field::new("a").nullable(),
]);

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        vec(select(PIECES), 0..24).prop_map(|pieces| pieces.concat()),
        vec(any::<u8>(), 0..60).prop_map(|bytes| String::from_utf8_lossy(&bytes).into_owned()),
    ]
}

/// Every value stands in the text, inside the one around it.
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

/// What JSON says is what its readers say, as far as it was opened.
fn is_json(text: &str, node: &Node) {
    let raw = text.get(node.span.clone()).unwrap_or_default();
    assert!(!raw.is_empty(), "{node:?}");
    stands(text, node);
    match &node.value {
        Value::Text(text) => {
            assert_eq!(
                serde_json::from_str::<String>(raw).ok().as_ref(),
                Some(text)
            );
        }
        Value::Number(number) => assert_eq!(number, raw),
        Value::Folded(_) => assert_eq!(json::open(text, &node.span, 0).kind(), node.kind()),
        Value::NotUnicode { noticed, .. } => assert!(node.span.contains(noticed), "{node:?}"),
        Value::Null | Value::Bool(_) | Value::List(_) | Value::Table(_) | Value::Time | _ => {}
    }
    let inner = node.list().unwrap_or_default().iter();
    let members = node.members().unwrap_or_default().iter();
    for node in inner.chain(members.map(|member| &member.node)) {
        assert!(node.span.start > 0 && node.span.end < text.len());
        is_json(text, node);
    }
}

fn are_placed(text: &str, told: &[Diagnostic]) {
    let starts: Vec<_> = told
        .iter()
        .filter_map(|told| Some(told.place.as_ref()?.span.clone()))
        .collect();
    assert_eq!(starts.len(), told.len());
    assert!(starts.is_sorted_by_key(|span| span.start));
    for span in starts {
        assert!(text.get(span).is_some());
    }
}

proptest! {
    #[test]
    fn any_text_is_json_or_is_refused_where_it_stops(text in text(), depth in 0_usize..6) {
        match json::read(&text, depth) {
            Ok(node) => {
                prop_assert!(serde_json::from_str::<serde::de::IgnoredAny>(&text).is_ok());
                is_json(&text, &node);
            }
            Err(fault) => {
                prop_assert!(text.get(fault.span).is_some());
                prop_assert!(fault.stopped <= text.len());
                prop_assert!(!fault.message.contains(" at line "));
            }
        }
    }

    #[test]
    fn the_members_of_any_object_are_told_once_each(text in text()) {
        let Ok(node) = json::read(&text, 2) else { return Ok(()); };
        let mut told = 0;
        let mut reader = Reader::new(&text);
        let fields = TABLE.read(&node, |found| {
            told += 1;
            reader.tell(&found.member.span, Diagnostic::error("e", "e"));
        });
        prop_assert_eq!(told, node.members().map_or(0, <[_]>::len));
        prop_assert!(fields.get("a").is_none_or(|node| !node.is_null()));
        are_placed(&text, &reader.finish_each());
    }

    #[test]
    fn what_is_told_of_any_place_stands_in_the_text(
        text in text(),
        spans in vec((0_usize..80, 0_usize..80), 0..6),
        together: bool,
    ) {
        let mut reader = Reader::new(&text);
        for (start, end) in spans {
            reader.tell(&(start..end), Diagnostic::warning("w", "w"));
        }
        let told = if together { reader.finish_together() } else { reader.finish_each() };
        are_placed(&text, &told);
    }

    #[test]
    fn a_word_is_near_itself_and_any_word_has_an_answer(word in any::<String>()) {
        let _any = nearest(&word, &["command", "if"]);
        prop_assert_eq!(nearest("COM-MAND", &["command", "comment"]), Some("command"));
    }

    #[cfg(feature = "toml")]
    #[test]
    fn any_text_is_toml_or_is_refused(text in text()) {
        match hook_source::toml::read(&text) {
            Ok(node) => stands(&text, &node),
            Err(faults) => {
                prop_assert!(!faults.is_empty());
                let mut reader = Reader::new(&text);
                for fault in &faults {
                    reader.tell(&fault.span, Diagnostic::error("syntax", &*fault.message));
                }
                are_placed(&text, &reader.finish_each());
            }
        }
    }
}
