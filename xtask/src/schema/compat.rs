//! Whether one JSON Schema still promises what another did.
//!
//! It knows the keywords that schemars writes. A change counts as breaking when a value that was
//! valid is not any more, or a property that was described is not any more; so adding an optional
//! property or an enum value is no such change, and neither is any change of a description.

use std::collections::BTreeSet;

use serde_json::Value;

/// Keywords under which a value is only ever made narrower by a greater, or by a lesser, number.
const BOUNDS: [(&str, Narrower); 8] = [
    ("minimum", Narrower::Greater),
    ("exclusiveMinimum", Narrower::Greater),
    ("minLength", Narrower::Greater),
    ("minItems", Narrower::Greater),
    ("maximum", Narrower::Less),
    ("exclusiveMaximum", Narrower::Less),
    ("maxLength", Narrower::Less),
    ("maxItems", Narrower::Less),
];

/// Keywords that must stay exactly as they were, or go away.
const FIXED: [&str; 5] = [
    "pattern",
    "format",
    "uniqueItems",
    "multipleOf",
    "dependentRequired",
];

/// How a value that was listed and is not any more is told.
const VALUE_GONE: &str = "not valid any more is the value";

#[derive(Clone, Copy, PartialEq, Eq)]
enum Narrower {
    Greater,
    Less,
}

/// What `new` no longer promises that `old` did, each with the place where it stood.
pub(super) fn breaking_changes(old: &Value, new: &Value) -> Vec<String> {
    let comparison = Comparison { old, new };
    comparison.schema("", old, new, &[])
}

/// The two documents, in which references are looked up.
struct Comparison<'a> {
    old: &'a Value,
    new: &'a Value,
}

impl Comparison<'_> {
    /// `seen` holds the references on the way here, so that a recursive schema ends.
    fn schema(&self, at: &str, old: &Value, new: &Value, seen: &[(&str, &str)]) -> Vec<String> {
        let step = (reference(old), reference(new));
        if step != ("", "") && seen.contains(&step) {
            return Vec::new();
        }
        let seen = &[seen, &[step]].concat();
        let (old, new) = (resolved(self.old, old), resolved(self.new, new));
        if accepts_everything(new) {
            return Vec::new();
        }
        if *new == Value::Bool(false) {
            return vec![change(at, "nothing is valid any more")];
        }
        let mut changes = [types(at, old, new), values(at, old, new)].concat();
        changes.extend(required(at, old, new));
        changes.extend(bounds(at, old, new));
        changes.extend(fixed(at, old, new));
        changes.extend(self.properties(at, old, new, seen));
        for keyword in ["items", "additionalProperties"] {
            let at = format!("{at}/{keyword}");
            changes.extend(self.schema(&at, inner(old, keyword), inner(new, keyword), seen));
        }
        for (index, new) in list(new, "prefixItems").iter().enumerate() {
            let at = format!("{at}/{index}");
            let old = list(old, "prefixItems").get(index).copied();
            changes.extend(self.schema(&at, old.unwrap_or(&EVERYTHING), new, seen));
        }
        // Constants in branches were compared as a set of values.
        if constants(new).is_none() {
            changes.extend(self.branches(at, old, new, seen));
        }
        changes
    }

    fn properties(&self, at: &str, old: &Value, new: &Value, seen: &[(&str, &str)]) -> Vec<String> {
        let properties = old["properties"].as_object().into_iter().flatten();
        properties
            .flat_map(|(name, old)| {
                let at = format!("{at}/{name}");
                match new["properties"].get(name) {
                    Some(new) => self.schema(&at, old, new, seen),
                    None => vec![change(&at, "the property is not described any more")],
                }
            })
            .collect()
    }

    /// Every form there was must still have one that takes all of it.
    fn branches(&self, at: &str, old: &Value, new: &Value, seen: &[(&str, &str)]) -> Vec<String> {
        let (before, after) = (alternatives(old), alternatives(new));
        if after.is_empty() {
            return Vec::new();
        }
        let before = if before.is_empty() { vec![old] } else { before };
        before
            .iter()
            .enumerate()
            .flat_map(|(index, old)| {
                let at = format!("{at}/form {index}");
                let attempts = after.iter().map(|new| self.schema(&at, old, new, seen));
                // The form with the same constants is the one that was meant.
                let is_another =
                    |changes: &[String]| changes.iter().any(|c| c.contains(VALUE_GONE));
                attempts
                    .min_by_key(|changes| (is_another(changes), changes.len()))
                    .unwrap_or_default()
            })
            .collect()
    }
}

fn change(at: &str, what: &str) -> String {
    let at = if at.is_empty() { "/" } else { at };
    format!("at {at}: {what}")
}

