//! What to write instead.

use hook_source::Shown;

use crate::{
    MAX_HOOK_TIMEOUT, MAX_KEEP_DAYS, MAX_KEEP_MIB, MAX_MAX_QUESTIONS, MAX_WORKER_TIME,
    MIN_HOOK_TIMEOUT,
    problem::{JsonType, ProblemKind, Subject},
};

impl ProblemKind {
    /// What to write instead.
    #[must_use]
    pub fn help(&self) -> String {
        match self {
            Self::Empty => "write {\"schema\": 1, \"hooks\": []} when no hooks are wanted, or remove the file".into(),
            Self::NotUtf8 => "save it as UTF-8".into(),
            Self::Syntax { help, .. } => (*help).into(),
            Self::WrongType { subject, found, .. } => wrong_type(*subject, *found).into(),
            Self::NotUnicode { .. } => "write the character itself, or both halves of the pair".into(),
            Self::DuplicateKey { .. } => "keep one of the two".into(),
            Self::Unreadable { .. } => "correct or remove the field".into(),
            Self::MisspeltField { intended, .. } => misspelt(intended),
            Self::MisplacedField { .. } => "move it into each entry of `hooks` that it is meant for".into(),
            Self::MissingSchema => "add \"schema\": 1".into(),
            Self::UnsupportedSchema { .. } => {
                "write \"schema\": 1, or use a version that reads this file".into()
            }
            Self::MissingHooks { .. } => {
                "add \"hooks\": [], or correct the field if it is meant to hold the hooks".into()
            }
            Self::MissingField { field: "name" } => {
                "add \"name\": \"…\"; it stands in every denial".into()
            }
            Self::MissingField { field: "dir" } => {
                "add the directory of the records, such as \"dir\": \"/var/log/agent/hooks\"".into()
            }
            Self::MissingField { .. } => {
                "add the program and its arguments, such as \"command\": [\"./.basis/hooks/guard.sh\"]".into()
            }
            Self::EmptyName => "name the hook, it stands in every denial".into(),
            Self::EmptyCommand => {
                "write the program and its arguments, such as [\"./.basis/hooks/guard.sh\"]".into()
            }
            Self::EmptyProgram => "it is the program to run, such as \"./.basis/hooks/guard.sh\"".into(),
            Self::CommandIsString { text } => format!("write {}", as_words(text)),
            Self::NulInCommand { .. } => "remove it, no program can be given one".into(),
            Self::TimeoutOutOfRange { .. } => format!(
                "write whole milliseconds from {} to {} (a day)",
                MIN_HOOK_TIMEOUT.as_millis(),
                MAX_HOOK_TIMEOUT.as_millis()
            ),
            Self::BoundOutOfRange { field: "max_questions", .. } => {
                format!("write a whole number from 1 to {MAX_MAX_QUESTIONS}")
            }
            Self::BoundOutOfRange { field: "keep_days", .. } => {
                format!("write a whole number from 1 to {MAX_KEEP_DAYS}")
            }
            Self::BoundOutOfRange { field: "keep_mib", .. } => {
                format!("write a whole number from 1 to {MAX_KEEP_MIB}")
            }
            Self::BoundOutOfRange { .. } => {
                format!("write whole milliseconds from 1 to {} (a day)", MAX_WORKER_TIME.as_millis())
            }
            Self::RecordInWorkspace => {
                "move it to your own hooks file, in the global directory: a repository does not say where records go"
                    .into()
            }
            Self::DirNotAbsolute { .. } => {
                "write an absolute path, such as \"/var/log/agent/hooks\"".into()
            }
            Self::NeedsWorker { .. } => "add \"mode\": \"worker\", or remove the field".into(),
            Self::UnknownWord { nearest, known, .. } => {
                let known = known.iter().map(|word| format!("\"{word}\""));
                let known = known.collect::<Vec<_>>().join(" or ");
                match nearest {
                    Some(nearest) => format!("did you mean \"{nearest}\"? The field may be {known}"),
                    None => format!("write {known}"),
                }
            }
            Self::More { .. } => "correct those above first".into(),
        }
    }
}

fn wrong_type(subject: Subject, found: JsonType) -> &'static str {
    match (subject, found) {
        (Subject::File, JsonType::Array) => {
            "put the array into an object: {\"schema\": 1, \"hooks\": […]}"
        }
        (Subject::File, _) => "write {\"schema\": 1, \"hooks\": […]}",
        (Subject::Entry, _) => "write {\"name\": \"…\", \"command\": [\"…\"]}",
        (Subject::Field("hooks"), JsonType::Object) => {
            "list the hooks in one array and name the event in each entry: \
             [{\"name\": \"…\", \"command\": [\"…\"], \"event\": \"pre_tool_use\"}]"
        }
        (Subject::Field("hooks"), _) => "write [{\"name\": \"…\", \"command\": [\"…\"]}]",
        (Subject::Field("command"), _) => {
            "write the program and its arguments, such as [\"./.basis/hooks/guard.sh\"]"
        }
        (Subject::Field("tools"), JsonType::String) => {
            "put the name into an array: [\"…\"], or leave the field out for every tool"
        }
        (Subject::Field("tools"), _) => {
            "list the exact names of tools, or leave the field out for every tool"
        }
        (Subject::Field("event"), JsonType::Array) => {
            "write one event; a hook for both events is two entries"
        }
        (Subject::Field("event"), _) => {
            "write \"pre_tool_use\" or \"post_tool_use\", or leave the field out"
        }
        (Subject::Field("on_failure"), _) => "write \"deny\" or \"allow\", or leave the field out",
        (Subject::Field("mode"), _) => "write \"oneshot\" or \"worker\", or leave the field out",
        (Subject::Field("record"), _) => "write {\"dir\": \"/var/log/agent/hooks\"}",
        (Subject::Field("capture"), _) => {
            "write \"digests\", \"redacted\" or \"full\", or leave the field out"
        }
        (Subject::Field("chain"), _) => "write it without quotes, or leave the field out",
        (Subject::Field("name" | "dir") | Subject::Element(..), _) => "write it in double quotes",
        (Subject::Field(_), _) => "correct the value",
    }
}

fn misspelt(intended: &str) -> String {
    let unit = if intended.ends_with("_ms") {
        ", in milliseconds"
    } else {
        ""
    };
    let more = match intended {
        "tools" => ", a list of exact tool names",
        "command" => ", one array of the program and its arguments",
        "event" => ", which is \"pre_tool_use\" or \"post_tool_use\"",
        "on_failure" => ", which is \"deny\" or \"allow\"",
        "hooks" => ", one array of entries",
        "dir" => ", an absolute path",
        "record" => ", an object with the directory in it",
        _ => unit,
    };
    format!("write `{intended}`{more}")
}

/// The array of words for a command written as a string. What needs a shell is given to one openly.
fn as_words(text: &str) -> String {
    let needs_shell = text.contains(|c| "\"'\\|&;<>()$`*?[]{}~#=%\n".contains(c));
    let words: Vec<&str> = if needs_shell {
        vec!["sh", "-c", text]
    } else {
        text.split_whitespace().collect()
    };
    let quoted = words
        .iter()
        .map(|word| serde_json::Value::from(*word).to_string());
    format!("[{}]", Shown(&quoted.collect::<Vec<_>>().join(", ")))
}
