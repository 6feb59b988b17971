//! Hooks files: their shape, where they are found, and what is wrong with them.
//!
//! A hooks file declares which programs have a say over an agent's tool calls. This crate finds the
//! files, reads them, and says everything that is wrong with them, each thing at its place and with
//! what to write instead. It knows files and starts nothing; asking the hooks belongs to
//! `hook-runner`.
//!
//! ```json
//! {
//!   "schema": 1,
//!   "hooks": [
//!     { "name": "no-force-push", "command": ["./.basis/hooks/no-force-push.sh"], "tools": ["spawn"],
//!       "event": "pre_tool_use", "timeout_ms": 5000, "on_failure": "deny" },
//!     { "name": "no-secrets", "command": ["python3", ".basis/hooks/no_secrets.py"],
//!       "event": "post_tool_use", "mode": "worker" }
//!   ]
//! }
//! ```
//!
//! # A file that exists is used, or is an error
//!
//! Somebody who wrote a guard down must never find it silently switched off.
//!
//! - Only "not found" means that there is no file. A directory in its place, a link to nothing, a
//!   directory that cannot be searched, a pipe: all errors.
//! - A field that looks like a misspelling of a known one, or like what another tool calls it, is an
//!   error that names the intended field; so is a field of a hook that stands beside `hooks`. Any
//!   other unknown field is accepted with a warning, for files written for a newer version. A field
//!   whose name begins with `//` or `#` is a note and never a misspelling.
//! - A key that stands twice in one object is an error at every level. So is the value of an unknown
//!   field that is nested deeper than 127 levels, holds a number out of range or half a surrogate
//!   pair: nobody knows what it says.
//! - An entry is reached by one transport, under its key: `command`, or one that the host has named with
//!   [`HooksConfig::with_transport_key`]. Two, none, and one that the host does not have are errors: an entry for a newer host
//!   must not become a hook that is asked in another way.
//! - An entry with `kinds` or with `"facts": true` needs a host that knows its tools, and is an error on any other host
//!   ([`HooksConfig::with_tools`]).
//! - `null` counts as absent for `tools`, `kinds`, times and bounds, and is an error everywhere else.
//! - A file without `hooks` declares none, as long as nothing unknown stands in their place.
//! - Of a file that declares another `schema`, nothing else is judged.
//! - Programs are not looked for: one that is missing when it is asked has failed, and what that
//!   means is its `on_failure`.
//!
//! # Where things are
//!
//! | item | what |
//! |---|---|
//! | [`load`] | every declared hook in consultation order, or everything that is wrong |
//! | [`HooksConfig`] | where to look, and the hooks the host supplies as values |
//! | [`HostSupport`] | what a host adds to what an entry may say |
//! | [`discover`], [`HooksSource`] | the files that exist, and their texts |
//! | [`survey`], [`Candidate`] | where files are looked for, and what is there |
//! | [`HooksFile`] | one file, from text to hooks and back |
//! | [`Examined`] | all that a text says, right or wrong, and where; for diagnostics |
//! | [`HookSpec`], [`validate`](fn@validate) | one declared hook, and a check of one made as a value |
//! | [`RecordSpec`] | where what hooks say is recorded, which only the operator's file may declare |
//! | [`ApproverSpec`] | the program that puts a call to a person, which only the operator's file may declare |
//! | [`HookConfigError`], [`Diagnostic`] | what is wrong, where, and what to write |
//! | [`HookConfigWarning`] | what is allowed and probably not meant |
//!
//! # Features
//!
//! - `schema` (off by default): JSON Schema 2020-12 of the hooks file, in the module `schema`.
//!
//! The minimum supported Rust version is 1.88.

mod config;
mod discover;
mod error;
mod file;
mod host;
mod load;
#[cfg(feature = "schema")]
pub mod schema;
mod validate;
mod vocabulary;
mod warning;
mod words;

pub use crate::{
    config::{DEFAULT_GLOBAL_HOOKS_FILE, DEFAULT_WORKSPACE_HOOKS_FILE, HooksConfig},
    discover::{Candidate, Found, HooksScope, HooksSource, discover, survey},
    error::HookConfigError,
    file::{
        CommandWord, Examined, ExaminedApprover, ExaminedEntry, HOOKS_FILE_SCHEMA, HooksFile,
        InvalidFile, MAX_FILE_BYTES,
    },
    host::HostSupport,
    load::{LoadedHooks, load},
    validate::{HookSpecError, MAX_MAX_QUESTIONS, MAX_WORKER_TIME, validate},
    warning::HookConfigWarning,
};

#[doc(no_inline)]
pub use hook_source::Diagnostic;

#[doc(no_inline)]
pub use hook_contract::{
    ApproverSpec, CommandTransport, DEFAULT_APPROVER_TIMEOUT, DEFAULT_HOOK_TIMEOUT,
    DEFAULT_MAX_AGE, DEFAULT_MAX_IDLE, DEFAULT_MAX_QUESTIONS, HookMode, HookOrigin, HookSpec,
    MAX_HOOK_TIMEOUT, MAX_KEEP_DAYS, MAX_KEEP_MIB, MIN_HOOK_TIMEOUT, OnFailure, RecordCapture,
    RecordSpec, Transport,
};

/// The code of the README is compiled and run as tests of this crate.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
