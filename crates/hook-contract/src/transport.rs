//! How a declared hook is reached.

use std::{fmt, path::PathBuf, time::Duration};

use serde::{Deserialize, Serialize};

use crate::Json;

/// How many questions a persistent worker answers before it is replaced, when its hook does not say.
///
/// Far more than it takes to make the start of a process cost nothing, and few enough that a worker
/// which loses 10 KiB with each question never holds more than 100 MiB of them.
pub const DEFAULT_MAX_QUESTIONS: u64 = 10_000;

/// How old a persistent worker gets before it is replaced, when its hook does not say: an hour.
pub const DEFAULT_MAX_AGE: Duration = Duration::from_secs(60 * 60);

/// How long a persistent worker is kept without a question, when its hook does not say: ten minutes.
pub const DEFAULT_MAX_IDLE: Duration = Duration::from_secs(10 * 60);

/// The key under which a hooks file declares a program: `command`.
pub const COMMAND_KEY: &str = "command";

/// How a declared hook is reached: by a program, or by a transport that the host registered under a key.
///
/// ```
/// use hook_contract::{HookSpec, Json, Transport};
/// use serde_json::json;
///
/// let remote = HookSpec::over("policy", "http", json!({"url": "https://policy.example/ask"}));
/// assert_eq!(remote.transport.key(), "http");
/// assert_eq!(remote.command(), None);
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Transport {
    /// A program, started for each question or kept as a worker.
    Command(CommandTransport),
    /// Any other transport.
    #[non_exhaustive]
    Other {
        /// The key in the hooks file, under which the host registered the transport.
        key: String,
        /// The value of that key: any JSON that the transport understands.
        config: Json,
    },
}

impl Transport {
    /// A transport that the host registered under `key`, with its settings.
    #[must_use]
    pub fn other(key: impl Into<String>, config: impl Into<Json>) -> Self {
        Self::Other {
            key: key.into(),
            config: config.into(),
        }
    }

    /// The key that stands in a hooks file: `command` for a program.
    #[must_use]
    pub fn key(&self) -> &str {
        match self {
            Self::Command(_) => COMMAND_KEY,
            Self::Other { key, .. } => key,
        }
    }
}

/// Without the settings of another transport, which may hold a secret.
impl fmt::Debug for Transport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Command(program) => program.fmt(f),
            Self::Other { key, .. } => f
                .debug_struct("Other")
                .field("key", key)
                .finish_non_exhaustive(),
        }
    }
}

/// A program and how it is run.
///
/// ```
/// use hook_contract::{CommandTransport, HookMode};
///
/// let program = CommandTransport::new(["python3", ".basis/hooks/guard.py"]);
/// assert_eq!(program.argv[0], "python3");
/// assert_eq!(program.mode, HookMode::Oneshot);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct CommandTransport {
    /// The program and its arguments, executed as they stand and never handed to a shell. A program
    /// with a `/` in it is relative to [`directory`](Self::directory); a bare one is looked up in the
    /// `PATH` the hook is given.
    pub argv: Vec<String>,
    /// The folder that the command belongs to, and the program's working directory, as an absolute path; `None` is the
    /// workspace. With a folder, nothing relative in the command leads into the workspace: what the folder's owner declared
    /// is not the workspace's to supply (ADR 0030).
    pub directory: Option<PathBuf>,
    /// Whether the program is started for each question, or kept.
    pub mode: HookMode,
    /// How many questions a worker answers before it is replaced, from 1 to 1 000 000 000.
    /// Of no meaning in another mode, as the next two.
    pub max_questions: u64,
    /// How old a worker gets before it is replaced, from a millisecond to a day.
    pub max_age: Duration,
    /// How long a worker is kept without a question, from a millisecond to a day.
    pub max_idle: Duration,
}

impl CommandTransport {
    /// A program that is started for each question, with every bound at its default.
    #[must_use]
    pub fn new<S: Into<String>>(argv: impl IntoIterator<Item = S>) -> Self {
        Self {
            argv: argv.into_iter().map(Into::into).collect(),
            directory: None,
            mode: HookMode::default(),
            max_questions: DEFAULT_MAX_QUESTIONS,
            max_age: DEFAULT_MAX_AGE,
            max_idle: DEFAULT_MAX_IDLE,
        }
    }
}

/// How the program of a hook is run.
///
/// ```
/// assert_eq!(hook_contract::HookMode::Worker.as_str(), "worker");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[expect(
    clippy::exhaustive_enums,
    reason = "code that runs hooks must act on each"
)]
pub enum HookMode {
    /// A process for each question: it reads the question to the end of its input, prints the answer and ends.
    #[default]
    Oneshot,
    /// One process that is kept: it reads one question per line and prints one answer per line.
    Worker,
}

impl HookMode {
    /// Every mode.
    pub const ALL: [Self; 2] = [Self::Oneshot, Self::Worker];

    /// The word in the hooks file.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Oneshot => "oneshot",
            Self::Worker => "worker",
        }
    }
}

impl fmt::Display for HookMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mode_is_written_as_it_is_read() {
        for mode in HookMode::ALL {
            let written = serde_json::to_value(mode).expect("a word");
            assert_eq!(written, mode.to_string());
        }
    }

    #[test]
    fn a_transport_is_known_by_its_key() {
        assert_eq!(
            Transport::Command(CommandTransport::new(["x"])).key(),
            "command"
        );
        assert_eq!(
            Transport::other("http", serde_json::json!({})).key(),
            "http"
        );
    }

    #[test]
    fn the_settings_of_a_transport_are_not_shown() {
        let http = Transport::other("http", serde_json::json!({"token": "hunter2"}));
        assert_eq!(format!("{http:?}"), r#"Other { key: "http", .. }"#);
    }
}
