//! Names of variables that people take for those of an agent.

use crate::{Dialect, dialect::VariableValue};

/// What a name of a variable that is not set belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Family {
    /// The agents set it for hooks of their plugins.
    Plugin,
    /// It is called as if an agent set it, and none does.
    Agent,
}

/// Beginnings of the names of variables that agents set for hooks of plugins.
const OF_PLUGINS: [&str; 3] = ["CLAUDE_PLUGIN_", "CODEX_PLUGIN_", "PLUGIN_ROOT"];

/// Beginnings of names that say that an agent has set the variable.
const OF_AGENTS: [&str; 8] = [
    "CLAUDE_",
    "CODEX_",
    "TOOL_",
    "HOOK_TOOL_",
    "HOOK_INPUT",
    "HOOK_EVENT",
    "HOOK_PAYLOAD",
    "ARGUMENTS",
];

/// The same of further agents. A script may ask for them to find out in which agent it runs.
const OF_OTHERS: [&str; 4] = ["CURSOR_", "GEMINI_", "COPILOT_", "WINDSURF_"];

/// Beginnings of the names of variables that an agent reads or sets itself, some of the time.
const KNOWN: [&str; 9] = [
    "CLAUDE_CODE_",
    "CLAUDE_CONFIG_DIR",
    "CLAUDE_ENV_FILE",
    "CLAUDE_EFFORT",
    "CLAUDE_PID",
    "CLAUDE_BASH_",
    "CODEX_HOME",
    "CODEX_SANDBOX",
    "CODEX_CI",
];

/// Parts of a name that say that a person switches something with the variable.
const SWITCHES: [&str; 11] = [
    "SKIP", "DISABLE", "DISABLED", "ENABLE", "ENABLED", "DEBUG", "VERBOSE", "BYPASS", "OFF",
    "QUIET", "TRACE",
];

impl Family {
    /// What a name belongs to that nothing sets; nothing for one that people give their own variables.
    pub(super) fn of(name: &str, in_script: bool) -> Option<Self> {
        let begins = |beginnings: &[&str]| beginnings.iter().any(|start| name.starts_with(start));
        if begins(&OF_PLUGINS) {
            return Some(Self::Plugin);
        }
        let is_switch = name.split('_').any(|part| SWITCHES.contains(&part));
        let is_agents = begins(&OF_AGENTS) || begins(&OF_OTHERS) && !in_script;
        (is_agents && !is_switch && !begins(&KNOWN)).then_some(Self::Agent)
    }
}

/// What to write in place of such a variable.
pub(super) fn help(name: &str, dialect: &Dialect) -> String {
    let mut variables = dialect.running.variables.iter();
    let project = variables.find(|variable| variable.value == VariableValue::Project);
    if matches!(Family::of(name, false), Some(Family::Plugin)) {
        return match project {
            Some(project) => format!(
                "write the path, from `${}` for a file of the project",
                project.name
            ),
            None => "write the path".to_owned(),
        };
    }
    if name.ends_with("PROJECT_DIR") || name.ends_with("_ROOT") || name.ends_with("_CWD") {
        return match project {
            Some(project) => format!("write `${}`", project.name),
            None => "write paths from the project, in which the hook runs".to_owned(),
        };
    }
    let field = if name.contains("FILE") || name.contains("PATH") {
        ".tool_input.file_path"
    } else if name.ends_with("COMMAND") {
        ".tool_input.command"
    } else if name.ends_with("TOOL_NAME") || name.ends_with("_TOOL") {
        ".tool_name"
    } else if name.contains("SESSION") {
        ".session_id"
    } else if name.contains("PROMPT") {
        ".prompt"
    } else if name.contains("OUTPUT") || name.contains("RESPONSE") || name.contains("RESULT") {
        ".tool_response"
    } else if name.contains("EVENT") {
        ".hook_event_name"
    } else {
        ".tool_input"
    };
    format!("the call comes on standard input, as JSON: read it there, as with `jq -r {field}`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_says_whose_the_variable_would_be() {
        for name in [
            "CLAUDE_TOOL_INPUT",
            "CLAUDE_FILE_PATHS",
            "CLAUDE_TOOL_INPUT_FILE_PATH",
            "TOOL_NAME",
            "TOOL_INPUT",
            "CODEX_TOOL_NAME",
            "HOOK_INPUT",
            "CURSOR_PROJECT_DIR",
        ] {
            assert_eq!(Family::of(name, false), Some(Family::Agent), "{name}");
        }
        assert_eq!(Family::of("CLAUDE_PLUGIN_ROOT", true), Some(Family::Plugin));
        for name in [
            "HOME",
            "FILE_PATH",
            "CLAUDE_CODE_REMOTE",
            "CLAUDE_CONFIG_DIR",
            "CODEX_HOME",
            "CLAUDE_SKIP_GUARD",
            "HOOK_TIMEOUT",
            "CLAUDECODE",
        ] {
            assert_eq!(Family::of(name, false), None, "{name}");
        }
        assert_eq!(Family::of("CURSOR_VERSION", true), None);
    }

    #[test]
    fn what_to_write_instead_is_what_is_meant() {
        let said = |name| help(name, Dialect::CLAUDE);
        assert!(said("CLAUDE_FILE_PATHS").ends_with("`jq -r .tool_input.file_path`"));
        assert!(said("TOOL_NAME").ends_with("`jq -r .tool_name`"));
        assert_eq!(said("GEMINI_PROJECT_DIR"), "write `$CLAUDE_PROJECT_DIR`");
        assert!(said("CLAUDE_PLUGIN_ROOT").contains("`$CLAUDE_PROJECT_DIR`"));
        assert!(help("CLAUDE_PROJECT_DIR", Dialect::CODEX).contains("in which the hook runs"));
    }
}
