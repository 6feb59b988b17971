//! Settings in JSON: something is put between two bytes of the file, or taken out again, and no other byte changes.

use hook_contract::{
    Json,
    json::{Member, Members},
};
use serde_json::{Value, value::RawValue};

use super::{
    entry::{Entry, Field, Presence, Spot, events, is_bridge},
    error::SettingsError,
    layout::{Addition, Container, Layout},
    place::Place,
};

const MARK: char = '\u{feff}';

/// The text with the bridge at the end of each event's list. What stands before it keeps its place, by which Codex
/// recognises what is trusted.
pub(super) fn with(place: &Place, text: &str, entry: &Entry) -> Result<String, SettingsError> {
    let (mark, body) = split(text);
    if body.trim().is_empty() {
        let whole = with(place, "{}", entry)?;
        return Ok(format!("{mark}{whole}\n"));
    }
    let reading = Reading::of(place, body)?;
    let layout = Layout::of(body);
    let list = || Value::from(vec![group(entry)]);
    let all = |event: &str| (event.to_owned(), list());
    let Some(hooks) = reading.hooks()? else {
        let hooks = Value::Object(entry.events().map(all).collect());
        let root = reading.container(&reading.root, body);
        return Ok(mark.to_owned()
            + &layout.append(&root, &Addition::new(0, vec![(Some("hooks"), hooks)])));
    };
    let mut new = body.to_owned();
    let mut missing = Vec::new();
    let mut lists = Vec::new();
    for event in entry.events() {
        match reading.list(&hooks, event)? {
            Some(list) => lists.push(list),
            None => missing.push((Some(event), list())),
        }
    }
    // From the back, so that what is before stays where it was.
    let mut edits: Vec<(Container, Addition<'_>)> = lists
        .into_iter()
        .map(|list| {
            let addition = Addition::new(2, vec![(None, group(entry))]);
            (reading.elements(list), addition)
        })
        .collect();
    if !missing.is_empty() {
        let table = reading.container(&hooks.members, hooks.text);
        edits.push((table, Addition::new(1, missing)));
    }
    edits.sort_by_key(|(container, _)| std::cmp::Reverse(container.at()));
    for (container, addition) in edits {
        new.insert_str(container.at(), &layout.text(&container, &addition));
    }
    Ok(mark.to_owned() + &new)
}

/// Whether the bridge is in it.
pub(super) fn find(place: &Place, text: &str) -> Result<Presence, SettingsError> {
    let (_, body) = split(text);
    if body.trim().is_empty() {
        return Ok(Presence::Absent);
    }
    let found = Reading::of(place, body)?.found()?;
    Ok(found.first().map_or(Presence::Absent, |found| {
        Entry::presence(place.bridge, &found.command, found.args.as_deref())
    }))
}

/// Where the bridge is in it.
pub(super) fn spots(place: &Place, text: &str) -> Result<Vec<Spot>, SettingsError> {
    let (_, body) = split(text);
    if body.trim().is_empty() {
        return Ok(Vec::new());
    }
    let found = Reading::of(place, body)?.found()?;
    Ok(found.into_iter().map(|found| found.spot).collect())
}

/// The text without the bridge, and without what held nothing else.
pub(super) fn without(place: &Place, text: &str) -> Result<String, SettingsError> {
    let (mark, body) = split(text);
    let mut body = body.to_owned();
    while let Some((from, to)) = next_cut(place, &body)? {
        body.replace_range(from..to, "");
    }
    Ok(format!("{mark}{body}"))
}

/// The bytes to take out next.
fn next_cut(place: &Place, body: &str) -> Result<Option<(usize, usize)>, SettingsError> {
    let reading = Reading::of(place, body)?;
    let Some(found) = reading.found()?.into_iter().next() else {
        return Ok(None);
    };
    let Found {
        spot: Spot {
            event,
            group,
            index,
        },
        groups,
        handlers,
        ..
    } = found;
    if handlers.len() > 1 {
        return Ok(Some(handlers.cut(index)));
    }
    // Codex counts groups to recognise what is trusted: one that others follow stays, empty.
    if place.trust.is_some() && group + 1 < groups.len() {
        return Ok(Some(handlers.cut(index)));
    }
    if groups.len() > 1 {
        return Ok(Some(groups.cut(group)));
    }
    let Some(hooks) = reading.hooks()? else {
        return Ok(None);
    };
    let lists = reading.container(&hooks.members, hooks.text);
    if lists.len() > 1 {
        let place = hooks.members.iter().position(|member| member.name == event);
        return Ok(Some(lists.cut(place.unwrap_or(0))));
    }
    let root = reading.container(&reading.root, body);
    let place = reading
        .root
        .iter()
        .position(|member| member.name == "hooks");
    Ok(Some(root.cut(place.unwrap_or(0))))
}

/// The byte order mark, and the rest.
fn split(text: &str) -> (&str, &str) {
    let mark = if text.starts_with(MARK) {
        MARK.len_utf8()
    } else {
        0
    };
    text.split_at_checked(mark).unwrap_or(("", text))
}

/// A file as its agent reads it.
struct Reading<'a> {
    place: &'a Place,
    body: &'a str,
    root: Members<'a>,
}