/// The schema that takes every value, as one that is absent does.
static EVERYTHING: Value = Value::Bool(true);

/// The schema in a keyword; without it everything is valid.
fn inner<'a>(schema: &'a Value, keyword: &str) -> &'a Value {
    schema.get(keyword).unwrap_or(&EVERYTHING)
}

fn reference(schema: &Value) -> &str {
    schema["$ref"].as_str().unwrap_or_default()
}

fn resolved<'a>(document: &'a Value, schema: &'a Value) -> &'a Value {
    let pointer = reference(schema).strip_prefix('#');
    let target = pointer.and_then(|pointer| document.pointer(pointer));
    target.unwrap_or(schema)
}

fn accepts_everything(schema: &Value) -> bool {
    *schema == Value::Bool(true) || schema.as_object().is_some_and(serde_json::Map::is_empty)
}

fn alternatives(schema: &Value) -> Vec<&Value> {
    [list(schema, "oneOf"), list(schema, "anyOf")].concat()
}

/// The elements of a keyword that holds a list.
fn list<'a>(schema: &'a Value, keyword: &str) -> Vec<&'a Value> {
    let list = schema.get(keyword).and_then(Value::as_array);
    list.into_iter().flatten().collect()
}

/// The types a schema allows; nothing when it does not restrict them.
fn types_of(schema: &Value) -> Option<BTreeSet<&str>> {
    let types = schema.get("type")?;
    if let Some(one) = types.as_str() {
        return Some(BTreeSet::from([one]));
    }
    let several = types.as_array()?;
    Some(several.iter().filter_map(Value::as_str).collect())
}

fn types(at: &str, old: &Value, new: &Value) -> Vec<String> {
    let Some(allowed) = types_of(new) else {
        return Vec::new();
    };
    // A form without a type of its own may have it from its constants.
    if types_of(old).is_none() && constants(old).is_some() {
        return Vec::new();
    }
    let every = ["array", "boolean", "null", "number", "object", "string"];
    let before = types_of(old).unwrap_or_else(|| every.into());
    let lost: Vec<_> = before
        .into_iter()
        .filter(|one| !(allowed.contains(one) || *one == "integer" && allowed.contains("number")))
        .collect();
    if lost.is_empty() {
        return Vec::new();
    }
    let what = format!("the type {} is not valid any more", lost.join(", "));
    vec![change(at, &what)]
}

/// The only values a schema allows, as text, when it lists them.
fn constants(schema: &Value) -> Option<BTreeSet<String>> {
    if let Some(one) = schema.get("const") {
        return Some(BTreeSet::from([one.to_string()]));
    }
    if let Some(several) = schema["enum"].as_array() {
        return Some(several.iter().map(Value::to_string).collect());
    }
    let branches = alternatives(schema);
    if branches.is_empty() {
        return None;
    }
    let branches: Option<Vec<_>> = branches.into_iter().map(constants).collect();
    Some(branches?.into_iter().flatten().collect())
}

fn values(at: &str, old: &Value, new: &Value) -> Vec<String> {
    let Some(allowed) = constants(new) else {
        return Vec::new();
    };
    let Some(before) = constants(old) else {
        return vec![change(at, "only listed values are valid any more")];
    };
    before
        .difference(&allowed)
        .map(|value| change(at, &format!("{VALUE_GONE} {value}")))
        .collect()
}

fn required(at: &str, old: &Value, new: &Value) -> Vec<String> {
    let names = |schema: &Value| -> BTreeSet<String> {
        let names = schema["required"].as_array().into_iter().flatten();
        names.filter_map(Value::as_str).map(str::to_owned).collect()
    };
    names(new)
        .difference(&names(old))
        .map(|name| change(at, &format!("`{name}` is required now")))
        .collect()
}

fn bounds(at: &str, old: &Value, new: &Value) -> Vec<String> {
    let narrower = |(keyword, narrower): &(&str, Narrower)| {
        let after = new[keyword].as_f64()?;
        let still_wide = old[keyword].as_f64().is_some_and(|before| match narrower {
            Narrower::Greater => after <= before,
            Narrower::Less => after >= before,
        });
        (!still_wide).then(|| change(at, &format!("`{keyword}` is {after} now")))
    };
    BOUNDS.iter().filter_map(narrower).collect()
}

fn fixed(at: &str, old: &Value, new: &Value) -> Vec<String> {
    FIXED
        .into_iter()
        .filter(|keyword| {
            new.get(keyword)
                .is_some_and(|_| new[keyword] != old[keyword])
        })
        .map(|keyword| change(at, &format!("`{keyword}` is {} now", new[keyword])))
        .collect()
}

#[cfg(test)]
mod tests;
