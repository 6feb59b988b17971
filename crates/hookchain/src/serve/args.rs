//! The arguments of `hookchain serve`.

use std::{num::NonZeroU64, path::PathBuf, time::Duration};

use clap::{ArgAction, Args};

/// Keep the chain of a workspace, with warm workers, for `bridge --connect`
///
/// Bridges start it when they need it; by hand it shows where it listens, or what keeps it from that. There is one for each
/// workspace, user, environment and version, and four of a user at most: the oldest ends when another starts. Only its user
/// can connect, it takes changes of hooks files at the next call, and it ends when nobody has asked for a while.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ServeArgs {
    /// Listen on a socket, in the place where bridges of this workspace look
    ///
    /// That is `$XDG_STATE_HOME/hookchain/serve`, or else `~/.local/state/hookchain/serve`. It must lead through no folder
    /// into which everybody may write, nor through the workspace: a command of the agent could answer there.
    #[arg(long, required = true, action = ArgAction::SetTrue)]
    socket: bool,
    /// The root of the workspace
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub(super) workspace: PathBuf,
    /// After how long without a call it ends
    #[arg(long, value_name = "SECONDS", default_value_t = DEFAULT_IDLE)]
    idle: NonZeroU64,
    /// Leave the session of whoever starts it, and say nothing
    #[arg(long, hide = true)]
    pub(super) detached: bool,
}

/// As long as a worker is kept that nobody asks.
const DEFAULT_IDLE: NonZeroU64 = NonZeroU64::new(600).unwrap();

const EXAMPLES: &str = "\
Examples:
  hookchain serve --socket
  hookchain serve --socket --workspace /repo --idle 3600
  hookchain bridge install claude --connect

Exit status: 0 nobody asked any more, or a signal ended it; 1 it cannot listen, or another one
does already; 2 wrong usage.";

impl ServeArgs {
    pub(super) fn idle(&self) -> Duration {
        Duration::from_secs(self.idle.get())
    }
}
