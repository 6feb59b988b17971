//! All that a text says, right or wrong.

use std::ops::Range;

use crate::{
    HookOrigin, HookSpec, Problem, ProblemKind, RecordSpec, Warning,
    file::{
        reader::Reader,
        top::{self, Top},
    },
};

/// All that can be said about the text of a hooks file: what is wrong in it, and its entries as far
/// as they can be read.
///
/// For whoever helps the author of the file. A text with problems declares nothing, whatever its
/// entries say: asking those that are right would silently remove the guards that are wrong.
///
/// ```
/// use hook_config::HooksFile;
///
/// let text = r#"{"schema": 1, "hooks": [{"name": "guard", "command": ["./guard.sh"], "tool": ["shell"]}]}"#;
/// let examined = HooksFile::examine(text);
/// assert_eq!(examined.problems[0].kind.code(), "misspelt_field");
/// let word = &examined.entries[0].command[0];
/// assert_eq!((&*word.text, &text[word.span.clone()]), ("./guard.sh", r#""./guard.sh""#));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Examined {
    /// The entries of `hooks` that are objects, in the order of the text.
    pub entries: Vec<ExaminedEntry>,
    /// Where what hooks say is recorded, if that is declared and can be read.
    pub record: Option<RecordSpec>,
    /// What is wrong, in the order of the text.
    pub problems: Vec<Problem>,
    /// What is allowed and probably not meant, in the order of the text.
    pub warnings: Vec<Warning>,
}

/// One entry of `hooks`, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExaminedEntry {
    /// Which entry it is, from 0.
    pub index: usize,
    /// The name of its hook, where it has a readable one.
    pub name: Option<String>,
    /// The bytes of the entry.
    pub span: Range<usize>,
    /// The words of its command, where it has a readable one.
    pub command: Vec<CommandWord>,
    /// The hook that it declares; nothing without a name or a command. Fields that are wrong are at
    /// their defaults.
    pub spec: Option<HookSpec>,
}

/// One word of a command, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CommandWord {
    /// The word.
    pub text: String,
    /// The bytes it is written as, quotes included.
    pub span: Range<usize>,
}

impl CommandWord {
    pub(super) const fn new(text: String, span: Range<usize>) -> Self {
        Self { text, span }
    }
}

/// Examines a text without a byte order mark; `origin` says where a hook is declared whose entry
/// begins on that line, at that column.
pub(crate) fn examine(text: &str, origin: impl Fn(usize, usize) -> HookOrigin) -> Examined {
    let mut reader = Reader::new(text);
    let Top {
        mut entries,
        record,
        record_text,
    } = top::read(&mut reader);
    if let Some(text) = record_text
        && matches!(origin(1, 1), HookOrigin::WorkspaceFile { .. })
    {
        reader.problem(text, ProblemKind::RecordInWorkspace);
    }
    let (problems, warnings) = reader.finish();
    let (mut line, mut column, mut counted) = (1, 1, 0);
    for entry in &mut entries {
        let before = text.get(counted..entry.span.start).unwrap_or_default();
        counted = entry.span.start;
        if let Some((_, last)) = before.rsplit_once('\n') {
            line += before.matches('\n').count();
            column = 1 + last.chars().count();
        } else {
            column += before.chars().count();
        }
        let spec = entry.spec.take();
        entry.spec = spec.map(|spec| spec.with_origin(origin(line, column)));
    }
    Examined {
        entries,
        record,
        problems,
        warnings,
    }
}
