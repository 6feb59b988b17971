//! What an editor offers while a hooks file or a case file is written: text for every field, and a mark under what is
//! wrong.

use std::{fs, path::Path};

use hookchain::documents::{self, Document};
use jsonschema::Validator;
use serde_json::{Value, json};

fn document(name: &str) -> Document {
    let mut all = documents::all().into_iter();
    all.find(|document| document.name == name)
        .expect("a schema")
}

fn validator(name: &str) -> Validator {
    let schema = document(name).value();
    jsonschema::draft202012::meta::validate(&schema).expect("a schema of 2020-12");
    jsonschema::validator_for(&schema).expect("a schema")
}

/// A described field: where it stands, its schema, and whether it must be there.
struct Field {
    at: String,
    schema: Value,
    required: bool,
}

/// Every property of every object that the schema describes.
fn fields(schema: &Value) -> Vec<Field> {
    let mut found = Vec::new();
    collect("", schema, &mut found);
    found
}

fn collect(at: &str, schema: &Value, found: &mut Vec<Field>) {
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        let at = format!("{at}/{name}");
        collect(&at, property, found);
        found.push(Field {
            schema: property.clone(),
            required: required.contains(&json!(name)),
            at,
        });
    }
    for (name, definition) in schema["$defs"].as_object().into_iter().flatten() {
        collect(&format!("{at}/{name}"), definition, found);
    }
    for keyword in ["oneOf", "anyOf"] {
        for branch in schema[keyword].as_array().into_iter().flatten() {
            collect(at, branch, found);
        }
    }
    for keyword in ["items", "additionalProperties"] {
        if let Some(inner) = schema.get(keyword) {
            collect(at, inner, found);
        }
    }
}

/// What a reference leads to.
fn target<'a>(document: &'a Value, schema: &Value) -> Option<&'a Value> {
    let pointer = schema["$ref"].as_str()?.strip_prefix('#')?;
    document.pointer(pointer)
}

/// Whether this is a sentence that a person reads in one go.
fn is_text(text: &Value) -> bool {
    let Some(text) = text.as_str() else {
        return false;
    };
    let is_wrapped = text.replace("\n\n", "").contains('\n');
    text.len() > 10 && text.ends_with('.') && !is_wrapped
}

#[test]
fn every_field_has_a_title_and_a_text_for_whoever_points_at_it() {
    for (name, count) in [("hooks-file", 10), ("hook-test", 20)] {
        let fields = fields(&document(name).value());
        assert!(fields.len() >= count, "{name}: {}", fields.len());
        for Field { at, schema, .. } in fields {
            let title = schema["title"].as_str().unwrap_or_default();
            assert!(!title.is_empty(), "{name}{at} has no title");
            assert!(
                is_text(&schema["description"]),
                "{name}{at}: {}",
                schema["description"]
            );
        }
    }
}

#[test]
fn every_field_offers_something_to_write() {
    for name in ["hooks-file", "hook-test"] {
        let whole = document(name).value();
        for Field { at, schema, .. } in fields(&whole) {
            let referred = target(&whole, &schema);
            let words = referred.and_then(|schema| schema["oneOf"].as_array());
            let offers = schema.get("const").is_some()
                || schema["examples"]
                    .as_array()
                    .is_some_and(|list| !list.is_empty())
                || words.is_some()
                || referred.is_some_and(|schema| schema["examples"].is_array());
            assert!(offers, "{name}{at} offers nothing");
            for word in words.into_iter().flatten() {
                assert!(word["const"].is_string(), "{name}{at}: {word}");
                assert!(is_text(&word["description"]), "{name}{at}: {word}");
            }
        }
    }
}

#[test]
fn a_field_that_can_be_left_out_says_what_holds_then() {
    // What is absent here is not the same as any value.
    let absent = [
        "/$schema",
        "/record",
        "/approver",
        "/Record/keep_days",
        "/Record/keep_mib",
        "/Hook/tools",
        "/Hook/kinds",
        "/Call/tool_name",
        "/Call/tool",
        "/Call/output",
        "/Expectation/by",
        "/Expectation/reason_contains",
        "/Expectation/input",
        "/Expectation/output",
        "/Expectation/is_error",
        "/Expectation/max_ms",
        "/Expectation/asked",
        "/Expectation/context",
    ];
    for name in ["hooks-file", "hook-test"] {
        for Field {
            at,
            schema,
            required,
        } in fields(&document(name).value())
        {
            let says = schema.get("default").is_some();
            assert_eq!(
                says || required,
                !absent.contains(&at.as_str()),
                "{name}{at}"
            );
        }
    }
}

