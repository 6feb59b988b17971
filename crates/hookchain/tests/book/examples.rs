//! The blocks of the pages, done as their comments say.
//!
//! | comment | what is done with the block |
//! |---|---|
//! | `request`, `response`, `hooks-file` | every value in it must be one |
//! | `write: PATH` | it becomes a file of the page's workspace |
//! | `run`, `run: STATUS` | a shell runs it there, and must end so |
//! | `prints` | the shell before it printed this on standard output; `…` stands for anything |
//! | `elsewhere` | another tool's JSON, which must be JSON |

use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use hook_config::HooksFile;
use hook_wire::{decode_request, decode_response};
use tempfile::TempDir;

use super::page::{Block, Page, pages, repository};

/// Languages of which no block may go without a look.
const EXAMINED: [&str; 6] = ["json", "sh", "python", "js", "toml", "text"];

/// Does everything that a page says, from an empty folder on.
struct Reader<'a> {
    page: &'a Page,
    directory: TempDir,
    /// What the last command printed.
    printed: Option<String>,
}

impl<'a> Reader<'a> {
    fn new(page: &'a Page) -> Self {
        let directory = tempfile::tempdir().expect("a directory");
        for name in ["ws", "home"] {
            fs::create_dir(directory.path().join(name)).expect("a directory");
        }
        Self {
            page,
            directory,
            printed: None,
        }
    }

    fn workspace(&self) -> PathBuf {
        self.directory.path().join("ws")
    }

    fn follow(&mut self, block: &Block) {
        let place = format!("{}:{}", self.page.name, block.line);
        let Some(marker) = &block.marker else {
            let is_examined = EXAMINED.contains(&block.language.as_str());
            assert!(
                !is_examined || block.included().is_some(),
                "{place}: nothing says what this is"
            );
            return;
        };
        match marker.split_once(": ").unwrap_or((marker, "")) {
            ("request", "") => each_line(block, |line| {
                decode_request(line.as_bytes()).expect(&place);
            }),
            ("response", "") => each_line(block, |line| {
                let decoded = decode_response(line.as_bytes()).expect(&place);
                assert_eq!(decoded.notes, [], "{place}");
            }),
            ("hooks-file", "") => check_hooks_file(&block.text, &place),
            ("elsewhere", "") => {
                serde_json::from_str::<serde_json::Value>(&block.text).expect(&place);
            }
            ("write", path) => {
                if path == ".basis/hooks.json" {
                    check_hooks_file(&block.text, &place);
                }
                let path = self.workspace().join(path);
                fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
                fs::write(path, &block.text).expect("a file");
            }
            ("run", status) => self.run(&block.text, status, &place),
            ("prints", "") => {
                let printed = self.printed.take().expect(&place);
                assert!(
                    is_like(&printed, &block.text),
                    "{place}: it printed\n{printed}"
                );
            }
            other => panic!("{place}: {other:?} says nothing"),
        }
    }

    fn run(&mut self, script: &str, status: &str, place: &str) {
        let output = program("sh")
            .args(["-eu", "-c", script])
            .current_dir(self.workspace())
            .env_clear()
            .env("PATH", search_path())
            .env("HOME", self.directory.path().join("home"))
            .env("HOOKCHAIN", repository())
            .stdin(Stdio::null())
            .output()
            .expect("a shell");
        let errors = String::from_utf8_lossy(&output.stderr);
        let printed = String::from_utf8(output.stdout).expect("UTF-8");
        let expected = if status.is_empty() {
            0
        } else {
            status.parse().expect("a status")
        };
        assert_eq!(
            output.status.code(),
            Some(expected),
            "{place}:\n{printed}{errors}"
        );
        self.printed = Some(printed);
    }
}

/// Where the command is, and then what it and the pages need.
#[expect(
    clippy::disallowed_methods,
    reason = "the one variable that is handed on"
)]
fn search_path() -> OsString {
    let program = Path::new(env!("CARGO_BIN_EXE_hookchain"));
    let mut path = OsString::from(program.parent().expect("a folder"));
    path.push(":");
    path.push(std::env::var_os("PATH").expect("a path"));
    path
}

#[expect(
    clippy::disallowed_methods,
    reason = "the shell that the reader of a page has"
)]
fn program(name: &str) -> Command {
    Command::new(name)
}

fn each_line(block: &Block, check: impl Fn(&str)) {
    assert!(!block.text.is_empty());
    block.text.lines().for_each(check);
}

fn check_hooks_file(text: &str, place: &str) {
    let file = HooksFile::parse(text).unwrap_or_else(|error| panic!("{place}: {error}"));
    assert_eq!(file.warnings, [], "{place}");
}

/// Whether the lines are those that were expected; `…` in one stands for anything.
fn is_like(printed: &str, expected: &str) -> bool {
    printed.lines().count() == expected.lines().count()
        && printed
            .lines()
            .zip(expected.lines())
            .all(|(line, pattern)| line_is_like(line, pattern))
}

fn line_is_like(line: &str, pattern: &str) -> bool {
    let Some((first, parts)) = pattern.split_once('…') else {
        return line == pattern;
    };
    let (between, last) = parts.rsplit_once('…').unwrap_or(("", parts));
    let rest = line.strip_prefix(first);
    let Some(mut rest) = rest.and_then(|rest| rest.strip_suffix(last)) else {
        return false;
    };
    for part in between.split('…') {
        let Some((_, after)) = rest.split_once(part) else {
            return false;
        };
        rest = after;
    }
    true
}

/// Does all that a page says, and says how many blocks that were.
fn follow(page: &Page) -> usize {
    let mut reader = Reader::new(page);
    let blocks = page.blocks();
    for block in &blocks {
        reader.follow(block);
    }
    blocks.iter().filter(|block| block.marker.is_some()).count()
}

#[test]
fn every_example_does_what_its_page_says() {
    let count: usize = pages().iter().map(follow).sum();
    assert!(count > 40, "{count}");
}

#[test]
fn what_was_printed_is_compared_line_by_line() {
    for (line, pattern) in [
        ("ab", "ab"),
        ("a1b", "a…b"),
        ("a1b2", "a…b…"),
        ("a1b1b", "a…b"),
        ("a1c2b3", "a…c…b3"),
    ] {
        assert!(line_is_like(line, pattern), "{line} {pattern}");
    }
    for (line, pattern) in [
        ("ab", "a"),
        ("ab", "b"),
        ("a1c", "a…b"),
        ("abc", "…b"),
        ("aba", "ab…ba"),
        ("a1b", "a…c…b"),
    ] {
        assert!(!line_is_like(line, pattern), "{line} {pattern}");
    }
    assert!(is_like("a\nb\n", "a\n…\n"));
    assert!(!is_like("a\nb\n", "a\n"));
}
