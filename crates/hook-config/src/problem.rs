//! What is wrong in a hooks file, and where.

mod help;
mod subject;

use std::{fmt, ops::Range};

use hook_contract::json::{JsonErrorKind, Position};
use hook_source::Shown;
use thiserror::Error;

pub use self::subject::{JsonType, Subject};

/// A place in a hooks file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Place {
    /// Line and column of the first character.
    pub position: Position,
    /// The bytes of the text that are meant, for whoever underlines them.
    pub span: Range<usize>,
    /// Which entry of `hooks` it is in, from 0; nothing outside the entries.
    pub entry: Option<usize>,
    /// The name of that entry's hook, where it has a readable one.
    pub hook: Option<String>,
}

impl Place {
    /// Of a text in which nothing has been read.
    pub(crate) fn of(text: &str, span: Range<usize>) -> Self {
        Self {
            position: Position::at(text, span.start),
            span,
            entry: None,
            hook: None,
        }
    }

    /// The hook, as a message names it: by its name, else by its number in the file.
    fn subject(&self) -> Option<String> {
        match (&self.hook, self.entry) {
            (Some(name), _) => Some(format!("hook `{}`", Shown(name))),
            (None, Some(index)) => Some(format!("hooks[{index}]")),
            (None, None) => None,
        }
    }

    /// `line:column: hook: `, without the hook outside the entries; `level` stands before the hook.
    pub(crate) fn prefix(&self, level: &str) -> String {
        let Position { line, column, .. } = self.position;
        match self.subject() {
            Some(subject) => format!("{line}:{column}: {level}{subject}: "),
            None => format!("{line}:{column}: {level}"),
        }
    }
}

/// One thing that is wrong in a hooks file. Correct the file at that place.
///
/// Shown as `line:column: hook: what is wrong; what to write`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Problem {
    /// Where it is.
    pub place: Place,
    /// What it is.
    pub kind: ProblemKind,
}

impl Problem {
    pub(crate) const fn new(place: Place, kind: ProblemKind) -> Self {
        Self { place, kind }
    }

    /// What to write instead.
    #[must_use]
    pub fn help(&self) -> String {
        self.kind.help()
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kind, help) = (&self.kind, self.help());
        write!(f, "{}{kind}; {help}", self.place.prefix(""))
    }
}

