//! Settings of Codex in TOML. Tables are added at the end, and taken away as they were added.

use std::collections::{BTreeMap, HashSet};

use hook_source::{Member, Node, Value};
use toml_edit::{DocumentMut, Item, TableLike};

use super::{
    entry::{Entry, Field, events},
    error::SettingsError,
    known::Known,
    place::{Place, Syntax},
    reading::{Reading, count},
};

/// Whether hooks are declared in it, and not only kept track of.
pub(super) fn declares_hooks(text: &str) -> bool {
    count(text.len());
    let document: Option<DocumentMut> = text.parse().ok();
    let hooks = document
        .as_ref()
        .and_then(|document| document.get("hooks")?.as_table_like());
    hooks.is_some_and(|hooks| hooks.iter().any(|(name, _)| name != "state"))
}

/// The text with the bridge's tables at its end.
pub(super) fn with(place: &Place, text: &str, entry: &Entry) -> Result<String, SettingsError> {
    parse(place, text)?;
    let new = append(text, &tables(entry));
    parse(place, &new).map_err(|_inline| SettingsError::Inline {
        path: place.path.clone(),
    })?;
    Ok(new)
}

/// The text with lines at its end, and line ends like its own.
pub(super) fn append(text: &str, lines: &str) -> String {
    let end = line_end(text);
    let mut new = text.to_owned();
    if !new.is_empty() && !new.ends_with('\n') {
        new.push_str(end);
    }
    new.push_str(&lines.replace('\n', end));
    new
}

pub(super) fn line_end(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

/// What of it is the bridge.
pub(super) fn find(place: &Place, known: &Known, text: &str) -> Result<Reading, SettingsError> {
    parse(place, text)?;
    let reading = Reading::of(place.bridge, known, Syntax::Toml, text);
    Ok(reading.unwrap_or_default())
}

/// The text without the bridge.
pub(super) fn without(place: &Place, known: &Known, text: &str) -> Result<String, SettingsError> {
    let reading = find(place, known, text)?;
    if let Some(entry) = reading.whole() {
        let lines = tables(entry).replace('\n', line_end(text));
        if let Some((before, after)) = text.split_once(&lines) {
            let rest = format!("{before}{after}");
            if find(place, known, &rest).is_ok_and(|rest| rest.ours.is_empty()) {
                return Ok(rest);
            }
        }
    }
    // It was moved or laid out anew.
    let mut document = parse(place, text)?;
    let touches_more = || SettingsError::TouchesMore {
        path: place.path.clone(),
    };
    if text.contains('\r') {
        return Err(touches_more());
    }
    let hooks = document.get_mut("hooks").and_then(Item::as_table_like_mut);
    if let Some(hooks) = hooks {
        for event in events(place.bridge) {
            let ours = reading.ours.iter();
            let ours = ours.filter(|ours| ours.spot.event == event);
            let places: HashSet<_> = ours
                .map(|ours| (ours.spot.group, ours.spot.index))
                .collect();
            if !places.is_empty() {
                remove(hooks, event, &places);
            }
        }
    }
    let new = document.to_string();
    // What stands in a list on one line was not reached.
    if find(place, known, &new)?.ours.is_empty() {
        Ok(new)
    } else {
        Err(touches_more())
    }
}

/// Takes the handlers at these places out, and what held nothing else.
fn remove(hooks: &mut dyn TableLike, event: &str, places: &HashSet<(usize, usize)>) {
    let Some(groups) = hooks.get_mut(event).and_then(Item::as_array_of_tables_mut) else {
        return;
    };
    let mut emptied = HashSet::new();
    for (group, members) in groups.iter_mut().enumerate() {
        let handlers = members.get_mut("hooks");
        let Some(handlers) = handlers.and_then(Item::as_array_of_tables_mut) else {
            continue;
        };
        let had = handlers.len();
        let mut index = 0;
        handlers.retain(|_handler| {
            index += 1;
            !places.contains(&(group, index - 1))
        });
        if handlers.is_empty() && had > 0 {
            emptied.insert(group);
        }
    }
    // Codex counts groups to recognise what is trusted: only those at the end may go.
    while let Some(last) = groups.len().checked_sub(1)
        && emptied.contains(&last)
    {
        groups.remove(last);
    }
    if groups.is_empty() {
        hooks.remove(event);
    }
}

/// Whether two documents say the same, however they are laid out. Tables without anything in them say nothing.
pub(super) fn same(one: &DocumentMut, other: &DocumentMut) -> bool {
    fn settled(document: &DocumentMut) -> Option<Node> {
        hook_source::toml::read(&document.to_string()).ok()
    }
    fn alike(one: &Value, other: &Value) -> bool {
        match (one, other) {
            (Value::List(one), Value::List(other)) => {
                let mut pairs = one.iter().zip(other);
                one.len() == other.len() && pairs.all(|(a, b)| alike(&a.value, &b.value))
            }
            (Value::Table(one), Value::Table(other)) => {
                let (one, other) = (by_name(one), by_name(other));
                let mut pairs = one.iter().zip(&other);
                one.len() == other.len() && pairs.all(|(a, b)| a.0 == b.0 && alike(a.1, b.1))
            }
            _ => one == other,
        }
    }
    fn says(node: &Node) -> bool {
        let members = node.members();
        members.is_none_or(|members| members.iter().any(|member| says(&member.node)))
    }
    fn by_name(members: &[Member]) -> BTreeMap<&str, &Value> {
        let members = members.iter().filter(|member| says(&member.node));
        members
            .map(|member| (member.name.as_str(), &member.node.value))
            .collect()
    }
    match (settled(one), settled(other)) {
        (Some(one), Some(other)) => alike(&one.value, &other.value),
        _ => false,
    }
}

pub(super) fn parse(place: &Place, text: &str) -> Result<DocumentMut, SettingsError> {
    count(text.len());
    text.parse()
        .map_err(|error: toml_edit::TomlError| SettingsError::Syntax {
            path: place.path.clone(),
            agent: place.bridge.dialect.title,
            message: error.message().to_owned(),
        })
}

fn tables(entry: &Entry) -> String {
    let mut lines = String::new();
    for event in entry.events() {
        for part in ["\n[[hooks.", event, "]]\n[[hooks.", event, ".hooks]]\n"] {
            lines.push_str(part);
        }
        for (name, field) in entry.fields() {
            let value = match field {
                Field::Text(text) => literal(&text),
                Field::Number(number) => number.to_string(),
                Field::Texts(texts) => {
                    let texts: Vec<_> = texts.iter().map(|text| literal(text)).collect();
                    format!("[{}]", texts.join(", "))
                }
            };
            for part in [name, " = ", &value, "\n"] {
                lines.push_str(part);
            }
        }
    }
    lines
}

/// A text as TOML has it on one line.
pub(super) fn literal(text: &str) -> String {
    toml_edit::Value::from(text).to_string()
}
