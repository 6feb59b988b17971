//! One word for each kind of finding, for programs.

use crate::{HookConfigError, ProblemKind, WarningKind};

impl ProblemKind {
    /// One word for the kind, which does not change with the message: `misspelt_field`.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::NotUtf8 => "not_utf8",
            Self::Syntax { .. } => "syntax",
            Self::WrongType { .. } => "wrong_type",
            Self::NotUnicode { .. } => "not_unicode",
            Self::DuplicateKey { .. } => "duplicate_key",
            Self::Unreadable { .. } => "unreadable",
            Self::MisspeltField { .. } => "misspelt_field",
            Self::MisplacedField { .. } => "misplaced_field",
            Self::MissingSchema => "missing_schema",
            Self::UnsupportedSchema { .. } => "unsupported_schema",
            Self::MissingHooks { .. } => "missing_hooks",
            Self::MissingField { .. } => "missing_field",
            Self::EmptyName => "empty_name",
            Self::EmptyCommand => "empty_command",
            Self::EmptyProgram => "empty_program",
            Self::CommandIsString { .. } => "command_is_string",
            Self::NulInCommand { .. } => "nul_in_command",
            Self::TimeoutOutOfRange { .. } => "timeout_out_of_range",
            Self::BoundOutOfRange { .. } => "bound_out_of_range",
            Self::RecordInWorkspace => "record_in_workspace",
            Self::DirNotAbsolute { .. } => "dir_not_absolute",
            Self::NeedsWorker { .. } => "needs_worker",
            Self::UnknownWord { .. } => "unknown_word",
            Self::More { .. } => "more",
        }
    }
}

impl WarningKind {
    /// One word for the kind, which does not change with the message: `never_asked`.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::UnknownField { .. } => "unknown_field",
            Self::NeverAsked => "never_asked",
            Self::PatternInTools { .. } => "pattern_in_tools",
            Self::DuplicateTool { .. } => "duplicate_tool",
            Self::DuplicateHook { .. } => "duplicate_hook",
            Self::More { .. } => "more",
        }
    }
}

impl HookConfigError {
    /// One word for the kind, which does not change with the message: `dangling_link`.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Workspace { .. } => "workspace",
            Self::RelativeGlobalDir { .. } => "relative_global_dir",
            Self::Unreadable(error) => error.code(),
            Self::Invalid { .. } => "invalid",
            Self::Supplied { .. } => "supplied",
            Self::Several(_) => "several",
        }
    }
}
