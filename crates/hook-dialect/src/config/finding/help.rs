//! What to write instead, and one word for each kind.

use super::{FindingKind, Severity};
use crate::MatcherProblem;

impl FindingKind {
    /// What to write instead.
    #[must_use]
    pub fn help(&self) -> String {
        match self {
            Self::Empty => "write {} when no settings are wanted, or remove the file".into(),
            Self::Syntax { help, .. } => (*help).into(),
            Self::TooDeep => "take the nesting away".into(),
            Self::NotUnicode => "write the character itself, or both halves of the pair".into(),
            Self::DuplicateKey { .. } => "keep one of the two".into(),
            Self::WrongType {
                field, expected, ..
            } => wrong_type(field, expected).into(),
            Self::MissingField { field } => missing(field).into(),
            Self::MisspeltField {
                intended: "timeout",
                ..
            } => "write `timeout`, in seconds".into(),
            Self::MisspeltField { intended, .. } | Self::MisspeltEvent { intended, .. } => {
                format!("write `{intended}`")
            }
            Self::UnknownField { .. } => "remove it, or use a version that knows it".into(),
            Self::ForbiddenField { .. } => {
                "remove it; the file may hold `hooks` and `description` alone".into()
            }
            Self::ForeignField { .. }
            | Self::OnceOutsideSkill
            | Self::AlwaysWaits
            | Self::NoContextToLimit => "remove it".into(),
            Self::MisplacedEvent { event } => format!("move it into `hooks`, as `hooks.{event}`"),
            Self::MisplacedField { .. } => "move it into an entry of the group's `hooks`".into(),
            Self::UnknownEvent { .. } => "correct its name, or use a version that knows it".into(),
            Self::EmptyGroup => "add hooks, or remove the group".into(),
            Self::UnknownWord { nearest, known, .. } => unknown_word(*nearest, known),
            Self::Timeout { wanted, .. } => format!("write {wanted}"),
            Self::NoLimit { .. } => "write a whole number of tokens, or 0 for no limit".into(),
            Self::TimeoutBeyond { allowed, .. } => format!("write at most {allowed}"),
            Self::EmptyCommand => "write the command, or remove the hook".into(),
            Self::NulInCommand { .. } => "remove it, no program can be given one".into(),
            Self::Matcher { problem, .. } => match problem {
                MatcherProblem::Invalid { .. } => {
                    "list names as in `Edit|Write`, or correct the expression".into()
                }
                MatcherProblem::TooLarge => "divide it into several groups".into(),
            },
            Self::DeadMatcher { help, .. } => help.clone(),
            Self::MatcherWithoutSubject => "remove the matcher".into(),
            Self::Rule { problem, .. } => problem.help().into(),
            Self::RuleWithoutTool => "remove the rule".into(),
            Self::RewakeAlone => "add \"async\": true, or remove it".into(),
            Self::ShellBesideArgs => "remove one of the two".into(),
            Self::NoVariable { .. } => {
                "write a name without `=`, and a value without NUL characters".into()
            }
            Self::TwoFiles { .. } => "keep them in one of the two".into(),
            Self::More { .. } => "correct those above first".into(),
        }
    }

    /// One word for the kind, which does not change with the message: `misspelt_field`.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::Syntax { .. } => "syntax",
            Self::TooDeep => "too_deep",
            Self::NotUnicode => "not_unicode",
            Self::DuplicateKey { .. } => "duplicate_key",
            Self::WrongType { .. } => "wrong_type",
            Self::MissingField { .. } => "missing_field",
            Self::MisspeltField { .. } => "misspelt_field",
            Self::UnknownField { .. } => "unknown_field",
            Self::ForbiddenField { .. } => "forbidden_field",
            Self::ForeignField { .. } => "foreign_field",
            Self::MisplacedEvent { .. } => "misplaced_event",
            Self::MisplacedField { .. } => "misplaced_field",
            Self::MisspeltEvent { .. } => "misspelt_event",
            Self::UnknownEvent { .. } => "unknown_event",
            Self::EmptyGroup => "empty_group",
            Self::UnknownWord { .. } => "unknown_word",
            Self::Timeout { .. } => "timeout",
            Self::NoLimit { .. } => "no_limit",
            Self::TimeoutBeyond { .. } => "timeout_beyond",
            Self::EmptyCommand => "empty_command",
            Self::NulInCommand { .. } => "nul_in_command",
            Self::Matcher { .. } => "matcher",
            Self::DeadMatcher { .. } => "dead_matcher",
            Self::MatcherWithoutSubject => "matcher_without_subject",
            Self::Rule { .. } => "rule",
            Self::RuleWithoutTool => "rule_without_tool",
            Self::OnceOutsideSkill => "once_outside_skill",
            Self::RewakeAlone => "rewake_alone",
            Self::ShellBesideArgs => "shell_beside_args",
            Self::AlwaysWaits => "always_waits",
            Self::NoContextToLimit => "no_context_to_limit",
            Self::NoVariable { .. } => "no_variable",
            Self::TwoFiles { .. } => "two_files",
            Self::More { .. } => "more",
        }
    }

    /// Whether it keeps the settings from being used, where the agent is not followed to the letter.
    pub(super) const fn severity(&self) -> Severity {
        let odd = matches!(
            self,
            Self::UnknownField { .. }
                | Self::ForeignField { .. }
                | Self::UnknownEvent { .. }
                | Self::EmptyGroup
                | Self::TimeoutBeyond { .. }
                | Self::DeadMatcher { .. }
                | Self::MatcherWithoutSubject
                | Self::RuleWithoutTool
                | Self::OnceOutsideSkill
                | Self::RewakeAlone
                | Self::ShellBesideArgs
                | Self::AlwaysWaits
                | Self::NoContextToLimit
                | Self::TwoFiles { .. }
                // Stands behind a hundred others.
                | Self::More { .. }
        );
        if odd {
            Severity::Warning
        } else {
            Severity::Problem
        }
    }
}

fn wrong_type(field: &str, expected: &str) -> &'static str {
    match field {
        "the file" => "write {\"hooks\": {…}}",
        "hooks" if expected == "an array" => {
            "list the hooks, each an object of a type and a command"
        }
        "hooks" => "write a field for each event, such as `PreToolUse`, with a list of groups",
        "a group" => "write an object with `matcher` and `hooks`",
        "a hook" => "write an object with `type` and `command`",
        "matcher" => "write names such as \"Bash|Edit\", or leave the field out for everything",
        "timeout" => "write seconds as a number, such as 30",
        "command" => "write one line for a shell in double quotes",
        "args" => "list the arguments, each in double quotes, such as [\"--check\"]",
        "if" => "write one rule in double quotes, such as \"Bash(git push *)\"",
        _ => match expected {
            "a boolean" => "write true or false, without quotes",
            "a string" => "write it in double quotes",
            "an array" => "write a list of groups, each with `matcher` and `hooks`",
            _ => "correct the value",
        },
    }
}

fn missing(field: &str) -> &'static str {
    match field {
        "hooks" => "add the list of the group's hooks",
        "type" => "add it, as \"command\"",
        "command" => "add the command line",
        _ => "add it",
    }
}

fn unknown_word(nearest: Option<&str>, known: &[&str]) -> String {
    let known = known.iter().map(|word| format!("\"{word}\""));
    let known = known.collect::<Vec<_>>().join(" or ");
    match nearest {
        Some(nearest) => format!("did you mean \"{nearest}\"? It may be {known}"),
        None => format!("write {known}"),
    }
}
