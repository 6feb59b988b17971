//! What the operator must hear about recording.

use std::fmt;

use crate::StoreError;

/// Something is wrong with recording. No outcome depends on it.
///
/// Shown as one line that says what to do.
#[derive(Debug)]
#[non_exhaustive]
pub enum Trouble {
    /// Records cannot be written now. They are kept in memory as long as there is room, and writing is tried again. Said
    /// once, until writing has gone well again.
    Unwritable(StoreError),
    /// Records were lost. Said once it is known how many they are: when writing goes well again, and at the end.
    #[non_exhaustive]
    Lost {
        /// How many since the last time this was said.
        records: u64,
    },
    /// Old files could not be removed, or the directory not be synchronised. Recording goes on.
    Housekeeping(StoreError),
    /// The writer panicked, which is a bug in it. Nothing is recorded any more.
    #[non_exhaustive]
    Panicked {
        /// What it said.
        message: String,
    },
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unwritable(error) => write!(
                f,
                "records of hooks cannot be written for now: {error} ({})",
                error.source
            ),
            Self::Lost { records } => write!(
                f,
                "{records} records of hooks were lost, because they could not be written in time; the loss is recorded \
                 where writing went on"
            ),
            Self::Housekeeping(error) => {
                write!(f, "record files: {error} ({})", error.source)
            }
            Self::Panicked { message } => write!(
                f,
                "hooks are not recorded any more: the writer panicked, which is a bug in it: {message}"
            ),
        }
    }
}
