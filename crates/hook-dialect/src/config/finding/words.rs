//! What is said in more than one place, and what to write instead.

use hook_source::{Diagnostic, Node, Shown};

use super::codes;
use crate::MatcherProblem;

/// Names that people give to what is for people to read.
const NOTES: [&str; 7] = [
    "comment",
    "comments",
    "description",
    "id",
    "name",
    "note",
    "notes",
];

/// Whether a field that is not known is a note.
pub(in crate::config) fn is_note(field: &str) -> bool {
    field.starts_with(['_', '#', '$']) || field.starts_with("//") || NOTES.contains(&field)
}

pub(in crate::config) fn syntax(language: &str, said: &str, help: &str) -> Diagnostic {
    let said = hook_contract::shown::line(said);
    Diagnostic::error("syntax", format!("not {language}: {said}")).with_help(help)
}

pub(in crate::config) fn byte_order_mark() -> Diagnostic {
    Diagnostic::error("byte_order_mark", "a byte order mark stands in front")
        .with_help("save the file as UTF-8 without one")
}

pub(in crate::config) fn duplicate_key(key: &str) -> Diagnostic {
    let message = format!("the field `{}` stands twice in one object", Shown(key));
    Diagnostic::error("duplicate_key", message).with_help("keep one of the two")
}

/// Something stands where another type of value belongs.
pub(in crate::config) fn wrong_type(field: &str, expected: &str, found: &Node) -> Diagnostic {
    let subject = if matches!(field, "the file" | "a group" | "a hook") {
        field.to_owned()
    } else {
        format!("`{}`", Shown(field))
    };
    let message = format!("{subject} must be {expected}, not {}", found.kind());
    Diagnostic::error("wrong_type", message).with_help(match field {
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
    })
}

pub(in crate::config) fn missing(field: &str) -> Diagnostic {
    let message = format!("the field `{field}` is missing");
    Diagnostic::error("missing_field", message).with_help(match field {
        "hooks" => "add the list of the group's hooks",
        "type" => "add it, as \"command\"",
        "command" => "add the command line",
        _ => "add it",
    })
}

/// A field that is not known and so close to one that is known that it must be a mistake.
pub(in crate::config) fn misspelt_field(field: &str, intended: &str) -> Diagnostic {
    let unit = if intended == "timeout" {
        ", in seconds"
    } else {
        ""
    };
    Diagnostic::error(
        "misspelt_field",
        format!("unknown field `{}`", Shown(field)),
    )
    .with_help(format!("write `{intended}`{unit}"))
}

pub(in crate::config) fn unknown_field(field: &str) -> Diagnostic {
    if is_note(field) {
        return note(field);
    }
    let message = format!(
        "the field `{}` is not known and has no effect",
        Shown(field)
    );
    Diagnostic::warning("unknown_field", message)
        .with_help("remove it, or use a version that knows it")
}

/// A field that is a note.
pub(in crate::config) fn note(field: &str) -> Diagnostic {
    let message = format!("the field `{}` is a note and has no effect", Shown(field));
    Diagnostic::warning(codes::NOTE, message).with_help("remove it where nothing unknown is wanted")
}

/// An event stands beside `hooks` instead of in it.
pub(in crate::config) fn misplaced_event(event: &str) -> Diagnostic {
    let message = format!("the event `{event}` has no meaning here");
    Diagnostic::error("misplaced_event", message)
        .with_help(format!("move it into `hooks`, as `hooks.{event}`"))
}

pub(in crate::config) fn timeout(found: &str, wanted: &str) -> Diagnostic {
    let message = format!("the timeout cannot be {}", Shown(found));
    Diagnostic::error("timeout", message).with_help(format!("write {wanted}"))
}

pub(in crate::config) fn nul(field: &str) -> Diagnostic {
    Diagnostic::error("nul_in_command", format!("`{field}` holds a NUL character"))
        .with_help("remove it, no program can be given one")
}

/// The matcher cannot be used.
pub(in crate::config) fn matcher(pattern: &str, problem: &MatcherProblem) -> Diagnostic {
    let pattern = Shown(pattern);
    let (message, help) = match problem {
        MatcherProblem::Invalid { what } => (
            format!(
                "the matcher `{pattern}` is not a regular expression: {}",
                hook_contract::shown::lines(what)
            ),
            "list names as in `Edit|Write`, or correct the expression",
        ),
        MatcherProblem::TooLarge => (
            format!("the matcher `{pattern}` is too large to be looked for in a bounded time"),
            "divide it into several groups",
        ),
    };
    Diagnostic::error("matcher", message).with_help(help)
}

/// Something is allowed and has no effect.
pub(in crate::config) fn odd(code: &'static str, message: &str, help: &str) -> Diagnostic {
    Diagnostic::warning(code, message).with_help(help)
}
