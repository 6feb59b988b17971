//! What is said about hooks files, and about hooks that were made as values.

mod tools;
mod values;

use hook_contract::json::JsonErrorKind;
use hook_source::{Diagnostic, Kind, Shown, SyntaxFault};

pub(crate) use self::{tools::*, values::*};
use crate::HOOKS_FILE_SCHEMA;

/// What a message about a value is about.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Of<'a> {
    /// The whole file.
    File,
    /// An entry of `hooks`.
    Entry,
    /// The value of a field.
    Field(&'a str),
    /// An element of a field's array, from 0.
    Element(&'a str, usize),
}

impl Of<'_> {
    fn name(self) -> String {
        match self {
            Self::File => "the file".to_owned(),
            Self::Entry => "an entry of `hooks`".to_owned(),
            Self::Field(field) => format!("`{field}`"),
            Self::Element(field, index) => format!("`{field}[{index}]`"),
        }
    }
}

pub(crate) fn empty() -> Diagnostic {
    Diagnostic::error("empty", "the file is empty").with_help(
        "write {\"schema\": 1, \"hooks\": []} when no hooks are wanted, or remove the file",
    )
}

pub(crate) fn not_utf8() -> Diagnostic {
    Diagnostic::error("not_utf8", "the file is not UTF-8 text").with_help("save it as UTF-8")
}

pub(crate) fn syntax(fault: &SyntaxFault) -> Diagnostic {
    let message = format!("not JSON: {}", fault.message);
    Diagnostic::error("syntax", message).with_help(fault.help)
}

/// Something stands where another type of value belongs.
pub(crate) fn wrong_type(of: Of<'_>, expected: &str, found: Kind) -> Diagnostic {
    let message = format!("{} must be {expected}, not {found}", of.name());
    Diagnostic::error("wrong_type", message).with_help(match (of, found) {
        (Of::File, Kind::Array) => "put the array into an object: {\"schema\": 1, \"hooks\": […]}",
        (Of::File, _) => "write {\"schema\": 1, \"hooks\": […]}",
        (Of::Entry, _) => "write {\"name\": \"…\", \"command\": [\"…\"]}",
        (Of::Field("hooks"), Kind::Object) => {
            "list the hooks in one array and name the event in each entry: \
             [{\"name\": \"…\", \"command\": [\"…\"], \"event\": \"pre_tool_use\"}]"
        }
        (Of::Field("hooks"), _) => "write [{\"name\": \"…\", \"command\": [\"…\"]}]",
        (Of::Field("command"), _) => {
            "write the program and its arguments, such as [\"./.basis/hooks/guard.sh\"]"
        }
        (Of::Field("tools"), Kind::String) => {
            "put the name into an array: [\"…\"], or leave the field out for every tool"
        }
        (Of::Field("tools"), _) => {
            "list the exact names of tools, or leave the field out for every tool"
        }
        (Of::Field("kinds"), Kind::String) => "put the word into an array: [\"…\"]",
        (Of::Field("kinds"), _) => {
            "list kinds of tools, such as [\"shell\"], or leave the field out"
        }
        (Of::Field("event"), Kind::Array) => {
            "write one event; a hook for both events is two entries"
        }
        (Of::Field("event"), _) => {
            "write \"pre_tool_use\" or \"post_tool_use\", or leave the field out"
        }
        (Of::Field("on_failure"), _) => "write \"deny\" or \"allow\", or leave the field out",
        (Of::Field("mode"), _) => "write \"oneshot\" or \"worker\", or leave the field out",
        (Of::Field("record"), _) => "write {\"dir\": \"/var/log/agent/hooks\"}",
        (Of::Field("approver"), _) => "write {\"command\": [\"/usr/local/bin/ask-in-chat\"]}",
        (Of::Field("capture"), _) => {
            "write \"digests\", \"redacted\" or \"full\", or leave the field out"
        }
        (Of::Field("chain" | "facts"), _) => "write it without quotes, or leave the field out",
        (Of::Field("name" | "dir") | Of::Element(..), _) => "write it in double quotes",
        (Of::Field(_), _) => "correct the value",
    })
}

/// A string holds half of a surrogate pair.
pub(crate) fn not_unicode(of: Of<'_>) -> Diagnostic {
    let message = format!("{} holds an escape that stands for no character", of.name());
    Diagnostic::error("not_unicode", message)
        .with_help("write the character itself, or both halves of the pair")
}

pub(crate) fn duplicate_key(key: &str) -> Diagnostic {
    let message = format!("the field `{}` stands twice in one object", Shown(key));
    Diagnostic::error("duplicate_key", message).with_help("keep one of the two")
}

/// A value is one that two readers can read in two ways, or that most cannot read at all.
pub(crate) fn unreadable(field: &str, kind: &JsonErrorKind) -> Diagnostic {
    let message = format!("in the field `{}`: {kind}", Shown(field));
    Diagnostic::error("unreadable", message).with_help("correct or remove the field")
}

