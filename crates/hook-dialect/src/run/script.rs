//! The script that a hook runs, where its command says so plainly.

use std::path::Path;

use hook_source::FileReader;

/// How a script is read.
const READER: FileReader = FileReader::new("a script");

const POSIX_SHELLS: [&str; 3] = ["sh", "dash", "ash"];
const OTHER_SHELLS: [&str; 3] = ["bash", "zsh", "ksh"];

/// Interpreters whose first argument that is no option is a file.
const INTERPRETERS: [&str; 7] = ["python", "python3", "node", "deno", "bun", "perl", "ruby"];

/// The text of a script, and what reads it.
pub(super) struct Script {
    pub(super) text: String,
    pub(super) reader: Reader,
}

/// What reads a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reader {
    PosixShell,
    OtherShell,
    /// Another language.
    Other,
}

impl Reader {
    /// By the name or path of an interpreter; nothing where that is none that is known.
    pub(super) fn named(program: &str) -> Option<Self> {
        let name = program.rsplit('/').next().unwrap_or_default();
        if POSIX_SHELLS.contains(&name) {
            Some(Self::PosixShell)
        } else if OTHER_SHELLS.contains(&name) {
            Some(Self::OtherShell)
        } else {
            let known = INTERPRETERS.contains(&name) || name.starts_with("python3.");
            known.then_some(Self::Other)
        }
    }

    /// By the `#!` line of a text.
    fn of_line(text: &str) -> Option<Self> {
        let line = text.strip_prefix("#!")?.lines().next()?;
        let mut words = line.split_whitespace();
        let program = words.next()?;
        if program.ends_with("/env") {
            let named = words.find(|word| !word.starts_with('-'));
            return Self::named(named?);
        }
        Self::named(program)
    }
}

/// The script of a command, read once; nothing where the command names none, or it cannot be read.
pub(super) fn script(words: &[String], directory: &Path) -> Option<Script> {
    let (path, reader) = named(words)?;
    let file = READER.read(&directory.join(path)).ok()??;
    let reader = reader.or_else(|| Reader::of_line(&file.text))?;
    Some(Script {
        text: file.text,
        reader,
    })
}

/// The file of a command, and what it is given to.
fn named(words: &[String]) -> Option<(&str, Option<Reader>)> {
    let mut words = words.iter().map(String::as_str);
    let mut program = words.next()?;
    if program.rsplit('/').next() == Some("env") {
        program = words.find(|word| !word.starts_with('-') && !word.contains('='))?;
    }
    let Some(reader) = Reader::named(program) else {
        return program.contains('/').then_some((program, None));
    };
    for word in words {
        match word.strip_prefix('-') {
            // `-c '…'`, `-e '…'` of an interpreter: there is no file.
            Some(letters)
                if letters.ends_with('c') || letters == "e" && reader == Reader::Other =>
            {
                return None;
            }
            Some(_option) => {}
            None => return Some((word, Some(reader))),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_command_says_which_file_is_its_script() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("a"), "#!/usr/bin/env bash\necho\n").expect("a file");
        fs::write(folder.path().join("b"), "print(1)\n").expect("a file");
        let reader = |line: &str| {
            let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
            script(&words, folder.path()).map(|script| script.reader)
        };
        assert_eq!(reader("./a --now"), Some(Reader::OtherShell));
        assert_eq!(reader("sh a"), Some(Reader::PosixShell));
        assert_eq!(reader("/bin/dash -e a"), Some(Reader::PosixShell));
        assert_eq!(reader("/usr/bin/env X=1 bash a"), Some(Reader::OtherShell));
        assert_eq!(reader("python3.12 -u b"), Some(Reader::Other));
        for none in [
            "./b",
            "./gone",
            "sh -c a",
            "python3 -c b",
            "a",
            "sh",
            "env",
            "cat a",
        ] {
            assert_eq!(reader(none), None, "{none}");
        }
    }
}
