//! Which old files are removed.

use std::{fs, io, path::Path};

use super::{FileName, StoreError, StoreErrorKind, name::files};

/// Which old record files are removed, whenever a new one is begun. Unless set, none is.
///
/// ```
/// use hook_audit::Retention;
///
/// let a_month_and_a_gigabyte = Retention::default().keep_days(30).keep_bytes(1 << 30);
/// # let _ = a_month_and_a_gigabyte;
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Retention {
    days: Option<u32>,
    bytes: Option<u64>,
}

impl Retention {
    /// Keeps files of the last so many days, today included, and removes older ones.
    #[must_use]
    pub fn keep_days(self, days: u32) -> Self {
        let days = Some(days.max(1));
        Self { days, ..self }
    }

    /// Keeps so many bytes in all, and removes the oldest files when there are more. The file at hand always stays.
    #[must_use]
    pub fn keep_bytes(self, bytes: u64) -> Self {
        let bytes = Some(bytes);
        Self { bytes, ..self }
    }

    /// Removes what is too old or too much, now that `current` was begun.
    pub(super) fn prune(self, directory: &Path, current: FileName) -> Result<(), StoreError> {
        if self == Self::default() {
            return Ok(());
        }
        let names = files(directory)
            .map_err(|source| StoreError::new(StoreErrorKind::Directory, directory, source))?;
        let oldest = self.days.map(|days| current.date.days_before(days - 1));
        let mut kept = 0_u64;
        // What no recorder made takes no room from what recorders did.
        let likely = |name: &&FileName| **name != current && name.is_likely(current.date);
        for name in names.iter().rev().filter(likely) {
            let path = directory.join(name.to_string());
            // One that is gone was removed by another process.
            let size = fs::symlink_metadata(&path).map_or(0, |metadata| metadata.len());
            kept = kept.saturating_add(size);
            let is_too_old = oldest.is_some_and(|oldest| name.date < oldest);
            let is_too_much = self.bytes.is_some_and(|bytes| kept > bytes);
            if is_too_old || is_too_much {
                remove(&path)?;
            }
        }
        Ok(())
    }
}

fn remove(path: &Path) -> Result<(), StoreError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(StoreError::new(StoreErrorKind::Remove, path, error))
        }
        _ => Ok(()),
    }
}
