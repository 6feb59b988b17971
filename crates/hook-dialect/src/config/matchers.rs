//! What is wrong with a matcher, and which matchers match nothing.

use hook_source::{Diagnostic, Shown};

use super::{
    finding::{self, odd},
    foreign,
};
use crate::{
    Dialect, MatcherProblem,
    dialect::{EventRow, Subject},
};

/// In which way something is wrong with a matcher.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Faulty {
    /// It is no expression.
    NoExpression,
    /// It matches nothing.
    Dead,
    /// It is an expression, and something else is to be said about it.
    Otherwise,
}

/// What is to be said about a matcher, if anything.
pub(super) fn look(
    dialect: &'static Dialect,
    event: &'static EventRow,
    pattern: &str,
) -> Option<(Diagnostic, Faulty)> {
    if matches!(pattern, "" | "*") {
        return None;
    }
    if event.subject == Subject::Nothing {
        let message = "the event has nothing to match, so the matcher has no effect";
        let told = odd("matcher_without_subject", message, "remove the matcher");
        return Some((told, Faulty::Otherwise));
    }
    let matcher = dialect.matcher(event, Some(pattern));
    if let Some(problem) = matcher.problem() {
        let too_large = *problem == MatcherProblem::TooLarge;
        let faulty = if too_large {
            Faulty::Otherwise
        } else {
            Faulty::NoExpression
        };
        return Some((finding::matcher(pattern, problem), faulty));
    }
    if event.subject != Subject::Tool {
        return None;
    }
    let dead = |why, help: String| {
        let message = format!("the matcher `{}` {why}", Shown(pattern));
        let told = Diagnostic::warning("dead_matcher", message).with_help(help);
        (told, Faulty::Dead)
    };
    if let Some(names) = matcher.names() {
        let names: Vec<&str> = names.collect();
        if names.iter().all(|name| name.is_empty()) {
            let help = "list names as in `Edit|Write`, or leave the matcher out for everything";
            return Some(dead("names no tool", help.to_owned()));
        }
        for name in names.iter().copied() {
            let rest = name.strip_prefix("mcp__");
            if rest.is_some_and(|rest| !rest.is_empty() && !rest.contains("__")) {
                let help = format!("write `{name}__.*`");
                return Some(dead("names a server, and no tool is called that", help));
            }
            let meant = TOOLS.iter().find(|tool| tool.eq_ignore_ascii_case(name));
            if let Some(meant) = meant.filter(|meant| **meant != name) {
                let help = format!("write `{meant}`");
                return Some(dead(
                    "names a tool in other letters, and their case counts",
                    help,
                ));
            }
        }
        return foreign_tools(dialect, &names);
    }
    if is_plain(pattern) && pattern.contains(|c| !of_a_name(c)) {
        let names: Vec<&str> = pattern
            .split(|c| !of_a_name(c))
            .filter(|name| !name.is_empty())
            .collect();
        let help = if pattern.starts_with('!') {
            "list the names that are meant, as in `Edit|Write`; nothing stands for all others"
                .to_owned()
        } else if names.is_empty() {
            "list names as in `Edit|Write`, or leave the matcher out for everything".to_owned()
        } else {
            format!("list names, such as `{}`", names.join("|"))
        };
        return Some(dead("has characters that no tool has in its name", help));
    }
    if let Some(told) = foreign_list(dialect, pattern) {
        return Some(told);
    }
    // `Bash(git *)`: a rule, which as an expression wants the name of a tool to go on behind it.
    let (tool, rest) = pattern.split_once('(')?;
    let is_rule = !tool.is_empty()
        && tool.chars().all(|c| c.is_ascii_alphabetic())
        && rest.ends_with(')')
        && rest.contains([' ', ':', '/']);
    let help = format!("write \"matcher\": \"{tool}\", and look at the content in the hook");
    is_rule.then(|| dead("is a rule and no pattern for the names of tools", help))
}

