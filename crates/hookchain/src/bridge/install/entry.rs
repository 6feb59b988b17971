//! What is written into the settings.

use std::{fmt, num::NonZeroU64, time::Duration};

use hook_dialect::{
    Dialect,
    bridge::Bridge,
    config::{CommandForm, Shell},
};

use super::known::Known;
use crate::bridge::args::{DEFAULT_WITHIN, LONGEST};

/// The bridge as a hook of an agent.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) bridge: &'static Bridge,
    pub(super) program: String,
    within: NonZeroU64,
    connects: bool,
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.bridge.dialect.name == other.bridge.dialect.name && self.fields() == other.fields()
    }
}

impl Eq for Entry {}

/// Where one handler stands in its file.
#[derive(Clone, Debug, PartialEq, Eq)]
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
        let timeout = Field::Number(self.timeout().as_secs());
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

    /// The command as an agent starts it.
    pub(super) fn command(&self) -> CommandForm {
        let fields = self.fields();
        let text = |name| match fields.iter().find(|(known, _)| *known == name) {
            Some((_, Field::Text(text))) => text.clone(),
            _ => String::new(),
        };
        let (text, shell) = (text("command"), Shell::OfUser);
        if is_started_directly(self.bridge.dialect) {
            let args = self.arguments();
            return CommandForm::Exec {
                program: text,
                args,
            };
        }
        CommandForm::Shell { text, shell }
    }

    /// How long the agent waits for it.
    pub(super) const fn timeout(&self) -> Duration {
        Duration::from_secs(self.within.get().saturating_add(BEHIND))
    }

    /// The entry that a hook with these fields is: every field of it with its value, and no other field.
    ///
    /// What a person has written is read for its options, the entry is made of them anew, and the two must be the same. So
    /// nothing is taken for an entry that this program does not write.
    pub(super) fn exact(
        bridge: &'static Bridge,
        known: &Known,
        fields: &[(&str, Field)],
    ) -> Option<Self> {
        let field = |name: &str| fields.iter().find(|(known, _)| *known == name);
        let (_, Field::Text(command)) = field("command")? else {
            return None;
        };
        let words = match field("args") {
            Some((_, Field::Texts(words))) => Some(words.as_slice()),
            _ => None,
        };
        let entry = Self::in_words(bridge, command, words)?;
        let written = entry.fields();
        let same = |(name, value): &(&str, Field)| field(name).is_some_and(|(_, it)| it == value);
        let is_it = written.len() == fields.len() && written.iter().all(same);
        (is_it && known.has(&entry.program)).then_some(entry)
    }

    /// The entry whose command this is, to the byte.
    pub(super) fn of_command(
        bridge: &'static Bridge,
        known: &Known,
        command: &CommandForm,
    ) -> Option<Self> {
        let entry = match command {
            CommandForm::Exec { program, args } => Self::in_words(bridge, program, Some(args))?,
            CommandForm::Shell { text, .. } => Self::in_words(bridge, text, None)?,
        };
        (entry.command() == *command && known.has(&entry.program)).then_some(entry)
    }

    /// What the words of a command are as options of an entry, which may have others beside them.
    fn in_words(bridge: &'static Bridge, command: &str, words: Option<&[String]>) -> Option<Self> {
        let (program, words) = if is_started_directly(bridge.dialect) {
            (command.to_owned(), words?.to_vec())
        } else {
            let rest = command.strip_prefix(WRAPPER)?.strip_prefix(' ')?;
            let at = rest.rfind(&format!(" bridge {}", bridge.dialect.name))?;
            let (program, words) = rest.split_at_checked(at)?;
            let words = words.split(' ').skip(1).map(str::to_owned);
            (unquoted(program), words.collect())
        };
        let mut options = words.iter().skip(2).map(String::as_str).peekable();
        let within = if options.next_if_eq(&"--within").is_some() {
            options.next()?.parse().ok()?
        } else {
            DEFAULT_WITHIN
        };
        let connects = options.next() == Some("--connect");
        let entry = Self::new(bridge, program, within).connecting(connects);
        (within.get() <= LONGEST).then_some(entry)
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

/// Whether a person would take this for the bridge. What is only alike is named, and nothing else is made of it.
pub(super) fn is_alike(words: &str) -> bool {
    words.contains("hookchain") && words.contains("bridge")
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
mod tests;