/// The ways in which a hooks file, or a hook given as a value, is wrong.
///
/// Each shows what is wrong; [`ProblemKind::help`] says what to write instead.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ProblemKind {
    /// The file holds nothing but white space.
    #[error("the file is empty")]
    Empty,
    /// The file is not UTF-8 text.
    #[error("the file is not UTF-8 text")]
    NotUtf8,
    /// The file is not JSON.
    #[error("not JSON: {message}")]
    #[non_exhaustive]
    Syntax {
        /// What the parser says.
        message: String,
        /// What to do about it.
        help: &'static str,
    },
    /// Something stands where another type of value belongs.
    #[error("{subject} must be {expected}, not {found}")]
    #[non_exhaustive]
    WrongType {
        /// What has the wrong type.
        subject: Subject,
        /// The type it must have, with an article.
        expected: &'static str,
        /// The type it has.
        found: JsonType,
    },
    /// A string holds half of a surrogate pair.
    #[error("{subject} holds an escape that stands for no character")]
    #[non_exhaustive]
    NotUnicode {
        /// Which string.
        subject: Subject,
    },
    /// The same key stands twice in one object.
    #[error("the field `{}` stands twice in one object", Shown(.key))]
    #[non_exhaustive]
    DuplicateKey {
        /// The key.
        key: String,
    },
    /// The value of a field that is not known is one that two readers can read in two ways, or that
    /// most cannot read at all.
    #[error("in the field `{}`: {kind}", Shown(.field))]
    #[non_exhaustive]
    Unreadable {
        /// The field.
        field: String,
        /// What is wrong with the value.
        kind: JsonErrorKind,
    },
    /// A field that is not known and so close to one that is known that it must be a mistake.
    #[error("unknown field `{}`", Shown(.field))]
    #[non_exhaustive]
    MisspeltField {
        /// The field as it is written.
        field: String,
        /// The field that is meant.
        intended: &'static str,
    },
    /// A field of a hook stands beside `hooks` instead of in one of its entries.
    #[error("the field `{}` belongs to a hook and has no meaning here", Shown(.field))]
    #[non_exhaustive]
    MisplacedField {
        /// The field as it is written.
        field: String,
    },
    /// The file does not say which version of the file's shape it is written in.
    #[error("the field `schema` is missing")]
    MissingSchema,
    /// The file is written in a shape that is not known here.
    #[error("the file declares schema {}, and this version reads schema {}", Shown(.found), crate::HOOKS_FILE_SCHEMA)]
    #[non_exhaustive]
    UnsupportedSchema {
        /// The value as it is written.
        found: String,
    },
    /// There is no `hooks`, but there are fields that are not known, one of which may be meant to be it.
    #[error("the field `hooks` is missing, and the field `{}` is not known", Shown(.beside))]
    #[non_exhaustive]
    MissingHooks {
        /// The first unknown field.
        beside: String,
    },
    /// A hook has no name or no command, or records have no directory.
    #[error("the field `{field}` is missing")]
    #[non_exhaustive]
    MissingField {
        /// `name`, `command` or `dir`.
        field: &'static str,
    },
    /// The name is empty.
    #[error("the name is empty")]
    EmptyName,
    /// The command is an empty list.
    #[error("the command is empty")]
    EmptyCommand,
    /// The first word of the command is empty.
    #[error("the first word of the command is empty")]
    EmptyProgram,
    /// The command is a single string, as for a shell.
    #[error("`command` must be an array of words, not a string")]
    #[non_exhaustive]
    CommandIsString {
        /// The string.
        text: String,
    },
    /// A word of the command holds a NUL character.
    #[error("word {} of the command holds a NUL character", .word + 1)]
    #[non_exhaustive]
    NulInCommand {
        /// Which word, from 0.
        word: usize,
    },
    /// The timeout is not a whole number of milliseconds within the limits.
    #[error("the timeout cannot be {}", Shown(.found))]
    #[non_exhaustive]
    TimeoutOutOfRange {
        /// The value as it is written; for a hook given as a value, the duration.
        found: String,
    },
    /// A workspace's file declares where records go. A repository must not say that.
    #[error("`record` has no meaning in the file of a workspace")]
    RecordInWorkspace,
    /// The directory of records is not named by an absolute path.
    #[error("`dir` cannot be \"{}\"", Shown(.found))]
    #[non_exhaustive]
    DirNotAbsolute {
        /// The path as it is written.
        found: String,
    },
    /// A bound of a worker, or of records, is not a whole number within its limits.
    #[error("`{field}` cannot be {}", Shown(.found))]
    #[non_exhaustive]
    BoundOutOfRange {
        /// `max_questions`, `max_age_ms`, `max_idle_ms`, `keep_days` or `keep_mib`.
        field: &'static str,
        /// The value as it is written; for a hook given as a value, the number or duration.
        found: String,
    },
    /// A bound of a worker stands in an entry that is none.
    #[error("`{field}` has no meaning for a hook that is no worker")]
    #[non_exhaustive]
    NeedsWorker {
        /// `max_questions`, `max_age_ms` or `max_idle_ms`.
        field: &'static str,
    },
    /// A word that is not in the field's vocabulary.
    #[error("`{field}` cannot be \"{}\"", Shown(.found))]
    #[non_exhaustive]
    UnknownWord {
        /// `event`, `on_failure`, `mode` or `capture`.
        field: &'static str,
        /// The word as it is written.
        found: String,
        /// The word that is probably meant.
        nearest: Option<&'static str>,
        /// Every word there is.
        known: Vec<&'static str>,
    },
    /// There are more problems than are listed.
    #[error("{count} more problems")]
    #[non_exhaustive]
    More {
        /// How many are not listed.
        count: usize,
    },
}

impl ProblemKind {
    /// The field that is meant by a misspelt one.
    pub(crate) const fn intended(&self) -> Option<&'static str> {
        if let Self::MisspeltField { intended, .. } = self {
            Some(intended)
        } else {
            None
        }
    }
}
