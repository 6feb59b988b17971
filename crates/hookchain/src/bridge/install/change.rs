//! From one text of a file to another.

use std::path::PathBuf;

use super::{
    entry::Entry,
    error::SettingsError,
    file::File,
    json,
    known::Known,
    place::{Place, Syntax},
    reading::{Alike, Reading},
    record::Record,
    toml,
};
use crate::streams::diagnose;

/// A change to one file.
#[derive(Debug)]
pub(super) struct Change {
    file: File,
    record: Record,
    /// What it is to be; nothing when it is to be gone.
    new: Option<String>,
    /// Whether something of the text stands nowhere else, so that a copy of it is kept.
    wants_copy: bool,
    /// Whether something is put in, and not taken out.
    installs: bool,
    /// What stays although it looks like an entry.
    alike: Vec<Alike>,
}

/// What has come of a change.
#[derive(Debug)]
pub(super) struct Outcome {
    pub(super) path: PathBuf,
    /// Where the file is, when links lead to it.
    pub(super) real: Option<PathBuf>,
    /// What was done to it, or would be; nothing when there was nothing to change.
    pub(super) written: Option<Written>,
    /// What stays although it looks like an entry.
    pub(super) alike: Vec<Alike>,
}

/// A text that took the place of another.
#[derive(Debug)]
pub(super) struct Written {
    pub(super) old: String,
    pub(super) new: String,
    /// The copy that was made.
    pub(super) copy: Option<PathBuf>,
    pub(super) removed: bool,
}

/// The text as it was before the bridge was put in.
enum Before {
    /// There was no file.
    Nothing,
    /// To the byte, as a copy has it.
    Copied(String),
    /// What remains without the entries.
    Without(String),
}

impl Before {
    fn text(&self) -> &str {
        match self {
            Self::Nothing => "",
            Self::Copied(text) | Self::Without(text) => text,
        }
    }
}

impl Change {
    /// Puts the bridge in; in the place of what an earlier version or another option has put in.
    pub(super) fn install(place: &Place, entry: &Entry) -> Result<Self, SettingsError> {
        let (file, mut record) = opened(place)?;
        record.starts(&entry.program);
        let known = Known::with(record.programs.clone());
        let text = file.text.clone().unwrap_or_default();
        let reading = find(place, &known, &text)?;
        let before = before(place, &known, &file, &record, &reading)?;
        let start = before.as_ref().map_or(text.as_str(), Before::text);
        let new = with(place, start, entry)?;
        Ok(Self {
            new: Some(new),
            wants_copy: !is_as_written(&file, &record),
            installs: true,
            alike: reading.alike,
            file,
            record,
        })
    }

    /// Takes it out: the entries that start this program, one that was installed with `--program`, or this one.
    pub(super) fn uninstall(place: &Place, program: Option<&str>) -> Result<Self, SettingsError> {
        let (file, mut record) = opened(place)?;
        let programs = record.programs.iter().cloned();
        let known = Known::with(programs.chain(program.map(str::to_owned)));
        let text = file.text.clone().unwrap_or_default();
        let reading = find(place, &known, &text)?;
        let before = before(place, &known, &file, &record, &reading)?;
        let wants_copy = !is_as_written(&file, &record);
        let new = match before {
            None => file.text.clone(),
            Some(Before::Nothing) => None,
            Some(Before::Copied(text) | Before::Without(text)) => Some(text),
        };
        record.is_over();
        Ok(Self {
            file,
            record,
            new,
            wants_copy,
            installs: false,
            alike: reading.alike,
        })
    }

    /// Another text for a file.
    pub(super) fn to(file: File, new: String) -> Self {
        let record = Record::of(&file.real);
        let wants_copy = !is_as_written(&file, &record);
        Self {
            file,
            record,
            new: Some(new),
            wants_copy,
            installs: true,
            alike: Vec::new(),
        }
    }

    /// A text that was there before. A file that was made for what is gone now goes, too.
    pub(super) fn back_to(file: File, new: String) -> Self {
        let mut record = Record::of(&file.real);
        let gone = new.is_empty() && was_made(&file, &record);
        let wants_copy = !is_as_written(&file, &record);
        record.is_over();
        Self {
            file,
            record,
            new: (!gone).then_some(new),
            wants_copy,
            installs: false,
            alike: Vec::new(),
        }
    }

