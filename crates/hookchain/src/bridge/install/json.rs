//! Settings in JSON: something is put between two bytes of the file, or taken out again, and no other byte changes.

use hook_contract::Json;
use hook_source::{Node, json};
use serde_json::Value;

use super::{
    entry::{Entry, Field},
    error::SettingsError,
    known::Known,
    layout::{Addition, Container, Layout},
    place::Place,
    reading::{DEPTH, Ours, Reading, count},
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
    let root = root(place, body)?;
    let layout = Layout::of(body);
    let list = || Value::from(vec![group(entry)]);
    let Some(hooks) = hooks(place, &root)? else {
        let all = |event: &str| (event.to_owned(), list());
        let hooks = Value::Object(entry.events().map(all).collect());
        let addition = Addition::new(0, vec![(Some("hooks"), hooks)]);
        return Ok(mark.to_owned() + &layout.append(&container(&root), &addition));
    };
    let mut new = body.to_owned();
    let mut missing = Vec::new();
    let mut edits: Vec<(Container, Addition<'_>)> = Vec::new();
    for event in entry.events() {
        match groups(place, hooks, event)? {
            Some(list) => {
                let addition = Addition::new(2, vec![(None, group(entry))]);
                edits.push((container(list), addition));
            }
            None => missing.push((Some(event), list())),
        }
    }
    if !missing.is_empty() {
        edits.push((container(hooks), Addition::new(1, missing)));
    }
    // From the back, so that what is before stays where it was.
    edits.sort_by_key(|(container, _)| std::cmp::Reverse(container.at()));
    for (container, addition) in edits {
        new.insert_str(container.at(), &layout.text(&container, &addition));
    }
    Ok(mark.to_owned() + &new)
}

/// What of it is the bridge.
pub(super) fn find(place: &Place, known: &Known, text: &str) -> Result<Reading, SettingsError> {
    let (_, body) = split(text);
    if body.trim().is_empty() {
        return Ok(Reading::default());
    }
    let root = root(place, body)?;
    Ok(Reading::of_root(place.bridge, known, body, &root))
}

/// The text without the bridge, and without what held nothing else.
pub(super) fn without(place: &Place, known: &Known, text: &str) -> Result<String, SettingsError> {
    let (mark, body) = split(text);
    if body.trim().is_empty() {
        return Ok(text.to_owned());
    }
    let root = root(place, body)?;
    let reading = Reading::of_root(place.bridge, known, body, &root);
    let cuts = cuts(place, &root, &reading)?;
    let mut new = mark.to_owned();
    let mut from = 0;
    for (start, end) in cuts {
        new.push_str(body.get(from..start).unwrap_or_default());
        from = end;
    }
    new.push_str(body.get(from..).unwrap_or_default());
    Ok(new)
}

/// The bytes to take out, in order.
fn cuts(
    place: &Place,
    root: &Node,
    reading: &Reading,
) -> Result<Vec<(usize, usize)>, SettingsError> {
    let mut cuts = Vec::new();
    let Some(hooks) = hooks(place, root)? else {
        return Ok(cuts);
    };
    let mut emptied = Vec::new();
    for (member, event) in hooks.members().unwrap_or_default().iter().enumerate() {
        let ours = reading.ours.iter();
        let mut ours = ours.filter(|ours| ours.spot.event == event.name).peekable();
        if ours.peek().is_none() {
            continue;
        }
        let list = event.node.list().unwrap_or_default();
        let (inside, gone) = in_groups(place, list, ours);
        if gone.len() == list.len() {
            emptied.push(member);
            continue;
        }
        cuts.extend(inside);
        cuts.extend(container(&event.node).cuts(&gone));
    }
    let lists = container(hooks);
    if !emptied.is_empty() && emptied.len() == lists.len() {
        let members = root.members().unwrap_or_default();
        let hooks = members.iter().position(|member| member.name == "hooks");
        return Ok(container(root).cuts(hooks.as_slice()));
    }
    cuts.extend(lists.cuts(&emptied));
    cuts.sort_unstable();
    Ok(cuts)
}

/// What is taken out inside of the groups of an event, and which groups are taken out as a whole.
fn in_groups<'r>(
    place: &Place,
    list: &[Node],
    ours: impl Iterator<Item = &'r Ours>,
) -> (Vec<(usize, usize)>, Vec<usize>) {
    let mut places: Vec<Vec<usize>> = vec![Vec::new(); list.len()];
    for ours in ours {
        if let Some(places) = places.get_mut(ours.spot.group) {
            places.push(ours.spot.index);
        }
    }
    let mut inside = Vec::new();
    let mut gone = Vec::new();
    // Codex counts groups to recognise what is trusted: one that others follow stays, empty.
    let mut followed = false;
    for (group, (node, places)) in list.iter().zip(&places).enumerate().rev() {
        let handlers = node.get("hooks").map(container);
        let Some(handlers) = handlers.filter(|_| !places.is_empty()) else {
            followed = true;
            continue;
        };
        if handlers.len() > places.len() || (followed && place.trust.is_some()) {
            inside.extend(handlers.cuts(places));
            followed = true;
        } else {
            gone.push(group);
        }
    }
    gone.reverse();
    (inside, gone)
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

/// A file as its agent reads it: strictly, and each key once.
fn root(place: &Place, body: &str) -> Result<Node, SettingsError> {
    count(body.len());
    Json::parse(body).map_err(|error| SettingsError::Syntax {
        path: place.path.clone(),
        agent: place.bridge.dialect.title,
        message: error.to_string(),
    })?;
    let root = json::read(body, DEPTH).ok();
    let root = root.filter(|root| root.members().is_some());
    root.ok_or_else(|| shape(place, "the whole file".to_owned(), "an object"))
}

/// The table of hooks, if there is one.
fn hooks<'r>(place: &Place, root: &'r Node) -> Result<Option<&'r Node>, SettingsError> {
    match root.get("hooks") {
        Some(hooks) if hooks.members().is_none() => {
            Err(shape(place, "hooks".to_owned(), "an object"))
        }
        hooks => Ok(hooks),
    }
}

/// The groups of an event, if there are any.
fn groups<'r>(
    place: &Place,
    hooks: &'r Node,
    event: &str,
) -> Result<Option<&'r Node>, SettingsError> {
    match hooks.get(event) {
        Some(list) if list.list().is_none() => {
            Err(shape(place, format!("hooks.{event}"), "a list"))
        }
        list => Ok(list),
    }
}

/// Where an object or a list stands, and what is in it.
fn container(node: &Node) -> Container {
    let elements = match (node.members(), node.list()) {
        (Some(members), _) => {
            let range = members.iter().map(|it| (it.span.start, it.node.span.end));
            range.collect()
        }
        (None, list) => {
            let list = list.unwrap_or_default().iter();
            list.map(|it| (it.span.start, it.span.end)).collect()
        }
    };
    Container::new(node.span.start, node.span.end, elements)
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
