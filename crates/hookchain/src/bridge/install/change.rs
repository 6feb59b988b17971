//! From one text of a file to another.

use std::path::PathBuf;

use super::{
    entry::{Entry, Presence},
    error::SettingsError,
    file::File,
    json,
    place::{Place, Syntax},
    toml,
};

/// A change to one file.
#[derive(Debug)]
pub(super) struct Change {
    file: File,
    /// What it is to be; nothing when it is to be gone.
    new: Option<String>,
    copy: Copy,
}

/// What becomes of the copy that is kept beside the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Copy {
    /// It is made of what was there.
    Made,
    /// It stays as it is.
    Stays,
    /// It has served.
    Gone,
}

/// What has come of a change.
#[derive(Debug)]
pub(super) enum Outcome {
    /// There was nothing to change.
    AsItWas { path: PathBuf },
    /// The file is another one now, or would be.
    Written {
        path: PathBuf,
        old: String,
        new: String,
        /// The copy that was made.
        copy: Option<PathBuf>,
        removed: bool,
    },
}

impl Change {
    /// Puts the bridge in; in the place of what an earlier version or another option has put in.
    pub(super) fn install(place: &Place, entry: &Entry) -> Result<Self, SettingsError> {
        let file = File::read(&place.path)?;
        let text = file.text.clone().unwrap_or_default();
        let (start, copy) = match (without(place, &file, &text)?, &file.text) {
            // The copy is of what there was before the first time.
            (Some(Before(before)), _) => (before.unwrap_or_default(), Copy::Stays),
            (None, Some(_)) => (text, Copy::Made),
            (None, None) => (text, Copy::Gone),
        };
        let new = with(place, &start, entry)?;
        Ok(Self {
            file,
            new: Some(new),
            copy,
        })
    }

    /// Takes it out.
    pub(super) fn uninstall(place: &Place) -> Result<Self, SettingsError> {
        let file = File::read(&place.path)?;
        let text = file.text.clone().unwrap_or_default();
        let (new, copy) = match without(place, &file, &text)? {
            None => (file.text.clone(), Copy::Stays),
            Some(Before(new)) => (new, Copy::Gone),
        };
        Ok(Self { file, new, copy })
    }

    /// Another text for a file.
    pub(super) fn to(file: File, new: String) -> Self {
        let copy = if file.before().is_some() {
            Copy::Stays
        } else {
            Copy::Made
        };
        Self {
            file,
            new: Some(new),
            copy,
        }
    }

    /// A text that was there before; the copy is not needed any more when it is the same.
    pub(super) fn back_to(file: File, new: String) -> Self {
        if new.is_empty() && file.before().is_none() {
            // It was made for what is gone now.
            return Self {
                file,
                new: None,
                copy: Copy::Gone,
            };
        }
        let copy = if file.before().as_ref() == Some(&new) {
            Copy::Gone
        } else {
            Copy::Stays
        };
        Self {
            file,
            new: Some(new),
            copy,
        }
    }

    /// Makes the change, unless it is only to be shown.
    pub(super) fn run(self, dry: bool) -> Result<Outcome, SettingsError> {
        let Self { file, new, copy } = self;
        let path = file.path.clone();
        if new == file.text {
            return Ok(Outcome::AsItWas { path });
        }
        let mut kept = None;
        if !dry {
            if copy == Copy::Made {
                kept = file.keep()?;
            }
            match &new {
                Some(new) => file.replace(new)?,
                None => file.remove()?,
            }
            if copy == Copy::Gone {
                file.forget()?;
            }
        }
        Ok(Outcome::Written {
            path,
            removed: new.is_none(),
            old: file.text.unwrap_or_default(),
            new: new.unwrap_or_default(),
            copy: kept,
        })
    }
}

/// The text with the bridge in it.
fn with(place: &Place, text: &str, entry: &Entry) -> Result<String, SettingsError> {
    match place.format {
        Syntax::Json => json::with(place, text, entry),
        Syntax::Toml => toml::with(place, text, entry),
    }
}

/// What there was before the bridge; nothing where there was no file.
struct Before(Option<String>);

/// What there would be without the bridge; nothing when it is not in it.
///
/// When putting the bridge into the copy gives what is there now, nobody has changed anything since, and the copy is what
/// there was, to the byte.
fn without(place: &Place, file: &File, text: &str) -> Result<Option<Before>, SettingsError> {
    let found = match place.format {
        Syntax::Json => json::find(place, text)?,
        Syntax::Toml => toml::find(place, text)?,
    };
    match found {
        Presence::Absent => return Ok(None),
        Presence::Otherwise => {}
        Presence::Written(entry) => {
            let before = file.before();
            let start = before.clone().unwrap_or_default();
            if with(place, &start, &entry).is_ok_and(|with| with == text) {
                return Ok(Some(Before(before)));
            }
        }
    }
    let removed = match place.format {
        Syntax::Json => json::without(place, text)?,
        Syntax::Toml => toml::without(place, text)?,
    };
    Ok(Some(Before(Some(removed))))
}
