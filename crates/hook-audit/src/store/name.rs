//! The names of record files.

use std::{ffi::OsStr, fmt, fs, io, path::Path, str::FromStr};

use crate::Date;

/// The name of a record file: `hooks-2026-11-30.0001.jsonl` is the first part of that day.
///
/// In the order of their names, files are in the order in which they were begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub struct FileName {
    /// The day, in UTC.
    pub date: Date,
    /// Which part of it, from 1.
    pub part: u32,
}

const PREFIX: &str = "hooks-";
const SUFFIX: &str = ".jsonl";

/// The last part of a day. No day comes near it; a name past it was made by no recorder.
const LAST_PART: u32 = 999_999;

impl FileName {
    pub(crate) fn first(date: Date) -> Self {
        Self { date, part: 1 }
    }

    /// The next part of the day; nothing after the last.
    pub(crate) fn next(self) -> Option<Self> {
        let part = self.part.checked_add(1)?;
        (part <= LAST_PART).then_some(Self { part, ..self })
    }

    /// Whether a recorder may have made a file of this name: no clock is more than a day ahead, and no day has so many parts.
    pub(crate) fn is_likely(self, today: Date) -> bool {
        self.date <= today.next() && self.part <= LAST_PART
    }

    /// The last name of that day that no file has; nothing when there is one for each part.
    pub(crate) fn last_free(date: Date, taken: &[Self]) -> Option<Self> {
        let mut names = (1..=LAST_PART).rev().map(|part| Self { date, part });
        names.find(|name| taken.binary_search(name).is_err())
    }

    fn of(name: &OsStr) -> Option<Self> {
        let name = name.to_str()?;
        let (date, part) = name
            .strip_prefix(PREFIX)?
            .strip_suffix(SUFFIX)?
            .split_once('.')?;
        let is_part = part.len() >= 4 && part.bytes().all(|byte| byte.is_ascii_digit());
        let found = Self {
            date: Date::from_str(date).ok()?,
            part: is_part.then(|| part.parse().ok()).flatten()?,
        };
        // Any other spelling of a number would be a second name for the same part.
        (found.part > 0 && found.to_string() == name).then_some(found)
    }
}

impl fmt::Display for FileName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PREFIX}{}.{:04}{SUFFIX}", self.date, self.part)
    }
}

/// The record files of a directory, the oldest first. Other files are left alone.
pub(crate) fn files(directory: &Path) -> io::Result<Vec<FileName>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(directory)? {
        names.extend(FileName::of(&entry?.file_name()));
    }
    names.sort_unstable();
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_read_back_and_no_other_spelling_is() {
        let name = FileName {
            date: "2026-11-30".parse().expect("a day"),
            part: 12,
        };
        assert_eq!(name.to_string(), "hooks-2026-11-30.0012.jsonl");
        assert_eq!(
            FileName::of(OsStr::new("hooks-2026-11-30.0012.jsonl")),
            Some(name)
        );
        for other in [
            "hooks-2026-11-30.12.jsonl",
            "hooks-2026-11-30.00012.jsonl",
            "hooks-2026-11-30.0000.jsonl",
            "hooks-2026-11-31.0001.jsonl",
            "hooks-2026-11-30.0001.jsonl.gz",
            "hooks-2026-11-30.jsonl",
            "notes.txt",
        ] {
            assert_eq!(FileName::of(OsStr::new(other)), None, "{other}");
        }
    }

    #[test]
    fn names_are_in_the_order_in_which_files_were_begun() {
        let date = |text: &str| text.parse().expect("a day");
        let (early, late) = (date("2026-09-30"), date("2026-10-01"));
        let mut names = [
            FileName {
                date: late,
                part: 1,
            },
            FileName {
                date: early,
                part: 10_000,
            },
            FileName {
                date: early,
                part: 9_999,
            },
        ];
        names.sort_unstable();
        assert_eq!(
            names.map(|name| name.to_string()),
            [
                "hooks-2026-09-30.9999.jsonl",
                "hooks-2026-09-30.10000.jsonl",
                "hooks-2026-10-01.0001.jsonl",
            ]
        );
    }
}
