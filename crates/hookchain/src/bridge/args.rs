//! The arguments.

use std::{ffi::OsString, num::NonZeroU64, path::PathBuf, time::Duration};

use clap::{Args, Command, FromArgMatches, Subcommand, ValueEnum};
use hook_dialect::bridge::Bridge;

use crate::cli::Format;

/// Let the hooks of a workspace guard Claude Code or Codex
///
/// Those agents call programs of their user's before and after each tool call. `bridge claude` and `bridge codex` are such
/// programs: they put the call through the hooks of the workspace and answer in the words of the agent, so that one hooks
/// file guards every agent. `bridge install` writes them into the agent's settings.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct BridgeArgs {
    #[command(subcommand)]
    pub(super) command: BridgeCommand,
}

const EXAMPLES: &str = "\
Examples:
  hookchain bridge install claude --dry-run
  hookchain bridge install codex --scope user --trust
  hookchain bridge status claude
  hookchain bridge uninstall claude";

#[derive(Debug, Subcommand)]
pub(super) enum BridgeCommand {
    /// Answer one question of Claude Code; for its hook settings
    ///
    /// Reads what Claude Code sends to its hooks and answers as one of them. A call that cannot be judged, whatever the
    /// reason, is blocked.
    #[command(after_help = ANSWER_HELP)]
    Claude(AnswerArgs),
    /// Answer one question of Codex; for its hook settings
    ///
    /// Reads what Codex sends to its hooks and answers as one of them. A call that cannot be judged, whatever the reason,
    /// is blocked.
    #[command(after_help = ANSWER_HELP)]
    Codex(AnswerArgs),
    /// Write the bridge into an agent's settings
    ///
    /// Everything else in the file stays byte for byte as it is, and a copy of it is kept beside it. Doing it again changes
    /// nothing. A file that the agent could not read is refused.
    #[command(after_help = INSTALL_HELP)]
    Install(InstallArgs),
    /// Take the bridge out of an agent's settings again
    #[command(after_help = UNINSTALL_HELP)]
    Uninstall(UninstallArgs),
    /// Tell whether an agent is guarded, and by which file
    #[command(after_help = STATUS_HELP)]
    Status(StatusArgs),
}

const ANSWER_HELP: &str = "\
Exit status: 0 the answer, if there is one, is on standard output; 2 the call is blocked, and the reason is on
standard error.";

const INSTALL_HELP: &str = "\
Examples:
  hookchain bridge install claude
  hookchain bridge install codex --scope user --trust

Exit status: 0 it is there; 1 something is in the way; 2 wrong usage.";

const UNINSTALL_HELP: &str = "\
Examples:
  hookchain bridge uninstall claude --scope user

Exit status: 0 it is not there any more; 1 something is in the way; 2 wrong usage.";

const STATUS_HELP: &str = "\
Examples:
  hookchain bridge status codex --format json

Exit status: 0 every tool call is guarded; 1 some are not, or the settings cannot be read; 2 wrong usage.";

/// What the answering command takes. The agent's settings hold it, so that it stays as it is.
#[derive(Debug, Args)]
pub(super) struct AnswerArgs {
    /// The root of the workspace; otherwise it is found from where the agent was started
    #[arg(long, value_name = "DIR")]
    pub(super) workspace: Option<PathBuf>,
    /// How long all hooks together may take; past it the call is blocked
    #[arg(long, value_name = "SECONDS", default_value_t = DEFAULT_WITHIN)]
    within: NonZeroU64,
    /// Ask the resident chain of the workspace, whose workers are warm, and start it when there is none
    ///
    /// When it cannot be reached, the call is decided as it is without this.
    #[arg(long)]
    pub(super) connect: bool,
}

/// Together with what is added for the agent, this is the time that both agents give a hook by default.
pub(super) const DEFAULT_WITHIN: NonZeroU64 = NonZeroU64::new(570).unwrap();

