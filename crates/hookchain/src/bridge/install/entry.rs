//! What is written into the settings.

use std::{fmt, num::NonZeroU64};

use hook_dialect::{Dialect, bridge::Bridge};

use super::error::SettingsError;
use crate::bridge::args::DEFAULT_WITHIN;

/// The bridge as a hook of an agent.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) bridge: &'static Bridge,
    program: String,
    within: NonZeroU64,
    connects: bool,
}

/// Whether the bridge is in a file.
#[derive(Debug)]
pub(super) enum Presence {
    Absent,
    /// As it is written today, with these options.
    Written(Entry),
    /// In some other form.
    Otherwise,
}

/// One handler that is the bridge.
#[derive(Debug)]
pub(super) struct Spot {
    pub(super) event: &'static str,
    pub(super) group: usize,
    pub(super) index: usize,
}

impl fmt::Display for Spot {
    /// As Codex has it in the name under which trust is kept.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, c) in self.event.char_indices() {
            if c.is_ascii_uppercase() && index > 0 {
                f.write_str("_")?;
            }
            write!(f, "{}", c.to_ascii_lowercase())?;
        }
        write!(f, ":{}:{}", self.group, self.index)
    }
}

/// The value of a field of a hook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Field {
    Text(String),
    Texts(Vec<String>),
    Number(u64),
}

/// The time for the agent lies this far behind the bridge's own, so that the bridge is always the one to say no.
const BEHIND: u64 = 30;

/// Codex takes everything but two exit statuses for consent, also that there is no such program. This takes it for a
/// refusal. Its shell is the user's own, whichever that is, and what is quoted like this is the same to each of them.
const WRAPPER: &str = r#"/bin/sh -c '"$0" "$@"; s=$?; case $s in 0|2) exit $s;; esac; echo "hookchain gave no answer (exit status $s), and so this is blocked" >&2; exit 2'"#;

impl Entry {
    pub(super) fn new(bridge: &'static Bridge, program: String, within: NonZeroU64) -> Self {
        Self {
            bridge,
            program,
            within,
            connects: false,
        }
    }

    /// The same, with or without a resident chain.
    pub(super) fn connecting(self, connects: bool) -> Self {
        Self { connects, ..self }
    }

    /// The events at which the agent is to ask.
    pub(super) fn events(&self) -> impl Iterator<Item = &'static str> {
        events(self.bridge)
    }

    fn arguments(&self) -> Vec<String> {
        let mut words = vec!["bridge".to_owned(), self.bridge.dialect.name.to_owned()];
        if self.within != DEFAULT_WITHIN {
            words.extend(["--within".to_owned(), self.within.to_string()]);
        }
        if self.connects {
            words.push("--connect".to_owned());
        }
        words
    }

    /// The fields of the hook, in order.
    pub(super) fn fields(&self) -> Vec<(&'static str, Field)> {
        let text = |text: &str| Field::Text(text.to_owned());
        let timeout = Field::Number(self.within.get().saturating_add(BEHIND));
        if is_started_directly(self.bridge.dialect) {
            return vec![
                ("type", text("command")),
                ("command", text(&self.program)),
                ("args", Field::Texts(self.arguments())),
                ("timeout", timeout),
                ("onFailure", text("block")),
            ];
        }
        let program = quoted(&self.program);
        let command = format!("{WRAPPER} {program} {}", self.arguments().join(" "));
        vec![
            ("type", text("command")),
            ("command", text(&command)),
            ("timeout", timeout),
        ]
    }

    /// What somebody's hook that is the bridge is.
    pub(super) fn presence(
        bridge: &'static Bridge,
        command: &str,
        args: Option<&[String]>,
    ) -> Presence {
        Self::read(bridge, command, args).map_or(Presence::Otherwise, Presence::Written)
    }

    /// The entry that somebody's hook is, if it is one of ours as it is written today.
    fn read(bridge: &'static Bridge, command: &str, args: Option<&[String]>) -> Option<Self> {
        let (program, arguments) = if let Some(args) = args {
            (command.to_owned(), args.join(" "))
        } else {
            let rest = command.strip_prefix(WRAPPER)?.strip_prefix(' ')?;
            let at = rest.find(" bridge ")?;
            let (program, arguments) = rest.split_at_checked(at)?;
            (unquoted(program), arguments.trim_start().to_owned())
        };
        let mut words = arguments.split(' ').skip(2).peekable();
        let within = if words.next_if_eq(&"--within").is_some() {
            words.next()?.parse().ok()?
        } else {
            DEFAULT_WITHIN
        };
        let connects = words.next() == Some("--connect");
        Some(Self::new(bridge, program, within).connecting(connects))
    }
}

