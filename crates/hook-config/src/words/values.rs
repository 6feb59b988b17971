//! What is said about a hook, whether it stands in a file or was made as a value.

use hook_source::{Diagnostic, Shown};

use crate::{
    MAX_HOOK_TIMEOUT, MAX_KEEP_DAYS, MAX_KEEP_MIB, MAX_MAX_QUESTIONS, MAX_WORKER_TIME,
    MIN_HOOK_TIMEOUT,
};

pub(crate) fn empty_name() -> Diagnostic {
    Diagnostic::error("empty_name", "the name is empty")
        .with_help("name the hook, it stands in every denial")
}

pub(crate) fn empty_command() -> Diagnostic {
    Diagnostic::error("empty_command", "the command is empty")
        .with_help("write the program and its arguments, such as [\"./.basis/hooks/guard.sh\"]")
}

pub(crate) fn empty_program() -> Diagnostic {
    Diagnostic::error("empty_program", "the first word of the command is empty")
        .with_help("it is the program to run, such as \"./.basis/hooks/guard.sh\"")
}

/// The command is a single string, as for a shell.
pub(crate) fn command_is_string(text: &str) -> Diagnostic {
    let message = "`command` must be an array of words, not a string";
    Diagnostic::error("command_is_string", message).with_help(format!("write {}", as_words(text)))
}

/// The word at this place of the command, from 0, holds a NUL character.
pub(crate) fn nul_in_command(word: usize) -> Diagnostic {
    let message = format!("word {} of the command holds a NUL character", word + 1);
    Diagnostic::error("nul_in_command", message).with_help("remove it, no program can be given one")
}

/// The timeout is not a whole number of milliseconds within the limits.
pub(crate) fn timeout_out_of_range(found: &str) -> Diagnostic {
    let message = format!("the timeout cannot be {}", Shown(found));
    Diagnostic::error("timeout_out_of_range", message).with_help(format!(
        "write whole milliseconds from {} to {} (a day)",
        MIN_HOOK_TIMEOUT.as_millis(),
        MAX_HOOK_TIMEOUT.as_millis()
    ))
}

/// A bound of a worker, or of records, is not a whole number within its limits.
pub(crate) fn bound_out_of_range(field: &str, found: &str) -> Diagnostic {
    let message = format!("`{field}` cannot be {}", Shown(found));
    let help = match field {
        "max_questions" => format!("write a whole number from 1 to {MAX_MAX_QUESTIONS}"),
        "keep_days" => format!("write a whole number from 1 to {MAX_KEEP_DAYS}"),
        "keep_mib" => format!("write a whole number from 1 to {MAX_KEEP_MIB}"),
        _ => format!(
            "write whole milliseconds from 1 to {} (a day)",
            MAX_WORKER_TIME.as_millis()
        ),
    };
    Diagnostic::error("bound_out_of_range", message).with_help(help)
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
