//! Whether a chain of lines is as it was written.

use std::path::{Path, PathBuf};

use thiserror::Error;

use super::{Line, ReadError, Reader};
use crate::{Digest, store::previous};

/// A chain that holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Verified {
    /// How many links there are.
    pub links: u64,
    /// How many lines among them are none: what was left of a line when its writer was killed.
    pub cut_off: u64,
    /// What the first link says stands before it. [`Digest::NONE`] when it is the first there ever was; otherwise files
    /// before it were removed because of their age, or by somebody.
    pub first: Digest,
    /// What the next link will say stands before it. Kept somewhere else, it shows later that nothing was cut off here.
    pub last: Digest,
}

/// A chain does not hold, or could not be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// A file could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// There is no chain: it was not asked for when the records were written.
    #[error("`{}` holds no line that carries the digest of the one before; record with a chain to have one", .directory.display())]
    #[non_exhaustive]
    NoChain {
        /// The directory.
        directory: PathBuf,
    },
    /// The line that was last once stands nowhere: the end of the chain was cut off, or written anew.
    #[error("no line has the digest {kept}: the end of the chain was cut off, or written anew")]
    #[non_exhaustive]
    Cut {
        /// The digest of that line.
        kept: Digest,
    },
    /// The line is not what was written after the one before it.
    #[error("{}:{number}: {what}", .path.display())]
    #[non_exhaustive]
    Broken {
        /// The file of the first line that does not follow the one before.
        path: PathBuf,
        /// The line in it, from 1.
        number: u64,
        /// What happened to it.
        what: Break,
    },
}

/// What is known of a place where a chain does not hold.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Break {
    /// The line it was written after stands nowhere.
    #[error("the line before it was altered, or lines between the two are missing")]
    AlteredOrMissing,
    /// It is a whole record that carries no digest.
    #[error(
        "it carries no digest of the line before: it was added, or written by somebody who does not chain"
    )]
    Unlinked,
    /// It was written before all others.
    #[error(
        "it is the first line of a chain: the lines before it were added, or put into another order"
    )]
    Beginning,
    /// The line it was written after stands further down.
    #[error("it was written after line {number} of `{}`: lines were put into another order", .path.display())]
    #[non_exhaustive]
    Reordered {
        /// Its file.
        path: PathBuf,
        /// Its number there.
        number: u64,
    },
    /// The line it was written after stands further up.
    #[error("it was written after line {number} of `{}`: lines between the two were added, or put into another order", .path.display())]
    #[non_exhaustive]
    Added {
        /// Its file.
        path: PathBuf,
        /// Its number there.
        number: u64,
    },
}

/// A link as it was met, with what belongs to it.
#[derive(Debug)]
struct Link {
    bytes: Vec<u8>,
    path: PathBuf,
    number: u64,
}

impl Link {
    fn of(line: &Line<'_>) -> Self {
        let place = line.place();
        Self {
            bytes: line.bytes().to_vec(),
            path: place.path.to_owned(),
            number: place.number,
        }
    }

    /// Adds a line after it that is no link.
    fn add(&mut self, line: &Line<'_>) {
        self.bytes.push(b'\n');
        self.bytes.extend_from_slice(line.bytes());
    }
}

