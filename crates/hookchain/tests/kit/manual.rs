//! Completions, manual pages and the version.

use std::fs;

use crate::desk::{Desk, Ran, run};

#[track_caller]
fn stdout(args: &[&str]) -> String {
    let Ran {
        status,
        stdout,
        stderr,
    } = run(args);
    assert_eq!((status, stderr.as_str()), (Some(0), ""), "{args:?}");
    stdout
}

/// The words that are commands, and for each its long options.
fn commands() -> Vec<(String, Vec<String>)> {
    let help = stdout(&["--help"]);
    let listed = help.split("Commands:\n").nth(1).expect("commands");
    let names = listed.lines().take_while(|line| !line.is_empty());
    names
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .map(|name| {
            let help = stdout(&[name, "--help"]);
            let options = help.lines().map(str::trim_start);
            let options = options
                .filter(|line| line.starts_with('-'))
                .flat_map(|line| line.split([' ', ',']))
                .filter(|word| word.starts_with("--"));
            (name.to_owned(), options.map(str::to_owned).collect())
        })
        .collect()
}

/// The commands below a command.
fn below(command: &str) -> Vec<String> {
    let help = stdout(&[command, "--help"]);
    let listed = help.split("Commands:\n").nth(1).unwrap_or_default();
    let names = listed.lines().take_while(|line| !line.is_empty());
    names
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .map(str::to_owned)
        .collect()
}

#[test]
fn every_command_and_option_is_in_the_manual() {
    let desk = Desk::empty();
    let ran = desk.run(&["man", "--dir", "man/man1"]);
    assert_eq!(
        (ran.status, ran.stdout.as_str(), ran.stderr.as_str()),
        (Some(0), "", "")
    );
    assert_eq!(desk.read("man/man1/hookchain.1"), stdout(&["man"]));
    let mut expected = vec!["hookchain.1".to_owned()];
    for (command, options) in commands() {
        let file = format!("hookchain-{command}.1");
        let page = desk.read(&format!("man/man1/{file}"));
        assert!(
            page.contains("Exit status") || page.contains("Examples"),
            "{file}: {page}"
        );
        assert!(!options.is_empty(), "{command}");
        for option in options {
            let written = option.replace('-', r"\-");
            assert!(page.contains(&written), "{file} says nothing of {option}");
        }
        let overview = desk.read("man/man1/hookchain.1");
        assert!(
            overview.contains(&format!(r"hookchain\-{command}(1)")),
            "{overview}"
        );
        expected.push(file);
        expected.extend(
            below(&command)
                .iter()
                .map(|below| format!("hookchain-{command}-{below}.1")),
        );
    }
    let pages = fs::read_dir(desk.path().join("man/man1")).expect("the pages");
    let mut pages: Vec<_> = pages
        .map(|page| {
            page.expect("a page")
                .file_name()
                .into_string()
                .expect("UTF-8")
        })
        .collect();
    pages.sort();
    expected.sort();
    assert_eq!(pages, expected);
}

#[test]
fn a_manual_page_of_a_command() {
    let desk = Desk::empty();
    assert_eq!(desk.run(&["man", "--dir", "."]).status, Some(0));
    let page = desk
        .read("hookchain-test.1")
        .replace(env!("CARGO_PKG_VERSION"), "[version]");
    insta::assert_snapshot!("man_test", page);
}

#[test]
fn pages_that_cannot_be_written_are_named() {
    let desk = Desk::empty();
    desk.write("file", "");
    let ran = desk.run(&["man", "--dir", "file/man1"]);
    assert_eq!((ran.status, ran.stdout.as_str()), (Some(1), ""));
    assert_eq!(
        ran.stderr,
        "error: cannot write file/man1: Not a directory (os error 20)\n"
    );
}

#[test]
fn every_command_can_be_completed_in_every_shell() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = stdout(&["completions", shell]);
        for (command, options) in commands() {
            assert!(script.contains(&command), "{shell}: {command}");
            for option in options {
                let name = option.trim_start_matches('-');
                assert!(script.contains(name), "{shell}: {command} {option}");
            }
        }
    }
}

#[test]
fn bash_completes_what_is_typed() {
    let desk = Desk::empty();
    desk.write("completions", &stdout(&["completions", "bash"]));
    let complete = |words: &str| {
        let last = words.split(' ').count() - 1;
        let line = format!(
            "bash -c '. ./completions; COMP_WORDS=({words}); COMP_CWORD={last}; \
             _hookchain hookchain \"${{COMP_WORDS[{last}]}}\" \"${{COMP_WORDS[{last}-1]}}\"; \
             printf \"%s\\n\" \"${{COMPREPLY[@]}}\"'"
        );
        let ran = desk.type_in(&line);
        assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""), "{ran:?}");
        ran.stdout.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(complete("hookchain sch"), ["schema"]);
    assert_eq!(
        complete("hookchain test --with"),
        ["--with-global", "--with-ignored"]
    );
    assert_eq!(complete("hookchain init --lang p"), ["python"]);
    assert_eq!(complete("hookchain schema hooks"), ["hooks-file"]);
}

#[test]
fn the_version_says_what_is_read_and_written() {
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(stdout(&["-V"]), format!("hookchain {version}\n"));
    assert_eq!(
        stdout(&["--version"]),
        format!(
            "hookchain {version}\nrequest and response: hook_schema 1\nhooks file: schema 1\ntest cases: schema 1\n"
        )
    );
}
