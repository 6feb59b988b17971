use std::{
    fs,
    os::unix::fs::{PermissionsExt, symlink},
};

use tempfile::TempDir;

use super::*;

/// A workspace, and two directories of a `PATH` beside it.
struct Place(TempDir);

impl Place {
    fn new() -> Self {
        let place = Self(tempfile::tempdir().expect("a directory"));
        for directory in ["ws", "first", "second"] {
            fs::create_dir(place.path(directory)).expect("a directory");
            place.mode(directory, 0o755);
        }
        place
    }

    fn path(&self, relative: &str) -> PathBuf {
        // The directory for temporary files may be behind a link itself.
        fs::canonicalize(self.0.path())
            .expect("a directory")
            .join(relative)
    }

    fn mode(&self, relative: &str, mode: u32) {
        let mode = fs::Permissions::from_mode(mode);
        fs::set_permissions(self.path(relative), mode).expect("a mode");
    }

    fn file(&self, relative: &str, text: &str, mode: u32) -> &Self {
        fs::write(self.path(relative), text).expect("a file");
        self.mode(relative, mode);
        self
    }

    fn inspect(&self, words: &[&str]) -> Inspection {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        let search_path = [self.path("first"), self.path("second")];
        inspect(&words, &self.path("ws"), &search_path)
    }

    /// The faults of a command, each with its word and code.
    #[track_caller]
    fn check(&self, words: &[&str], expected: &[(usize, &str)]) {
        let faults = self.inspect(words).faults;
        let found: Vec<_> = faults
            .iter()
            .map(|fault| (fault.word, fault.kind.code()))
            .collect();
        assert_eq!(found, expected, "{faults:?}");
        for ProgramFault { kind, .. } in &faults {
            let (what, help) = (kind.what(), kind.help().unwrap_or_default());
            let message = kind.to_string();
            let in_two_parts = format!("{what}; {help}") == message;
            assert!(in_two_parts || what == message, "{message}");
        }
    }

    /// What is said about the only fault of a command, and the help.
    #[track_caller]
    fn said(&self, words: &[&str]) -> (String, Option<String>) {
        let faults = self.inspect(words).faults;
        let [fault] = &*faults else {
            panic!("{faults:?}")
        };
        let directory = format!("{}/", self.path("").display());
        let directory = directory.replace("//", "/");
        (fault.kind.what().replace(&directory, ""), fault.kind.help())
    }
}

#[test]
fn a_program_that_can_be_started_has_no_fault() {
    let place = Place::new();
    place
        .file("ws/guard.sh", "#!/bin/sh\n", 0o755)
        .file("second/guard", "#! /bin/sh -e\n", 0o755)
        .file("ws/elf", "\u{7f}ELF", 0o755)
        .file("ws/unknown", "\0asm", 0o755);
    for command in [
        &["./guard.sh"][..],
        &["guard", "absent.sh"],
        &["./elf"],
        &["./unknown"],
    ] {
        place.check(command, &[]);
    }
    let found = place.inspect(&["guard"]).program;
    assert_eq!(found, Some(place.path("second/guard")));
    symlink("guard.sh", place.path("ws/link")).expect("a link");
    place.check(&["./link"], &[]);
}

#[test]
fn what_keeps_a_program_from_being_started_is_told_all_at_once() {
    let place = Place::new();
    place
        .file("ws/plain", "#!/bin/sh\r\n", 0o644)
        .file("ws/text", "echo\n", 0o755)
        .file("ws/lost", "#!/no/such/shell -e\n", 0o755)
        .file("second/guard", "#!/bin/sh\n", 0o644);
    symlink("nowhere", place.path("ws/dangling")).expect("a link");
    place.check(
        &["./plain"],
        &[(0, "not_executable"), (0, "carriage_return")],
    );
    place.check(&["./text"], &[(0, "no_interpreter_line")]);
    place.check(&["./lost"], &[(0, "interpreter_not_found")]);
    place.check(&["./absent"], &[(0, "program_not_found")]);
    place.check(&["./dangling"], &[(0, "program_is_dangling_link")]);
    place.check(&["./"], &[(0, "program_is_directory")]);
    place.check(&["guard"], &[(0, "not_executable")]);
    place.check(&["absent"], &[(0, "program_not_on_path")]);
    place.check(&["/dev/null"], &[(0, "program_is_no_file")]);
    place.check(&[], &[(0, "unusable")]);
    place.check(&["./text", "a\0"], &[(1, "unusable")]);
    assert_eq!(
        place.said(&["./dangling"]),
        (
            "there is no file ws/./dangling, which is a symbolic link to nowhere".into(),
            Some("repair the link".into())
        )
    );
}

