//! Why what a hook printed is no answer.

use hook_contract::shown;
use thiserror::Error;

use crate::dialect::Refused;

/// How a program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Exit {
    /// With this status.
    Code(i32),
    /// By this signal.
    Signal(i32),
    /// In a way that is not known.
    Unknown,
}

impl Exit {
    /// The status, when there is one.
    #[must_use]
    pub const fn code(self) -> Option<i32> {
        match self {
            Self::Code(code) => Some(code),
            Self::Signal(_) | Self::Unknown => None,
        }
    }
}

impl From<Option<i32>> for Exit {
    fn from(code: Option<i32>) -> Self {
        code.map_or(Self::Unknown, Self::Code)
    }
}

/// Why what a hook printed is no answer, or why it printed none.
///
/// Texts are for the author of the hook. None of them holds more of what the hook printed than a word, in which nothing
/// drives a terminal.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Failure {
    /// The output looks like JSON and is not.
    #[error(
        "the output looks like JSON and is not: {}; print one JSON object and nothing else",
        shown::line(.what)
    )]
    #[non_exhaustive]
    NotJson {
        /// What is wrong, and where.
        what: String,
    },
    /// The output is JSON and not an object.
    #[error("the output is {found}; print one JSON object")]
    #[non_exhaustive]
    NotAnObject {
        /// What it is, with its article.
        found: &'static str,
    },
    /// A field has the wrong type.
    #[error("`{field}` is {found}; it must be {wanted}")]
    #[non_exhaustive]
    WrongType {
        /// The field.
        field: &'static str,
        /// What it is, with its article.
        found: &'static str,
        /// What it must be.
        wanted: &'static str,
    },
    /// A field has a word that it cannot have.
    #[error("`{field}` says `{}`, which is none of its words; it must be {wanted}", shown::line(.word))]
    #[non_exhaustive]
    UnknownWord {
        /// The field.
        field: &'static str,
        /// The word, cut to 40 characters.
        word: String,
        /// What it may be.
        wanted: String,
    },
    /// There is a field that the agent does not know, and that makes it reject the whole answer.
    #[error(
        "there is no field `{}`; leave it out, because it makes the whole answer void",
        shown::line(.field)
    )]
    #[non_exhaustive]
    UnknownField {
        /// The field, cut to 60 characters.
        field: String,
    },
    /// A field is missing.
    #[error("`{field}` is missing; add it")]
    #[non_exhaustive]
    MissingField {
        /// The field.
        field: &'static str,
    },
    /// The answer names another event, or none.
    #[error("`hookEventName` must name the event, because the whole answer is void otherwise")]
    WrongEvent,
    /// The agent knows what was said and refuses it.
    #[error("{}", refused(*.0))]
    Refused(Refused),
    /// A denial has no reason.
    #[error("a denial without a reason does not count; say why")]
    NoReason,
    /// Exit status 2 without a reason on standard error.
    #[error("exit status 2 without a reason on standard error does not count; say why there")]
    NoReasonOnStderr,
    /// Plain text where the agent takes none.
    #[error("the output is plain text; print JSON or nothing")]
    PlainText,
    /// The output ends in the middle of an object.
    #[error("the output ends in the middle of a JSON object; print all of it")]
    CutOff,
    /// An answer that wants somebody asked, with other text around it.
    #[error(
        "it wants somebody to be asked, in a text that is not one JSON object; print the object and nothing else"
    )]
    AskedInText,
    /// An answer that wants a person asked, at an event where no person can be asked.
    #[error("it asks for a person's agreement, which this event cannot ask for; deny instead")]
    CannotAsk,
    /// A refusal in the words of another agent, which is taken for one.
    #[error(
        "it refused in the words of another agent (`{}`), which this one does not know; say `permissionDecision: deny`",
        shown::line(.field)
    )]
    #[non_exhaustive]
    AnothersWords {
        /// The field.
        field: String,
    },
    /// Another input in an answer that the agent does not use.
    #[error(
        "it changes the input of the call in an answer that is not used; print one JSON object and nothing else, with \
         `permissionDecision: allow` beside `updatedInput`"
    )]
    RewriteUnheard,
    /// An allow in an answer that is void.
    #[error("it agreed in an answer that is void: {}", shown::line(.why))]
    #[non_exhaustive]
    VoidAllow {
        /// Why it is void.
        why: String,
    },
    /// A rewrite cannot be used.
    #[error(
        "`{field}` cannot be used: {}; print a value that every parser reads alike",
        shown::line(.what)
    )]
    #[non_exhaustive]
    Unusable {
        /// The field.
        field: &'static str,
        /// Why.
        what: String,
    },
    /// The program ended with a status that says nothing.
    #[error("it ended with exit status {0}; end with 0 to answer and with 2 to refuse")]
    ExitStatus(i32),
    /// The program was ended by a signal.
    #[error("it was ended by signal {0}")]
    Signal(i32),
    /// How the program ended is not known.
    #[error("how it ended is not known")]
    NoStatus,
    /// It printed more than is read, and was killed.
    #[error("it printed more than {limit} bytes and was killed; print one JSON object")]
    #[non_exhaustive]
    TooMuchOutput {
        /// How much is read.
        limit: usize,
    },
    /// It took too long.
    #[error("it took longer than its timeout")]
    TimedOut,
    /// It could not be started.
    #[error("it could not be started: {}", shown::line(.what))]
    #[non_exhaustive]
    NotStarted {
        /// Why.
        what: String,
    },
}

