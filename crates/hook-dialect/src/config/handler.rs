//! What is started when a hook is asked.

use std::time::Duration;

use crate::{FailurePolicy, IfRule};

/// A command that is asked, as its file describes it.
///
/// ```
/// use std::time::Duration;
/// use hook_dialect::config::{CommandForm, Handler, Shell};
///
/// let command = CommandForm::Shell { text: "./guard.sh".into(), shell: Shell::Posix };
/// let handler = Handler::new(command, Duration::from_secs(600)).with_once();
/// assert!(handler.once);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Handler {
    /// What is started.
    pub command: CommandForm,
    /// How long an answer may take: what the file says within the event's limits, or the event's default.
    pub timeout: Duration,
    /// Whether the timeout stands in the file.
    pub timeout_written: bool,
    /// Which calls it is asked about, beside the matcher.
    pub rule: Option<IfRule>,
    /// Whether anybody waits for it.
    pub background: Background,
    /// Whether the file asks for one successful run only. Claude Code honours that in skills alone, and its settings
    /// files are what is read here: the hook stays.
    pub once: bool,
    /// What its failure means: the stricter of what the file says and what the embedder says about the file.
    pub on_failure: FailurePolicy,
    /// What is shown while it runs.
    pub status_message: Option<String>,
    /// How many tokens of context the model may be given at once; 0 is without a limit. Codex alone has it.
    pub context_limit: Option<u64>,
}

/// How a command is started.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[expect(
    clippy::exhaustive_enums,
    reason = "whoever runs hooks must act on each"
)]
pub enum CommandForm {
    /// A text for a shell.
    Shell {
        /// The text, as it is written.
        text: String,
        /// Which shell.
        shell: Shell,
    },
    /// A program that is started directly, with its arguments as they are.
    Exec {
        /// A path, or a name that is looked up in the PATH.
        program: String,
        /// The arguments, without the program.
        args: Vec<String>,
    },
}

/// Which shell reads a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(
    clippy::exhaustive_enums,
    reason = "whoever runs hooks must act on each"
)]
pub enum Shell {
    /// `/bin/sh`. Claude Code starts it for `"shell": "bash"`, too.
    Posix,
    /// The shell that the system has noted for the user (not `$SHELL`), as Codex does.
    OfUser,
    /// PowerShell, by the name `pwsh`.
    PowerShell,
}

/// Whether anybody waits for a hook.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(
    clippy::exhaustive_enums,
    reason = "whoever runs hooks must act on each"
)]
pub enum Background {
    /// Its answer is waited for, and counts.
    #[default]
    Never,
    /// Its answer is not waited for, and decides nothing (`async`).
    Always,
    /// The same, and exit status 2 wakes the model with what stands on standard error (`async` with `asyncRewake`).
    WakesTheModel,
}

impl Handler {
    /// A command with nothing else written about it; `timeout` is the event's default.
    #[must_use]
    pub const fn new(command: CommandForm, timeout: Duration) -> Self {
        Self {
            command,
            timeout,
            timeout_written: false,
            rule: None,
            background: Background::Never,
            once: false,
            on_failure: FailurePolicy::Unwritten,
            status_message: None,
            context_limit: None,
        }
    }

    /// With a timeout that is written down.
    #[must_use]
    pub fn with_timeout(self, timeout: Duration) -> Self {
        Self {
            timeout,
            timeout_written: true,
            ..self
        }
    }

    /// With a rule about the calls it is asked about.
    #[must_use]
    pub fn with_rule(self, rule: IfRule) -> Self {
        Self {
            rule: Some(rule),
            ..self
        }
    }

    /// In the background.
    #[must_use]
    pub fn with_background(self, background: Background) -> Self {
        Self { background, ..self }
    }

    /// To be removed after its first success, where that is honoured.
    #[must_use]
    pub fn with_once(self) -> Self {
        Self { once: true, ..self }
    }

    /// With what its failure means.
    #[must_use]
    pub fn with_on_failure(self, on_failure: FailurePolicy) -> Self {
        Self { on_failure, ..self }
    }

    /// With what is shown while it runs.
    #[must_use]
    pub fn with_status_message(self, message: impl Into<String>) -> Self {
        Self {
            status_message: Some(message.into()),
            ..self
        }
    }

    /// With how many tokens of context it may give at once.
    #[must_use]
    pub fn with_context_limit(self, tokens: u64) -> Self {
        Self {
            context_limit: Some(tokens),
            ..self
        }
    }
}

impl CommandForm {
    /// The command on one line, for people; not for a shell.
    #[must_use]
    pub fn shown(&self) -> String {
        match self {
            Self::Shell { text, .. } => hook_contract::shown::line(text),
            Self::Exec { program, args } => {
                let words = std::iter::once(program).chain(args).map(String::as_str);
                hook_contract::shown::line(&words.collect::<Vec<_>>().join(" "))
            }
        }
    }
}
