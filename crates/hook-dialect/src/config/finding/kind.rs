//! The ways in which settings are wrong, or odd.

use std::path::PathBuf;

use hook_contract::shown;
use hook_source::Shown;
use thiserror::Error;

use crate::{MatcherProblem, RuleProblem};

/// What can be wrong, or odd, in an agent's settings.
///
/// Each shows what is wrong; [`FindingKind::help`] says what to write instead.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FindingKind {
    /// The file holds nothing but white space.
    #[error("the file is empty")]
    Empty,
    /// The text is not in its language.
    #[error("not {language}: {}", shown::line(.message))]
    #[non_exhaustive]
    Syntax {
        /// JSON or TOML.
        language: &'static str,
        /// What the parser says.
        message: String,
        /// What to do about it.
        help: &'static str,
    },
    /// It is nested too deeply.
    #[error("nested more deeply than any settings are")]
    TooDeep,
    /// A text holds half of a surrogate pair.
    #[error("an escape stands for no character")]
    NotUnicode,
    /// The same key stands twice in one object.
    #[error("the field `{}` stands twice in one object", Shown(.key))]
    #[non_exhaustive]
    DuplicateKey {
        /// The key.
        key: String,
    },
    /// Something stands where another type of value belongs.
    #[error("{} must be {expected}, not {found}", subject(.field))]
    #[non_exhaustive]
    WrongType {
        /// The field.
        field: String,
        /// The type it must have, with an article.
        expected: &'static str,
        /// The type it has.
        found: &'static str,
    },
    /// A field is missing.
    #[error("the field `{field}` is missing")]
    #[non_exhaustive]
    MissingField {
        /// The field.
        field: &'static str,
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
    /// A field that is not known.
    #[error("the field `{}` is not known and has no effect", Shown(.field))]
    #[non_exhaustive]
    UnknownField {
        /// The field.
        field: String,
    },
    /// A field at the top of a file that may hold no other than its own.
    #[error("the field `{}` may not stand here", Shown(.field))]
    #[non_exhaustive]
    ForbiddenField {
        /// The field.
        field: String,
    },
    /// A field that another agent has.
    #[error("the field `{field}` is one of {owner} and has no effect here")]
    #[non_exhaustive]
    ForeignField {
        /// The field.
        field: String,
        /// The agent that has it.
        owner: &'static str,
    },
    /// An event stands beside `hooks` instead of in it.
    #[error("the event `{event}` has no meaning here")]
    #[non_exhaustive]
    MisplacedEvent {
        /// The event.
        event: &'static str,
    },
    /// What belongs to a hook stands in the group around it.
    #[error("the field `{}` belongs to a hook and has no meaning in a group", Shown(.field))]
    #[non_exhaustive]
    MisplacedField {
        /// The field.
        field: String,
    },
    /// An event that is not known and so close to one that is known that it must be a mistake.
    #[error("unknown event `{}`", Shown(.event))]
    #[non_exhaustive]
    MisspeltEvent {
        /// The event as it is written.
        event: String,
        /// The event that is meant.
        intended: &'static str,
    },
    /// An event that is not known.
    #[error("the event `{}` is not known, so its hooks are never asked", Shown(.event))]
    #[non_exhaustive]
    UnknownEvent {
        /// The event.
        event: String,
    },
    /// A group without hooks.
    #[error("the group has no hooks")]
    EmptyGroup,
    /// A word that is not in the field's vocabulary.
    #[error("`{field}` cannot be \"{}\"", Shown(.found))]
    #[non_exhaustive]
    UnknownWord {
        /// The field.
        field: &'static str,
        /// The word as it is written.
        found: String,
        /// The word that is probably meant.
        nearest: Option<&'static str>,
        /// Every word there is.
        known: &'static [&'static str],
    },
    /// The timeout is none.
    #[error("the timeout cannot be {}", Shown(.found))]
    #[non_exhaustive]
    Timeout {
        /// The value as it is written.
        found: String,
        /// What it must be.
        wanted: &'static str,
    },
    /// The limit on context is none.
    #[error("`additionalContextLimit` cannot be {}", Shown(.found))]
    #[non_exhaustive]
    NoLimit {
        /// The value as it is written.
        found: String,
    },
    /// The timeout is beyond what the event allows.
    #[error("the timeout is {found} s and the event allows {allowed} s")]
    #[non_exhaustive]
    TimeoutBeyond {
        /// The value as it is written.
        found: String,
        /// What counts, in seconds.
        allowed: String,
    },
    /// The command is blank.
    #[error("the command is empty")]
    EmptyCommand,
    /// The command holds a NUL character.
    #[error("`{field}` holds a NUL character")]
    #[non_exhaustive]
    NulInCommand {
        /// `command` or `args`.
        field: &'static str,
    },
    /// The matcher cannot be used.
    #[error("the matcher `{}` {}", Shown(.pattern), unusable(.problem))]
    #[non_exhaustive]
    Matcher {
        /// The matcher.
        pattern: String,
        /// What is wrong with it.
        problem: MatcherProblem,
    },
    /// The matcher can be used and matches nothing.
    #[error("the matcher `{}` {why}", Shown(.pattern))]
    #[non_exhaustive]
    DeadMatcher {
        /// The matcher.
        pattern: String,
        /// Why it matches nothing.
        why: &'static str,
        /// What to write instead.
        help: String,
    },
    /// The event has nothing to match.
    #[error("the event has nothing to match, so the matcher has no effect")]
    MatcherWithoutSubject,
    /// `if` is no rule.
    #[error("the rule `{}` cannot be used: {problem}", Shown(.text))]
    #[non_exhaustive]
    Rule {
        /// The rule.
        text: String,
        /// What is wrong with it.
        problem: RuleProblem,
    },
    /// `if` at an event that is not about a tool call.
    #[error("a rule (`if`) holds for tool calls only, so the hook is never asked")]
    RuleWithoutTool,
    /// `once` outside a skill.
    #[error("`once` counts in skills only; the hook stays")]
    OnceOutsideSkill,
    /// `asyncRewake` without `async`.
    #[error("`asyncRewake` has no effect without `async`; the hook is waited for")]
    RewakeAlone,
    /// `shell` beside `args`.
    #[error("`shell` has no effect beside `args`, which starts the program directly")]
    ShellBesideArgs,
    /// `async` at an event that waits for every hook.
    #[error("this event waits for every hook, so `async` has no effect")]
    AlwaysWaits,
    /// A limit on context at an event without context.
    #[error("this event takes no context, so `additionalContextLimit` has no effect")]
    NoContextToLimit,
    /// A variable that no process can be given.
    #[error("`{}` is no variable that a process can be given", Shown(.field))]
    #[non_exhaustive]
    NoVariable {
        /// Its name.
        field: String,
    },
    /// The hooks of one folder stand in two files.
    #[error("hooks stand here and in {}; both are used", shown::line(&.other.to_string_lossy()))]
    #[non_exhaustive]
    TwoFiles {
        /// The other file.
        other: PathBuf,
    },
    /// There are more findings than are listed.
    #[error("{count} more findings")]
    #[non_exhaustive]
    More {
        /// How many are not listed.
        count: usize,
    },
}

/// What is wrong with a matcher; what to write instead is told elsewhere.
fn unusable(problem: &MatcherProblem) -> String {
    match problem {
        MatcherProblem::Invalid { what } => {
            format!("is not a regular expression: {}", shown::lines(what))
        }
        MatcherProblem::TooLarge => "is too large to be looked for in a bounded time".into(),
    }
}

/// A field as a message begins with it, or what has no name as it is called.
fn subject(field: &str) -> String {
    if matches!(field, "the file" | "a group" | "a hook") {
        field.to_owned()
    } else {
        format!("`{}`", Shown(field))
    }
}
