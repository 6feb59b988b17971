//! Where records of consultations go, as an operator declares it. Nothing here records.

use std::{fmt, path::PathBuf};

use serde::Serialize;

/// The most days for which records can be kept: a hundred years.
pub const MAX_KEEP_DAYS: u32 = 36_500;

/// The most mebibytes of records that can be kept: a pebibyte.
pub const MAX_KEEP_MIB: u64 = 1 << 30;

/// Where and how consultations are recorded: `record` in the operator's own hooks file.
///
/// It is plain data; `hook-audit` records.
///
/// ```
/// use hook_contract::{RecordCapture, RecordSpec};
///
/// let record = RecordSpec::new("/var/log/agent/hooks");
/// assert_eq!(record.capture, RecordCapture::Digests);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct RecordSpec {
    /// The directory of the records; absolute.
    pub dir: PathBuf,
    /// How much of inputs and outputs is kept.
    pub capture: RecordCapture,
    /// Whether each line carries the digest of the one before.
    pub chain: bool,
    /// For how many days records are kept. For ever, when nothing is said.
    pub keep_days: Option<u32>,
    /// How many mebibytes of records are kept. All, when nothing is said.
    pub keep_mib: Option<u64>,
}

impl RecordSpec {
    /// Records in this directory, with everything else at its default.
    #[must_use]
    pub fn new(dir: impl Into<PathBuf>) -> Self {
        Self {
            dir: dir.into(),
            capture: RecordCapture::default(),
            chain: false,
            keep_days: None,
            keep_mib: None,
        }
    }
}

/// How much of inputs and outputs a record keeps.
///
/// ```
/// use hook_contract::RecordCapture;
///
/// assert_eq!(RecordCapture::default(), RecordCapture::Digests, "no value is kept unless the operator says so");
/// let by_word = |word: &str| RecordCapture::ALL.into_iter().find(|capture| capture.as_str() == word);
/// assert_eq!(by_word("redacted"), Some(RecordCapture::Redacted));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[expect(
    clippy::exhaustive_enums,
    reason = "code that records must act on each"
)]
pub enum RecordCapture {
    /// Their sizes and digests.
    #[default]
    Digests,
    /// The values, with what looks like a secret masked.
    Redacted,
    /// The values as they are, as a replay needs them.
    Full,
}

impl RecordCapture {
    /// Every level.
    pub const ALL: [Self; 3] = [Self::Digests, Self::Redacted, Self::Full];

    /// The word in the hooks file.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Digests => "digests",
            Self::Redacted => "redacted",
            Self::Full => "full",
        }
    }
}

impl fmt::Display for RecordCapture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
