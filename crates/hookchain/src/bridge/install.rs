//! The bridge in an agent's settings: put in, taken out, looked at.
//!
//! [`entry`] is what is written, [`json`] and [`toml`] change the text of a file and nothing else in it, [`file`] replaces
//! it at once, [`guard`] asks the agent's own reading of its settings what has come of it.

mod change;
mod entry;
mod error;
mod file;
mod guard;
mod json;
mod layout;
mod page;
mod place;
mod toml;
mod trust;

pub(crate) use self::error::SettingsError;
use self::{
    change::{Change, Outcome},
    entry::Entry,
    guard::Guard,
    place::Place,
};
use super::args::{InstallArgs, SettingsScope, StatusArgs, UninstallArgs};
use crate::{
    cli::Format,
    command_error::CommandError,
    status::Status,
    streams::{Output, diagnose},
};

/// Writes the bridge into the settings.
pub(super) fn install(args: &InstallArgs, output: Output) -> Result<Status, CommandError> {
    let bridge = args.place.agent.bridge();
    let place = Place::of(bridge, args.place.scope, &args.place.workspace)?;
    let program = match (&args.program, args.place.scope) {
        (Some(program), _) => program.clone(),
        // Wherever the project is checked out, the program is somewhere else.
        (None, SettingsScope::Project) => "hookchain".to_owned(),
        (None, SettingsScope::User) => entry::this_program()?,
    };
    let entry = Entry::new(bridge, program, args.within).connecting(args.connect);
    let change = Change::install(&place, &entry)?;
    let outcome = change.run(args.dry_run)?;
    print(output, &page::changed(&outcome, args.dry_run))?;
    if args.dry_run {
        return Ok(Status::Done);
    }
    let mut guard = Guard::look(bridge, &args.place.workspace);
    if guard.is_err()
        && let Outcome::Written { .. } = outcome
    {
        diagnose(&format!(
            "note: {} has settings that it cannot use, so that it may ignore the bridge as well",
            bridge.dialect.title
        ));
    }
    if args.trust
        && let Ok(seen) = &guard
        && let Some(change) = trust::given(seen)?
    {
        print(output, &page::changed(&change.run(false)?, false))?;
        guard = Guard::look(bridge, &args.place.workspace);
    }
    let guard = guard.map_err(SettingsError::Agent)?;
    print(output, &page::guarded(bridge, &guard))?;
    if guard.waits_for_trust() {
        print(output, &page::trust_is_missing())?;
    }
    Ok(if guard.of_scope(args.place.scope) {
        Status::Done
    } else {
        Status::Trouble
    })
}

/// Takes it out again.
pub(super) fn uninstall(args: &UninstallArgs, output: Output) -> Result<Status, CommandError> {
    let bridge = args.place.agent.bridge();
    let place = Place::of(bridge, args.place.scope, &args.place.workspace)?;
    for place in place.all() {
        // Before the entries are gone, which say under which names trust is kept.
        if let Some(change) = trust::taken_back(&place)? {
            print(
                output,
                &page::changed(&change.run(args.dry_run)?, args.dry_run),
            )?;
        }
        let outcome = Change::uninstall(&place)?.run(args.dry_run)?;
        print(output, &page::changed(&outcome, args.dry_run))?;
    }
    Ok(Status::Done)
}

/// Tells what is guarded.
pub(super) fn status(args: &StatusArgs, output: Output) -> Result<Status, CommandError> {
    let bridge = args.agent.bridge();
    let guard = Guard::look(bridge, &args.workspace).map_err(SettingsError::Agent)?;
    match args.format {
        Format::Human => print(output, &page::guarded(bridge, &guard))?,
        Format::Json => Output::raw(&guard.json(bridge)).map_err(CommandError::Write)?,
    }
    Ok(if guard.everything() {
        Status::Done
    } else {
        Status::Trouble
    })
}

fn print(output: Output, text: &str) -> Result<(), CommandError> {
    output.styled(text).map_err(CommandError::Write)
}

#[cfg(test)]
mod tests;
