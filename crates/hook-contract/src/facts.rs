//! What is known about a call: plain data, made by the host and read by participants.
//!
//! Nothing here reads a command line or a path; [`ToolKnowledge`](crate::ToolKnowledge) is the seam through which a host
//! supplies code that does.

use serde::{Deserialize, Deserializer, Serialize};

use crate::{Kind, Kinds};

/// What is known about the tool that is called.
///
/// ```
/// use hook_contract::{Kind, Tool};
///
/// let tool = Tool::new([Kind::Shell]).with_agent("claude-code");
/// assert_eq!(serde_json::to_string(&tool)?, r#"{"kinds":["shell"],"agent":"claude-code"}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Tool {
    /// What the tool can do. A word that is not listed here is of a later version, and as good as `other`.
    #[serde(deserialize_with = "known_kinds")]
    pub kinds: Vec<Kind>,
    /// Whose name the tool's name is, such as `claude-code`. Absent where the host does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The MCP server that has the tool. Absent for every other tool, and where it is not certain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server: Option<String>,
    /// The name that the MCP server gives the tool. Absent for every other tool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

impl Tool {
    /// A tool of these kinds.
    #[must_use]
    pub fn new(kinds: impl IntoIterator<Item = Kind>) -> Self {
        let kinds: Kinds = kinds.into_iter().collect();
        Self {
            kinds: kinds.into_iter().collect(),
            ..Self::default()
        }
    }

    /// Says whose name the tool's name is.
    #[must_use]
    pub fn with_agent(mut self, agent: impl Into<String>) -> Self {
        self.agent = Some(agent.into());
        self
    }

    /// Says which MCP server has the tool, and what the server calls it.
    #[must_use]
    pub fn with_mcp(mut self, server: Option<String>, name: impl Into<String>) -> Self {
        self.server = server;
        self.name = Some(name.into());
        self
    }
}

/// The kinds of these words. A kind of a later version, for which there is no name here, is [`Kind::Other`]: a guard that was
/// built before it goes on judging the tool by the kinds that it knows.
fn known_kinds<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Kind>, D::Error> {
    let words = Vec::<String>::deserialize(deserializer)?;
    let kind = |word: String| Kind::of_word(&word).unwrap_or(Kind::Other);
    Ok(words.into_iter().map(kind).collect())
}

/// What a call does, as far as it could be read from its input.
///
/// Facts describe the form of the call that the participant is asked about. A fact is what was seen at that moment; a file
/// can be renamed between the look and the call.
///
/// ```
/// use hook_contract::{Access, Coverage, Facts, PathFact};
///
/// let facts = Facts::new()
///     .with_path(PathFact::new("/repo/a.rs", "a.rs", Access::Write).within_workspace())
///     .with_unread("the second command has an open quote");
/// let stays_inside = facts.paths.iter().all(|path| path.in_workspace);
/// assert!(stays_inside && facts.coverage != Coverage::Full, "what was read is harmless, and not everything was read");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Facts {
    /// Whether everything that the input says was read.
    pub coverage: Coverage,
    /// Why something was not read, one reason each; empty where coverage is full.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unread: Vec<String>,
    /// Every simple command, wherever it stands in the command line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub commands: Vec<CommandFact>,
    /// The files and folders that the call names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<PathFact>,
    /// The URLs that the call names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub urls: Vec<UrlFact>,
}

impl Facts {
    /// Facts about a call of which everything was read and that names nothing.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            coverage: Coverage::Full,
            unread: Vec::new(),
            commands: Vec::new(),
            paths: Vec::new(),
            urls: Vec::new(),
        }
    }

    /// Notes that something was not read, which makes the coverage partial.
    ///
    /// ```
    /// use hook_contract::{Coverage, Facts};
    ///
    /// let facts = Facts::new().with_unread("the command line has more than 64 KiB");
    /// assert_eq!(facts.coverage, Coverage::Partial);
    /// ```
    #[must_use]
    pub fn with_unread(mut self, why: impl Into<String>) -> Self {
        self.coverage = Coverage::Partial;
        self.unread.push(why.into());
        self
    }

    /// Adds a command.
    #[must_use]
    pub fn with_command(mut self, command: CommandFact) -> Self {
        self.commands.push(command);
        self
    }

    /// Adds a path.
    #[must_use]
    pub fn with_path(mut self, path: PathFact) -> Self {
        self.paths.push(path);
        self
    }

    /// Adds a URL.
    #[must_use]
    pub fn with_url(mut self, url: UrlFact) -> Self {
        self.urls.push(url);
        self
    }
}

