//! Why somebody is not asked about a call.

use std::fmt;

use hook_config::HookSpec;
use hook_contract::HookEvent;

/// How many names of tools are listed for a person.
const LISTED: usize = 8;

/// Up to how many edits a name is near enough to be taken for a slip.
const SLIP: usize = 2;

/// Why a participant is not asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Why {
    /// It is asked at the other event.
    OtherEvent(HookEvent),
    /// It is asked about other tools.
    OtherTool {
        tools: Vec<String>,
        nearest: Nearest,
    },
    /// Its list of tools is empty.
    Never,
    /// A transport of its own says so.
    Unknown,
}

/// The listed name that is nearest to the tool that is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Nearest {
    pub(super) tool: String,
    /// How many letters have to be changed, added, left out or swapped.
    pub(super) edits: usize,
    /// Whether the two differ in nothing but case and `-`, `_` or spaces.
    pub(super) same_letters: bool,
}

impl Why {
    /// Why a hook, which is not asked, is not.
    pub(super) fn of(declaration: Option<&HookSpec>, event: HookEvent, tool: &str) -> Self {
        let Some(hook) = declaration else {
            return Self::Unknown;
        };
        if hook.event != event {
            return Self::OtherEvent(hook.event);
        }
        let tools = hook.tools.clone().unwrap_or_default();
        match nearest(tool, &tools) {
            Some(nearest) => Self::OtherTool { tools, nearest },
            None => Self::Never,
        }
    }

    /// One word for it, for programs.
    pub(super) const fn code(&self) -> &'static str {
        match self {
            Self::OtherEvent(_) => "other_event",
            Self::OtherTool { .. } => "other_tool",
            Self::Never => "never_asked",
            Self::Unknown => "not_applicable",
        }
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherEvent(event) => write!(f, "it is asked at the other event, {event}"),
            Self::OtherTool { tools, nearest } => {
                let listed: Vec<_> = tools.iter().take(LISTED).map(String::as_str).collect();
                write!(f, "it is asked about other tools: {}", listed.join(", "))?;
                if tools.len() > listed.len() {
                    write!(f, " and {} more", tools.len() - listed.len())?;
                }
                write!(f, "; {nearest}")
            }
            Self::Never => f.write_str("its `tools` is empty, so it is never asked"),
            Self::Unknown => f.write_str("it does not apply to this call"),
        }
    }
}

impl fmt::Display for Nearest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            tool,
            edits,
            same_letters,
        } = self;
        let plural = if *edits == 1 { "" } else { "s" };
        write!(f, "the nearest name is `{tool}`, {edits} edit{plural} away")?;
        if *same_letters || *edits <= SLIP {
            f.write_str(" (a name is compared letter by letter: is one of the two misspelt?)")?;
        }
        Ok(())
    }
}

/// The nearest of the names, the first of several.
fn nearest(tool: &str, names: &[String]) -> Option<Nearest> {
    let each = names.iter().map(|name| {
        let same_letters = fold(name) == fold(tool);
        let edits = strsim::damerau_levenshtein(name, tool);
        Nearest {
            tool: name.clone(),
            edits,
            same_letters,
        }
    });
    each.min_by_key(|nearest| (!nearest.same_letters, nearest.edits))
}

fn fold(name: &str) -> String {
    name.chars()
        .filter(|c| !matches!(c, '-' | '_' | ' '))
        .flat_map(char::to_lowercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(tools: &[&str], tool: &str, expected: &str) {
        let hook = HookSpec::new("guard", ["x"]).with_tools(tools.iter().copied());
        let why = Why::of(Some(&hook), HookEvent::PreToolUse, tool);
        assert_eq!(why.to_string(), expected);
    }

    #[test]
    fn the_nearest_of_the_tools_is_named() {
        check(
            &["read", "Shell", "write"],
            "shell",
            "it is asked about other tools: read, Shell, write; the nearest name is `Shell`, 1 edit away (a name is \
             compared letter by letter: is one of the two misspelt?)",
        );
        check(
            &["write_file", "WRITE-FILE", "writ_file"],
            "writefile",
            "it is asked about other tools: write_file, WRITE-FILE, writ_file; the nearest name is `write_file`, 1 edit \
             away (a name is compared letter by letter: is one of the two misspelt?)",
        );
        check(
            &["spawn"],
            "shell",
            "it is asked about other tools: spawn; the nearest name is `spawn`, 4 edits away",
        );
        let many: Vec<_> = (0..10).map(|_| "tool").collect();
        check(
            &many,
            "other",
            "it is asked about other tools: tool, tool, tool, tool, tool, tool, tool, tool and 2 more; the nearest name is \
             `tool`, 4 edits away",
        );
    }

    #[test]
    fn the_event_counts_before_the_tool() {
        let hook = HookSpec::new("guard", ["x"]).with_event(HookEvent::PostToolUse);
        let why = Why::of(Some(&hook), HookEvent::PreToolUse, "t");
        assert_eq!(why, Why::OtherEvent(HookEvent::PostToolUse));
        let never = HookSpec::new("guard", ["x"]).with_tools(Vec::<String>::new());
        assert_eq!(
            Why::of(Some(&never), HookEvent::PreToolUse, "t"),
            Why::Never
        );
        assert_eq!(Why::of(None, HookEvent::PreToolUse, "t"), Why::Unknown);
    }
}
