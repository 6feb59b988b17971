//! All that a text says, right or wrong.

use std::ops::Range;

use hook_source::{Diagnostic, Reader, Severity};

use crate::{
    ApproverSpec, HookOrigin, HookSpec, HostSupport, RecordSpec,
    file::top::{self, Top},
    words,
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
/// assert_eq!(examined.problems[0].code, "misspelt_field");
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
    /// The program that puts a call to a person, if that is declared by an object that can be read.
    pub approver: Option<ExaminedApprover>,
    /// What is wrong, in the order of the text.
    pub problems: Vec<Diagnostic>,
    /// What is allowed and probably not meant, in the order of the text.
    pub warnings: Vec<Diagnostic>,
}

/// One entry of `hooks`, and where it stands.
///
/// ```
/// use hook_config::HooksFile;
///
/// let text = r#"{"schema": 1, "hooks": [{"name": "a"}, {"name": "b", "command": ["./b.sh"]}]}"#;
/// let examined = HooksFile::examine(text);
/// let [a, b] = &*examined.entries else { panic!("two entries") };
/// assert_eq!((a.name.as_deref(), &a.spec), (Some("a"), &None), "it has no command");
/// assert_eq!(&text[b.span.clone()], r#"{"name": "b", "command": ["./b.sh"]}"#);
/// assert_eq!(b.spec.as_ref().map(|spec| &*spec.name), Some("b"));
/// ```
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

/// The value of `approver`, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExaminedApprover {
    /// The bytes of the value.
    pub span: Range<usize>,
    /// The words of its command, where it has a readable one.
    pub command: Vec<CommandWord>,
    /// What it declares; nothing without a command. A field that is wrong is at its default.
    pub spec: Option<ApproverSpec>,
}

/// One word of a command, and where it stands.
///
/// ```
/// use hook_config::HooksFile;
///
/// let text = r#"{"schema": 1, "hooks": [{"name": "guard", "command": ["sh", "-c", "echo \u0061"]}]}"#;
/// let word = &HooksFile::examine(text).entries[0].command[2];
/// assert_eq!(word.text, "echo a");
/// assert_eq!(&text[word.span.clone()], r#""echo \u0061""#);
/// ```
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
pub(crate) fn examine(
    text: &str,
    host: &HostSupport,
    origin: impl Fn(usize, usize) -> HookOrigin,
) -> Examined {
    let mut reader = Reader::new(text);
    let Top {
        mut entries,
        record,
        record_span,
        approver,
        approver_span,
    } = top::read(&mut reader, host);
    if matches!(origin(1, 1), HookOrigin::WorkspaceFile { .. }) {
        if let Some(span) = record_span {
            reader.tell(&span, words::record_in_workspace());
        }
        if let Some(span) = approver_span {
            reader.tell(&span, words::approver_in_workspace());
        }
    }
    for entry in &mut entries {
        let position = reader.position(entry.span.start);
        let origin = origin(position.line, position.column);
        entry.spec = entry.spec.take().map(|spec| spec.with_origin(origin));
    }
    let told = reader.finish_each().into_iter();
    let (problems, warnings) = told.partition(|told| told.severity == Severity::Error);
    Examined {
        entries,
        record,
        approver,
        problems,
        warnings,
    }
}
