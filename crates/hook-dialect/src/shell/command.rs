//! What the words of one command say.

use std::mem;

use super::{
    Odd,
    scanner::{Inner, Scanner, Word, assignment, assigns_itself, is_before_command, name_of},
};

/// Shells that have no more than POSIX says.
const POSIX_SHELLS: [&str; 3] = ["sh", "dash", "ash"];
const OTHER_SHELLS: [&str; 3] = ["bash", "zsh", "ksh"];

/// Words with which several commands end.
const CLOSERS: [&str; 4] = ["}", "fi", "done", "esac"];

impl Scanner<'_> {
    /// A command has ended: what its words say.
    pub(super) fn end_command(&mut self) {
        let words = mem::take(&mut self.words);
        let assigning = words.iter().filter(|word| !assigns_itself(&word.text));
        let assigned = assigning.filter_map(|word| assignment(&word.text));
        self.named.set.extend(assigned.map(str::to_owned));
        let mut words = words
            .iter()
            .skip_while(|word| is_before_command(&word.text));
        let texts: Vec<String> = words.clone().map(|word| word.text.clone()).collect();
        let Some(first) = words.next() else {
            return;
        };
        if !CLOSERS.contains(&first.text.as_str()) {
            self.named.commands.push(texts);
        }
        let name = first.text.as_str();
        if let Some(odd) = Odd::command(name) {
            self.named.odd.insert(odd);
        }
        let program = name.rsplit('/').next().unwrap_or_default();
        match program {
            "." | "source" | "eval" => self.named.reads_more = true,
            "read" | "for" | "select" | "mapfile" | "readarray" | "getopts" | "printf" => {
                let valid =
                    |word: &&Word| name_of(&word.text).is_some_and(|(_, rest)| rest.is_empty());
                let names = words.filter(valid).map(|word| word.text.clone());
                self.named.set.extend(names);
            }
            "[" | "test" => {
                if words.any(|word| word.text == "==") {
                    self.named.odd.insert(Odd::DoubleEquals);
                }
            }
            "set" => {
                if words.any(|word| word.text == "pipefail") {
                    self.named.odd.insert(Odd::Pipefail);
                }
            }
            _ => self.shell(first, words),
        }
    }

    /// The text that a shell is given to read (`bash -c '…'`), which nothing was expanded in.
    fn shell<'w>(&mut self, first: &'w Word, words: impl Iterator<Item = &'w Word>) {
        let words: Vec<&Word> = std::iter::once(first).chain(words).collect();
        let shell = words.iter().position(|word| is_shell(&word.text));
        let Some((shell, options)) = shell.and_then(|place| words.get(place..)?.split_first())
        else {
            return;
        };
        let is_posix = POSIX_SHELLS.contains(&name(&shell.text));
        let reads_text = |word: &&&Word| {
            let option = word.text.strip_prefix('-');
            option.is_some_and(|letters| letters.ends_with('c') && !letters.starts_with('-'))
        };
        let mut options = options.iter().skip_while(|word| !reads_text(word)).skip(1);
        if let Some(text) = options.next().filter(|word| word.is_literal) {
            self.inner.push(Inner {
                text: text.text.clone(),
                is_posix,
            });
        }
    }
}

/// Whether a word is a shell, by its name or path.
pub(crate) fn is_shell(word: &str) -> bool {
    POSIX_SHELLS.contains(&name(word)) || OTHER_SHELLS.contains(&name(word))
}

fn name(program: &str) -> &str {
    program.rsplit('/').next().unwrap_or_default()
}
