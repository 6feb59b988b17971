//! What holds for any text, and the texts the properties are tried on.

mod digits;
mod members;
mod value;

use proptest::prelude::*;
use serde_json::Value;

/// Whether some crate of this build switched on `serde_json/arbitrary_precision`, which lets a `Value` hold any number.
fn values_hold_any_number() -> bool {
    serde_json::from_str::<Value>("1e999").is_ok()
}

/// One value written twice: with white space here and there, and compact.
#[derive(Clone, Debug)]
struct Text {
    spaced: String,
    compact: String,
}

fn space() -> impl Strategy<Value = String> {
    prop_oneof![4 => Just(String::new()), 1 => "[ \t\r\n]{1,3}"]
}

/// A string literal with every kind of escape.
fn literal() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        4 => any::<char>().prop_map(|c| {
            let quoted = Value::from(c.to_string()).to_string();
            quoted.split_at(quoted.len() - 1).0.split_at(1).1.to_owned()
        }),
        1 => prop::sample::select(vec![
            "\\/", "\\u0041", "\\u00e9", "\\ud83d\\ude00", "\\\"", "\\\\", " ", "{", "}", "[", ":", ",", "1",
        ])
        .prop_map(str::to_owned),
    ];
    prop::collection::vec(part, 0..6).prop_map(|parts| format!("\"{}\"", parts.concat()))
}

fn number() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<i64>().prop_map(|n| n.to_string()),
        "-?(0|[1-9][0-9]{0,40})(\\.[0-9]{1,30})?",
        "-?(0|[1-9][0-9]{0,3})(\\.[0-9]{1,3})?[eE][+-]?[0-9]{1,2}",
    ]
}

/// A value whose objects take their keys from `key`; a key that is already there is left out unless `repeat`.
fn text_of(
    key: impl Strategy<Value = String> + 'static,
    repeat: bool,
) -> impl Strategy<Value = Text> {
    let key = key.boxed();
    let leaf = prop_oneof![
        Just("null".to_owned()),
        any::<bool>().prop_map(|b| b.to_string()),
        number(),
        literal(),
    ]
    .prop_map(|text| Text {
        spaced: text.clone(),
        compact: text,
    });
    let wrapped = leaf.prop_recursive(4, 24, 4, move |inner| {
        let item = (space(), inner, space()).prop_map(|(before, item, after)| Text {
            spaced: format!("{before}{}{after}", item.spaced),
            compact: item.compact,
        });
        let item = item.boxed();
        let member = (space(), key.clone(), space(), item.clone());
        prop_oneof![
            prop::collection::vec(item, 0..4).prop_map(|items| joined('[', &items, ']')),
            prop::collection::vec(member, 0..5).prop_map(move |members| {
                let mut names = std::collections::HashSet::new();
                let items: Vec<_> = members
                    .into_iter()
                    .filter(|(_, key, ..)| {
                        let name: String = serde_json::from_str(key).expect("a string");
                        names.insert(name) || repeat
                    })
                    .map(|(before, key, between, value)| Text {
                        spaced: format!("{before}{key}{between}:{}", value.spaced),
                        compact: format!("{key}:{}", value.compact),
                    })
                    .collect();
                joined('{', &items, '}')
            }),
        ]
    });
    (space(), wrapped, space()).prop_map(|(before, text, after)| Text {
        spaced: format!("{before}{}{after}", text.spaced),
        compact: text.compact,
    })
}

fn joined(open: char, items: &[Text], close: char) -> Text {
    let join = |form: fn(&Text) -> &str| {
        let items: Vec<_> = items.iter().map(form).collect();
        format!("{open}{}{close}", items.join(","))
    };
    Text {
        spaced: join(|item| &item.spaced),
        compact: join(|item| &item.compact),
    }
}

/// Text with exactly one reading.
fn unambiguous() -> impl Strategy<Value = Text> {
    text_of(literal(), false)
}

/// Text that often has two readings.
fn perhaps_ambiguous() -> impl Strategy<Value = Text> {
    let key = prop::sample::select(vec![
        r#""a""#,
        r#""b""#,
        r#""\u0061""#,
        r#""""#,
        r#""$serde_json::private::Number""#,
        r#""\u0024serde_json::private::RawValue""#,
        r#""$serde_json::private::Other""#,
    ]);
    text_of(key.prop_map(str::to_owned), true)
}

/// Fragments in any order: nearly never JSON, and nearly.
fn soup() -> impl Strategy<Value = String> {
    let fragment = prop::sample::select(vec![
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"",
        "\\",
        "\"a\"",
        "\"b\":",
        "null",
        "true",
        "nul",
        "-",
        "0",
        "01",
        "1.5",
        "1.",
        "1e",
        "1e5",
        "1e999",
        "-1E-999",
        " ",
        "\n",
        "\t",
        "\u{feff}",
        "\u{a0}",
        "\0",
        "ä",
        "👾",
        "\\u",
        "d800",
        "\"\\ud800\"",
        "\"\\udc00\\ud800\"",
        "//",
        "NaN",
        "{}",
        "[]",
    ]);
    prop::collection::vec(fragment, 0..8).prop_map(|fragments| fragments.concat())
}
