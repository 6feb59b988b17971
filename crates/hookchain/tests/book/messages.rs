//! The messages in the source, with `…` for what is filled in.

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::page::repository;

/// What holds messages of the chain: of hooks, of hooks files, and of the call.
const SOURCES: [&str; 11] = [
    "hook-contract/src",
    "hook-wire/src",
    "hook-source/src",
    "hook-config/src",
    "hook-runner/src",
    "hook-dialect/src/bridge",
    "hookchain/src/bridge",
    "hookchain/src/serve",
    "hookchain/src/handed.rs",
    "hookchain/src/consult",
    "hookchain/src/command_error.rs",
];

/// What comes before the message of a diagnostic: its code, or the name that the message has before it becomes part of one.
const DIAGNOSTICS: [&str; 3] = [
    "Diagnostic::error(",
    "Diagnostic::warning(",
    "let message = ",
];

/// Every message of an error type, and of a diagnostic, with the file it is in.
pub(crate) fn of_errors() -> Vec<(String, String)> {
    let mut files = Vec::new();
    for source in SOURCES {
        collect(&repository().join("crates").join(source), &mut files);
    }
    let mut messages = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).expect("a file");
        let text = text
            .split("#[cfg(test)]\nmod tests {")
            .next()
            .unwrap_or(&text);
        let mut found = after(text, "#[error(");
        found.extend(
            DIAGNOSTICS
                .iter()
                .flat_map(|opening| behind_code(text, opening)),
        );
        let name = file.display().to_string();
        let found = found.into_iter().map(|message| message.0);
        messages.extend(found.map(|message| (name.clone(), message)));
    }
    assert!(messages.len() > 80, "{}", messages.len());
    messages
}

/// The texts that an implementation of `Display` writes.
pub(crate) fn of_display(file: &str, of: &str) -> Vec<String> {
    let text = source(file);
    let head = format!("impl fmt::Display for {of} {{");
    let (_, rest) = text.split_once(&head).expect("an implementation");
    let (body, _) = rest.split_once("\n}\n").expect("its end");
    let written = after(body, "f.write_str(").into_iter();
    let written = written.chain(after(body, "write!("));
    written.map(|message| message.0).collect()
}

/// The words of the kinds of failures in JSON.
pub(crate) fn words_of_kinds() -> Vec<String> {
    let text = source("hook-runner/src/failure.rs");
    let (_, rest) = text.split_once("impl FailureKind {").expect("the kinds");
    let (body, _) = rest.split_once("\n}\n").expect("their end");
    let words = body.split("=> \"").skip(1);
    words
        .filter_map(|rest| rest.split_once('"').map(|(word, _)| word.to_owned()))
        .collect()
}

/// A literal that must stand in this module, in its file or below it, as a message.
pub(crate) fn literal(file: &str, literal: &str) -> String {
    let text = module(file).replace("\\\n", "\0");
    let joined: String = text
        .split('\0')
        .enumerate()
        .map(|(index, part)| if index == 0 { part } else { part.trim_start() })
        .collect();
    assert!(joined.contains(literal), "{file} says no more: {literal}");
    filled_in(literal)
}

/// The text of a module: its file, and the files in the folder of its name.
fn module(file: &str) -> String {
    let mut text = source(file);
    let folder = repository()
        .join("crates")
        .join(file.trim_end_matches(".rs"));
    if folder.is_dir() {
        let mut files = Vec::new();
        collect(&folder, &mut files);
        text.extend(
            files
                .iter()
                .map(|file| fs::read_to_string(file).expect("a file")),
        );
    }
    text
}

fn source(file: &str) -> String {
    fs::read_to_string(repository().join("crates").join(file)).expect("a file")
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) {
    if path.is_file() {
        let is_test =
            path.ends_with("tests.rs") || path.components().any(|part| part.as_os_str() == "tests");
        if path.extension().is_some_and(|extension| extension == "rs") && !is_test {
            files.push(path.to_owned());
        }
        return;
    }
    for entry in fs::read_dir(path).expect("a folder") {
        collect(&entry.expect("an entry").path(), files);
    }
}

struct Message(String);

/// The string literals that come after each `opening`, behind an `f,` where there is one.
fn after(text: &str, opening: &str) -> Vec<Message> {
    let mut found = Vec::new();
    for rest in text.split(opening).skip(1) {
        let rest = rest.trim_start();
        let rest = rest.strip_prefix("f,").unwrap_or(rest).trim_start();
        if let Some(rest) = rest.strip_prefix('"') {
            found.push(Message(filled_in(&content(rest))));
        }
    }
    found
}

/// The string literals, formats among them, that come after each `opening`, behind a code where there is one.
fn behind_code(text: &str, opening: &str) -> Vec<Message> {
    let mut found = Vec::new();
    for rest in text.split(opening).skip(1) {
        let code = rest.trim_start().strip_prefix('"');
        let code = code.and_then(|rest| rest.split_once("\","));
        let is_code = |code: &str| {
            code.chars()
                .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
        };
        let rest = code
            .filter(|(code, _)| is_code(code))
            .map_or(rest, |(_, rest)| rest);
        let rest = rest.trim_start();
        let rest = rest.strip_prefix("format!(").unwrap_or(rest).trim_start();
        if let Some(rest) = rest.strip_prefix('"') {
            found.push(Message(filled_in(&content(rest))));
        }
    }
    found
}

/// A literal's content, without the escapes: `rest` begins behind its first quote.
fn content(rest: &str) -> String {
    let mut text = String::new();
    let mut chars = rest.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' => return text,
            '\\' => match chars.next() {
                Some('\n') => while chars.next_if(|c| c.is_whitespace()).is_some() {},
                Some('n') => text.push('\n'),
                Some('t') => text.push('\t'),
                Some(other) => text.push(other),
                None => break,
            },
            _ => text.push(c),
        }
    }
    panic!("a literal does not end: {text}");
}

/// A format as a message: `…` for each place, and one for several in a row.
fn filled_in(format: &str) -> String {
    let mut text = String::new();
    let mut chars = format.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '{' if chars.next_if_eq(&'{').is_none() => {
                while chars.next().is_some_and(|c| c != '}') {}
                if !text.ends_with('…') {
                    text.push('…');
                }
            }
            '}' => {
                chars.next_if_eq(&'}');
                text.push('}');
            }
            _ => text.push(c),
        }
    }
    text
}

#[test]
fn a_format_becomes_a_message() {
    let source = r#"
        #[error("no `{name}` in {}: {{\"a\"}}{}{x:?}", f("b"))]
        #[error(
            "one \
             two"
        )]
        #[error(transparent)]
    "#;
    let found: Vec<String> = after(source, "#[error(").into_iter().map(|m| m.0).collect();
    assert_eq!(found, ["no `…` in …: {\"a\"}…", "one two"]);
    let source = r#"
        Diagnostic::error("empty", "no call: it is empty").with_help("x")
        Diagnostic::error(
            "syntax",
            format!("{no}: not JSON: {said}"),
        )
        Diagnostic::error("elsewhere", message)
    "#;
    let found = behind_code(source, "Diagnostic::error(").into_iter();
    let found: Vec<String> = found.map(|m| m.0).collect();
    assert_eq!(found, ["no call: it is empty", "…: not JSON: …"]);
}
