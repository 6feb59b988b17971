//! The bridge in an agent's settings: put in, taken out, looked at.
//!
//! [`entry`] is what is written, [`reading`] finds it again and nothing else, [`json`] and [`toml`] change the text of a file
//! and nothing else in it, [`file`] replaces it at once, [`record`] keeps what was done, [`guard`] asks the agent's own
//! reading of its settings what has come of it.

mod change;
mod entry;
mod error;
mod file;
mod guard;
mod json;
mod known;
mod layout;
mod page;
mod place;
mod reading;
mod record;
mod stage;
mod swap;
mod toml;
mod trust;

pub(crate) use self::error::SettingsError;
use self::{
    change::{Change, Outcome},
    entry::Entry,
    guard::Guard,
    known::{BY_NAME, Known, this_program},
    place::Place,
    record::Record,
};
use hook_dialect::{bridge::Bridge, config::LoadedHook};

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
        (None, SettingsScope::Project) => BY_NAME.to_owned(),
        (None, SettingsScope::User) => this_program()?,
    };
    let entry = Entry::new(bridge, program, args.within).connecting(args.connect);
    let change = Change::install(&place, &entry)?;
    let outcome = change.run(args.dry_run)?;
    print_change(output, &outcome, args.dry_run)?;
    if args.dry_run {
        return Ok(Status::Done);
    }
    let mut guard = Guard::look(bridge, &args.place.workspace);
    if guard.is_err() && outcome.written.is_some() {
        diagnose(&format!(
            "note: {} has settings that it cannot use, so that it may ignore the bridge as well",
            bridge.dialect.title
        ));
    }
    if args.trust
        && let Ok(seen) = &guard
        && let Some(change) = trust::given(seen, &place, &entry)?
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
    let program = args.program.as_deref();
    let mut left = 0;
    for place in place.all() {
        // Before the entries are gone, which say under which names trust is kept.
        if let Some(change) = trust::taken_back(&place, program)? {
            print_change(output, &change.run(args.dry_run)?, args.dry_run)?;
        }
        let outcome = Change::uninstall(&place, program)?.run(args.dry_run)?;
        print_change(output, &outcome, args.dry_run)?;
        print(output, &page::left(&outcome))?;
        left += outcome.alike.len();
    }
    // What may be an installation is still there.
    Ok(if left == 0 {
        Status::Done
    } else {
        Status::Trouble
    })
}

fn print_change(output: Output, outcome: &Outcome, dry: bool) -> Result<(), CommandError> {
    print(output, &page::changed(outcome, dry))
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

/// Whether a hook of an agent is the bridge, as [`install`] writes it.
pub(super) fn is_entry(hook: &LoadedHook) -> bool {
    let bridge = Bridge::ALL.into_iter();
    let mut bridge = bridge.filter(|bridge| bridge.dialect.name == hook.dialect.name);
    let Some((bridge, real)) = bridge.next().zip(hook.origin.path.canonicalize().ok()) else {
        return false;
    };
    let known = Known::with(Record::of(&real).programs);
    Entry::of_command(bridge, &known, &hook.handler.command).is_some()
}

fn print(output: Output, text: &str) -> Result<(), CommandError> {
    output.styled(text).map_err(CommandError::Write)
}

#[cfg(test)]
mod tests;
