//! Durable records of every consultation: written without being waited for, read back in constant memory, summed up.
//!
//! A persistence log is written for future readers: which hook said what, what it changed, and how long it took.
//! [`Audit`] is the recorder of a [`HookRunner`](hook_runner::HookRunner) that writes one. Its files are JSON Lines, which
//! every tool reads; [`Reader`] reads them back, and [`Summary`] says what each hook did and what it cost.
//!
//! What it guarantees:
//!
//! 1. No outcome depends on it, and no consultation waits for it: not for a disk, not for a lock of another process, not
//!    for its own thread.
//! 2. Any number of processes may record to one directory at once. Every line is whole; what a process that was killed
//!    left unfinished is passed over by readers, and spoils no other line.
//! 3. What could not be written is counted, recorded where recording goes on, and reported once.
//! 4. Unless everything is captured, a record holds no input and no output, or has what looks like a secret masked
//!    ([`Capture`], [`Redaction`]).
//!
//! # Records
//!
//! For each question to a participant, `hook/invoked` and `hook/result`; for each call, `consultation`. See [`Record`] for
//! their fields, and the repository's `schemas/hook-record.v1.schema.json` for a schema. A question and its answer have the
//! same consultation, `handler_id` and pass ([`HookResult::answers`]). Calls that concern no participant are recorded too:
//! what a later policy would say of them is what records are kept for.
//!
//! # Where things are
//!
//! | item | what |
//! |---|---|
//! | [`Audit`], [`AuditBuilder`] | the recorder, and everything that can be set about it |
//! | [`Record`] | one line |
//! | [`Reader`], [`verify`] | lines back from a directory; whether they are as they were written |
//! | [`Summary`] | calls, denials, rewrites, failures and times of each participant |
//! | [`handler_id`], [`stderr_summary`] | names and texts in records |
//!
//! # Features
//!
//! - `schema` (off by default): the JSON Schema of a record.
//!
//! Linux and macOS. The minimum supported Rust version is 1.88.

mod audit;
mod captured;
mod digest;
mod handler;
mod message;
mod queue;
mod reader;
mod record;
mod redact;
#[cfg(feature = "schema")]
pub mod schema;
mod scribe;
mod stderr;
mod store;
mod summary;
mod timestamp;
mod trouble;
mod writer;

pub use self::{
    audit::{Audit, AuditBuilder, Closed, StartError},
    captured::{Capture, Captured, NotExact},
    digest::{Digest, DigestError},
    handler::handler_id,
    reader::{Break, Line, Place, ReadError, Reader, Verified, VerifyError, verify},
    record::{
        ConsultationEnded, HOOK_RECORD_VERSION, HookInvoked, HookResult, Record, RecordError,
        RecordErrorKind, RecordedApproval, RecordedContext, RecordedDecision, RecordedFailure,
        RecordedHook, RecordedOnFailure, RecordedOutcome, RecordedSettled, RecordsLost,
    },
    redact::Redaction,
    stderr::{STDERR_SUMMARY_CHARS, stderr_summary},
    store::{FileName, Retention, StoreError, StoreErrorKind, SyncPolicy},
    summary::{Day, HandlerSummary, Summary, Times},
    timestamp::{Date, Timestamp, TimestampError},
    trouble::Trouble,
};

/// The code of the README is compiled and run as tests of this crate.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