impl Default for Facts {
    fn default() -> Self {
        Self::new()
    }
}

/// Whether everything of an input was read.
///
/// ```
/// use hook_contract::Coverage;
///
/// let coverage: Coverage = serde_json::from_str(r#""a_word_of_a_later_version""#)?;
/// assert_eq!(coverage, Coverage::Partial);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Coverage {
    /// Everything was read.
    Full,
    /// Something was not read; the reasons stand beside it. A guard must not take what is missing for harmless. A word of
    /// a later version is read as this one.
    #[serde(other)]
    Partial,
}

/// One simple command of a command line.
///
/// ```
/// use hook_contract::CommandFact;
///
/// let line = "sudo git push --force";
/// let mut push = CommandFact::new("git", ["git", "push", "--force"], [5, 21]);
/// push.through = vec!["sudo".into()];
/// assert!(push.exact && push.argv.iter().flatten().any(|word| word == "--force"));
/// assert_eq!(&line[push.span[0]..push.span[1]], "git push --force");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct CommandFact {
    /// The name of the program, without its folder.
    pub program: String,
    /// The words of the command. A word that is only known when the command runs is null.
    pub argv: Vec<Option<String>>,
    /// Whether every word is known.
    pub exact: bool,
    /// The wrappers around it, the outermost first: `sudo`, `bash -c`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub through: Vec<String>,
    /// The files that its input and output are redirected from and to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub redirects: Vec<Redirect>,
    /// Where its standard input comes from, where the command line says so: `heredoc`, `pipe`, `here-string`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stdin: Option<String>,
    /// The folder it runs in, where a `cd` before it says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// The bytes of the command line it was read from: the first, and the one after the last.
    pub span: [usize; 2],
}

impl CommandFact {
    /// A command whose every word is known, read from these bytes of the command line.
    #[must_use]
    pub fn new<S: Into<String>>(
        program: impl Into<String>,
        argv: impl IntoIterator<Item = S>,
        span: [usize; 2],
    ) -> Self {
        Self {
            program: program.into(),
            argv: argv.into_iter().map(|word| Some(word.into())).collect(),
            exact: true,
            through: Vec::new(),
            redirects: Vec::new(),
            stdin: None,
            cwd: None,
            span,
        }
    }
}

/// One redirection of a command.
///
/// ```
/// use hook_contract::Redirect;
///
/// let redirect = Redirect::new(">", "out.txt");
/// assert_eq!(serde_json::to_string(&redirect)?, r#"{"op":">","path":"out.txt"}"#);
/// let later: Redirect = serde_json::from_str(r#"{"op":">","path":null}"#)?;
/// assert_eq!(later.path, None, "only known when the command runs");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Redirect {
    /// The operator: `>`, `>>`, `<`.
    pub op: String,
    /// The file, as it is written. Null where it is only known when the command runs.
    pub path: Option<String>,
}

impl Redirect {
    /// A redirection to or from a file.
    #[must_use]
    pub fn new(op: impl Into<String>, path: impl Into<String>) -> Self {
        Self {
            op: op.into(),
            path: Some(path.into()),
        }
    }
}

/// A file or folder that a call names.
///
/// ```
/// use hook_contract::{Access, PathFact};
///
/// let paths = [
///     PathFact::new("/repo/src/a.rs", "src/a.rs", Access::Write).within_workspace(),
///     PathFact::new("/etc/hosts", "../etc/hosts", Access::Read),
/// ];
/// let outside = paths.iter().find(|path| !path.in_workspace).expect("one path lies outside");
/// assert_eq!((&*outside.path, &*outside.as_written), ("/etc/hosts", "../etc/hosts"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct PathFact {
    /// The absolute path, with `..` and links resolved as far as they exist.
    pub path: String,
    /// The path as the call writes it.
    pub as_written: String,
    /// What the call does to it.
    pub access: Access,
    /// Whether it lies in the workspace.
    pub in_workspace: bool,
    /// `assumed` where the folder that a relative path belongs to is not known; absent otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
}

