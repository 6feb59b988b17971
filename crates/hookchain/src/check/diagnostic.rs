//! One thing that is wrong, or probably not meant, and in which file.

use hook_config::HookConfigError;
use hook_dialect::config::DialectConfigError;
use hook_runner::{Exposure, FaultKind, Writers};
use hook_source::Diagnostic;

use crate::command_error::with_causes;

/// One thing that is wrong, or probably not meant, and in which file.
#[derive(Clone, Debug)]
pub(crate) struct Finding {
    /// Which of the report's files it is about.
    pub(crate) file: usize,
    /// What it is.
    pub(crate) what: Diagnostic,
}

impl Finding {
    pub(crate) const fn new(file: usize, what: Diagnostic) -> Self {
        Self { file, what }
    }

    /// A file that cannot be read, or looked for.
    pub(crate) fn of_file(file: usize, error: &HookConfigError) -> Self {
        Self::new(file, Diagnostic::error(error.code(), with_causes(error)))
    }

    /// Settings of an agent that cannot be read, or looked for.
    pub(crate) fn of_settings(file: usize, error: &DialectConfigError) -> Self {
        Self::new(file, Diagnostic::error(error.code(), with_causes(error)))
    }
}

/// A fault of a program, or a file that others can change.
pub(super) fn fault(kind: &FaultKind) -> Diagnostic {
    let diagnostic = match kind {
        FaultKind::Exposed(exposure) if !is_open_to_everybody(exposure) => {
            Diagnostic::warning(kind.code(), kind.what())
        }
        // Also what is added one day.
        FaultKind::Exposed(_) | FaultKind::Start(_) | _ => {
            Diagnostic::error(kind.code(), kind.what())
        }
    };
    match kind.help() {
        Some(help) => diagnostic.with_help(help),
        None => diagnostic,
    }
}

/// On many machines a team shares a group on purpose; that everybody may write is nobody's purpose.
const fn is_open_to_everybody(exposure: &Exposure) -> bool {
    matches!(exposure.writers, Writers::Everybody)
}

/// What stands for faults of programs that are not listed.
pub(super) fn more(count: usize) -> Diagnostic {
    let message = format!("{count} more entries have programs that were not looked at");
    Diagnostic::error("more", message).with_help("correct those above first")
}