/// `^(shell|edit_file)$`: an expression that is a list all the same.
fn foreign_list(dialect: &Dialect, pattern: &str) -> Option<(Diagnostic, Faulty)> {
    let list = pattern.trim_start_matches(['^', '(']);
    let names: Vec<&str> = list.trim_end_matches(['$', ')']).split('|').collect();
    let is_name = |name: &&str| !name.is_empty() && name.chars().all(of_a_name);
    foreign_tools(dialect, &names).filter(|_| names.iter().all(is_name))
}

fn foreign_tools(dialect: &Dialect, names: &[&str]) -> Option<(Diagnostic, Faulty)> {
    let (told, all) = foreign::look(dialect, names)?;
    let faulty = if all { Faulty::Dead } else { Faulty::Otherwise };
    Some((told, faulty))
}

/// Names of tools that both agents have, or one of them, as they write them.
const TOOLS: &[&str] = &[
    "Agent",
    "Bash",
    "Edit",
    "Glob",
    "Grep",
    "MultiEdit",
    "NotebookEdit",
    "PowerShell",
    "Read",
    "Skill",
    "Task",
    "TodoWrite",
    "WebFetch",
    "WebSearch",
    "Write",
    "apply_patch",
];

/// Whether nothing in an expression has a meaning of its own, so that it is looked for as it stands.
fn is_plain(pattern: &str) -> bool {
    !pattern.contains(|c| "\\^$.|?*+()[]{}".contains(c))
}

const fn of_a_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | ':')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn said(dialect: &'static Dialect, pattern: &str) -> Option<(String, String)> {
        let event = dialect.event("PreToolUse").expect("an event");
        let (told, _dead) = look(dialect, event, pattern)?;
        assert_eq!(told.code, "dead_matcher");
        Some((told.message, told.help.expect("help")))
    }

    #[test]
    fn a_matcher_that_no_tool_can_have_is_told_with_what_is_meant() {
        for (dialect, pattern, help) in [
            (Dialect::CLAUDE, "bash", "write `Bash`"),
            (Dialect::CLAUDE, "Edit|write", "write `Write`"),
            (Dialect::CLAUDE, "mcp__memory", "write `mcp__memory__.*`"),
            (Dialect::CLAUDE, "/Bash/", "list names, such as `Bash`"),
            (Dialect::CLAUDE, "\"Bash\"", "list names, such as `Bash`"),
            (
                Dialect::CLAUDE,
                "Bash;Edit",
                "list names, such as `Bash|Edit`",
            ),
            (
                Dialect::CODEX,
                "Bash, Edit",
                "list names, such as `Bash|Edit`",
            ),
            (Dialect::CODEX, "BASH", "write `Bash`"),
        ] {
            let (_why, found) = said(dialect, pattern).expect(pattern);
            assert_eq!(found, help, "{pattern}");
        }
        let (_why, help) = said(Dialect::CLAUDE, "!Read").expect("a finding");
        assert!(!help.contains("`Read`"), "{help}");
        for pattern in [" ", "|", ",", ";"] {
            let (_why, help) = said(Dialect::CLAUDE, pattern).expect(pattern);
            assert!(help.contains("for everything"), "{pattern}: {help}");
        }
    }

    #[test]
    fn nothing_is_said_of_a_matcher_that_can_match() {
        for pattern in [
            "",
            "*",
            "Bash",
            "Bash|Edit",
            "my_tool",
            "mcp__gh__x",
            "mcp__gh.*",
            "B*",
            "^Bash$",
        ] {
            for dialect in [Dialect::CLAUDE, Dialect::CODEX] {
                assert_eq!(said(dialect, pattern), None, "{pattern}");
            }
        }
        assert_eq!(said(Dialect::CLAUDE, "Bash, Edit"), None);
        assert_eq!(said(Dialect::CODEX, "Ba-sh"), None);
    }
}