/// A field that is not known and so close to one that is known that it must be a mistake.
pub(crate) fn misspelt_field(field: &str, intended: &str) -> Diagnostic {
    let more = match intended {
        "tools" => ", a list of exact tool names",
        "kinds" => ", a list of kinds of tools such as \"shell\"",
        "facts" => ", which is true or false",
        "command" => ", one array of the program and its arguments",
        "event" => ", which is \"pre_tool_use\" or \"post_tool_use\"",
        "on_failure" => ", which is \"deny\" or \"allow\"",
        "hooks" => ", one array of entries",
        "dir" => ", an absolute path",
        "record" => ", an object with the directory in it",
        "approver" => ", an object with the command in it",
        _ if intended.ends_with("_ms") => ", in milliseconds",
        _ => "",
    };
    Diagnostic::error(
        "misspelt_field",
        format!("unknown field `{}`", Shown(field)),
    )
    .with_help(format!("write `{intended}`{more}"))
}

/// A field of a hook stands beside `hooks` instead of in one of its entries.
pub(crate) fn misplaced_field(field: &str) -> Diagnostic {
    let message = format!(
        "the field `{}` belongs to a hook and has no meaning here",
        Shown(field)
    );
    Diagnostic::error("misplaced_field", message)
        .with_help("move it into each entry of `hooks` that it is meant for")
}

pub(crate) fn unknown_field(field: &str) -> Diagnostic {
    let message = format!(
        "the field `{}` is not known and has no effect",
        Shown(field)
    );
    Diagnostic::warning("unknown_field", message)
        .with_help("remove it, or use a version that knows it")
}

pub(crate) fn missing_schema() -> Diagnostic {
    Diagnostic::error("missing_schema", "the field `schema` is missing")
        .with_help("add \"schema\": 1")
}

pub(crate) fn unsupported_schema(found: &str) -> Diagnostic {
    let message = format!(
        "the file declares schema {}, and this version reads schema {HOOKS_FILE_SCHEMA}",
        Shown(found)
    );
    Diagnostic::error("unsupported_schema", message)
        .with_help("write \"schema\": 1, or use a version that reads this file")
}

/// There is no `hooks`, but there are fields that are not known, one of which may be meant to be it.
pub(crate) fn missing_hooks(beside: &str) -> Diagnostic {
    let message = format!(
        "the field `hooks` is missing, and the field `{}` is not known",
        Shown(beside)
    );
    Diagnostic::error("missing_hooks", message)
        .with_help("add \"hooks\": [], or correct the field if it is meant to hold the hooks")
}

pub(crate) fn missing_field(field: &str) -> Diagnostic {
    Diagnostic::error("missing_field", format!("the field `{field}` is missing")).with_help(
        match field {
            "name" => "add \"name\": \"…\"; it stands in every denial",
            "dir" => "add the directory of the records, such as \"dir\": \"/var/log/agent/hooks\"",
            _ => {
                "add the program and its arguments, such as \"command\": [\"./.basis/hooks/guard.sh\"]"
            }
        },
    )
}

/// An entry says in two ways how its hook is reached.
pub(crate) fn two_transports(first: &str, second: &str) -> Diagnostic {
    let (first, second) = (Shown(first), Shown(second));
    let message = format!("`{first}` and `{second}` both say how the hook is reached");
    Diagnostic::error("two_transports", message).with_help("keep one of the two")
}

/// An entry names a transport that this host does not have. `known` are those that it has.
pub(crate) fn unknown_transport(key: &str, known: &[&str]) -> Diagnostic {
    let known: Vec<String> = known
        .iter()
        .map(|key| format!("`{}`", Shown(key)))
        .collect();
    let known = match known.as_slice() {
        [one] => one.clone(),
        several => format!("one of {}", several.join(", ")),
    };
    let message = format!("this host has no transport `{}`", Shown(key));
    Diagnostic::error("unknown_transport", message)
        .with_help(format!("write {known}, or use a host that has it"))
}

/// A setting of programs stands beside another transport.
pub(crate) fn needs_command(field: &str, transport: &str) -> Diagnostic {
    let message = format!("`{field}` has no meaning beside `{}`", Shown(transport));
    Diagnostic::error("needs_command", message).with_help("remove it; it says how a program is run")
}

/// A workspace's file declares where records go. A repository must not say that.
pub(crate) fn record_in_workspace() -> Diagnostic {
    Diagnostic::error(
        "record_in_workspace",
        "`record` has no meaning in the file of a workspace",
    )
    .with_help(
        "move it to your own hooks file, in the global directory: a repository does not say where records go",
    )
}

/// A workspace's file declares the program that agrees to calls. A repository must not say that.
pub(crate) fn approver_in_workspace() -> Diagnostic {
    Diagnostic::error(
        "approver_in_workspace",
        "`approver` has no meaning in the file of a workspace",
    )
    .with_help(
        "move it to your own hooks file, in the global directory: a repository does not say who agrees to calls",
    )
}

pub(crate) fn dir_not_absolute(found: &str) -> Diagnostic {
    let message = format!("`dir` cannot be \"{}\"", Shown(found));
    Diagnostic::error("dir_not_absolute", message)
        .with_help("write an absolute path, such as \"/var/log/agent/hooks\"")
}

/// A bound of a worker stands in an entry that is none.
pub(crate) fn needs_worker(field: &str) -> Diagnostic {
    let message = format!("`{field}` has no meaning for a hook that is no worker");
    Diagnostic::error("needs_worker", message)
        .with_help("add \"mode\": \"worker\", or remove the field")
}

/// An entry says exactly what the entry at `first` says; it is asked all the same.
pub(crate) fn duplicate_hook(first: usize) -> Diagnostic {
    let message = format!("this entry is the same as hooks[{first}], so the hook is asked twice");
    Diagnostic::warning("duplicate_hook", message).with_help("remove one of the two")
}
