//! What the book and the other pages say of commands and options, and what the help of the command says.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    process::Command,
};

use super::page::{pages, repository};

#[expect(
    clippy::disallowed_methods,
    reason = "the test is a person at a shell, not a hook"
)]
fn help(args: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hookchain"));
    let ran = command.args(args).arg("--help").output().expect("runs");
    assert!(ran.status.success(), "{args:?}");
    String::from_utf8(ran.stdout).expect("UTF-8")
}

/// The long options in a text.
fn options(text: &str) -> BTreeSet<String> {
    let is_part = |c: char| c.is_ascii_lowercase() || c == '-';
    let words = text.split(|c| !is_part(c));
    words
        .filter(|word| word.starts_with("--") && word.len() > 2)
        .map(str::to_owned)
        .collect()
}

/// Every command, with the options in its help.
fn commands() -> BTreeMap<String, BTreeSet<String>> {
    let overview = help(&[]);
    let (_, listed) = overview.split_once("Commands:\n").expect("commands");
    listed
        .lines()
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .map(|name| (name.to_owned(), options_of(name)))
        .collect()
}

/// The options of a command, and of the commands below it.
fn options_of(name: &str) -> BTreeSet<String> {
    let own = help(&[name]);
    let mut all = options(&own);
    let below = own
        .split_once("Commands:\n")
        .map_or("", |(_, listed)| listed);
    for line in below.lines().take_while(|line| !line.is_empty()) {
        let word = line.split_whitespace().next().unwrap_or_default();
        if word != "help" {
            all.extend(options(&help(&[name, word])));
        }
    }
    all
}

/// The pages of the book, and those beside it, by their names.
fn texts() -> Vec<(String, String)> {
    let mut texts: Vec<_> = pages()
        .into_iter()
        .map(|page| (page.name, page.text))
        .collect();
    let docs = fs::read_dir(repository().join("docs")).expect("a folder");
    let docs = docs.map(|entry| entry.expect("an entry").path());
    let beside = docs.chain([repository().join("README.md")]);
    for path in beside.filter(|path| path.extension().is_some_and(|ending| ending == "md")) {
        let text = fs::read_to_string(&path).expect("a page");
        texts.push((path.display().to_string(), text));
    }
    texts
}

/// What stands behind `hookchain ` where a command line begins: in code, up to the end of the span, the line or the command.
fn command_lines(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for (start, opening) in text.match_indices("hookchain ") {
        let before = text.get(..start).unwrap_or_default();
        let is_code =
            before.is_empty() || before.ends_with(['`', '\n', '(']) || before.ends_with("| ");
        let rest = text.get(start + opening.len()..).unwrap_or_default();
        let line = rest
            .split(['`', '\n', '|', ';', '&'])
            .next()
            .unwrap_or_default();
        if is_code {
            found.push(line);
        }
    }
    found
}

#[test]
fn the_pages_name_commands_and_options_that_the_help_names() {
    let commands = commands();
    let mut used = BTreeSet::new();
    for (page, text) in texts() {
        for line in command_lines(&text) {
            let name = line.split_whitespace().next().unwrap_or_default();
            let Some(known) = commands.get(name) else {
                // Options of the program itself, and prose at the beginning of a line.
                assert!(
                    !line.contains("--") || name.starts_with("--"),
                    "{page}: hookchain {line}"
                );
                continue;
            };
            used.insert(name.to_owned());
            let unknown: Vec<_> = options(line)
                .into_iter()
                .filter(|o| !known.contains(o))
                .collect();
            // What stands in the input of a call is no option of the command.
            let unknown: Vec<_> = unknown
                .into_iter()
                .filter(|o| !in_quotes(line, o))
                .collect();
            assert_eq!(unknown, Vec::<String>::new(), "{page}: hookchain {line}");
        }
    }
    // And each command is explained somewhere.
    let all: BTreeSet<String> = commands.into_keys().collect();
    assert_eq!(used, all);
}

/// Whether every occurrence of the option is inside single quotes.
fn in_quotes(line: &str, option: &str) -> bool {
    let parts = line.split('\'').step_by(2);
    parts
        .into_iter()
        .all(|part| !options(part).contains(option))
}

#[test]
fn command_lines_are_found_where_they_begin() {
    let text =
        "hookchain check --strict | head\nThe hookchain command. `hookchain test --jobs 2` is\n";
    assert_eq!(command_lines(text), ["check --strict ", "test --jobs 2"]);
    assert!(in_quotes("consult --input 'git push --force'", "--force"));
    assert!(!in_quotes("consult --force '--force'", "--force"));
}
