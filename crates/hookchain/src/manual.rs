//! `hookchain completions` and `hookchain man`: what is made from the declaration of the arguments.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use clap::{Args, Command, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;

use crate::{cli::Cli, command_error::CommandError, status::Status, streams::Output};

/// Print a script with which a shell completes the arguments of hookchain
#[derive(Debug, Args)]
#[command(after_help = COMPLETIONS_EXAMPLES)]
pub(crate) struct CompletionsArgs {
    /// For which shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  hookchain completions bash > ~/.local/share/bash-completion/completions/hookchain
  hookchain completions zsh > ~/.zfunc/_hookchain
  hookchain completions fish > ~/.config/fish/completions/hookchain.fish";

/// Print the manual page, or write one for each command
#[derive(Debug, Args)]
#[command(after_help = MAN_EXAMPLES)]
pub(crate) struct ManArgs {
    /// Write hookchain.1 and a page for each command into this directory, in place of those that are there
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

const MAN_EXAMPLES: &str = "\
Examples:
  hookchain man | man -l -
  hookchain man --dir ~/.local/share/man/man1";

/// Runs `completions`.
pub(crate) fn completions(args: &CompletionsArgs) -> Result<Status, CommandError> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "hookchain", &mut script);
    print(&script)
}

/// Runs `man`.
pub(crate) fn man(args: &ManArgs) -> Result<Status, CommandError> {
    let Some(directory) = &args.dir else {
        let page = page(command()).map_err(CommandError::Write)?;
        return print(&page);
    };
    write_all(directory)?;
    Ok(Status::Done)
}

/// With names that begin with the name of the program.
fn command() -> Command {
    let mut command = Cli::command().disable_help_subcommand(true);
    command.build();
    command
}

fn print(text: &[u8]) -> Result<Status, CommandError> {
    Output::raw(&String::from_utf8_lossy(text)).map_err(CommandError::Write)?;
    Ok(Status::Done)
}

fn write_all(directory: &Path) -> Result<(), CommandError> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        |source| CommandError::WriteFile { path, source }
    };
    fs::create_dir_all(directory).map_err(failed(directory))?;
    let mut commands = vec![command()];
    while let Some(command) = commands.pop() {
        let below = command
            .get_subcommands()
            .filter(|below| below.get_name() != "help");
        commands.extend(below.cloned());
        let name = command.get_display_name().unwrap_or(command.get_name());
        let path = directory.join(format!("{name}.1"));
        let page = page(command).map_err(failed(&path))?;
        fs::write(&path, page).map_err(failed(&path))?;
    }
    Ok(())
}

/// A page as the library makes it, except that the lines of examples stay lines.
fn page(command: Command) -> io::Result<Vec<u8>> {
    let man = Man::new(command).source(concat!("hookchain ", env!("CARGO_PKG_VERSION")));
    let mut page = Vec::new();
    man.render(&mut page)?;
    let page = String::from_utf8_lossy(&page);
    let Some((before, notes)) = page.split_once(".SH EXTRA\n") else {
        return Ok(page.into_owned().into_bytes());
    };
    // A section that follows, if one does.
    let end = notes.find("\n.SH ").map_or(notes.len(), |end| end + 1);
    let (notes, after) = notes.split_at_checked(end).unwrap_or((notes, ""));
    Ok(format!("{before}.SH NOTES\n.nf\n{notes}.fi\n{after}").into_bytes())
}
