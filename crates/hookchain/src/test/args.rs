//! The arguments of `hookchain test`.

use std::path::PathBuf;

use clap::{Args, builder::RangedU64ValueParser, value_parser};

use crate::cli::Format;

/// Run the test cases of a workspace's hooks
///
/// A case is a call and what must become of it, in a file that ends in .hooktest.json. Each case is run in a copy of the
/// workspace of its own, several at a time. Left out of the copy are .git and what .gitignore files name, except for
/// .basis, which is copied whole.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct TestArgs {
    /// Case files, and directories in which *.hooktest.json are looked for; .basis/tests of the workspace unless given
    #[arg(value_name = "PATHS")]
    pub(super) paths: Vec<PathBuf>,
    /// The root of the workspace: where its hooks file is, and what is copied for each case
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub(super) workspace: PathBuf,
    /// Run only the cases whose file or name holds this text
    #[arg(long, value_name = "TEXT")]
    pub(super) filter: Option<String>,
    /// How many cases run at a time; one for each core unless given
    #[arg(long, short, value_name = "N", value_parser = RangedU64ValueParser::<usize>::new().range(1..=1024))]
    pub(super) jobs: Option<usize>,
    /// Also write the results to this file, as JUnit XML
    #[arg(long, value_name = "FILE")]
    pub(super) junit: Option<PathBuf>,
    /// Also ask the hooks of your own hooks file, which is not read otherwise: the cases must pass on every machine
    #[arg(long)]
    pub(super) with_global: bool,
    /// Also copy what .gitignore files name
    #[arg(long)]
    pub(super) with_ignored: bool,
    /// How large a copy may be, in MiB
    #[arg(long, value_name = "MIB", default_value = "1024", value_parser = value_parser!(u64).range(1..=1024 * 1024))]
    pub(super) max_copy: u64,
    /// Print for a person, or one JSON object for a program
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub(super) format: Format,
}

const EXAMPLES: &str = r#"Examples:
  hookchain test
  hookchain test --filter force-push --junit results.xml
  hookchain test .basis/tests/no-force-push.hooktest.json --workspace /repo

A case file (its schema: hookchain schema hook-test):
  {"schema": 1, "cases": [{"name": "a forced push is denied",
    "call": {"tool_name": "shell", "input": {"command": "git push --force"}},
    "expect": {"outcome": "deny", "by": "no-force-push", "reason_contains": "force"}}]}

Exit status: 0 every case passed; 1 a case failed, there was none, or something is wrong with a case
file or a hooks file; 2 wrong usage."#;
