//! What another agent's hooks are like, as tables: one for each agent, with a row for each event.
//!
//! Everything that differs between two agents is a value here; the functions that match, decode, merge and write
//! payloads have no branch for any of them. A new event is a row, a new agent is a table.

use std::{fmt, time::Duration};

mod claude;
mod codex;
mod field;
mod row;
mod running;
mod shared;

pub use self::{
    field::{AnswerField, Fact, FactShape, PayloadField, Presence},
    row::{EventRow, ExitTwo, Handlers, Honours, PlainText, Refused, Stop, Subject, Timeout},
    running::{HeldOpen, LongTexts, Running, Variable, VariableValue},
};
use crate::{Matcher, MatcherMode};

/// The hooks of one agent: how they are selected, asked and understood.
#[derive(Debug)]
#[non_exhaustive]
pub struct Dialect {
    /// The name in commands and in messages.
    pub name: &'static str,
    /// The name of the agent.
    pub title: &'static str,
    /// The version of the agent that this table was compared with.
    pub checked_against: &'static str,
    /// How a matcher is read.
    pub matcher: MatcherMode,
    /// Tools that are known by other names in matchers; on standard input they have their own.
    pub aliases: &'static [Alias],
    /// How an answer is read.
    pub answers: AnswerRules,
    /// Whether a line end follows the payload.
    pub newline: bool,
    /// How hooks are started.
    pub running: Running,
    /// The events, in the agent's order.
    pub events: &'static [EventRow],
    /// What holds for an event that has no row.
    pub other: EventRow,
}

/// A tool, and the names that its matchers may use, too.
#[derive(Debug)]
#[non_exhaustive]
pub struct Alias {
    /// The name of the tool.
    pub tool: &'static str,
    /// Other names of it.
    pub also: &'static [&'static str],
}

impl Alias {
    const fn new(tool: &'static str, also: &'static [&'static str]) -> Self {
        Self { tool, also }
    }
}

/// How an answer is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "a row of a table")]
#[non_exhaustive]
pub struct AnswerRules {
    /// What is cut off around the output before anything is looked at.
    pub trim: Trim,
    /// Which output is meant to be JSON.
    pub json: JsonShape,
    /// With which exit statuses JSON is read.
    pub read: ReadOn,
    /// What an unknown key does.
    pub unknown_key: Oddity,
    /// What a value of the wrong type does.
    pub wrong_type: Oddity,
    /// Whether `null` is the wrong type for an optional text or object.
    pub null: Null,
    /// What `hookEventName` does.
    pub event_name: EventName,
    /// Whether a denial needs a reason to count.
    pub needs_reason: bool,
    /// Whether the reason of exit status 2 is standard error as it was printed, with the white space around it. It is kept
    /// where the agent is followed to the letter.
    pub keeps_stderr: bool,
    /// Whether every value of an object is read, also of fields that are not looked at. One that stands for no text, such as
    /// half of a surrogate pair, makes the output no JSON then; otherwise it is a replacement character.
    pub reads_every_value: bool,
    /// Whether the fields in `hookSpecificOutput` put the older ones beside it out of use.
    pub specific_wins: bool,
    /// Whether a hook may say on its first line that it goes on in the background.
    pub detaches: bool,
    /// Whether an exit status of which nothing is known is a failure.
    pub exit_status_fails: bool,
}

/// White space around an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Trim {
    /// What JavaScript's `trim` cuts off, byte order marks included.
    EcmaScript,
    /// What Rust's `trim` cuts off.
    Unicode,
}

/// Which output is meant to be JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum JsonShape {
    /// What begins with `{` and ends with `}`; what cannot be read is a failure.
    Braces,
    /// What begins with `{` or `[`; what cannot be read is a failure.
    Opened,
    /// What begins with `{` and can be read; anything else is text.
    Readable,
}

/// With which exit statuses JSON is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReadOn {
    /// With every one, and after a signal.
    Always,
    /// With 0 alone.
    Success,
}

/// What something that does not belong there does to an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Oddity {
    /// It is left out; the rest counts.
    LeftOut,
    /// It makes the whole answer a failure.
    Fails,
}

/// What `null` is in place of an optional text or object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Null {
    /// The wrong type.
    WrongType,
    /// As if the field were absent.
    Absent,
}

/// What `hookEventName` does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EventName {
    /// It must be that of the event; otherwise the whole answer is a failure.
    MustBeTheEvent,
    /// It must be that of some event; otherwise the whole answer is a failure.
    MustBeAnEvent,
    /// When it is not that of the event, what stands beside it in `hookSpecificOutput` is left out.
    ScopesTheRest,
}

/// A dialect, and whether it is followed to the letter.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Profile {
    /// The dialect.
    pub dialect: &'static Dialect,
    /// Whether everything is as the agent itself has it, also where that lets a call pass that a guard meant to stop.
    pub strict: bool,
}

impl Dialect {
    /// Claude Code.
    pub const CLAUDE: &'static Self = &claude::CLAUDE;
    /// Codex CLI.
    pub const CODEX: &'static Self = &codex::CODEX;
    /// The shared protocol library: what the agents' hooks have in common, with no event of its own.
    pub const SHARED: &'static Self = &shared::SHARED;
    /// The agents.
    pub const ALL: [&'static Self; 2] = [Self::CLAUDE, Self::CODEX];

    /// The agent of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        Self::ALL.into_iter().find(|dialect| dialect.name == name)
    }

    /// The row of an event, by its name.
    #[must_use]
    pub fn event(&self, name: &str) -> Option<&EventRow> {
        self.events.iter().find(|row| row.name == name)
    }

    /// The row of an event, or what holds for events without one.
    #[must_use]
    pub fn event_or_other(&self, name: &str) -> &EventRow {
        self.event(name).unwrap_or(&self.other)
    }

    /// The names that matchers know a tool by: its own, and those it had or is also called.
    ///
    /// ```
    /// use hook_dialect::Dialect;
    ///
    /// let names: Vec<_> = Dialect::CODEX.names_of("apply_patch").collect();
    /// assert_eq!(names, ["apply_patch", "Write", "Edit"]);
    /// ```
    pub fn names_of<'a>(&self, tool: &'a str) -> impl Iterator<Item = &'a str> {
        let alias = self.aliases.iter().find(|alias| alias.tool == tool);
        let also = alias.map(|alias| alias.also).unwrap_or_default();
        std::iter::once(tool).chain(also.iter().copied())
    }

    /// A matcher as this agent reads it for this event. Where the event has nothing to match, it matches everything.
    #[must_use]
    pub fn matcher(&self, event: &EventRow, pattern: Option<&str>) -> Matcher {
        if event.subject == Subject::Nothing {
            return Matcher::all();
        }
        Matcher::parse(pattern, event.matcher.unwrap_or(self.matcher))
    }

    /// Everything as the agent itself has it.
    #[must_use]
    pub const fn strict(&'static self) -> Profile {
        Profile {
            dialect: self,
            strict: true,
        }
    }

    /// As the agent has it, but for answers in which a guard said no in a way that the agent does not hear.
    #[must_use]
    pub const fn guarded(&'static self) -> Profile {
        Profile {
            dialect: self,
            strict: false,
        }
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.title)
    }
}

const fn seconds(seconds: u64) -> Timeout {
    Timeout {
        default: Duration::from_secs(seconds),
        at_most: None,
        together: None,
    }
}

#[cfg(test)]
mod tests;