/// Goes through the chain of a directory, in constant memory, and stops at the first line that does not hold.
///
/// `kept` is what an earlier look gave as [`Verified::last`]. That line must be there still, which a chain alone cannot
/// show of its end.
///
/// # Errors
///
/// When a line was altered, is missing, was added or stands elsewhere; when there is no chain; when a file cannot be read.
pub fn verify(directory: &Path, kept: Option<Digest>) -> Result<Verified, VerifyError> {
    let mut links = Links::open(directory)?;
    let Some(mut before) = links.next()? else {
        if let Some(kept) = kept {
            return Err(VerifyError::Cut { kept });
        }
        let directory = directory.to_owned();
        return Err(VerifyError::NoChain { directory });
    };
    // A chain that begins here says so. What stands before one that does not was a link of it once, as far as it was not
    // merely cut off.
    if links.is_preceded && previous_of(&before) != Digest::NONE {
        let Link { path, number, .. } = before;
        let what = Break::AlteredOrMissing;
        return Err(VerifyError::Broken { path, number, what });
    }
    let mut found = Verified {
        links: 1,
        cut_off: 0,
        first: previous_of(&before),
        last: Digest::NONE,
    };
    links.none_unlinked()?;
    let mut last = digest_of(&before);
    let mut is_kept = kept.is_none_or(|kept| kept == last || kept == found.first);
    while let Some(link) = links.next()? {
        let wanted = previous_of(&link);
        if wanted != last {
            let what = explain(directory, wanted, &link, &before)?;
            let Link { path, number, .. } = link;
            return Err(VerifyError::Broken { path, number, what });
        }
        links.none_unlinked()?;
        found.links += 1;
        last = digest_of(&link);
        is_kept |= Some(last) == kept;
        before = link;
    }
    if let (Some(kept), false) = (kept, is_kept) {
        return Err(VerifyError::Cut { kept });
    }
    Ok(Verified {
        cut_off: links.cut_off,
        last,
        ..found
    })
}

/// Looks for the line that a link was written after, everywhere.
fn explain(
    directory: &Path,
    wanted: Digest,
    broken: &Link,
    before: &Link,
) -> Result<Break, ReadError> {
    if wanted == Digest::NONE {
        return Ok(Break::Beginning);
    }
    let mut links = Links::open(directory)?;
    let mut is_after = false;
    while let Some(link) = links.next()? {
        is_after |= link.path == broken.path && link.number == broken.number;
        if digest_of(&link) != wanted {
            continue;
        }
        let Link { path, number, .. } = link;
        return Ok(if is_after {
            Break::Reordered { path, number }
        } else {
            debug_assert!(
                (&path, number) != (&before.path, before.number),
                "it would hold"
            );
            Break::Added { path, number }
        });
    }
    Ok(Break::AlteredOrMissing)
}

fn digest_of(link: &Link) -> Digest {
    Digest::of(&link.bytes)
}

fn previous_of(link: &Link) -> Digest {
    let own = link.bytes.split(|byte| *byte == b'\n').next();
    own.and_then(previous).unwrap_or(Digest::NONE)
}

/// The links of a directory, each with the lines after it that are none.
struct Links {
    reader: Reader,
    ahead: Option<Link>,
    cut_off: u64,
    /// Whether a line that is none, and was not cut off, stands before the first.
    is_preceded: bool,
    /// The first record after the first link that is none.
    unlinked: Option<(PathBuf, u64)>,
}

impl Links {
    fn open(directory: &Path) -> Result<Self, ReadError> {
        Ok(Self {
            reader: Reader::open(directory)?,
            ahead: None,
            cut_off: 0,
            is_preceded: false,
            unlinked: None,
        })
    }

    /// Every record so far that stands after a link is one.
    fn none_unlinked(&mut self) -> Result<(), VerifyError> {
        match self.unlinked.take() {
            None => Ok(()),
            Some((path, number)) => Err(VerifyError::Broken {
                path,
                number,
                what: Break::Unlinked,
            }),
        }
    }

    fn next(&mut self) -> Result<Option<Link>, ReadError> {
        while let Some(line) = self.reader.next_line()? {
            if previous(line.bytes()).is_none() {
                // Before the first link, lines are from a time without a chain.
                self.is_preceded |= self.ahead.is_none() && line.bytes().ends_with(b"}");
                self.cut_off += u64::from(self.ahead.is_some());
                // What was cut off is no record.
                let is_unlinked = self.ahead.is_some() && line.record().is_ok();
                let place = is_unlinked.then(|| line.place());
                let place = place.map(|place| (place.path.to_owned(), place.number));
                self.unlinked = self.unlinked.take().or(place);
                self.ahead.iter_mut().for_each(|link| link.add(&line));
                continue;
            }
            let complete = self.ahead.replace(Link::of(&line));
            if complete.is_some() {
                return Ok(complete);
            }
        }
        Ok(self.ahead.take())
    }
}
