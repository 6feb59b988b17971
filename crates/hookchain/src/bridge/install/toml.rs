//! Settings of Codex in TOML. Tables are added at the end, and taken away as they were added.

use toml_edit::{DocumentMut, Item, TableLike};

use super::{
    entry::{Entry, Field, Presence, Spot, events, is_bridge},
    error::SettingsError,
    place::Place,
};

/// Whether hooks are declared in it, and not only kept track of.
pub(super) fn declares_hooks(text: &str) -> bool {
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

/// Whether the bridge is in it.
pub(super) fn find(place: &Place, text: &str) -> Result<Presence, SettingsError> {
    let found = found(place, &parse(place, text)?);
    Ok(found.first().map_or(Presence::Absent, |(_, command)| {
        Entry::presence(place.bridge, command, None)
    }))
}

/// Where the bridge is in it.
pub(super) fn spots(place: &Place, text: &str) -> Result<Vec<Spot>, SettingsError> {
    let found = found(place, &parse(place, text)?);
    Ok(found.into_iter().map(|(spot, _)| spot).collect())
}

/// The text without the bridge.
pub(super) fn without(place: &Place, text: &str) -> Result<String, SettingsError> {
    if let Presence::Written(entry) = find(place, text)? {
        let lines = tables(&entry).replace('\n', line_end(text));
        if let Some((before, after)) = text.split_once(&lines) {
            let rest = format!("{before}{after}");
            if matches!(find(place, &rest)?, Presence::Absent) {
                return Ok(rest);
            }
        }
    }
    // Somebody has moved or rewritten it.
    let mut document = parse(place, text)?;
    if text.contains('\r') {
        return Err(SettingsError::TouchesMore {
            path: place.path.clone(),
        });
    }
    let hooks = document.get_mut("hooks").and_then(Item::as_table_like_mut);
    if let Some(hooks) = hooks {
        for event in events(place.bridge) {
            remove(hooks, place, event);
        }
    }
    Ok(document.to_string())
}

fn remove(hooks: &mut dyn TableLike, place: &Place, event: &str) {
    let Some(groups) = hooks.get_mut(event).and_then(Item::as_array_of_tables_mut) else {
        return;
    };
    for group in groups.iter_mut() {
        if let Some(handlers) = group
            .get_mut("hooks")
            .and_then(Item::as_array_of_tables_mut)
        {
            handlers.retain(|handler| {
                let command = handler.get("command").and_then(Item::as_str);
                !command.is_some_and(|command| is_bridge(place.bridge, command))
            });
        }
    }
    let is_empty = |group: &toml_edit::Table| {
        group.get("hooks").is_none_or(|hooks| {
            hooks
                .as_array_of_tables()
                .is_some_and(toml_edit::ArrayOfTables::is_empty)
        })
    };
    // Codex counts groups to recognise what is trusted: only those at the end may go.
    while groups.iter().last().is_some_and(is_empty) {
        groups.remove(groups.len() - 1);
    }
    if groups.is_empty() {
        hooks.remove(event);
    }
}

/// The handlers that are the bridge, with their commands.
fn found(place: &Place, document: &DocumentMut) -> Vec<(Spot, String)> {
    let hooks = document.get("hooks").and_then(Item::as_table_like);
    let mut found = Vec::new();
    for event in events(place.bridge) {
        let groups = hooks.and_then(|hooks| hooks.get(event)?.as_array_of_tables());
        for (group, members) in groups.into_iter().flatten().enumerate() {
            let handlers = members.get("hooks").and_then(Item::as_array_of_tables);
            let handlers = handlers.into_iter().flatten().enumerate();
            found.extend(handlers.filter_map(|(index, handler)| {
                let command = handler.get("command").and_then(Item::as_str)?;
                let spot = Spot {
                    event,
                    group,
                    index,
                };
                is_bridge(place.bridge, command).then(|| (spot, command.to_owned()))
            }));
        }
    }
    found
}

pub(super) fn parse(place: &Place, text: &str) -> Result<DocumentMut, SettingsError> {
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
