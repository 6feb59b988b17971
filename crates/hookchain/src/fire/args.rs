//! The arguments of `hookchain fire`.

use std::path::PathBuf;

use clap::{
    Args,
    builder::{PossibleValuesParser, TypedValueParser},
};
use hook_dialect::Dialect;

use crate::{cli::Format, sources::ReadingArgs};

/// Ask the hooks of another agent at one of its events, and print what they say together
///
/// For what those hooks are asked beside tool calls: somebody submitted a prompt, a session starts, a turn is about to
/// end. The facts are what hooks are told about it, in the words of the agent's own payload; where something is always
/// told and not given, hooks are told a stand-in if there is a harmless one (an empty transcript, the mode `default`),
/// and otherwise nobody is asked and that is an error. All hooks that are concerned run at once. Tool calls are for
/// `consult`, which puts them through the whole chain.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct FireArgs {
    /// The event, by the name that it has in the agent's settings
    #[arg(value_name = "EVENT")]
    pub(super) event: String,
    /// Whose hooks are asked: `claude` or `codex`
    #[arg(long = "hooks", value_name = "AGENT", value_parser = agents())]
    pub(super) agent: &'static Dialect,
    /// The root of the workspace
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub(super) workspace: PathBuf,
    /// Read facts from this file, a JSON object; `-` is standard input, and so is nothing at all without --fact
    #[arg(long = "facts", value_name = "FILE")]
    pub(super) file: Option<PathBuf>,
    /// Something that hooks are told: NAME=TEXT, or NAME:=JSON; it goes before the same fact of a file
    #[arg(long = "fact", value_name = "FACT")]
    pub(super) facts: Vec<String>,
    #[command(flatten)]
    pub(super) reading: ReadingArgs,
    /// Add what each hook said to the JSON object
    #[arg(long)]
    pub(super) trail: bool,
    /// Print for a program, or for a person
    #[arg(long, value_name = "FORMAT", default_value = "json")]
    pub(super) format: Format,
}

/// Reads the name of an agent; those that there are can be offered.
fn agents() -> impl TypedValueParser<Value = &'static Dialect> {
    PossibleValuesParser::new(Dialect::ALL.map(|dialect| dialect.name))
        .map(|word| Dialect::named(&word).unwrap_or(Dialect::CLAUDE))
}

const EXAMPLES: &str = r#"Examples:
  hookchain fire UserPromptSubmit --hooks claude --fact prompt='carry on' || echo blocked
  hookchain fire Stop --hooks claude --fact stop_hook_active:=false --format human
  echo '{"session_id":"s1","source":"startup"}' | hookchain fire SessionStart --hooks codex

Exit status: 0 nothing stands in the way; 3 hooks refuse what is about to happen (at the end of a
turn: they want it to go on), or want somebody to be asked; 1 something is wrong with the settings,
the facts, reading or writing; 2 wrong usage."#;
