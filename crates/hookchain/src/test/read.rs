//! A case file, from text to cases: everything that is wrong with it at once.

mod expect;

use std::{
    collections::{HashMap, hash_map::Entry},
    path::{Component, Path, PathBuf},
};

use hook_contract::{
    HookEvent,
    json::{Json, Position},
};
use hookchain::documents::HOOK_TEST_SCHEMA;
use serde_json::value::RawValue;

use super::object::kind_of;
use super::{
    case::{Case, NewFile, Template},
    object::{Object, Reader},
    problem::{Problem, ProblemKind, What},
};
use crate::consult::Call;
use hook_source::parser_words;

/// How large a case file may be.
pub(super) const MAX_FILE_BYTES: u64 = 16 * 1024 * 1024;

/// The cases of a file.
pub(super) fn read(bytes: &[u8]) -> Result<Vec<Case>, Vec<Problem>> {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text.strip_prefix('\u{feff}').unwrap_or(text),
        Err(error) => {
            let valid = bytes.get(..error.valid_up_to()).unwrap_or_default();
            let before = String::from_utf8_lossy(valid);
            return Err(vec![Problem {
                position: Position::at(&before, before.len()),
                kind: ProblemKind::NotUtf8,
            }]);
        }
    };
    let mut reader = Reader::new(text);
    let cases = file(&mut reader, text);
    let problems = reader.finish();
    match cases {
        Some(cases) if problems.is_empty() => Ok(cases),
        _ => Err(problems),
    }
}

fn file<'a>(reader: &mut Reader<'a>, text: &'a str) -> Option<Vec<Case>> {
    let whole = match serde_json::from_str::<&'a RawValue>(text) {
        Ok(whole) => whole.get(),
        Err(error) => {
            let kind = if text.trim().is_empty() {
                ProblemKind::Empty
            } else {
                ProblemKind::NotJson(parser_words(&error))
            };
            reader.wrong_in(text, Position::of_error(text, &error).offset, kind);
            return None;
        }
    };
    // Of a file of another version nothing else can be judged.
    let members = reader.members(whole, What::File)?;
    if let Some(version) = members.get("schema")
        && version != HOOK_TEST_SCHEMA.to_string()
    {
        reader.wrong(version, ProblemKind::Version);
        return None;
    }
    let object = reader.object(whole, What::File)?;
    if let Some(address) = object.get("$schema") {
        let _address: Option<String> = reader.typed(address, "$schema", "a string");
    }
    reader.required(&object, "schema");
    let list = reader.required(&object, "cases")?;
    let elements = reader.list(list, "cases")?;
    if elements.is_empty() {
        let (key, help) = ("cases", "write a case, or delete the file");
        reader.wrong(list, ProblemKind::EmptyValue { key, help });
    }
    let count = elements.len();
    let mut names = HashMap::new();
    let cases: Vec<Case> = elements
        .into_iter()
        .filter_map(|element| case(reader, element, &mut names))
        .collect();
    (cases.len() == count).then_some(cases)
}

/// The lines on which names stood first.
type Names = HashMap<String, usize>;

fn case<'a>(reader: &mut Reader<'a>, value: &'a str, names: &mut Names) -> Option<Case> {
    let position = reader.begin(value);
    let object = reader.object(value, What::Case)?;
    let name = name(reader, &object, names, position.line);
    let files = match object.get("files") {
        Some(value) => files(reader, value),
        None => Some(Vec::new()),
    };
    let call = call(reader, &object);
    let event = call.as_ref().map(|(_, event)| *event);
    let expect = match reader.required(&object, "expect") {
        Some(value) => expect::read(reader, value, event),
        None => None,
    };
    Some(Case {
        name: name?,
        position,
        files: files?,
        call: call?.0,
        expect: expect?,
    })
}

fn name<'a>(
    reader: &mut Reader<'a>,
    object: &Object<'a>,
    names: &mut Names,
    line: usize,
) -> Option<String> {
    let value = reader.required(object, "name")?;
    let name = reader.text(value, "name", "say what must hold")?;
    match names.entry(name.clone()) {
        Entry::Vacant(free) => {
            free.insert(line);
        }
        Entry::Occupied(taken) => {
            let first = *taken.get();
            reader.wrong(value, ProblemKind::SameName { first });
        }
    }
    Some(name)
}

fn files<'a>(reader: &mut Reader<'a>, value: &'a str) -> Option<Vec<NewFile>> {
    if !value.starts_with('{') {
        reader.wrong_type(value, "files", "an object of texts, by their paths");
        return None;
    }
    let members = reader.members(value, What::Case)?;
    let count = members.iter().count();
    let mut files: Vec<NewFile> = Vec::new();
    for member in members {
        let path = path(&member.name);
        if path.is_none() {
            let written = member.name.to_string();
            reader.wrong(member.name_text, ProblemKind::Path { written });
        }
        let content = content(reader, member.value);
        let (Some(path), Some((text, executable))) = (path, content) else {
            continue;
        };
        if files.iter().any(|file| file.path == path) {
            let key = member.name.to_string();
            reader.wrong(member.name_text, ProblemKind::Twice { key });
        }
        files.push(NewFile {
            path,
            text: Template(text),
            executable,
        });
    }
    (files.len() == count).then_some(files)
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

fn content<'a>(reader: &mut Reader<'a>, value: &'a str) -> Option<(String, bool)> {
    if !value.starts_with('{') {
        let text: Option<String> = serde_json::from_str(value).ok();
        if text.is_none() {
            let found = kind_of(value);
            reader.wrong(value, ProblemKind::NoContent { found });
        }
        return Some((text?, false));
    }
    let object = reader.object(value, What::Content)?;
    let text = match reader.required(&object, "text") {
        Some(value) => reader.typed(value, "text", "a string"),
        None => None,
    };
    let executable = match object.get("executable") {
        Some(value) => reader.typed(value, "executable", "true or false"),
        None => Some(false),
    };
    Some((text?, executable?))
}

/// The call as it is written, once it is known that it can be read; and its event.
fn call<'a>(reader: &mut Reader<'a>, object: &Object<'a>) -> Option<(Template, HookEvent)> {
    let value = reader.required(object, "call")?;
    match Call::parse(value.as_bytes()) {
        Ok(call) => Some((Template(value.to_owned()), call.event)),
        Err(error) => {
            let offset = error.position().map_or(0, |position| position.offset);
            reader.wrong_in(value, offset, ProblemKind::Call(error.sentence()));
            None
        }
    }
}

/// A value that can be compared.
fn json<'a>(reader: &mut Reader<'a>, value: &'a str) -> Option<Template> {
    match Json::parse(value) {
        Ok(_) => Some(Template(value.to_owned())),
        Err(error) => {
            let kind = ProblemKind::Unusable(error.kind().to_string());
            reader.wrong_in(value, error.position().offset, kind);
            None
        }
    }
}

#[cfg(test)]
mod tests;
