//! The arguments of `hookchain explain`.

use clap::Args;

use crate::cli::{CallArgs, Format, HooksArgs};

/// Say who would be asked about a call, in which order, and who would not and why
///
/// Takes what `consult` takes, and runs nothing: each hook is shown with where it is declared, with the program that would
/// be started and with the request that it would get, as long as no hook before it rewrites the call.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ExplainArgs {
    #[command(flatten)]
    pub(crate) hooks: HooksArgs,
    #[command(flatten)]
    pub(crate) call: CallArgs,
    /// Read one call per line and explain each, until the end of input
    #[arg(long, conflicts_with = "tool")]
    pub(crate) each_line: bool,
    /// Taken so that `consult` can be replaced by `explain` in a command; who is asked is told anyway
    #[arg(long, hide = true)]
    pub(crate) trail: bool,
    /// Print for a person, or for a program
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub(crate) format: Format,
}

const EXAMPLES: &str = r#"Examples:
  hookchain explain --tool shell --input '{"command":"git push --force"}'
  hookchain explain --call call.json --format json | jq '.participants[] | select(.asked).name'

Exit status: 0 explained; 1 something is wrong with a hooks file, the call, reading or writing; 2 wrong usage."#;
