//! The arguments of every command.

use std::{num::NonZeroUsize, path::PathBuf};

use clap::{
    Args, CommandFactory, Parser, Subcommand, ValueEnum,
    builder::{PossibleValuesParser, TypedValueParser},
    error::ErrorKind,
};
use hook_contract::HookEvent;

use crate::{
    bridge::BridgeArgs,
    check::CheckArgs,
    command_error::CommandError,
    consult::{OnAskArgs, RecordArgs},
    explain::ExplainArgs,
    fire::FireArgs,
    init::InitArgs,
    log::LogArgs,
    manual::{CompletionsArgs, ManArgs},
    replay::ReplayArgs,
    schema::SchemaArgs,
    serve::ServeArgs,
    sources::SourcesArgs,
    stats::StatsArgs,
    test::TestArgs,
};

/// Puts an agent's tool calls through the hooks of a workspace.
#[derive(Debug, Parser)]
#[command(
    name = "hookchain",
    version,
    long_version = long_version(),
    after_help = STATUSES
)]
pub(crate) struct Cli {
    /// When to colour what a person reads
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: Color,
    #[command(subcommand)]
    pub(crate) command: Command,
}

const STATUSES: &str = "\
Exit status: 0 done; 1 something is wrong with a hooks file, a call, a test case, records, reading
or writing; 2 wrong usage; 3 the call was denied; 4 a person has to agree (--on-ask report).";

/// The version of the program, and of everything that others write for it or read from it.
fn long_version() -> String {
    format!(
        "{}\nrequest and response: hook_schema {}\nhooks file: schema {}\ntest cases: schema {}",
        env!("CARGO_PKG_VERSION"),
        hook_contract::HOOK_SCHEMA_VERSION,
        hook_config::HOOKS_FILE_SCHEMA,
        hookchain::documents::HOOK_TEST_SCHEMA,
    )
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Consult(ConsultArgs),
    Check(CheckArgs),
    Explain(ExplainArgs),
    Fire(FireArgs),
    Test(TestArgs),
    Log(LogArgs),
    Stats(StatsArgs),
    Replay(ReplayArgs),
    Bridge(BridgeArgs),
    Serve(ServeArgs),
    Init(InitArgs),
    Schema(SchemaArgs),
    Completions(CompletionsArgs),
    Man(ManArgs),
}

/// Put one call through the chain and print the outcome
///
/// Loads the hooks files, asks every hook that applies, in order, and prints one JSON object:
/// {"outcome":"allow"}, or deny with a reason, modify with the new input, replace with the new output.
#[derive(Debug, Args)]
#[command(after_help = CONSULT_EXAMPLES)]
pub(crate) struct ConsultArgs {
    #[command(flatten)]
    pub(crate) hooks: HooksArgs,
    #[command(flatten)]
    pub(crate) call: CallArgs,
    #[command(flatten)]
    pub(crate) lines: LinesArgs,
    /// Add who was asked and what each said to the JSON object
    #[arg(long)]
    pub(crate) trail: bool,
    /// Print for a program, or for a person: the chain, with a diff of what each hook changed
    #[arg(long, value_name = "FORMAT", default_value = "json")]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) on_ask: OnAskArgs,
    #[command(flatten)]
    pub(crate) record: RecordArgs,
}

/// Many calls, one per line.
#[derive(Debug, Args)]
pub(crate) struct LinesArgs {
    /// Read one call per line and print one outcome per line, until the end of input
    ///
    /// A call with an "id" is answered under its id as soon as it is decided; calls without one are answered in order.
    /// {"cancel": ID} takes a call back. A line that is no call gets a deny with an "error", and the exit status at the
    /// end is then 1; otherwise it is 0, whatever the outcomes.
    #[arg(long, conflicts_with = "tool")]
    pub(crate) each_line: bool,
    /// How many calls with an "id" are decided at once; 4 for each processor unless given
    #[arg(long, value_name = "N", requires = "each_line")]
    pub(crate) jobs: Option<NonZeroUsize>,
    /// Print first which version this is, which wire it speaks, its process and its parent's
    #[arg(long, requires = "each_line")]
    pub(crate) hello: bool,
}

const CONSULT_EXAMPLES: &str = r#"Examples:
  hookchain consult --tool shell --input '{"command":"git push --force"}' || echo blocked
  hookchain consult --call call.json --format human
  agent-calls | hookchain consult --each-line --workspace /repo --record /var/log/agent/hooks
  hookchain consult --hooks native,claude --tool Bash --input '{"command":"ls"}' --format human

A call: {"tool_name":"shell","input":{"command":"ls"}}, and optionally "event", "agent_id" and
"tool_call_id"; after the tool ran also "output" and "is_error".

Exit status: 0 allow, modify or replace; 3 deny; 4 a person has to agree (--on-ask report);
1 something is wrong with a hooks file, the call, reading or writing; 2 wrong usage."#;

/// Whose hooks are asked.
#[derive(Debug, Args)]
pub(crate) struct HooksArgs {
    /// The root of the workspace: where its hooks file is, and the working directory of its hooks
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub(crate) workspace: PathBuf,
    #[command(flatten)]
    pub(crate) sources: SourcesArgs,
}

/// The call: from a file, from standard input, or from flags.
#[derive(Debug, Args)]
pub(crate) struct CallArgs {
    /// Read the call from this file; `-` is standard input, and so is nothing at all
    #[arg(
        long = "call",
        value_name = "FILE",
        conflicts_with_all = ["event", "tool", "input", "output", "is_error"]
    )]
    pub(crate) file: Option<PathBuf>,
    /// When the hooks are asked
    #[arg(long, value_name = "EVENT", value_parser = events(), requires = "tool")]
    pub(crate) event: Option<HookEvent>,
    /// The name of the tool that is called
    #[arg(long, value_name = "TOOL", requires = "input")]
    pub(crate) tool: Option<String>,
    /// The input of the tool, as JSON
    #[arg(
        long,
        value_name = "JSON",
        requires = "tool",
        allow_hyphen_values = true
    )]
    pub(crate) input: Option<String>,
    /// The result of the tool, as JSON, for `post_tool_use`
    #[arg(
        long,
        value_name = "JSON",
        requires = "tool",
        allow_hyphen_values = true
    )]
    pub(crate) output: Option<String>,
    /// The tool reported a failure
    #[arg(long, requires = "output")]
    pub(crate) is_error: bool,
}

/// Reads an event; the words that there are can be offered.
fn events() -> impl TypedValueParser<Value = HookEvent> {
    let words = HookEvent::ALL.iter().map(|event| event.as_str());
    PossibleValuesParser::new(words).map(|word| {
        let mut events = HookEvent::ALL.iter().copied();
        let found = events.find(|event| event.as_str() == word);
        found.unwrap_or_default()
    })
}

/// For whom something is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    Json,
    Human,
}

/// When to colour.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless the variable `NO_COLOR` is set
    Auto,
    Always,
    Never,
}

/// An error in the usage of `subcommand` that the declarations above cannot express.
pub(crate) fn usage_error(subcommand: &str, message: &str) -> CommandError {
    let mut command = Cli::command();
    // Fills in what the usage line shows.
    command.build();
    let kind = ErrorKind::ValueValidation;
    let error = match command.find_subcommand_mut(subcommand) {
        Some(subcommand) => subcommand.error(kind, message),
        None => command.error(kind, message),
    };
    CommandError::Usage(Box::new(error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_declarations_hold_together() {
        Cli::command().debug_assert();
    }
}
