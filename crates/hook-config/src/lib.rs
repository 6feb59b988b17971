//! Hooks files: their shape, where they are found, and what is wrong with them.
//!
//! Under construction.

mod config;
mod discover;
mod error;
mod file;
mod load;
mod near;
mod origin;
mod problem;
mod read;
#[cfg(feature = "schema")]
pub mod schema;
mod shown;
mod spec;
mod vocabulary;
mod warning;

pub use crate::{
    config::{DEFAULT_GLOBAL_HOOKS_FILE, DEFAULT_WORKSPACE_HOOKS_FILE, HooksConfig},
    discover::{HooksScope, HooksSource, discover},
    error::HookConfigError,
    file::{HOOKS_FILE_SCHEMA, HooksFile, InvalidFile, MAX_FILE_BYTES},
    load::{LoadedHooks, load},
    origin::HookOrigin,
    problem::{JsonType, Place, Problem, ProblemKind, Subject},
    spec::{DEFAULT_HOOK_TIMEOUT, HookSpec, HookSpecError, MAX_HOOK_TIMEOUT, MIN_HOOK_TIMEOUT},
    vocabulary::{HookMode, OnFailure},
    warning::{HookConfigWarning, Warning, WarningKind},
};
