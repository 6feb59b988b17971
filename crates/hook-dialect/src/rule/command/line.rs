//! The commands of a command line, as far as a rule needs to know them.
//!
//! This is no shell: it finds where commands begin and end, also in substitutions, and takes quotes away. Where a shell
//! would see fewer commands than are found here, a hook is asked once too often.

mod reader;

use self::reader::Reader;

/// A longer line is not taken apart.
const LONGEST: usize = 256 * 1024;

/// How many bytes are read altogether, substitutions once more each time they are looked into.
const MOST_READ: usize = 1024 * 1024;

/// What a command line consists of.
pub(super) enum Line {
    /// It is too large to be taken apart.
    TooLarge,
    /// A quote or a substitution in it does not end.
    Broken,
    /// Its commands, and whether any part of it is put together by another command.
    Commands {
        commands: Vec<Simple>,
        substitutes: bool,
    },
}

/// One command with its arguments.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Simple {
    /// Its words without quotes, one blank between them; without assignments in front and redirections.
    pub(super) words: String,
    /// The same as it is written.
    pub(super) written: String,
    /// Whether its name is not known before it runs.
    pub(super) name_expands: bool,
}

impl Line {
    pub(super) fn read(line: &str) -> Self {
        if line.len() > LONGEST {
            return Self::TooLarge;
        }
        let mut texts = vec![Text::Commands(line.to_owned())];
        let (mut commands, mut substitutes, mut read) = (Vec::new(), false, 0);
        while let Some(text) = texts.pop() {
            read += text.len();
            if read > MOST_READ {
                return Self::TooLarge;
            }
            let Some(found) = Reader::new(&text).read() else {
                return Self::Broken;
            };
            commands.extend(found.commands);
            substitutes |= !found.inner.is_empty();
            texts.extend(found.inner);
        }
        Self::Commands {
            commands,
            substitutes,
        }
    }
}

/// A text that is still to be read.
enum Text {
    /// Commands.
    Commands(String),
    /// Text as between double quotes, in which only substitutions are commands.
    Quoted(String),
}

impl Text {
    fn len(&self) -> usize {
        match self {
            Self::Commands(text) | Self::Quoted(text) => text.len(),
        }
    }
}
