//! The arguments of `hookchain init`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// Write a first hooks file, a hook and test cases that pass
///
/// The hook denies a forced git push. Everything is written below .basis, and all of it or nothing: when one of the files
/// is there already, it is named and nothing is written.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct InitArgs {
    /// The root of the workspace
    #[arg(value_name = "DIR", default_value = ".")]
    pub(super) directory: PathBuf,
    /// In which language the hook is written
    #[arg(long, value_name = "LANG", default_value = "bash")]
    pub(super) lang: Lang,
}

/// A language for hooks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Lang {
    /// Needs nothing else; looks at the request as text, since bash cannot parse JSON
    Bash,
    /// Needs Python 3 and none of its packages
    Python,
    /// Needs Node and none of its packages
    Node,
}

const EXAMPLES: &str = "\
Examples:
  hookchain init
  hookchain init --lang python /repo

Exit status: 0 the files are written; 1 one of them is there already, or they cannot be written;
2 wrong usage.";
