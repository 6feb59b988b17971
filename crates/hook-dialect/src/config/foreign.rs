//! Tools of other agents in a matcher.

use hook_source::{Diagnostic, Shown};

use super::finding::codes;
use crate::Dialect;

/// What tools of other agents are, and what this agent calls such a tool.
type Meant = &'static [(&'static str, &'static [&'static str])];

const SHELLS: &[&str] = &[
    "bash_command",
    "exec_command",
    "runCommands",
    "runInTerminal",
    "runTerminalCommand",
    "execute_command",
    "local_shell",
    "run_in_terminal",
    "run_shell_command",
    "run_terminal_cmd",
    "run_terminal_command",
    "shell",
    "shell_command",
    "Shell",
    "terminal",
];
const EDITORS: &[&str] = &[
    "edit_file",
    "editFiles",
    "insert_edit_into_file",
    "replace",
    "replace_in_file",
    "replace_string_in_file",
    "search_replace",
    "str_replace",
    "str_replace_editor",
];
const WRITERS: &[&str] = &["create_file", "createFile", "write_file", "write_to_file"];
const READERS: &[&str] = &["read_file", "readFile", "read_many_files", "view_file"];

/// Tools that Claude Code does not have.
const TO_CLAUDE: Meant = &[
    ("Bash", SHELLS),
    ("Edit", EDITORS),
    ("Edit|Write", &["apply_patch"]),
    ("Write", WRITERS),
    ("Read", READERS),
    (
        "Glob",
        &[
            "file_search",
            "glob_file_search",
            "list_dir",
            "list_directory",
        ],
    ),
    (
        "Grep",
        &[
            "codebase_search",
            "grep_search",
            "search_file_content",
            "search_files",
        ],
    ),
    ("WebFetch", &["fetch_webpage", "web_fetch"]),
    ("WebSearch", &["google_web_search", "web_search"]),
];

/// Tools that Codex does not have. It reads and searches by its shell.
const TO_CODEX: Meant = &[
    ("Bash", SHELLS),
    ("Bash", READERS),
    ("Bash", &["Glob", "Grep", "LS", "Read"]),
    ("apply_patch", EDITORS),
    ("apply_patch", WRITERS),
    ("apply_patch", &["MultiEdit", "NotebookEdit"]),
];

/// What is to be said of the first name in a list that is a tool of another agent, and whether all of them are.
pub(super) fn look(dialect: &Dialect, names: &[&str]) -> Option<(Diagnostic, bool)> {
    let table = if dialect.name == Dialect::CODEX.name {
        TO_CODEX
    } else {
        TO_CLAUDE
    };
    let own = |name: &str| {
        let mut rows = table.iter();
        rows.find(|(_, foreign)| foreign.contains(&name))
            .map(|(own, _)| *own)
    };
    // Where the own tool is named as well, the list is for several agents.
    let is_missing = |own: &&str| own.split('|').any(|own| !names.contains(&own));
    let (name, own_name) = names
        .iter()
        .find_map(|name| Some((name, own(name).filter(is_missing)?)))?;
    let agent = dialect.title;
    let message = format!(
        "the matcher names `{}`, a tool that {agent} does not have",
        Shown(name)
    );
    let told = Diagnostic::warning(codes::FOREIGN_TOOL, message).with_help(format!(
        "write `{own_name}`, which is what {agent} calls such a tool"
    ));
    let all = names.iter().all(|name| own(name).is_some());
    Some((told, all))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn help(dialect: &Dialect, names: &[&str]) -> Option<(String, bool)> {
        let (told, all) = look(dialect, names)?;
        Some((told.help.expect("help"), all))
    }

    #[test]
    fn the_own_tool_is_told_for_another_agents() {
        let (told, all) = help(Dialect::CLAUDE, &["run_shell_command"]).expect("a finding");
        assert!(told.starts_with("write `Bash`,") && all, "{told}");
        let (told, all) = help(Dialect::CLAUDE, &["Bash", "edit_file"]).expect("a finding");
        assert!(told.starts_with("write `Edit`,") && !all, "{told}");
        let (told, _) = help(Dialect::CLAUDE, &["runTerminalCommand"]).expect("a finding");
        assert!(told.starts_with("write `Bash`,"), "{told}");
        let (told, _) = help(Dialect::CODEX, &["Read"]).expect("a finding");
        assert!(told.starts_with("write `Bash`,"), "{told}");
    }

    #[test]
    fn a_list_for_several_agents_is_one() {
        assert_eq!(
            help(Dialect::CLAUDE, &["Bash", "run_shell_command", "shell"]),
            None
        );
        assert_eq!(
            help(Dialect::CLAUDE, &["Edit", "Write", "apply_patch"]),
            None
        );
        assert_eq!(help(Dialect::CODEX, &["Bash", "Read"]), None);
        assert_eq!(
            help(Dialect::CLAUDE, &["my_tool", "mcp__gh__write_file"]),
            None
        );
    }
}
