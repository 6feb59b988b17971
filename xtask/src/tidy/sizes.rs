//! How long files are.

use super::Tracked;

/// Where to think about a second file.
const AIM: usize = 400;
/// Where a second file is due.
const STOP: usize = 500;
const STOP_OF_TESTS: usize = 800;

pub(super) fn check(files: &[Tracked]) -> Vec<String> {
    let mut problems = Vec::new();
    for file in files.iter().filter(|file| file.is_rust()) {
        let path = &file.path;
        let (lines, stop) = if is_test(path) {
            (file.text.lines().count(), STOP_OF_TESTS)
        } else {
            (lines_of_code(&file.text), STOP)
        };
        if lines > stop {
            problems.push(format!(
                "{path}: {lines} lines, and {stop} is the most; give one of its ideas a file of its own"
            ));
        } else if lines > AIM && stop == STOP {
            println!("tidy: {path} has {lines} lines; at {STOP} it must be divided");
        }
    }
    problems
}

fn is_test(path: &str) -> bool {
    path.starts_with("tests/")
        || path.ends_with("/tests.rs")
        || path.contains("/tests/")
        || path.contains("/benches/")
}

/// The lines outside test modules.
fn lines_of_code(text: &str) -> usize {
    let mut lines = text.lines().peekable();
    let mut count = 0;
    while let Some(line) = lines.next() {
        let opens_tests = line == "#[cfg(test)]"
            && lines
                .peek()
                .is_some_and(|next| next.starts_with("mod ") && next.ends_with('{'));
        if opens_tests {
            lines.by_ref().find(|line| *line == "}");
        } else {
            count += 1;
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_module_does_not_count_wherever_it_stands() {
        let tests = "#[cfg(test)]\nmod tests {\n    fn a() {\n    }\n}\n";
        assert_eq!(lines_of_code("a\nb\n"), 2);
        assert_eq!(lines_of_code(&format!("a\n{tests}b\n")), 2);
        assert_eq!(lines_of_code("a\n#[cfg(test)]\nmod tests;\n"), 3);
        assert_eq!(lines_of_code("#[cfg(test)]\nfn helper() {\n}\n"), 3);
    }

    #[test]
    fn files_of_tests_are_known_by_their_place() {
        for path in [
            "tests/e2e/chain.rs",
            "crates/a/src/b/tests.rs",
            "crates/a/src/b/tests/c.rs",
        ] {
            assert!(is_test(path), "{path}");
        }
        for path in ["crates/a/src/b.rs", "crates/a/src/contests.rs"] {
            assert!(!is_test(path), "{path}");
        }
    }
}
