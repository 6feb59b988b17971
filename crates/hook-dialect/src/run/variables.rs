//! The environment of one hook.

use std::{ffi::OsString, path::Path};

use crate::{
    Dialect, Facts,
    dialect::{Variable, VariableValue},
};

/// The variables that an agent sets for its hooks.
pub(super) fn variables(
    dialect: &Dialect,
    project: &Path,
    directory: &Path,
    facts: &Facts,
) -> Vec<(&'static str, OsString)> {
    let value = |variable: &Variable| {
        Some(match variable.value {
            VariableValue::Fixed(text) => text.into(),
            VariableValue::Project => project.into(),
            VariableValue::WorkingDirectory => directory.into(),
            VariableValue::Fact(fact) => facts.text(fact)?.into(),
            VariableValue::Member(fact, member) => facts.get(fact)?.get(member)?.as_str()?.into(),
        })
    };
    let variables = dialect.running.variables.iter();
    variables
        .filter_map(|variable| Some((variable.name, value(variable)?)))
        .collect()
}

/// A word of a command without a shell, with the project's directory in place of `${NAME}` where a variable holds it.
pub(super) fn filled(word: &str, dialect: &Dialect, project: &Path) -> String {
    of_project(dialect)
        .into_iter()
        .fold(word.to_owned(), |word, name| {
            word.replace(&format!("${{{name}}}"), &project.to_string_lossy())
        })
}

/// The variables that hold the project's directory.
pub(super) fn of_project(dialect: &Dialect) -> Vec<&'static str> {
    let variables = dialect.running.variables.iter();
    let of_project = variables.filter(|variable| variable.value == VariableValue::Project);
    of_project.map(|variable| variable.name).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::Fact;

    #[test]
    fn a_hook_of_claude_code_finds_its_project() {
        let facts = Facts::new()
            .with(Fact::SessionId, "s1")
            .with(Fact::Effort, json!({"level": "high"}));
        let (project, directory) = (Path::new("/repo"), Path::new("/repo/sub"));
        assert_eq!(
            variables(Dialect::CLAUDE, project, directory, &facts),
            [
                ("CLAUDE_PROJECT_DIR", "/repo".into()),
                ("CLAUDECODE", "1".into()),
                ("CLAUDE_CODE_SESSION_ID", "s1".into()),
                ("CLAUDE_EFFORT", "high".into()),
                ("PWD", "/repo/sub".into()),
            ]
        );
        let fewer = variables(Dialect::CLAUDE, project, directory, &Facts::new());
        assert_eq!(fewer.len(), 3);
        let codex = variables(Dialect::CODEX, project, directory, &facts);
        assert_eq!(codex, [("PWD", "/repo/sub".into())]);
    }

    #[test]
    fn a_word_without_a_shell_names_the_project_in_braces() {
        let filled = |word| filled(word, Dialect::CLAUDE, Path::new("/a b"));
        assert_eq!(filled("${CLAUDE_PROJECT_DIR}/x"), "/a b/x");
        assert_eq!(
            filled("$CLAUDE_PROJECT_DIR/${PWD}"),
            "$CLAUDE_PROJECT_DIR/${PWD}"
        );
    }
}
