//! The arguments of `hookchain check`.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::{cli::Format, sources::SourcesArgs};

/// Look at every hooks file that would be used, and at every program named in it
///
/// Says everything that is wrong at once, each thing with its line and what to write instead, and which hooks of agents are
/// not asked here and why. The test cases of the workspace are read as `hookchain test` reads them. Starts no hook. A program with a slash in it is looked for from the workspace, a bare one along
/// the PATH of this process, as it is when the hook is asked.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CheckArgs {
    /// The root of the workspace; unless given, this folder
    #[arg(value_name = "DIR")]
    directory: Option<PathBuf>,
    /// The same, as other commands have it
    #[arg(long, value_name = "DIR", conflicts_with = "directory")]
    workspace: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) sources: SourcesArgs,
    /// Take warnings for errors: unknown fields, hooks that are never asked, duplicates
    #[arg(long)]
    pub(crate) strict: bool,
    /// Print for a person, or for a program
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub(crate) format: Format,
}

impl CheckArgs {
    /// The root of the workspace.
    pub(crate) fn workspace(&self) -> &Path {
        let named = self.workspace.as_ref().or(self.directory.as_ref());
        named.map_or(Path::new("."), PathBuf::as_path)
    }
}

const EXAMPLES: &str = "\
Examples:
  hookchain check
  hookchain check /repo --strict && echo fine
  hookchain check --hooks native,claude,codex
  hookchain check --format json | jq '.diagnostics[].message'

The operator's own hooks file is looked at as well: hooks.json in $BASIS_CONFIG_DIR, else in
$XDG_CONFIG_HOME/basis, else in $HOME/.config/basis.

Exit status: 0 nothing is wrong; 1 something is; 2 wrong usage.";
