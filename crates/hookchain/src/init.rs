//! `hookchain init`: a first hooks file, a hook, and cases that pass.

mod args;
mod starter;
mod write;

use std::path::Path;

use hook_contract::shown;

use self::starter::{HOOKS_FILE, Starter};
pub(crate) use self::{args::InitArgs, write::InitError};
use crate::{command_error::CommandError, status::Status, streams::Output};

/// Runs the command.
pub(crate) fn run(args: &InitArgs, output: Output) -> Result<Status, CommandError> {
    let starter = Starter::new(args.lang);
    write::all(&args.directory, &starter.files()).map_err(|error| explained(error, &starter))?;
    output
        .styled(&written(&args.directory, &starter))
        .map_err(CommandError::Write)?;
    Ok(Status::Done)
}

/// A hooks file that is there already can be added to by hand.
fn explained(error: InitError, starter: &Starter) -> CommandError {
    let hint = match &error {
        InitError::Exists { paths } if paths.iter().any(|path| path.ends_with(HOOKS_FILE)) => {
            Some(format!(
                "to add the hook to it by hand, put this into its \"hooks\":\n  {}\nand copy the program, and its cases, from \
                 where `hookchain init --lang {} DIR` writes them when DIR is an empty directory:\n  {}\n  {}",
                starter.entry(),
                starter.lang(),
                starter.program(),
                starter::CASES_FILE,
            ))
        }
        InitError::Exists { .. }
        | InitError::Link { .. }
        | InitError::NotADirectory { .. }
        | InitError::Write { .. } => None,
    };
    CommandError::Init { error, hint }
}

/// What was written, and what to do next.
fn written(directory: &Path, starter: &Starter) -> String {
    let files = starter.files().into_iter();
    let files = files.map(|file| write::path(directory, file.path).display().to_string());
    let tool = starter::TOOL;
    format!(
        "Wrote\n{}\nThe hook is asked about the tool `{tool}`: if your runtime calls its shell tool by another name, write that \
         name into \"tools\".\n\nNext:\n{}",
        lines(files),
        lines(Starter::next(directory))
    )
}

/// Indented, and harmless to a terminal.
fn lines(texts: impl IntoIterator<Item = String>) -> String {
    let lines = texts
        .into_iter()
        .map(|text| format!("  {}\n", shown::line(&text)));
    lines.collect()
}