#[test]
fn an_interpreter_is_looked_for_from_the_workspace_and_must_be_a_file() {
    let place = Place::new();
    place
        .file("ws/run", "#!/bin/sh\n", 0o755)
        .file("ws/relative", "#!./run\n", 0o755)
        .file("ws/directory", "#!/usr/bin\n", 0o755);
    place.check(&["./relative"], &[]);
    place.check(&["./directory"], &[(0, "interpreter_not_found")]);
}

#[test]
fn what_env_is_to_run_must_be_on_the_path_too() {
    let place = Place::new();
    place
        .file("second/py", "#!/bin/sh\n", 0o755)
        .file("ws/good", "#!/usr/bin/env py\n", 0o755)
        .file("ws/split", "#!/usr/bin/env -S py -u\n", 0o755)
        .file("ws/crlf", "#!/usr/bin/env py\r\n", 0o755)
        .file("ws/option", "#!/usr/bin/env -i py\n", 0o755)
        .file("ws/absent", "#!/usr/bin/env pyy\n", 0o755);
    place.check(&["./good"], &[]);
    place.check(&["./split"], &[]);
    place.check(&["./crlf"], &[(0, "carriage_return")]);
    place.check(&["./option"], &[]);
    let said = place.said(&["./absent"]);
    assert_eq!(
        said.0,
        "`env` in the `#!` line of ws/./absent finds no program `pyy` in first, second"
    );
    // And in the command itself.
    place.file("second/env", "#!/bin/sh\n", 0o755);
    place.check(&["env", "py"], &[]);
    place.check(&["env", "pyy"], &[(1, "program_not_on_path")]);
    place.check(&["env", "A=b", "pyy"], &[]);
}

#[cfg(target_os = "linux")]
#[test]
fn linux_hands_env_the_rest_of_the_line_as_one_word() {
    let place = Place::new();
    place
        .file("second/py", "#!/bin/sh\n", 0o755)
        .file("ws/two", "#!/usr/bin/env py -u\n", 0o755);
    let (what, help) = place.said(&["./two"]);
    assert!(what.contains("finds no program `py -u`"), "{what}");
    assert_eq!(
        help.as_deref(),
        Some("it gets all of the line as one name: write `#!/usr/bin/env -S py -u`")
    );
}

#[test]
fn a_script_that_a_shell_reads_must_have_the_line_ends_of_a_shell() {
    let place = Place::new();
    for name in ["bash", "sh", "python3", "env"] {
        place.file(&format!("second/{name}"), "#!/bin/sh\n", 0o755);
    }
    place
        .file(
            "ws/crlf.sh",
            "#!/bin/bash\r\nif true; then\r\n  exit 2\r\nfi\r\n",
            0o644,
        )
        .file("ws/later", "#!/usr/bin/env bash\nset -e\r\n", 0o755)
        .file("ws/crlf.py", "import sys\r\nsys.exit(2)\r\n", 0o644)
        .file("ws/lf.sh", "printf 'a\\r\\n'\n", 0o644);
    for (command, word) in [
        (&["bash", "crlf.sh"][..], 1),
        (&["sh", "-e", "-ux", "crlf.sh"], 3),
        (&["env", "bash", "crlf.sh"], 2),
        (&["env", "-i", "A=b", "bash", "-e", "crlf.sh"], 5),
        (&["bash", "-o", "pipefail", "--norc", "crlf.sh"], 4),
        (&["./later"], 0),
    ] {
        place.check(command, &[(word, "carriage_return")]);
    }
    let (what, help) = place.said(&["bash", "crlf.sh"]);
    assert!(
        what.starts_with("line 2 of ws/crlf.sh ends in a carriage return"),
        "{what}"
    );
    assert_eq!(help.as_deref(), Some("save the script with LF line ends"));
    for command in [
        &["python3", "crlf.py"][..],
        &["bash", "lf.sh"],
        &["bash", "-c", "crlf.sh"],
        &["cat", "crlf.sh"],
    ] {
        let faults = place.inspect(command).faults;
        let of_line_ends = |fault: &ProgramFault| fault.kind.code() == "carriage_return";
        assert!(!faults.iter().any(of_line_ends), "{faults:?}");
    }
}

