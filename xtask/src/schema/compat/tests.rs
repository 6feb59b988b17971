use serde_json::json;

use super::*;

fn released() -> Value {
    json!({
        "type": "object",
        "required": ["name"],
        "properties": {
            "name": {"type": "string", "minLength": 1},
            "timeout_ms": {"type": ["integer", "null"], "minimum": 1, "maximum": 1000},
            "event": {"$ref": "#/$defs/Event"},
            "tools": {"type": "array", "items": {"type": "string"}},
            "anything": true,
        },
        "$defs": {
            "Event": {"oneOf": [{"const": "before"}, {"const": "after"}]},
        }
    })
}

/// The released schema with one place changed.
fn changed(pointer: &str, value: Value) -> Value {
    let mut schema = released();
    let (parent, key) = pointer.rsplit_once('/').expect("a pointer");
    let parent = schema.pointer_mut(parent).expect("the place");
    parent
        .as_object_mut()
        .expect("an object")
        .insert(key.into(), value);
    schema
}

#[track_caller]
fn check(new: &Value, expected: &[&str]) {
    assert_eq!(breaking_changes(&released(), new), expected);
}

#[test]
fn the_same_schema_breaks_nothing() {
    check(&released(), &[]);
    check(&Value::Bool(true), &[]);
}

#[test]
fn additions_break_nothing() {
    check(&changed("/properties/mode", json!({"type": "string"})), &[]);
    check(&changed("/required", json!([])), &[]);
    check(&changed("/description", json!("in other words")), &[]);
    check(&changed("/properties/name/minLength", json!(0)), &[]);
    check(
        &changed("/properties/timeout_ms/type", json!(["number", "null"])),
        &[],
    );
    check(
        &changed(
            "/$defs/Event",
            json!({"enum": ["before", "after", "instead"]}),
        ),
        &[],
    );
}

#[test]
fn a_property_that_is_gone_breaks() {
    let mut new = released();
    let properties = new["properties"].as_object_mut().expect("an object");
    properties.remove("tools").expect("it was there");
    check(&new, &["at /tools: the property is not described any more"]);
}

#[test]
fn a_property_that_is_required_now_breaks() {
    check(
        &changed("/required", json!(["name", "event"])),
        &["at /: `event` is required now"],
    );
}

#[test]
fn a_narrower_type_breaks() {
    check(
        &changed("/properties/timeout_ms/type", json!("integer")),
        &["at /timeout_ms: the type null is not valid any more"],
    );
    check(
        &changed("/properties/tools/items/type", json!("integer")),
        &["at /tools/items: the type string is not valid any more"],
    );
    check(
        &changed("/properties/anything", json!({"type": "object"})),
        &["at /anything: the type array, boolean, null, number, string is not valid any more"],
    );
    check(
        &changed("/properties/anything", Value::Bool(false)),
        &["at /anything: nothing is valid any more"],
    );
}

#[test]
fn a_value_that_is_gone_breaks_behind_a_reference_too() {
    check(
        &changed("/$defs/Event", json!({"const": "before"})),
        &[r#"at /event: not valid any more is the value "after""#],
    );
    check(
        &changed("/properties/name/enum", json!(["guard"])),
        &["at /name: only listed values are valid any more"],
    );
}

#[test]
fn a_tighter_bound_or_a_new_pattern_breaks() {
    check(
        &changed("/properties/timeout_ms/maximum", json!(999)),
        &["at /timeout_ms: `maximum` is 999 now"],
    );
    check(
        &changed("/properties/tools/minItems", json!(1)),
        &["at /tools: `minItems` is 1 now"],
    );
    check(
        &changed("/properties/tools/prefixItems", json!([{"minLength": 1}])),
        &["at /tools/0: `minLength` is 1 now"],
    );
    check(
        &changed("/properties/name/pattern", json!("^[a-z]+$")),
        &[r#"at /name: `pattern` is "^[a-z]+$" now"#],
    );
}

#[test]
fn a_closed_object_breaks() {
    check(
        &changed("/additionalProperties", Value::Bool(false)),
        &["at /additionalProperties: nothing is valid any more"],
    );
}

fn answers(forms: &[(&str, &[&str])]) -> Value {
    let forms: Vec<_> = forms
        .iter()
        .map(|(decision, required)| {
            json!({
                "type": "object",
                "properties": {"decision": {"type": "string", "const": decision}, "reason": {"type": "string"}},
                "required": required,
            })
        })
        .collect();
    json!({"oneOf": forms})
}

#[test]
fn every_form_must_keep_one_that_takes_all_of_it() {
    let old = answers(&[("allow", &["decision"]), ("deny", &["decision"])]);
    let reordered = answers(&[
        ("ask", &["decision"]),
        ("deny", &["decision"]),
        ("allow", &["decision"]),
    ]);
    assert_eq!(breaking_changes(&old, &reordered), [""; 0]);

    let gone = answers(&[("allow", &["decision"])]);
    assert_eq!(
        breaking_changes(&old, &gone),
        [r#"at /form 1/decision: not valid any more is the value "deny""#]
    );

    let narrower = answers(&[("allow", &["decision"]), ("deny", &["decision", "reason"])]);
    assert_eq!(
        breaking_changes(&old, &narrower),
        ["at /form 1: `reason` is required now"]
    );
}

#[test]
fn a_recursive_schema_comes_to_an_end() {
    let tree = |leaf: &str| {
        json!({
            "$ref": "#/$defs/Tree",
            "$defs": {"Tree": {"properties": {
                "leaf": {"type": leaf},
                "left": {"$ref": "#/$defs/Tree"},
            }}},
        })
    };
    assert_eq!(breaking_changes(&tree("string"), &tree("string")), [""; 0]);
    assert_eq!(
        breaking_changes(&tree("string"), &tree("integer")),
        ["at /leaf: the type string is not valid any more"]
    );
}
