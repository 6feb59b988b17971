//! Texts that must stand nowhere, or only in certain files.

use super::Tracked;

/// Directories of one machine; a letter is kept apart so that this file does not name one.
const MACHINE_PATHS: [&str; 3] = [
    concat!("/", "work/"),
    concat!("/", "root/"),
    concat!("/", "farm/"),
];

/// Parts of the names of package registries' hosts.
const REGISTRIES: [&str; 4] = ["npmjs", "crates", "pypi", "debian"];

/// In Rust files: what is unfinished or switched off.
const UNFINISHED: [(&str, &str); 6] = [
    (
        concat!("#[", "ignore"),
        "a test that does not run proves nothing; mend it or delete it",
    ),
    (
        concat!("#[", "should_panic"),
        "assert the whole error instead",
    ),
    (concat!("todo", "!("), "finish it or leave it out"),
    (concat!("unimplemented", "!("), "finish it or leave it out"),
    (concat!("FIX", "ME"), "finish it or open an issue"),
    (concat!("XX", "X"), "finish it or open an issue"),
];

/// The only files with unsafe code among what is shipped (ADR 0007). Programs of the tests and the
/// benchmarks play hosts and floors that safe code cannot be.
const UNSAFE: [&str; 2] = [
    "crates/hook-runner/src/process/spawn.rs",
    "crates/hook-runner/src/process/watched.rs",
];

pub(super) fn check(files: &[Tracked]) -> Vec<String> {
    let files = files.iter().filter(|file| !file.has_extension("lock"));
    files.flat_map(problems_of).collect()
}

fn problems_of(file: &Tracked) -> Vec<String> {
    let mut problems = Vec::new();
    for (line, text) in file.lines() {
        let mut say = |what: String| problems.push(format!("{}:{line}: {what}", file.path));
        if names_a_machine_path(text) {
            say("a path of one machine; write a relative or an invented one".into());
        }
        if names_a_registry(text) {
            say("the address of a package registry; name the package instead".into());
        }
        if !file.is_rust() {
            continue;
        }
        for (word, remedy) in UNFINISHED {
            if text.contains(word) {
                say(format!("`{word}`: {remedy}"));
            }
        }
        let shipped = file.path.starts_with("crates/");
        if shipped && text.contains("unsafe_code") && !UNSAFE.contains(&file.path.as_str()) {
            say("unsafe code belongs to the two files of ADR 0007 alone".into());
        }
    }
    problems
}

fn names_a_machine_path(text: &str) -> bool {
    MACHINE_PATHS.iter().any(|path| text.contains(path)) || names_a_temporary_directory(text)
}

/// A directory of somebody's own below the system's directory for temporary files.
fn names_a_temporary_directory(text: &str) -> bool {
    text.split(concat!("/", "tmp/")).skip(1).any(|rest| {
        let name = rest.trim_start_matches(|c: char| c.is_ascii_lowercase());
        name.len() < rest.len() && name.starts_with('/')
    })
}

fn names_a_registry(text: &str) -> bool {
    text.split("://").skip(1).any(|rest| {
        let host = rest.split(['/', ' ', '"', ')']).next().unwrap_or_default();
        REGISTRIES.iter().any(|registry| host.contains(registry))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_one_machine_are_found() {
        for (before, after) in [
            ("cd /", "work/main"),
            ("/", "root/x"),
            ("\"/", "tmp/wt/a\""),
        ] {
            assert!(
                names_a_machine_path(&[before, after].concat()),
                "{before}{after}"
            );
        }
        for fine in [
            "/home/ada/project",
            "network/main",
            "/tmp",
            "/tmp/{name}",
            "/tmp/x1",
        ] {
            assert!(!names_a_machine_path(fine), "{fine}");
        }
    }

    #[test]
    fn addresses_of_registries_are_found() {
        for (scheme, host) in [("https:", "//static.crates.io/x"), ("http:", "//pypi.org")] {
            assert!(names_a_registry(&[scheme, host].concat()), "{scheme}{host}");
        }
        for fine in [
            "https://example.org/crates/a",
            "crates/hook-wire",
            "https://json-schema.org/x",
        ] {
            assert!(!names_a_registry(fine), "{fine}");
        }
    }
}
