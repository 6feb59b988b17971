//! Why a line is no record.

use thiserror::Error;

use super::HOOK_RECORD_VERSION;

/// A line is no record that this version can read.
///
/// The reader goes on with the next one; what to do about this one is in its kind.
#[derive(Debug, Error)]
#[error(transparent)]
pub struct RecordError(#[from] RecordErrorKind);

/// What is wrong with a line.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RecordErrorKind {
    /// It is not a JSON object of the right shape. A line like that was cut off or altered.
    #[error("not a record; the line was cut off when it was written, or altered since")]
    Shape(#[source] serde_json::Error),
    /// It is not UTF-8, which JSON is. It was altered.
    #[error("not text, so no record; the line was altered since it was written")]
    NotText(#[source] std::str::Utf8Error),
    /// It is longer than any line that is read.
    #[error("longer than any record that is read, which is 64 MiB")]
    TooLong,
    /// It was written by a program of another version. Read it with that one.
    #[error(
        "a record of version {found}, and this program reads version {HOOK_RECORD_VERSION}; use a newer one"
    )]
    #[non_exhaustive]
    Version {
        /// The version.
        found: u32,
    },
    /// It is of a type that this program does not know; a newer one does.
    #[error("a record of the type `{found}`, which this program does not know; use a newer one")]
    #[non_exhaustive]
    Type {
        /// The type.
        found: String,
    },
}

impl RecordError {
    pub(super) fn shape(error: serde_json::Error) -> Self {
        Self(RecordErrorKind::Shape(error))
    }

    /// What is wrong.
    #[must_use]
    pub fn kind(&self) -> &RecordErrorKind {
        &self.0
    }
}
