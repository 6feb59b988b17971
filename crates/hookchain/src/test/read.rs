//! A case file, from text to cases: everything that is wrong with it at once.

mod expect;

use std::{
    collections::{HashMap, hash_map::Entry},
    path::{Component, Path, PathBuf},
};

use hook_contract::{HookEvent, json::Json};
use hook_source::{Diagnostic, Fields, Kind, Node, Reader, Subject, SyntaxFault, json};
use hookchain::documents::HOOK_TEST_SCHEMA;

use super::{
    case::{Case, NewFile, Template},
    object::{CASE, CONTENT, DEPTH, FILE, members, object, text, twice, wrong},
};
use crate::{consult::Call, handed::quoted};

/// How many bytes a case file may have.
pub(super) const MAX_FILE_BYTES: u64 = 16 * 1024 * 1024;

/// The cases of a file, or everything that is wrong with it.
pub(super) fn read(text: &str) -> Result<Vec<Case>, Vec<Diagnostic>> {
    let mut reader = Reader::new(text);
    let cases = match json::read(text, DEPTH) {
        Ok(node) => file(&mut reader, &node),
        Err(fault) => {
            not_json(&mut reader, &fault);
            Vec::new()
        }
    };
    if reader.has_errors() {
        return Err(reader.finish_each());
    }
    Ok(cases)
}

fn not_json(reader: &mut Reader<'_>, fault: &SyntaxFault) {
    let told = if reader.text().trim().is_empty() {
        Diagnostic::error("empty", "the file is empty")
            .with_help("a case file is a JSON object with `schema` and `cases`")
    } else {
        Diagnostic::error("syntax", format!("not JSON: {}", fault.said))
    };
    reader.tell(&(fault.stopped..fault.stopped), told);
}

/// What a file says; incomplete when something is wrong.
fn file(reader: &mut Reader<'_>, node: &Node) -> Vec<Case> {
    // Of a file of another version nothing else can be judged.
    if let Some(version) = node.get("schema")
        && reader.raw(version) != HOOK_TEST_SCHEMA.to_string()
    {
        let message = format!("`schema` must be {HOOK_TEST_SCHEMA}, the only version there is");
        reader.tell(
            &version.span,
            Diagnostic::error("unsupported_schema", message),
        );
        return Vec::new();
    }
    let list = object(reader, node, &FILE).and_then(|fields| fields.get("cases")?.list());
    if list.is_some_and(<[Node]>::is_empty)
        && let Some(list) = node.get("cases")
    {
        let help = "write a case, or delete the file";
        wrong(reader, list, "empty_value", "`cases` is empty", help);
    }
    let mut names = HashMap::new();
    let elements = list.unwrap_or_default().iter().enumerate();
    let cases = elements.filter_map(|(index, node)| {
        let name = node.get("name").and_then(Node::text).map(str::to_owned);
        reader.about(Some(Subject::entry("case", "cases", index, name)));
        let case = case(reader, node, &mut names);
        reader.about(None);
        case
    });
    cases.collect()
}

/// The lines on which names stood first.
type Names = HashMap<String, usize>;

fn case(reader: &mut Reader<'_>, node: &Node, names: &mut Names) -> Option<Case> {
    let position = reader.position(node.span.start);
    let fields = object(reader, node, &CASE)?;
    let name = name(reader, &fields, names, position.line);
    let files = fields.get("files").map(|node| files(reader, node));
    let call = fields.get("call").and_then(|node| call(reader, node));
    let event = call.as_ref().map(|(_, event)| *event);
    let expect = fields.get("expect").and_then(|node| {
        let node = reader.open(node, 2);
        expect::read(reader, &node, event)
    });
    Some(Case {
        name: name?,
        position,
        files: files.unwrap_or_default(),
        call: call?.0,
        expect: expect?,
    })
}

fn name(
    reader: &mut Reader<'_>,
    fields: &Fields<'_>,
    names: &mut Names,
    line: usize,
) -> Option<String> {
    let name = text(reader, fields, "name", "say what must hold")?;
    match names.entry(name.clone()) {
        Entry::Vacant(free) => {
            free.insert(line);
        }
        Entry::Occupied(taken) => {
            let message = format!("the case on line {} has the same name", taken.get());
            let node = fields.get("name")?;
            wrong(reader, node, "same_name", message, "give this one another");
        }
    }
    Some(name)
}

/// The files of a case; incomplete when something is wrong.
fn files(reader: &mut Reader<'_>, node: &Node) -> Vec<NewFile> {
    if node.kind() != Kind::Object {
        return Vec::new();
    }
    let node = reader.open(node, 2);
    if members(reader, &node, &CASE).is_none() {
        return Vec::new();
    }
    let mut files: Vec<NewFile> = Vec::new();
    for member in node.members().unwrap_or_default() {
        let path = path(&member.name);
        if path.is_none() {
            let message = format!("{} is no path in the workspace", quoted(&member.name));
            let help = "write one like `notes/a.txt`, without `..` and not from the root";
            let told = Diagnostic::error("not_in_workspace", message);
            reader.tell(&member.span, told.with_help(help));
        }
        let content = content(reader, &member.node);
        let (Some(path), Some((text, executable))) = (path, content) else {
            continue;
        };
        if files.iter().any(|file| file.path == path) {
            reader.tell(&member.span, twice(&member.name));
        }
        files.push(NewFile {
            path,
            text: Template(text),
            executable,
        });
    }
    files
}

/// A path below the root of the workspace, written in the one way there is.
fn path(written: &str) -> Option<PathBuf> {
    let mut path = PathBuf::new();
    for part in Path::new(written).components() {
        let Component::Normal(part) = part else {
            return None;
        };
        path.push(part);
    }
    let is_plain = path.as_os_str() == written && !written.is_empty() && !written.contains('\0');
    is_plain.then_some(path)
}

fn content(reader: &mut Reader<'_>, node: &Node) -> Option<(String, bool)> {
    if node.kind() != Kind::Object {
        if node.text().is_none() {
            let found = node.kind().in_words();
            let message = format!("a file of `files` is {found}");
            let help = "it must be a text, or an object with a `text`";
            wrong(reader, node, "wrong_type", message, help);
        }
        return Some((node.text()?.to_owned(), false));
    }
    let fields = object(reader, node, &CONTENT)?;
    let text = fields.get("text")?.text()?;
    let executable = fields.get("executable").and_then(Node::flag);
    Some((text.to_owned(), executable.unwrap_or(false)))
}

/// The call as it is written, once it is known that it can be read; and its event.
fn call(reader: &mut Reader<'_>, node: &Node) -> Option<(Template, HookEvent)> {
    let written = reader.raw(node);
    match Call::parse(written.as_bytes()) {
        Ok(call) => Some((Template(written.to_owned()), call.event)),
        Err(told) => {
            let inside = told.place.as_ref().map(|place| place.span.clone());
            let inside = inside.unwrap_or(0..0);
            let start = node.span.start;
            reader.tell(&(start + inside.start..start + inside.end), *told);
            None
        }
    }
}

/// A value that can be compared.
fn json(reader: &mut Reader<'_>, node: &Node) -> Option<Template> {
    let written = reader.raw(node);
    match Json::parse(written) {
        Ok(_) => Some(Template(written.to_owned())),
        Err(error) => {
            let at = node.span.start + error.position().offset;
            let told = Diagnostic::error("unreadable", error.kind().to_string())
                .with_help("such a value cannot be compared");
            reader.tell(&(at..at), told);
            None
        }
    }
}

#[cfg(test)]
mod tests;