/// The events at which an agent is to ask.
pub(super) fn events(bridge: &Bridge) -> impl Iterator<Item = &'static str> + use<> {
    let rows = bridge.rows.iter();
    rows.filter(|row| row.installed).map(|row| row.event)
}

/// Whether the agent starts a program with its arguments, without a shell between, and can be told that a failure is a
/// refusal.
fn is_started_directly(dialect: &Dialect) -> bool {
    dialect.name == Dialect::CLAUDE.name
}

/// Whether a command is the bridge for this agent, however it is written.
pub(super) fn is_bridge(bridge: &Bridge, command: &str) -> bool {
    let words: Vec<&str> = command.split_whitespace().collect();
    words.windows(3).any(|words| {
        let [program, verb, agent] = words else {
            return false;
        };
        let program = program.trim_matches(['"', '\'']);
        let name = program.rsplit('/').next().unwrap_or(program);
        name.starts_with("hookchain") && *verb == "bridge" && *agent == bridge.dialect.name
    })
}

/// The program that runs now, by its path.
pub(super) fn this_program() -> Result<String, SettingsError> {
    let path = std::env::current_exe().ok();
    let path = path.and_then(|path| path.to_str().map(str::to_owned));
    let path = path.unwrap_or_default();
    let name = path.rsplit('/').next().unwrap_or_default();
    if name.starts_with("hookchain") {
        return Ok(path);
    }
    let name = name.to_owned();
    Err(SettingsError::Program { name })
}

/// A word as every shell reads it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+@%,:".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

fn unquoted(word: &str) -> String {
    let inside = word
        .strip_prefix('\'')
        .and_then(|word| word.strip_suffix('\''));
    inside.map_or_else(|| word.to_owned(), |inside| inside.replace(r"'\''", "'"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn comes_back(entry: &Entry) {
        let fields = entry.fields();
        let field = |name| {
            let found = fields.iter().find(|(known, _)| *known == name);
            found.map(|(_, field)| field)
        };
        let Some(Field::Text(command)) = field("command") else {
            panic!("a command");
        };
        let args = match field("args") {
            Some(Field::Texts(args)) => Some(args.clone()),
            _ => None,
        };
        let line = [vec![command.clone()], args.clone().unwrap_or_default()]
            .concat()
            .join(" ");
        assert!(is_bridge(entry.bridge, &line), "{line}");
        let read = Entry::read(entry.bridge, command, args.as_deref());
        assert_eq!(read.map(|read| read.fields()), Some(fields), "{line}");
    }

    #[test]
    fn what_is_written_is_recognised_and_read_back() {
        let seconds = NonZeroU64::new(60).expect("not zero");
        for program in [
            "hookchain",
            "/usr/local/bin/hookchain",
            "/o'clock/my dir/hookchain",
        ] {
            for bridge in Bridge::ALL {
                comes_back(&Entry::new(bridge, program.to_owned(), DEFAULT_WITHIN));
                let entry = Entry::new(bridge, program.to_owned(), seconds);
                comes_back(&entry);
                comes_back(&entry.connecting(true));
                comes_back(
                    &Entry::new(bridge, program.to_owned(), DEFAULT_WITHIN).connecting(true),
                );
            }
        }
    }

    #[test]
    fn other_hooks_are_not_taken_for_the_bridge() {
        for command in [
            "hookchain bridge codex",
            "./my-hookchain bridge claude",
            "echo bridge claude",
            "hookchain consult",
            "/x/hookchain bridge claudette",
        ] {
            assert!(!is_bridge(Bridge::CLAUDE, command), "{command}");
        }
        assert!(is_bridge(
            Bridge::CLAUDE,
            "cd /x && \"/y/hookchain\" bridge claude --within 5"
        ));
    }
}
