use std::num::NonZeroU64;

use hook_dialect::bridge::Bridge;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{
    entry::Entry,
    json,
    known::Known,
    place::{Place, Syntax},
    reading::counting,
    toml,
};

fn place(bridge: &'static Bridge, format: Syntax) -> Place {
    let codex = bridge.dialect.name == "codex";
    Place {
        bridge,
        path: "settings".into(),
        format,
        trust: codex.then(|| "config.toml".into()),
        project: None,
    }
}

fn entry(bridge: &'static Bridge) -> Entry {
    Entry::new(
        bridge,
        "hookchain".into(),
        NonZeroU64::new(570).expect("not zero"),
    )
}

fn value(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

/// The settings without tables and lists of hooks that hold nothing.
fn settled(mut value: Value) -> Value {
    let object = value.as_object_mut().expect("an object");
    if let Some(hooks) = object.get_mut("hooks").and_then(Value::as_object_mut) {
        hooks.retain(|_, groups| *groups != json!([]));
        if hooks.is_empty() {
            object.remove("hooks");
        }
    }
    value
}

#[test]
fn the_entry_of_each_agent() {
    let claude = json::with(
        &place(Bridge::CLAUDE, Syntax::Json),
        "{}",
        &entry(Bridge::CLAUDE),
    );
    insta::assert_snapshot!("claude", claude.expect("written"));
    let codex = json::with(
        &place(Bridge::CODEX, Syntax::Json),
        "{}",
        &entry(Bridge::CODEX),
    );
    insta::assert_snapshot!("codex_json", codex.expect("written"));
    let codex = toml::with(
        &place(Bridge::CODEX, Syntax::Toml),
        "",
        &entry(Bridge::CODEX),
    );
    insta::assert_snapshot!("codex_toml", codex.expect("written"));
}

#[test]
fn a_list_of_codex_keeps_the_places_of_what_others_have_added_since() {
    let place = place(Bridge::CODEX, Syntax::Json);
    let with = json::with(&place, "{}", &entry(Bridge::CODEX)).expect("written");
    let mut later = value(&with);
    let other = json!({"hooks": [{"type": "command", "command": "./other.sh"}]});
    later["hooks"]["PreToolUse"]
        .as_array_mut()
        .expect("a list")
        .push(other.clone());
    let without = json::without(&place, &known(), &later.to_string()).expect("taken out");
    assert_eq!(
        value(&without),
        json!({"hooks": {"PreToolUse": [{"hooks": []}, other]}})
    );
}

#[test]
fn tables_that_were_moved_are_taken_out_and_what_was_written_by_hand_stays() {
    let place = place(Bridge::CODEX, Syntax::Toml);
    let by_hand = "model = \"x\" # mine\n\n[[hooks.PreToolUse]]\nmatcher = \"*\"\n  [[hooks.PreToolUse.hooks]]\n  \
                   type = \"command\"\n  command = \"hookchain bridge codex\"\n\n[tui]\na = 1\n";
    let found = toml::find(&place, &known(), by_hand).expect("read");
    assert_eq!((found.ours.len(), found.alike.len()), (0, 1));
    let without = toml::without(&place, &known(), by_hand).expect("nothing to take out");
    assert_eq!(without, by_hand);
    let with = toml::with(&place, by_hand, &entry(Bridge::CODEX)).expect("written");
    let moved = with.replace(
        "\n[[hooks.PostToolUse]]",
        "\n# a note\n[[hooks.PostToolUse]]",
    );
    assert_ne!(moved, with);
    let without = toml::without(&place, &known(), &moved).expect("taken out");
    assert!(
        without.contains("hookchain bridge codex") && !without.contains("/bin/sh"),
        "{without}"
    );
}

/// However often the bridge stands in a file, each byte is read some few times.
#[test]
fn what_it_costs_grows_with_the_file_and_not_with_its_square() {
    for (bridge, format) in [
        (Bridge::CLAUDE, Syntax::Json),
        (Bridge::CODEX, Syntax::Json),
        (Bridge::CODEX, Syntax::Toml),
    ] {
        let place = place(bridge, format);
        let entry = entry(bridge);
        let many = |count: usize| match format {
            Syntax::Json => {
                let one = json::with(&place, "{}", &entry).expect("written");
                let mut value = value(&one);
                for groups in value["hooks"]
                    .as_object_mut()
                    .expect("a table")
                    .values_mut()
                {
                    let group = groups[0].clone();
                    *groups = Value::from(vec![group; count]);
                }
                value.to_string()
            }
            Syntax::Toml => {
                let one = toml::with(&place, "", &entry).expect("written");
                one.repeat(count)
            }
        };
        for count in [10, 400] {
            let text = many(count);
            counting::taken();
            let (found, without) = match format {
                Syntax::Json => (
                    json::find(&place, &known(), &text),
                    json::without(&place, &known(), &text),
                ),
                Syntax::Toml => (
                    toml::find(&place, &known(), &text),
                    toml::without(&place, &known(), &text),
                ),
            };
            assert!(found.expect("read").ours.len() >= 3 * count);
            let left = without.expect("taken out");
            assert!(left.len() < 40, "{left}");
            let read = counting::taken();
            assert!(read <= 8 * text.len(), "{count}: {read} of {}", text.len());
        }
    }
}

fn known() -> Known {
    Known::with([])
}

/// Any JSON value, as deep as settings are.
fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "[ -~\\n\u{e9}\u{2028}]{0,8}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("[a-z\" ]{0,5}", inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

fn indented(value: &Value, unit: &str) -> String {
    let mut text = Vec::new();
    let formatter = serde_json::ser::PrettyFormatter::with_indent(unit.as_bytes());
    let mut serializer = serde_json::Serializer::with_formatter(&mut text, formatter);
    serde::Serialize::serialize(value, &mut serializer).expect("JSON");
    String::from_utf8(text).expect("UTF-8")
}

/// Groups of hooks of others.
fn any_groups() -> impl Strategy<Value = Value> {
    let handler =
        "[a-z ./]{1,12}".prop_map(|command| json!({"type": "command", "command": command}));
    let group = prop::collection::vec(handler, 1..3)
        .prop_map(|hooks| json!({"matcher": "Bash", "hooks": hooks}));
    prop::collection::vec(group, 0..3).prop_map(Value::from)
}

prop_compose! {
    /// Settings, and how they are laid out.
    fn any_settings()(
        rest in prop::collection::btree_map("[a-gi-z]{1,6}", any_value(), 0..4),
        hooks in prop::option::of(prop::collection::btree_map(
            prop_oneof![Just("PreToolUse".to_owned()), Just("PostToolUse".to_owned()), Just("Stop".to_owned())],
            any_groups(),
            0..3,
        )),
        pretty in any::<bool>(),
        newline in prop_oneof![Just("\n"), Just("\r\n")],
        tabs in any::<bool>(),
        end in prop_oneof![Just(""), Just("\n"), Just("\n\n"), Just(" ")],
        mark in any::<bool>(),
    ) -> String {
        let mut object: serde_json::Map<String, Value> = rest.into_iter().collect();
        if let Some(hooks) = hooks {
            object.insert("hooks".into(), Value::Object(hooks.into_iter().collect()));
        }
        let value = Value::Object(object);
        let text = if pretty { indented(&value, if tabs { "\t" } else { "    " }) } else { value.to_string() };
        // Neither is inside a text: those are written with escapes.
        let text = text.replace('\n', newline) + &end.replace('\n', newline);
        if mark { format!("\u{feff}{text}") } else { text }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn whatever_the_settings_are_the_bridge_is_added_and_nothing_else_changes(text in any_settings()) {
        for bridge in Bridge::ALL {
            let place = place(bridge, Syntax::Json);
            let with = json::with(&place, &text, &entry(bridge)).expect("written");
            let found = json::find(&place, &known(), &with).expect("read");
            prop_assert_eq!(found.whole(), Some(&entry(bridge)));
            let body = |text: &str| value(text.trim_start_matches('\u{feff}'));
            let without = json::without(&place, &known(), &with).expect("taken out");
            prop_assert_eq!(settled(body(&without)), settled(body(&text)));
            // Only added, and where nothing was empty before, taken out to the byte.
            let mut left = with.chars();
            prop_assert!(text.chars().all(|c| left.any(|other| other == c)), "{with}");
            if without.len() == text.len() {
                prop_assert_eq!(&without, &text);
            }
        }
    }
}