impl Failure {
    pub(crate) const fn too_much_output(limit: usize) -> Self {
        Self::TooMuchOutput { limit }
    }

    /// A hook that was not started.
    #[must_use]
    pub fn not_started(what: impl Into<String>) -> Self {
        Self::NotStarted { what: what.into() }
    }

    /// Whether the hook could not answer, rather than having answered that it has no say.
    ///
    /// An exit status other than 0 and 2 is how a hook says "go on"; but for 126 and 127, with which a shell says that
    /// there is no program to start. Nor did it want to keep anything from happening when the agent knows what it said
    /// and refuses it, and it was an allow or no decision at all.
    #[must_use]
    pub const fn could_not_answer(&self) -> bool {
        if let Self::ExitStatus(status) = self {
            matches!(*status, 126 | 127)
        } else if let Self::Refused(what) = self {
            what.restricts()
        } else {
            !matches!(self, Self::VoidAllow { .. })
        }
    }

    /// Whether an object was read, and something about it makes it void.
    pub(crate) const fn is_about_an_object(&self) -> bool {
        matches!(
            self,
            Self::WrongType { .. }
                | Self::UnknownWord { .. }
                | Self::UnknownField { .. }
                | Self::MissingField { .. }
                | Self::WrongEvent
        )
    }

    /// Whether the hook asked for a person's agreement in a way that cannot be put to a person.
    pub(crate) const fn is_an_ask(&self) -> bool {
        matches!(self, Self::AskedInText | Self::CannotAsk)
    }
}

const fn refused(what: Refused) -> &'static str {
    match what {
        Refused::Stop => "`continue: false` has no effect on this event; deny instead",
        Refused::StopReason => "`stopReason` does not belong here; leave it out",
        Refused::SuppressOutput => "`suppressOutput` does not belong here; leave it out",
        Refused::BareAllow => {
            "`allow` without `updatedInput` is not supported; print nothing to let the call go on"
        }
        Refused::Ask => "`ask` is not supported; print nothing to let the call go on",
        Refused::Approve => "`approve` is not supported; print nothing to let the call go on",
        Refused::LoneRewrite => "`updatedInput` needs `permissionDecision: allow` beside it",
        Refused::LoneReason => "a reason needs a decision beside it",
        Refused::ReplaceMcp => "`updatedMCPToolOutput` is not supported; block with a reason",
        Refused::PermittedInput => "`updatedInput` is not supported in a verdict on permission",
        Refused::UpdatedPermissions => {
            "`updatedPermissions` is not supported in a verdict on permission"
        }
        Refused::Interrupt => "`interrupt` is not supported in a verdict on permission",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_a_hook_printed_drives_the_terminal() {
        let field = "a\u{1b}[2J\u{202e}".to_owned();
        assert_eq!(
            Failure::UnknownField {
                field: field.clone()
            }
            .to_string(),
            "there is no field `a\\u{1b}[2J\\u{202e}`; leave it out, because it makes the whole answer void"
        );
        for failure in [
            Failure::NotJson {
                what: field.clone(),
            },
            Failure::UnknownWord {
                field: "decision",
                word: field.clone(),
                wanted: "block".into(),
            },
            Failure::Unusable {
                field: "updatedInput",
                what: field.clone(),
            },
            Failure::not_started(field),
        ] {
            assert!(!failure.to_string().contains('\u{1b}'), "{failure:?}");
        }
    }

    #[test]
    fn an_ordinary_exit_status_or_an_allow_is_no_hook_that_could_not_answer() {
        for status in [1, 3, 125, 128, 255, -1] {
            assert!(!Failure::ExitStatus(status).could_not_answer());
        }
        for failure in [
            Failure::ExitStatus(126),
            Failure::ExitStatus(127),
            Failure::Signal(9),
            Failure::NoStatus,
            Failure::TimedOut,
            Failure::WrongEvent,
            Failure::not_started("it is gone"),
            Failure::Refused(Refused::Ask),
            Failure::Refused(Refused::Stop),
            Failure::Refused(Refused::LoneRewrite),
            Failure::Refused(Refused::PermittedInput),
        ] {
            assert!(failure.could_not_answer(), "{failure}");
        }
        for refused in [
            Refused::BareAllow,
            Refused::Approve,
            Refused::SuppressOutput,
        ] {
            assert!(!Failure::Refused(refused).could_not_answer());
        }
    }
}
