use hook_source::json;

use super::*;
use crate::bridge::install::{place::Syntax, reading::Reading};

fn known() -> Known {
    Known::with([
        "/o'clock/my dir/hookchain".into(),
        "/opt/hookchain bridge codex".into(),
    ])
}

/// The handler as it stands in a file, with something changed.
fn read(bridge: &'static Bridge, handler: &str) -> Reading {
    let event = events(bridge).next().expect("an event");
    let text = format!(r#"{{"hooks":{{"{event}":[{{"hooks":[{handler}]}}]}}}}"#);
    json::read(&text, 8).expect("JSON");
    Reading::of(bridge, &known(), Syntax::Json, &text).expect("read")
}

fn written(entry: &Entry) -> String {
    let fields = entry.fields().into_iter().map(|(name, field)| {
        let value = match field {
            Field::Text(text) => serde_json::Value::from(text),
            Field::Texts(texts) => texts.into(),
            Field::Number(number) => number.into(),
        };
        (name.to_owned(), value)
    });
    serde_json::Value::Object(fields.collect()).to_string()
}

fn every_entry() -> impl Iterator<Item = Entry> {
    let minute = NonZeroU64::new(60).expect("not zero");
    let this = super::super::known::this_program().unwrap_or_else(|_other_name| "hookchain".into());
    let programs = [
        "hookchain".into(),
        this,
        "/o'clock/my dir/hookchain".into(),
        "/opt/hookchain bridge codex".into(),
    ];
    programs.into_iter().flat_map(move |program: String| {
        let each = Bridge::ALL.into_iter().flat_map(move |bridge| {
            let entry = |within| Entry::new(bridge, program.clone(), within);
            [
                entry(DEFAULT_WITHIN),
                entry(minute),
                entry(DEFAULT_WITHIN).connecting(true),
                entry(minute).connecting(true),
            ]
        });
        each.collect::<Vec<_>>()
    })
}

#[test]
fn what_is_written_is_recognised_and_read_back() {
    for entry in every_entry() {
        let reading = read(entry.bridge, &written(&entry));
        let found: Vec<_> = reading.ours.iter().map(|ours| &ours.entry).collect();
        assert_eq!(found, [&entry], "{entry:?}");
        assert_eq!(
            found.first().map(|found| &found.program),
            Some(&entry.program)
        );
    }
}

/// Each change of an entry, however small, makes it another's hook.
#[test]
fn what_differs_in_anything_is_another_hook() {
    for entry in every_entry() {
        let whole = written(&entry);
        let value: serde_json::Value = serde_json::from_str(&whole).expect("JSON");
        let fields = value.as_object().expect("an object");
        for name in fields.keys() {
            let mut less = fields.clone();
            less.remove(name);
            none(&entry, &serde_json::Value::Object(less));
            for other in ["\"x\"", "1", "null", "[\"a\"]", "601", "\"ignore\""] {
                let mut changed = fields.clone();
                let other = serde_json::from_str(other).expect("JSON");
                changed.insert(name.clone(), other);
                none(&entry, &serde_json::Value::Object(changed));
            }
        }
        let mut more = fields.clone();
        more.insert("async".into(), true.into());
        none(&entry, &serde_json::Value::Object(more));
        for (old, new) in [
            ("hookchain", "hookchain2"),
            ("hookchain", "./hookchain"),
            ("hookchain", "/tmp/hookchain"),
            ("bridge", "bridge --within 1"),
            ("exit 2'", "exit 0'"),
            ("command\":\"", "command\":\"true; "),
            ("command\":\"", "command\":\"id > pwned; exit 0 # "),
        ] {
            let changed = whole.replacen(old, new, 1);
            if changed != whole {
                let value = serde_json::from_str(&changed).expect("JSON");
                none(&entry, &value);
            }
        }
        // Twice in one hook: which of them counts is for each reader to say.
        let twice = whole.replacen('{', "{\"timeout\":1,", 1);
        assert_eq!(read(entry.bridge, &twice).ours, []);
    }
}

#[track_caller]
fn none(entry: &Entry, handler: &serde_json::Value) {
    let reading = read(entry.bridge, &handler.to_string());
    assert_eq!(reading.ours, [], "{handler}");
}

#[test]
fn a_group_that_asks_about_some_tools_holds_no_entry() {
    let entry = Entry::new(Bridge::CLAUDE, "hookchain".into(), DEFAULT_WITHIN);
    for more in [r#""matcher":"*","#, r#""matcher":"","#, r#""note":1,"#] {
        let text = format!(
            r#"{{"hooks":{{"PreToolUse":[{{{more}"hooks":[{}]}}]}}}}"#,
            written(&entry)
        );
        let reading = Reading::of(Bridge::CLAUDE, &known(), Syntax::Json, &text).expect("read");
        assert_eq!((reading.ours.len(), reading.alike.len()), (0, 1), "{more}");
    }
}

#[test]
fn words_of_the_bridge_are_named_where_they_stand() {
    for handler in [
        r#"{"type":"command","command":"./scan.sh && hookchain bridge claude"}"#,
        r#"{"type":"command","command":"echo","args":["hookchain","bridge"]}"#,
        r#"{"type":"command","command":"true # hookchain bridge claude"}"#,
        r#"{"type":"command","command":"\u0068ookchain bridge claude"}"#,
    ] {
        let reading = read(Bridge::CLAUDE, handler);
        assert_eq!(
            (reading.ours.len(), reading.alike.len()),
            (0, 1),
            "{handler}"
        );
    }
    for handler in [
        r#"{"type":"command","command":"hookchain consult"}"#,
        r#"{"type":"command","command":"./bridge.sh"}"#,
        "7",
    ] {
        let reading = read(Bridge::CLAUDE, handler);
        assert_eq!(
            (reading.ours.len(), reading.alike.len()),
            (0, 0),
            "{handler}"
        );
    }
}