#[test]
fn what_is_offered_can_be_written() {
    for name in ["hooks-file", "hook-test"] {
        let whole = document(name).value();
        for Field { at, schema, .. } in fields(&whole) {
            let mut alone = schema.clone();
            alone["$defs"] = whole["$defs"].clone();
            let alone = jsonschema::validator_for(&alone).expect("a schema");
            let examples = schema["examples"].as_array().into_iter().flatten();
            for offered in examples.chain(schema.get("default")) {
                assert!(alone.is_valid(offered), "{name}{at}: {offered}");
            }
        }
        for (kind, definition) in whole["$defs"].as_object().expect("definitions") {
            let reference = json!({"$ref": format!("#/$defs/{kind}"), "$defs": whole["$defs"]});
            let reference = jsonschema::validator_for(&reference).expect("a schema");
            for example in definition["examples"].as_array().into_iter().flatten() {
                assert!(reference.is_valid(example), "{name}, {kind}: {example}");
            }
        }
    }
}

/// Where the validator puts its marks.
fn marks(validator: &Validator, value: &Value) -> Vec<String> {
    let errors = validator.iter_errors(value);
    let mut places: Vec<_> = errors
        .map(|error| error.instance_path().to_string())
        .collect();
    places.sort();
    places.dedup();
    places
}

#[test]
fn what_is_wrong_in_a_hooks_file_is_marked_where_it_stands() {
    let validator = validator("hooks-file");
    let hook = |field: &str, value: Value| {
        let mut file = json!({"schema": 1, "hooks": [{"name": "fine", "command": ["a"]}, {"name": "g", "command": ["./g"]}]});
        file["hooks"][1][field] = value;
        file
    };
    for (field, good, bad) in [
        ("name", json!("g"), json!("")),
        ("command", json!(["python3", "x.py"]), json!("python3 x.py")),
        ("tools", json!(["shell"]), json!("shell")),
        ("kinds", json!(["shell"]), json!([])),
        ("facts", json!(true), json!("yes")),
        ("event", json!("post_tool_use"), json!("PostToolUse")),
        ("timeout_ms", json!(1), json!(0)),
        ("on_failure", json!("allow"), json!("ignore")),
        ("mode", json!("worker"), json!("daemon")),
    ] {
        assert_eq!(
            marks(&validator, &hook(field, good)),
            Vec::<String>::new(),
            "{field}"
        );
        assert_eq!(
            marks(&validator, &hook(field, bad)),
            [format!("/hooks/1/{field}")]
        );
    }
    assert_eq!(marks(&validator, &json!({"schema": 2})), ["/schema"]);
    assert_eq!(marks(&validator, &json!({"hooks": []})), [""]);
}

#[test]
fn what_is_wrong_in_a_case_file_is_marked_where_it_stands() {
    let validator = validator("hook-test");
    let case = |pointer: &str, value: Value| {
        let call = json!({"tool_name": "t", "input": {}, "event": "post_tool_use", "output": ""});
        let mut file = json!({"schema": 1, "cases": [{"name": "n", "files": {"a": ""}, "call": call,
                                                       "expect": {"outcome": "replace"}}]});
        let (object, field) = pointer.rsplit_once('/').expect("a field");
        file.pointer_mut(object).expect("an object")[field] = value;
        file
    };
    for (pointer, good, bad) in [
        ("/schema", json!(1), json!("1")),
        ("/cases/0/name", json!("x"), json!("")),
        ("/cases/0/call/tool_name", json!("x"), json!(["x"])),
        (
            "/cases/0/call/event",
            json!("pre_tool_use"),
            json!("before"),
        ),
        ("/cases/0/call/is_error", json!(true), json!("no")),
        ("/cases/0/expect/outcome", json!("deny"), json!("denied")),
        ("/cases/0/expect/by", json!("x"), json!(null)),
        ("/cases/0/expect/input", json!({}), json!([])),
        ("/cases/0/expect/max_ms", json!(5), json!(0)),
        ("/cases/0/expect/asked", json!([]), json!("x")),
        ("/cases/0/expect/failed", json!(["x"]), json!("x")),
        (
            "/cases/0/files/a",
            json!({"text": "", "executable": true}),
            json!(7),
        ),
    ] {
        assert_eq!(
            marks(&validator, &case(pointer, good)),
            Vec::<String>::new(),
            "{pointer}"
        );
        assert_eq!(marks(&validator, &case(pointer, bad)), [pointer]);
    }
    for (pointer, object) in [
        ("/tests", ""),
        ("/cases/0/input", "/cases/0"),
        ("/cases/0/expect/reason", "/cases/0/expect"),
    ] {
        assert_eq!(
            marks(&validator, &case(pointer, json!(1))),
            [object],
            "{pointer}"
        );
    }
    for object in ["", "/cases/0", "/cases/0/expect"] {
        let mut file = case("/schema", json!(1));
        let place = file.pointer_mut(object).expect("an object");
        place["// why"] = json!(1);
        place["# why"] = json!([]);
        assert_eq!(marks(&validator, &file), Vec::<String>::new(), "{object}");
    }
}

#[test]
fn the_case_files_of_the_repository_are_valid() {
    let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/demo/.basis/tests");
    let validator = validator("hook-test");
    let mut count = 0;
    for entry in fs::read_dir(demo).expect("case files") {
        let text = fs::read_to_string(entry.expect("a file").path()).expect("text");
        let value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(marks(&validator, &value), Vec::<String>::new());
        count += 1;
    }
    assert!(count > 0);
}
