//! `hookchain schema`: the JSON Schemas.

use clap::{Args, builder::PossibleValuesParser};
use hookchain::documents::{self, Document};

use crate::{command_error::CommandError, status::Status, streams::Output};

/// Print a JSON Schema, or list what there is
///
/// The same schemas are written by `hookchain init`, so that an editor completes and explains the fields of a file that
/// names one of them as its "$schema".
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct SchemaArgs {
    /// Which one; all of them are listed unless given
    #[arg(value_name = "NAME", value_parser = names())]
    name: Option<String>,
}

const EXAMPLES: &str = "\
Examples:
  hookchain schema
  hookchain schema hooks-file > hooks-file.v1.schema.json";

fn names() -> PossibleValuesParser {
    PossibleValuesParser::new(documents::NAMES)
}

/// Runs the command.
pub(crate) fn run(args: &SchemaArgs) -> Result<Status, CommandError> {
    let documents = documents::all();
    let text = match &args.name {
        Some(name) => documents
            .iter()
            .filter(|document| document.name == name)
            .map(Document::text)
            .collect(),
        None => list(&documents),
    };
    Output::raw(&text).map_err(CommandError::Write)?;
    Ok(Status::Done)
}

fn list(documents: &[Document]) -> String {
    let lines = documents.iter().map(|document| {
        let Document {
            name, file, about, ..
        } = document;
        format!("{name:<12} {file:<29} {about}\n")
    });
    lines.collect()
}
