//! One thing that is wrong, or probably not meant, and where.

use std::ops::Range;

use hook_config::{HookConfigError, Place, Problem, Warning};
use hook_contract::json::Position;
use hook_dialect::config::{self, DialectConfigError, Finding};
use hook_runner::{Exposure, FaultKind, Writers};

use crate::command_error::with_causes;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Severity {
    /// The files cannot be used, a hook cannot answer, or anybody can change what it says.
    Error,
    /// Allowed, and probably not meant.
    Warning,
}

/// One thing that is wrong, or probably not meant.
#[derive(Clone, Debug)]
pub(crate) struct Diagnostic {
    pub(crate) severity: Severity,
    /// One word for what it is, for programs.
    pub(crate) code: &'static str,
    /// What is wrong.
    pub(crate) message: String,
    /// What to write or to do.
    pub(crate) help: Option<String>,
    /// What else there is to be known: what the agent makes of it.
    pub(crate) note: Option<String>,
    /// Which of the report's files it is about.
    pub(crate) file: usize,
    /// Where it is in that file's text; nothing when it is about the file as a whole.
    pub(crate) spot: Option<Spot>,
}

/// A place in a hooks file.
#[derive(Clone, Debug)]
pub(crate) struct Spot {
    /// The bytes that are meant.
    pub(crate) span: Range<usize>,
    /// Line and column of their beginning.
    pub(crate) position: Position,
    /// Which entry of `hooks` it is in.
    pub(crate) entry: Option<usize>,
    /// The name of that entry's hook.
    pub(crate) hook: Option<String>,
    /// Which part of an agent's settings it is in.
    pub(crate) at: Option<String>,
}

impl Severity {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}

impl From<&Place> for Spot {
    fn from(place: &Place) -> Self {
        Self {
            span: place.span.clone(),
            position: place.position,
            entry: place.entry,
            hook: place.hook.clone(),
            at: None,
        }
    }
}

impl Diagnostic {
    /// A file that cannot be read, or looked for.
    pub(crate) fn of_file(file: usize, error: &HookConfigError) -> Self {
        Self {
            severity: Severity::Error,
            code: error.code(),
            message: with_causes(error),
            help: None,
            note: None,
            file,
            spot: None,
        }
    }

    pub(crate) fn of_problem(file: usize, problem: &Problem) -> Self {
        Self {
            severity: Severity::Error,
            code: problem.kind.code(),
            message: problem.kind.to_string(),
            help: Some(problem.help()),
            note: None,
            file,
            spot: Some(Spot::from(&problem.place)),
        }
    }

    pub(crate) fn of_warning(file: usize, warning: &Warning) -> Self {
        Self {
            severity: Severity::Warning,
            code: warning.kind.code(),
            message: warning.kind.to_string(),
            help: Some(warning.help().to_owned()),
            note: None,
            file,
            spot: Some(Spot::from(&warning.place)),
        }
    }

    /// Settings of an agent that cannot be read, or looked for.
    pub(crate) fn of_settings(file: usize, error: &DialectConfigError) -> Self {
        Self {
            severity: Severity::Error,
            code: error.code(),
            message: with_causes(error),
            help: None,
            note: None,
            file,
            spot: None,
        }
    }

    /// What is wrong, or odd, in the settings of an agent.
    pub(crate) fn of_finding(file: usize, finding: &Finding) -> Self {
        Self {
            severity: match finding.severity {
                config::Severity::Problem => Severity::Error,
                config::Severity::Warning => Severity::Warning,
            },
            code: finding.kind.code(),
            message: finding.kind.to_string(),
            help: Some(finding.help()),
            note: finding.at_home(),
            file,
            spot: Some(Spot {
                span: finding.span.clone(),
                position: finding.position,
                entry: None,
                hook: None,
                at: finding.at.clone(),
            }),
        }
    }

    /// A fault of a program.
    pub(crate) fn of_program(file: usize, fault: &FaultKind, spot: Spot) -> Self {
        let severity = match fault {
            FaultKind::Exposed(exposure) => exposed(exposure),
            // Also what is added one day.
            FaultKind::Start(_) | _ => Severity::Error,
        };
        Self {
            severity,
            code: fault.code(),
            message: fault.what(),
            help: fault.help(),
            note: None,
            file,
            spot: Some(spot),
        }
    }

    /// A hooks file that others can change.
    pub(crate) fn of_exposure(file: usize, exposure: Exposure) -> Self {
        let severity = exposed(&exposure);
        let fault = FaultKind::Exposed(exposure);
        Self {
            severity,
            code: fault.code(),
            message: fault.what(),
            help: fault.help(),
            note: None,
            file,
            spot: None,
        }
    }

    /// What stands for faults of programs that are not listed.
    pub(crate) fn of_more(file: usize, count: usize, spot: Spot) -> Self {
        Self {
            severity: Severity::Error,
            code: "more",
            message: format!("{count} more entries have programs that were not looked at"),
            help: Some("correct those above first".into()),
            note: None,
            file,
            spot: Some(spot),
        }
    }
}

/// On many machines a team shares a group on purpose; that everybody may write is nobody's purpose.
const fn exposed(exposure: &Exposure) -> Severity {
    match exposure.writers {
        Writers::Everybody => Severity::Error,
        Writers::Group => Severity::Warning,
    }
}
