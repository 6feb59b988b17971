//! What a first hook is made of.

use std::path::Path;

use hookchain::documents::{self, Document, HOOK_TEST_SCHEMA};

use super::args::Lang;

/// Where the hooks file is, in the workspace.
pub(super) const HOOKS_FILE: &str = hook_config::DEFAULT_WORKSPACE_HOOKS_FILE;

/// Where the cases are.
pub(super) const CASES_FILE: &str = ".basis/tests/no-force-push.hooktest.json";

/// The tool that the hook is asked about.
pub(super) const TOOL: &str = "shell";

const NAME: &str = "no-force-push";

/// A file to write.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct NewFile {
    /// Below the root of the workspace.
    pub(super) path: &'static str,
    pub(super) text: String,
    pub(super) executable: bool,
}

/// A first hook in one language.
pub(super) struct Starter {
    lang: Lang,
    program: &'static str,
    /// One of the hooks that `docs/hooks` explains; the tests compare the two.
    script: &'static str,
}

impl Starter {
    pub(super) const fn new(lang: Lang) -> Self {
        let (program, script) = match lang {
            Lang::Bash => (
                ".basis/hooks/no-force-push.sh",
                include_str!("templates/no-force-push.sh"),
            ),
            Lang::Python => (
                ".basis/hooks/no-force-push.py",
                include_str!("templates/no-force-push.py"),
            ),
            Lang::Node => (
                ".basis/hooks/no-force-push.mjs",
                include_str!("templates/no-force-push.mjs"),
            ),
        };
        Self {
            lang,
            program,
            script,
        }
    }

    pub(super) const fn lang(&self) -> &'static str {
        match self.lang {
            Lang::Bash => "bash",
            Lang::Python => "python",
            Lang::Node => "node",
        }
    }

    pub(super) const fn program(&self) -> &'static str {
        self.program
    }

    /// The hook as it stands in a hooks file.
    pub(super) fn entry(&self) -> String {
        format!(
            r#"{{ "name": "{NAME}", "command": ["./{}"], "tools": ["{TOOL}"] }}"#,
            self.program
        )
    }

    /// Everything that is written, what makes the hook count last.
    pub(super) fn files(&self) -> Vec<NewFile> {
        let schema = |path, name| {
            let documents = documents::all();
            let document = documents.iter().find(|document| document.name == name);
            NewFile {
                path,
                text: document.map(Document::text).unwrap_or_default(),
                executable: false,
            }
        };
        vec![
            schema(".basis/schemas/hook-test.v1.schema.json", "hook-test"),
            schema(".basis/schemas/hooks-file.v1.schema.json", "hooks-file"),
            NewFile {
                path: CASES_FILE,
                text: Self::cases(),
                executable: false,
            },
            NewFile {
                path: self.program,
                text: self.script.to_owned(),
                executable: true,
            },
            NewFile {
                path: HOOKS_FILE,
                text: self.hooks_file(),
                executable: false,
            },
        ]
    }

    /// The commands to try next.
    pub(super) fn next(directory: &Path) -> [String; 3] {
        let (directory, workspace) = if directory == Path::new(".") {
            (String::new(), String::new())
        } else {
            let directory = quoted(&directory.display().to_string());
            (format!(" {directory}"), format!(" --workspace {directory}"))
        };
        [
            format!("hookchain check{directory}"),
            format!("hookchain test{workspace}"),
            format!(
                "hookchain consult{workspace} --tool {TOOL} --input '{{\"command\":\"git push --force\"}}' --format human"
            ),
        ]
    }

    fn hooks_file(&self) -> String {
        format!(
            "{{\n  \"$schema\": \"./schemas/hooks-file.v1.schema.json\",\n  \"schema\": {},\n  \"hooks\": [\n    {}\n  ]\n}}\n",
            hook_config::HOOKS_FILE_SCHEMA,
            self.entry()
        )
    }

    fn cases() -> String {
        let denied = format!(
            r#"{{ "outcome": "deny", "by": "{NAME}", "reason_contains": "force-push is not allowed" }}"#
        );
        let cases = [
            (
                "a forced push is denied",
                TOOL,
                r#"{ "command": "git push --force" }"#,
                denied.as_str(),
            ),
            (
                "a short flag is a forced push too",
                TOOL,
                r#"{ "command": "cd app && git push -f origin main" }"#,
                &denied,
            ),
            (
                "any other push is allowed",
                TOOL,
                r#"{ "command": "git push origin main" }"#,
                r#"{ "outcome": "allow" }"#,
            ),
            (
                "other tools are not asked about",
                "read_file",
                r#"{ "path": "README.md" }"#,
                r#"{ "outcome": "allow", "asked": [] }"#,
            ),
        ];
        let cases = cases.map(|(name, tool, input, expect)| {
            format!(
                r#"    {{
      "name": "{name}",
      "call": {{ "tool_name": "{tool}", "input": {input} }},
      "expect": {expect}
    }}"#
            )
        });
        format!(
            "{{\n  \"$schema\": \"../schemas/hook-test.v1.schema.json\",\n  \"schema\": {HOOK_TEST_SCHEMA},\n  \"cases\": [\n{}\n  ]\n}}\n",
            cases.join(",\n")
        )
    }
}

/// A word as a shell reads it back.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+:@%,".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hooks_are_those_that_the_documentation_explains() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/hooks/");
        for lang in [Lang::Bash, Lang::Python, Lang::Node] {
            let starter = Starter::new(lang);
            let name = starter.program.rsplit('/').next().expect("a name");
            let explained = std::fs::read_to_string(format!("{folder}{name}")).expect("a hook");
            assert_eq!(starter.script, explained, "{name}");
        }
    }

    #[test]
    fn a_path_is_one_word_to_a_shell() {
        assert_eq!(quoted("/a/b-c.d"), "/a/b-c.d");
        assert_eq!(quoted("a b"), "'a b'");
        assert_eq!(quoted("it's $HOME"), r"'it'\''s $HOME'");
        assert_eq!(quoted(""), "''");
    }
}
