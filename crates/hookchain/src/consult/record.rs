//! Where consultations are recorded.

use std::{io, path::PathBuf, time::Duration};

use clap::{Args, ValueEnum};
use hook_audit::{Audit, AuditBuilder, Capture};
use hook_config::HooksConfig;

use crate::{cli::HooksArgs, command_error::CommandError, streams::diagnose};

/// How long the end of the command waits for records to be written.
pub(super) const PATIENCE: Duration = Duration::from_secs(5);

/// Whether consultations are recorded, and how.
#[derive(Debug, Args)]
pub(crate) struct RecordArgs {
    /// Record who was asked and what each said in files of this directory, which is made if it is not there
    ///
    /// No outcome depends on it: what cannot be written is reported and lost. Unless given, calls are recorded where your
    /// own hooks file says, if it has `record`.
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
    /// The recorder, where one is wanted.
    pub(super) fn start(&self, hooks: &HooksArgs) -> Result<Option<Audit>, CommandError> {
        let Some(builder) = self.builder(hooks)? else {
            return Ok(None);
        };
        let builder = builder.with_reporter(|trouble| diagnose(&trouble.to_string()));
        let started = builder.start();
        let started = started.map_err(|error| CommandError::Setup(io::Error::other(error)));
        started.map(Some)
    }

    fn builder(&self, hooks: &HooksArgs) -> Result<Option<AuditBuilder>, CommandError> {
        if self.no_record {
            return Ok(None);
        }
        let Some(directory) = &self.directory else {
            let loaded = hook_config::load(&hooks.workspace, &HooksConfig::default())?;
            return Ok(loaded.record.as_ref().map(AuditBuilder::declared));
        };
        let capture = match self.capture {
            CaptureLevel::Digests => Capture::Digests,
            CaptureLevel::Redacted => Capture::Redacted,
            CaptureLevel::Full => Capture::Full,
        };
        let builder = Audit::builder(directory).with_capture(capture);
        Ok(Some(if self.chain {
            builder.with_chain()
        } else {
            builder
        }))
    }
}