/// The table of hooks.
struct Hooks<'a> {
    text: &'a str,
    members: Members<'a>,
}

/// A handler that is the bridge.
struct Found {
    command: String,
    args: Option<Vec<String>>,
    spot: Spot,
    groups: Container,
    handlers: Container,
}

impl<'a> Reading<'a> {
    /// Strictly, and each key once.
    fn of(place: &'a Place, body: &'a str) -> Result<Self, SettingsError> {
        Json::parse(body).map_err(|error| SettingsError::Syntax {
            path: place.path.clone(),
            agent: place.bridge.dialect.title,
            message: error.to_string(),
        })?;
        let root = serde_json::from_str(body);
        let root = root.map_err(|_other| shape(place, "the whole file".to_owned(), "an object"))?;
        Ok(Self { place, body, root })
    }

    fn hooks(&self) -> Result<Option<Hooks<'a>>, SettingsError> {
        let Some(text) = self.root.get("hooks") else {
            return Ok(None);
        };
        let members = serde_json::from_str(text);
        let members =
            members.map_err(|_other| shape(self.place, "hooks".to_owned(), "an object"))?;
        Ok(Some(Hooks { text, members }))
    }

    /// The groups of an event, if there are any.
    fn list(&self, hooks: &Hooks<'a>, event: &str) -> Result<Option<&'a str>, SettingsError> {
        match hooks.members.get(event) {
            Some(list) if !list.starts_with('[') => {
                Err(shape(self.place, format!("hooks.{event}"), "a list"))
            }
            list => Ok(list),
        }
    }

    /// The handlers that are the bridge.
    fn found(&self) -> Result<Vec<Found>, SettingsError> {
        let mut found = Vec::new();
        let Some(hooks) = self.hooks()? else {
            return Ok(found);
        };
        for event in events(self.place.bridge) {
            let list = self.list(&hooks, event)?.unwrap_or("[]");
            let groups = elements(list).into_iter().enumerate();
            found.extend(groups.flat_map(|group| self.in_group(event, list, group)));
        }
        Ok(found)
    }

    fn in_group(
        &self,
        event: &'static str,
        list: &'a str,
        (group, members): (usize, &'a str),
    ) -> Vec<Found> {
        let members: Option<Members<'a>> = serde_json::from_str(members).ok();
        let handlers = members
            .and_then(|members| members.get("hooks"))
            .unwrap_or("[]");
        let each = elements(handlers).into_iter().enumerate();
        let found = each.filter_map(|(index, handler)| {
            let (command, args) = self.ours(handler)?;
            Some(Found {
                command,
                args,
                spot: Spot {
                    event,
                    group,
                    index,
                },
                groups: self.elements(list),
                handlers: self.elements(handlers),
            })
        });
        found.collect()
    }

    /// The command and the arguments of a handler that is the bridge.
    fn ours(&self, handler: &str) -> Option<(String, Option<Vec<String>>)> {
        let members: Members<'_> = serde_json::from_str(handler).ok()?;
        let command: String = serde_json::from_str(members.get("command")?).ok()?;
        let args = members.get("args");
        let args: Option<Vec<String>> = args.and_then(|args| serde_json::from_str(args).ok());
        let mut line = command.clone();
        for word in args.iter().flatten() {
            line.push(' ');
            line.push_str(word);
        }
        is_bridge(self.place.bridge, &line).then_some((command, args))
    }

    /// An object of the file.
    fn container(&self, members: &Members<'a>, text: &'a str) -> Container {
        let range = |member: &Member<'a>| {
            (
                self.start(member.name_text),
                self.start(member.value) + member.value.len(),
            )
        };
        let text = text.trim();
        let start = self.start(text);
        Container::new(
            start,
            start + text.len(),
            members.iter().map(range).collect(),
        )
    }

    /// A list of the file.
    fn elements(&self, list: &'a str) -> Container {
        let start = self.start(list);
        let range = |element: &str| (self.start(element), self.start(element) + element.len());
        let ranges = elements(list).into_iter().map(range).collect();
        Container::new(start, start + list.len(), ranges)
    }

    /// Where a part of the text stands in it.
    fn start(&self, part: &str) -> usize {
        (part.as_ptr() as usize).saturating_sub(self.body.as_ptr() as usize)
    }
}

fn elements(list: &str) -> Vec<&str> {
    let elements: Vec<&RawValue> = serde_json::from_str(list).unwrap_or_default();
    elements.into_iter().map(RawValue::get).collect()
}

fn shape(place: &Place, member: String, wanted: &'static str) -> SettingsError {
    SettingsError::Shape {
        path: place.path.clone(),
        agent: place.bridge.dialect.title,
        member,
        wanted,
    }
}

/// A group that asks the bridge about every tool.
fn group(entry: &Entry) -> Value {
    // Whatever order the map has, `Layout` writes the fields in this one.
    let fields = entry.fields().into_iter().map(|(name, field)| {
        let value = match field {
            Field::Text(text) => Value::from(text),
            Field::Number(number) => Value::from(number),
            Field::Texts(texts) => Value::from(texts),
        };
        (name.to_owned(), value)
    });
    serde_json::json!({"hooks": [Value::Object(fields.collect())]})
}