    /// Makes the change, unless it is only to be shown.
    pub(super) fn run(self, dry: bool) -> Result<Outcome, SettingsError> {
        let Self {
            file,
            mut record,
            new,
            wants_copy,
            installs,
            alike,
        } = self;
        let mut copy = None;
        let changes = new != file.text;
        if changes && !dry {
            let made = file.text.is_none() || was_made(&file, &record);
            match &new {
                Some(new) => copy = file.replace(new, wants_copy)?,
                None => file.remove()?,
            }
            if let (Some(path), Some(text)) = (&copy, &file.text) {
                record.has_kept(path.clone(), text);
            }
            if let Some(new) = new.as_ref().filter(|_| installs)
                && let Ok(metadata) = file.real.metadata()
            {
                record.has_written(&metadata, new, made);
            }
        }
        if !dry {
            // A copy of what is there again has served.
            let copies = file.copies().into_iter();
            let served = |(path, text): &(PathBuf, String)| {
                new.as_ref() == Some(text) && record.kept(path, text)
            };
            for (path, text) in copies.filter(served).collect::<Vec<_>>() {
                file.remove_copy(&path, &text)?;
                record.forgets(&path);
            }
            if let Err(error) = record.save() {
                diagnose(&format!(
                    "note: what was done is not kept on record ({error}): `uninstall` leaves copies where they are, and finds \
                     another program than this one with --program"
                ));
            }
        }
        let old = file.text.unwrap_or_default();
        let real =
            (file.real != std::path::absolute(&file.path).unwrap_or_default()).then_some(file.real);
        Ok(Outcome {
            path: file.path,
            real,
            written: changes.then(|| Written {
                old,
                removed: new.is_none(),
                new: new.unwrap_or_default(),
                copy,
            }),
            alike,
        })
    }
}

fn opened(place: &Place) -> Result<(File, Record), SettingsError> {
    let file = place.read()?;
    let record = Record::of(&file.real);
    Ok((file, record))
}

/// Whether the file was made by an installation, and is as that left it.
fn was_made(file: &File, record: &Record) -> bool {
    match (&file.metadata, &file.text) {
        (Some(metadata), Some(text)) => record.made(metadata, text),
        _ => false,
    }
}

/// Whether the file is as an installation left it: what others have in it is in a copy that was made then.
fn is_as_written(file: &File, record: &Record) -> bool {
    match (&file.metadata, &file.text) {
        (Some(metadata), Some(text)) => record.wrote(metadata, text),
        _ => false,
    }
}

/// What of a text is the bridge.
pub(super) fn find(place: &Place, known: &Known, text: &str) -> Result<Reading, SettingsError> {
    match place.format {
        Syntax::Json => json::find(place, known, text),
        Syntax::Toml => toml::find(place, known, text),
    }
}

/// The text with the bridge in it.
fn with(place: &Place, text: &str, entry: &Entry) -> Result<String, SettingsError> {
    match place.format {
        Syntax::Json => json::with(place, text, entry),
        Syntax::Toml => toml::with(place, text, entry),
    }
}

/// What there was before the bridge; nothing when it is not in it.
///
/// When putting the bridge into a copy gives what is there now, nothing else has changed since, and the copy is what there
/// was, to the byte.
fn before(
    place: &Place,
    known: &Known,
    file: &File,
    record: &Record,
    reading: &Reading,
) -> Result<Option<Before>, SettingsError> {
    if reading.ours.is_empty() {
        return Ok(None);
    }
    let text = file.text.as_deref().unwrap_or_default();
    if let Some(entry) = reading.whole() {
        let gives = |start: &str| with(place, start, entry).is_ok_and(|with| with == text);
        if was_made(file, record) && gives("") {
            return Ok(Some(Before::Nothing));
        }
        let copies = file.copies().into_iter();
        if let Some((_, copy)) = copies.rev().find(|(_, copy)| gives(copy)) {
            return Ok(Some(Before::Copied(copy)));
        }
    }
    let without = match place.format {
        Syntax::Json => json::without(place, known, text)?,
        Syntax::Toml => toml::without(place, known, text)?,
    };
    Ok(Some(Before::Without(without)))
}