impl AnswerArgs {
    /// Reads these words; nothing when they are not all understood.
    pub(super) fn parse(words: impl Iterator<Item = OsString>) -> Option<Self> {
        let command = Self::augment_args(Command::new("bridge").no_binary_name(true));
        let matches = command
            .disable_help_flag(true)
            .try_get_matches_from(words)
            .ok()?;
        Self::from_arg_matches(&matches).ok()
    }

    pub(super) fn within(&self) -> Duration {
        Duration::from_secs(self.within.get())
    }
}

/// An agent that can call the bridge.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Agent {
    /// Claude Code
    Claude,
    /// Codex
    Codex,
}

impl Agent {
    pub(super) const fn bridge(self) -> &'static Bridge {
        match self {
            Self::Claude => Bridge::CLAUDE,
            Self::Codex => Bridge::CODEX,
        }
    }
}

/// Whose settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum SettingsScope {
    /// The user's own, for every project
    User,
    /// The project's, for everybody who works on it
    Project,
}

/// Which settings.
#[derive(Debug, Args)]
pub(super) struct WhereArgs {
    /// Of which agent
    #[arg(value_name = "AGENT")]
    pub(super) agent: Agent,
    /// In whose settings
    #[arg(long, value_name = "SCOPE", default_value = "project")]
    pub(super) scope: SettingsScope,
    /// The root of the project
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub(super) workspace: PathBuf,
}

#[derive(Debug, Args)]
pub(super) struct InstallArgs {
    #[command(flatten)]
    pub(super) place: WhereArgs,
    /// Show the change and write nothing
    #[arg(long)]
    pub(super) dry_run: bool,
    /// How long all hooks together may take; past it a call is blocked
    #[arg(long, value_name = "SECONDS", default_value_t = DEFAULT_WITHIN, value_parser = within)]
    pub(super) within: NonZeroU64,
    /// The program that the agent is to start; for a project `hookchain`, as the PATH has it, otherwise this one
    #[arg(long, value_name = "PROGRAM", value_parser = program)]
    pub(super) program: Option<String>,
    /// Have calls decided by a resident chain, which keeps workers warm, wherever it can be reached
    #[arg(long)]
    pub(super) connect: bool,
    /// Say for Codex that you trust the hooks that are written; without it they are only run after a look at `/hooks`
    #[arg(long)]
    pub(super) trust: bool,
}

#[derive(Debug, Args)]
pub(super) struct UninstallArgs {
    #[command(flatten)]
    pub(super) place: WhereArgs,
    /// Show the change and write nothing
    #[arg(long)]
    pub(super) dry_run: bool,
    /// Also take out entries that start this program, of an installation of yours that is not on record here
    #[arg(long, value_name = "PROGRAM", value_parser = program)]
    pub(super) program: Option<String>,
}

#[derive(Debug, Args)]
pub(super) struct StatusArgs {
    /// Of which agent
    #[arg(value_name = "AGENT")]
    pub(super) agent: Agent,
    /// The root of the project
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub(super) workspace: PathBuf,
    /// Print for a person, or for a program
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub(super) format: Format,
}

/// The longest time that makes sense: agents count whole seconds, and a day is longer than any of them waits.
pub(super) const LONGEST: u64 = 86_400;

fn within(word: &str) -> Result<NonZeroU64, String> {
    let seconds = word
        .parse()
        .ok()
        .filter(|seconds: &NonZeroU64| seconds.get() <= LONGEST);
    seconds.ok_or_else(|| format!("a whole number of seconds from 1 to {LONGEST} is wanted"))
}

/// The entry is recognised by the name of the program.
fn program(word: &str) -> Result<String, String> {
    let name = word.rsplit('/').next().unwrap_or(word);
    if name.starts_with("hookchain") && !word.chars().any(char::is_control) {
        return Ok(word.to_owned());
    }
    Err("its name must begin with `hookchain`, by which the entry is found again".into())
}
