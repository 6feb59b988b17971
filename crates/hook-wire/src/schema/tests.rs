use super::*;
use crate::decode_response;

fn branches() -> Vec<Value> {
    let schema = Value::from(response());
    schema["oneOf"]
        .as_array()
        .expect("one per decision")
        .clone()
}

#[test]
fn the_schema_is_a_document_of_its_own() {
    let schema = Value::from(response());
    assert_eq!(
        schema["$schema"],
        "https://json-schema.org/draft/2020-12/schema"
    );
    assert_eq!(schema["$id"], "urn:hookchain:hook-response.v1");
    assert_eq!(schema["examples"], Value::from(examples()));
}

#[test]
fn each_decision_is_a_branch_with_what_it_needs() {
    let needs: Vec<_> = branches()
        .iter()
        .map(|branch| {
            assert_eq!(branch["type"], "object");
            let decision = &branch["properties"]["decision"];
            assert_eq!(decision["type"], "string");
            (decision["const"].clone(), branch["required"].clone())
        })
        .collect();
    assert_eq!(
        needs,
        [
            (json!("allow"), json!(["decision"])),
            (json!("deny"), json!(["decision"])),
            (json!("ask"), json!(["decision"])),
            (json!("modify"), json!(["decision", "input"])),
            (json!("replace"), json!(["decision", "output"])),
        ]
    );
}

#[test]
fn the_types_are_those_the_decoder_takes() {
    let [allow, deny, ask, modify, replace] = branches().try_into().expect("five");
    for branch in [&allow, &deny, &ask, &modify, &replace] {
        assert_eq!(
            branch["properties"]["reason"]["type"],
            json!(["string", "null"])
        );
        assert_eq!(
            branch["properties"]["context"]["type"],
            json!(["string", "null"])
        );
        assert_eq!(
            branch["properties"]["tool_call_id"]["type"],
            json!(["string", "null"])
        );
    }
    for branch in [&ask, &modify] {
        assert_eq!(branch["properties"]["input"]["type"], "object");
    }
    for branch in [&ask, &replace] {
        assert_eq!(
            branch["properties"]["is_error"]["type"],
            json!(["boolean", "null"])
        );
        let output = branch["properties"]["output"]
            .as_object()
            .expect("a schema");
        assert!(!output.contains_key("type"), "any value: {output:?}");
    }
}

#[test]
fn everything_is_described_and_nothing_is_forbidden() {
    for branch in branches() {
        assert!(branch["description"].is_string(), "{branch}");
        assert_eq!(branch.get("additionalProperties"), None);
        for (name, property) in branch["properties"].as_object().expect("properties") {
            let described = name == "decision" || property["description"].is_string();
            assert!(described, "{name} in {branch}");
        }
    }
}

#[test]
fn the_examples_are_answers() {
    for example in examples() {
        let decoded = decode_response(example.to_string().as_bytes()).expect("an answer");
        assert_eq!(decoded.notes, [], "{example}");
    }
}
