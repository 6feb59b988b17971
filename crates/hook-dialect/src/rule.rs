//! The rule of a hook (`if`): which tool calls it is asked about, by what they are called with.

mod command;
mod glob;
mod path;

use std::path::{Path, PathBuf};

use hook_contract::Json;
use thiserror::Error;

use self::{command::CommandPattern, path::PathPattern};
use crate::{Dialect, matcher::MAX_PATTERN_BYTES};

/// One rule of Claude Code's permission syntax: `Tool` or `Tool(content)`.
///
/// A rule saves the start of a hook; it is no security boundary, neither here nor at home. Whatever cannot be told holds.
///
/// ```
/// use hook_contract::Json;
/// use hook_dialect::{IfRule, RuleBase};
///
/// let rule = IfRule::parse("Bash(git push *)", RuleBase::default())?;
/// let holds = |input| Ok::<_, hook_contract::json::JsonError>(rule.holds("Bash", &Json::parse(input)?, "/repo".as_ref()));
/// assert!(holds(r#"{"command": "make && GIT_TRACE=1 git push --force"}"#)?);
/// assert!(!holds(r#"{"command": "echo git push"}"#)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IfRule {
    text: String,
    tool: String,
    content: Content,
    base: RuleBase,
}

/// What the paths of a rule begin at, and how it is read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RuleBase {
    /// The user's folder, for `~/…`. Without it such a rule holds for every path.
    pub home: Option<PathBuf>,
    /// The folder that `/…` begins at: that of the project, for its settings. Without it such a rule holds for every path.
    pub settings_root: Option<PathBuf>,
    /// Whether a command line that no shell could read is compared as it stands, as at home. Otherwise every rule about
    /// commands holds for it.
    pub strict: bool,
}

impl RuleBase {
    /// With these folders.
    #[must_use]
    pub const fn new(home: Option<PathBuf>, settings_root: Option<PathBuf>, strict: bool) -> Self {
        Self {
            home,
            settings_root,
            strict,
        }
    }
}

/// Why a text is no rule. At home such a rule never holds, so that the hook is never asked: correct it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RuleProblem {
    /// It does not begin with the name of a tool.
    #[error("it does not begin with the name of a tool")]
    NoTool,
    /// There are blanks around it.
    #[error("there are blanks around it")]
    Blanks,
    /// A parenthesis is not closed, or something follows it.
    #[error("the parenthesis must be closed at its end")]
    NotClosed,
    /// It is more than one rule.
    #[error("it is more than one rule")]
    SeveralRules,
    /// A path begins with `!`.
    #[error("a path that begins with `!` excludes what nothing included")]
    Negated,
    /// It is longer than any rule needs to be.
    #[error("it is longer than {MAX_PATTERN_BYTES} bytes")]
    TooLarge,
}

