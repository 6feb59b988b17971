//! Where consultations are recorded.

use std::{io, path::PathBuf, time::Duration};

use clap::{Args, ValueEnum};
use hook_audit::{Audit, AuditBuilder, Capture};
use hook_config::RecordSpec;

use super::on_ask::Way;
use crate::{command_error::CommandError, streams::diagnose};

/// How long the end of the command waits for records to be written.
pub(super) const PATIENCE: Duration = Duration::from_secs(5);

/// Whether consultations are recorded, and how.
#[derive(Debug, Args)]
pub(crate) struct RecordArgs {
    /// Record who was asked and what each said in files of this directory, which is made if it is not there
    ///
    /// No outcome depends on it: what cannot be written is reported and lost. Unless given, calls are recorded where your
    /// own hooks file says, if it has `record` and is read: not with --workspace-only, nor where --hooks leaves out `native`.
    #[arg(long = "record", value_name = "DIR")]
    directory: Option<PathBuf>,
    /// How much of inputs and outputs is recorded
    #[arg(
        long = "record-capture",
        value_name = "LEVEL",
        default_value = "digests",
        requires = "directory"
    )]
    capture: CaptureLevel,
    /// Give each recorded line the digest of the one before, for `hookchain log --verify`
    #[arg(long = "record-chain", requires = "directory")]
    chain: bool,
    /// Record nothing, whatever your own hooks file says
    #[arg(long, conflicts_with = "directory")]
    no_record: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum CaptureLevel {
    /// Their sizes and digests
    Digests,
    /// The values, with what looks like a secret masked
    Redacted,
    /// The values as they are, as `replay` needs them
    Full,
}

impl RecordArgs {
    /// The recorder, where one is wanted; `declared` is what the hooks files that were read say.
    pub(super) fn start(
        &self,
        declared: Option<&RecordSpec>,
        way: Way,
    ) -> Result<Option<Audit>, CommandError> {
        let Some(mut builder) = self.builder(declared) else {
            return Ok(None);
        };
        if way == Way::Report {
            builder = builder.with_asks_handed_on();
        }
        let builder = builder.with_reporter(|trouble| diagnose(&trouble.to_string()));
        let started = builder.start();
        let started = started.map_err(|error| CommandError::Setup(io::Error::other(error)));
        started.map(Some)
    }

    fn builder(&self, declared: Option<&RecordSpec>) -> Option<AuditBuilder> {
        if self.no_record {
            return None;
        }
        let Some(directory) = &self.directory else {
            return declared.map(AuditBuilder::declared);
        };
        let capture = match self.capture {
            CaptureLevel::Digests => Capture::Digests,
            CaptureLevel::Redacted => Capture::Redacted,
            CaptureLevel::Full => Capture::Full,
        };
        let builder = Audit::builder(directory).with_capture(capture);
        Some(if self.chain {
            builder.with_chain()
        } else {
            builder
        })
    }
}
