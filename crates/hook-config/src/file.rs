//! The hooks file: from text to hooks and back.

mod approver;
mod command;
mod entry;
mod examined;
mod fields;
mod model;
mod record;
mod top;

use hook_source::Diagnostic;
use thiserror::Error;

use crate::{ApproverSpec, HookOrigin, HookSpec, HostSupport, RecordSpec};

pub(crate) use self::examined::examine;
pub use self::examined::{CommandWord, Examined, ExaminedApprover, ExaminedEntry};

#[cfg(feature = "schema")]
pub(crate) use self::model::FileModel;

/// The version of the hooks file's shape, written as `schema`.
///
/// It rises only when a file written in the old shape would mean something else in the new one. It
/// is not the version of what a hook is asked
/// ([`HOOK_SCHEMA_VERSION`](hook_contract::HOOK_SCHEMA_VERSION)).
pub const HOOKS_FILE_SCHEMA: u32 = 1;

/// How large a hooks file may be: 1 MiB.
pub const MAX_FILE_BYTES: usize = 1024 * 1024;
const _: () = assert!(MAX_FILE_BYTES as u64 == hook_source::MAX_FILE_BYTES);

/// The hooks of one file, in order, and what else it declares.
///
/// ```
/// use hook_config::HooksFile;
///
/// let file = HooksFile::parse(
///     r#"{"schema": 1, "hooks": [{"name": "guard", "command": ["guard.sh"], "workers": 4}]}"#,
/// )?;
/// assert_eq!(file.hooks[0].name, "guard");
/// assert_eq!(
///     file.warnings[0].to_string(),
///     "1:68: warning: hook `guard`: the field `workers` is not known and has no effect; \
///      remove it, or use a version that knows it",
/// );
/// # Ok::<(), hook_config::InvalidFile>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct HooksFile {
    /// The hooks, in the order in which they are asked.
    pub hooks: Vec<HookSpec>,
    /// Where what they say is recorded, if it is. Only the operator's own file may declare it.
    pub record: Option<RecordSpec>,
    /// The program that puts a call to a person, if there is one. Only the operator's own file may declare it.
    pub approver: Option<ApproverSpec>,
    /// What is allowed and probably not meant, in the order of the text.
    pub warnings: Vec<Diagnostic>,
}

impl HooksFile {
    /// A file with these hooks.
    #[must_use]
    pub const fn new(hooks: Vec<HookSpec>) -> Self {
        Self {
            hooks,
            record: None,
            approver: None,
            warnings: Vec::new(),
        }
    }

    /// Reads the text of a hooks file.
    ///
    /// One byte order mark in front is accepted; positions and spans do not count it. The hooks'
    /// origin is left at its default, so a runner asks them before the hooks of the operator's file, as
    /// hooks that the host supplies; [`HooksSource::parse`](crate::HooksSource::parse) knows the origin.
    ///
    /// # Errors
    ///
    /// With every problem of the text at once; of more than a hundred, the first hundred and how
    /// many more. A text that is not JSON has one problem only: where it stops being JSON.
    pub fn parse(text: &str) -> Result<Self, InvalidFile> {
        Self::parse_for(text, &HostSupport::new())
    }

    /// Reads the text of a hooks file for this host. What an entry asks for and the host does not have is a problem.
    ///
    /// # Errors
    ///
    /// As [`parse`](Self::parse).
    pub fn parse_for(text: &str, host: &HostSupport) -> Result<Self, InvalidFile> {
        Self::of(Self::examine_for(text, host))
    }

    /// Everything that can be said about a text, whether or not it is a hooks file. For whoever
    /// helps its author.
    ///
    /// One byte order mark in front is accepted here too, and not counted.
    #[must_use]
    pub fn examine(text: &str) -> Examined {
        Self::examine_for(text, &HostSupport::new())
    }

    /// Everything that can be said about a text, for this host.
    #[must_use]
    pub fn examine_for(text: &str, host: &HostSupport) -> Examined {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        examine(text, host, |_line, _column| HookOrigin::default())
    }

    /// The file, when nothing is wrong in it.
    pub(crate) fn of(examined: Examined) -> Result<Self, InvalidFile> {
        let Examined {
            entries,
            record,
            approver,
            problems,
            warnings,
        } = examined;
        if !problems.is_empty() {
            return Err(InvalidFile { problems, warnings });
        }
        let hooks = entries.into_iter().filter_map(|entry| entry.spec);
        Ok(Self {
            hooks: hooks.collect(),
            record,
            approver: approver.and_then(|approver| approver.spec),
            warnings,
        })
    }

    /// The text of a file with these hooks. Settings at their default are left out.
    #[must_use]
    pub fn to_json(&self) -> String {
        model::write(self)
    }
}

/// A text that is not a hooks file.
///
/// Shown with a line for each problem.
///
/// ```
/// use hook_config::HooksFile;
///
/// let error = HooksFile::parse(r#"{"schema": 1, "hooks": [{"name": "", "command": "guard.sh"}]}"#).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "1:34: hooks[0]: the name is empty; name the hook, it stands in every denial\n\
///      1:49: hooks[0]: `command` must be an array of words, not a string; write [\"guard.sh\"]"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}", lines(.problems))]
#[non_exhaustive]
pub struct InvalidFile {
    /// What is wrong, in the order of the text; at least one.
    pub problems: Vec<Diagnostic>,
    /// What is allowed and probably not meant, in the order of the text.
    pub warnings: Vec<Diagnostic>,
}

fn lines(problems: &[Diagnostic]) -> String {
    let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests;