impl RuleProblem {
    /// What to write instead.
    #[must_use]
    pub const fn help(self) -> &'static str {
        match self {
            Self::NoTool | Self::NotClosed => {
                "write one rule such as `Bash(git push *)` or `Edit(src/**)`"
            }
            Self::Blanks => "remove them",
            Self::SeveralRules => "write a hook for each rule",
            Self::Negated => "write which paths the hook is asked about",
            Self::TooLarge => "look at the content in the hook itself",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Content {
    /// Every call of the tool.
    Any,
    Command(CommandPattern),
    Path(PathPattern),
    /// One field of the input: its name, and what it must be.
    Field(&'static str, glob::Glob),
    /// The host of an address.
    Domain(glob::Glob),
    /// Nothing is known about the contents of this tool's rules.
    Unknown,
}

impl IfRule {
    /// Reads a rule. An empty text is none: leave it out before.
    ///
    /// # Errors
    ///
    /// When it is no rule, and would never hold at home.
    pub fn parse(text: &str, base: RuleBase) -> Result<Self, RuleProblem> {
        if text.len() > MAX_PATTERN_BYTES {
            return Err(RuleProblem::TooLarge);
        }
        if text.trim() != text {
            return Err(RuleProblem::Blanks);
        }
        let (tool, content) = match text.split_once('(') {
            None => (text, None),
            Some((tool, rest)) => {
                let content = rest.strip_suffix(')').ok_or(RuleProblem::NotClosed)?;
                (tool, Some(content))
            }
        };
        let named = |c: char| c.is_ascii_alphanumeric() || "_-.:".contains(c);
        let name = tool.strip_suffix("__*").unwrap_or(tool);
        if name.is_empty() || !name.chars().all(named) {
            return Err(RuleProblem::NoTool);
        }
        let content = match content {
            None | Some("" | "*") => Content::Any,
            Some(content) if closes_early(content) => return Err(RuleProblem::SeveralRules),
            Some(content) => Content::of(tool, content)?,
        };
        Ok(Self {
            text: text.to_owned(),
            tool: tool.to_owned(),
            content,
            base,
        })
    }

    /// The rule as it is written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether it holds for a call of this tool with this input, in this working directory.
    ///
    /// It takes a bounded number of steps, whatever the rule and the input are.
    #[must_use]
    pub fn holds(&self, tool: &str, input: &Json, cwd: &Path) -> bool {
        if !self.is_about(tool) {
            return false;
        }
        match &self.content {
            Content::Any | Content::Unknown => true,
            Content::Command(pattern) => text_at(input, "command")
                .is_none_or(|command| pattern.holds(&command, self.base.strict)),
            Content::Path(pattern) => {
                let paths = ["file_path", "notebook_path", "path"];
                let path = paths.iter().find_map(|field| text_at(input, field));
                path.is_none_or(|path| pattern.holds(&path, cwd, &self.base))
            }
            Content::Field(field, glob) => {
                text_at(input, field).is_none_or(|value| glob.matches(&value))
            }
            Content::Domain(glob) => text_at(input, "url")
                .as_deref()
                .and_then(host)
                .is_none_or(|host| glob.matches(&host)),
        }
    }

    fn is_about(&self, tool: &str) -> bool {
        let mut names = Dialect::CLAUDE.names_of(tool);
        if names.any(|name| name == self.tool) {
            return true;
        }
        // A server stands for all of its tools.
        let server = self.tool.strip_suffix("__*").unwrap_or(&self.tool);
        server.starts_with("mcp__")
            && tool
                .strip_prefix(server)
                .is_some_and(|rest| rest.starts_with("__"))
    }
}

impl Content {
    fn of(tool: &str, content: &str) -> Result<Self, RuleProblem> {
        Ok(match tool {
            "Bash" => Self::Command(CommandPattern::parse(content, false)),
            "PowerShell" => Self::Command(CommandPattern::parse(content, true)),
            "Read" | "Edit" | "Write" | "MultiEdit" | "NotebookEdit" | "Glob" | "Grep" | "LS" => {
                if content.starts_with('!') {
                    return Err(RuleProblem::Negated);
                }
                Self::Path(PathPattern::parse(content))
            }
            "WebFetch" => match content.strip_prefix("domain:") {
                Some(domain) => Self::Domain(glob::Glob::text(&domain.to_ascii_lowercase())),
                None => Self::Unknown,
            },
            // `name:value` is about another field than the one that is known here.
            "Agent" | "Task" if !content.contains(':') => {
                Self::Field("subagent_type", glob::Glob::text(content))
            }
            "Skill" if !content.contains(':') && !content.contains(' ') => {
                Self::Field("skill", glob::Glob::text(content))
            }
            _ => Self::Unknown,
        })
    }
}

/// Whether a parenthesis is closed that was not opened inside: `a) || Bash(b`.
fn closes_early(content: &str) -> bool {
    let (mut depth, mut escaped) = (0_usize, false);
    for c in content.chars() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '(' => depth += 1,
            ')' if depth == 0 => return true,
            ')' => depth -= 1,
            _ => {}
        }
    }
    false
}

/// A text field of the input; nothing when there is none.
fn text_at(input: &Json, field: &str) -> Option<String> {
    let members = input.members()?;
    serde_json::from_str(members.get(field)?).ok()
}

/// The host of an address, in lower case.
fn host(url: &str) -> Option<String> {
    let (_scheme, rest) = url.split_once("://")?;
    let authority = rest.split(['/', '?', '#', '\\']).next()?;
    let host = authority
        .rsplit_once('@')
        .map_or(authority, |(_, host)| host);
    let without_port = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => host,
    };
    let host = without_port.trim_end_matches('.').to_ascii_lowercase();
    (!host.is_empty()).then_some(host)
}

#[cfg(test)]
mod tests;