#[test]
fn the_file_an_interpreter_is_given_must_be_there() {
    let place = Place::new();
    for name in ["python3", "python3.12", "bash", "node", "awk", "env"] {
        place.file(&format!("second/{name}"), "#!/bin/sh\n", 0o755);
    }
    place
        .file("ws/a.py", "", 0o644)
        .file("ws/b.js", "", 0o644)
        .file("second/c.sh", "", 0o644);
    place.check(&["python3", "a.py", "absent"], &[]);
    place.check(&["python3", "b.py"], &[(1, "script_not_found")]);
    place.check(&["python3.12", "b.py"], &[(1, "script_not_found")]);
    place.check(&["env", "python3", "b.py"], &[(2, "script_not_found")]);
    place.check(&["python3", "-c", "print()"], &[]);
    place.check(&["node", "b"], &[]);
    place.check(&["node", "a"], &[(1, "script_not_found")]);
    place.check(&["bash", "c.sh"], &[]);
    place.check(&["bash", "./c.sh"], &[(1, "script_not_found")]);
    place.check(&["awk", "absent"], &[]);
    assert_eq!(
        place.said(&["python3", "b.py"]),
        (
            "there is no file ws/b.py for `python3` to run".into(),
            Some("correct the path, or restore the file".into())
        )
    );
}

#[test]
fn what_others_can_change_is_told_once_for_each_place() {
    let place = Place::new();
    fs::create_dir(place.path("ws/hooks")).expect("a directory");
    place
        .file("ws/hooks/guard", "#!/bin/sh\n", 0o757)
        .file("second/python3", "#!/bin/sh\n", 0o775)
        .file("ws/hooks/a.py", "", 0o646);
    place.mode("ws/hooks", 0o757);
    place.mode("first", 0o1777);
    let everybody = "writable_by_everybody";
    place.check(&["./hooks/guard"], &[(0, everybody), (0, everybody)]);
    // The directory that is searched first; a group on the machine is not the author's business.
    place.check(&["python3"], &[(0, everybody)]);
    place.check(
        &["python3", "hooks/a.py"],
        &[(0, everybody), (1, everybody), (1, everybody)],
    );
}

#[test]
fn what_only_a_shell_would_understand_is_told_as_that() {
    let place = Place::new();
    place
        .file("ws/guard.sh", "#!/bin/sh\n", 0o755)
        .file("ws/marked", "\u{feff}#!/bin/sh\n", 0o755)
        .file("ws/bare", "#!python3\n", 0o755);
    let help = |program: &str| place.said(&[program]).1.expect("a help");
    assert_eq!(
        help("python3 guard.py"),
        r#"each word is an element of its own: write ["python3", "guard.py"]"#
    );
    let program = place.path("ws/./guard.sh").display().to_string();
    assert_eq!(
        help("./guard.sh --strict"),
        format!("`{program}` is a file: write each argument as an element of its own")
    );
    for (written, part) in [("~/guard.sh", "~"), ("$HOME/guard.sh", "$HOME")] {
        assert_eq!(
            help(written),
            format!(
                "no shell reads the command, so `{part}` stands for itself: write the path out"
            )
        );
    }
    assert_eq!(
        help("./bare"),
        "a `#!` line holds a path: write `#!/usr/bin/env python3`"
    );
    assert_eq!(
        place.said(&["./marked"]),
        (
            "ws/./marked begins with a byte order mark, so the system does not see its `#!` line"
                .into(),
            Some("save the script as UTF-8 without one".into())
        )
    );
    place.check(&["./marked"], &[(0, "no_interpreter_line")]);
    // A path with a space in it is a path.
    assert_eq!(help("./my guard"), "correct the path, or restore the file");
}