impl PathFact {
    /// A path, and what the call does to it.
    #[must_use]
    pub fn new(path: impl Into<String>, as_written: impl Into<String>, access: Access) -> Self {
        Self {
            path: path.into(),
            as_written: as_written.into(),
            access,
            in_workspace: false,
            base: None,
        }
    }

    /// Says that it lies in the workspace.
    #[must_use]
    pub fn within_workspace(mut self) -> Self {
        self.in_workspace = true;
        self
    }
}

/// What a call does to a path.
///
/// ```
/// use hook_contract::Access;
///
/// // An access that a later version adds counts as a change.
/// let changes = |access| !matches!(access, Access::Read | Access::List);
/// assert!(changes(Access::Write) && changes(Access::Delete));
/// assert!(!changes(Access::List));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Access {
    /// Reads it.
    Read,
    /// Writes, creates or changes it.
    Write,
    /// Removes it, or moves it away.
    Delete,
    /// Lists it.
    List,
}

/// A URL that a call names.
///
/// ```
/// use hook_contract::UrlFact;
///
/// let is_docs = |url: &UrlFact| url.host.as_deref() == Some("docs.example");
/// assert!(is_docs(&UrlFact::new("https://Docs.Example/a", Some("docs.example".into()))));
/// assert!(!is_docs(&UrlFact::new("file:///etc/passwd", None)), "a URL without a host");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct UrlFact {
    /// The URL, as the call writes it.
    pub url: String,
    /// Its host, in lower case. Absent where it has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
}

impl UrlFact {
    /// A URL and its host.
    #[must_use]
    pub fn new(url: impl Into<String>, host: Option<String>) -> Self {
        Self {
            url: url.into(),
            host,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn facts_stand_on_the_wire_as_the_documents_show_them() {
        let mut push = CommandFact::new("git", ["git", "push", "--force"], [0, 16]);
        push.through = vec!["sudo".into(), "bash -c".into()];
        push.redirects = vec![Redirect::new(">", "out.txt")];
        let facts = Facts::new()
            .with_command(push)
            .with_path(PathFact::new("/abs/x", "x", Access::Write).within_workspace())
            .with_url(UrlFact::new("https://h/x", Some("h".into())));
        let written = json!({
            "coverage": "full",
            "commands": [{"program": "git", "argv": ["git", "push", "--force"], "exact": true,
                "through": ["sudo", "bash -c"], "redirects": [{"op": ">", "path": "out.txt"}], "span": [0, 16]}],
            "paths": [{"path": "/abs/x", "as_written": "x", "access": "write", "in_workspace": true}],
            "urls": [{"url": "https://h/x", "host": "h"}],
        });
        assert_eq!(serde_json::to_value(&facts).expect("plain data"), written);
        assert_eq!(
            serde_json::from_value::<Facts>(written).expect("plain data"),
            facts
        );
    }

    #[test]
    fn a_word_of_a_later_version_is_read_with_care() {
        let text = r#"{"kinds":["shell","teleport"],"of_a_later_version":[1]}"#;
        let tool: Tool = serde_json::from_str(text).expect("a tool");
        assert_eq!(
            tool,
            Tool {
                kinds: vec![Kind::Shell, Kind::Other],
                ..Tool::default()
            }
        );
        let facts: Facts = serde_json::from_str(r#"{"coverage":"most"}"#).expect("facts");
        assert_eq!(facts.coverage, Coverage::Partial);
        for text in [
            r#"{"kinds":[7]}"#,
            r#"{"kinds":"shell"}"#,
            r#"{"kinds":null}"#,
            "{}",
        ] {
            assert!(serde_json::from_str::<Tool>(text).is_err(), "{text}");
        }
    }

    #[test]
    fn what_was_not_read_makes_the_coverage_partial() {
        let facts = Facts::new().with_unread("too long");
        assert_eq!(
            serde_json::to_value(facts).expect("plain data"),
            json!({"coverage": "partial", "unread": ["too long"]})
        );
    }
}
