//! The hooks that an agent's own files declare: where those are, what they say, and what is wrong with them.
//!
//! # A file that exists is used, or is an error
//!
//! Both agents drop a hook, a group or a whole file in silence when something in it is wrong, and the guard that stood
//! there with it. Here that is an error, as ADR 0019 has it, unless they are
//! [followed to the letter](DialectConfig::with_strict). A hook that the agent would not run is not run here either, and
//! is listed with the reason.

mod beside;
mod claude;
mod codex;
mod commands;
mod error;
mod examined;
mod finding;
mod foreign;
mod groups;
mod handler;
mod load;
mod loaded;
mod matchers;
mod not_run;
mod origin;
mod repository;
mod settings;
mod source;
mod user_folder;

pub use self::{
    beside::{Beside, Guarding},
    error::DialectConfigError,
    examined::{Examined, LookedFor, Place},
    finding::Finding,
    handler::{Background, CommandForm, Handler, Shell},
    load::{examine, load},
    loaded::{LoadedHook, LoadedHooks, Variable},
    not_run::{NotRun, WhyNotRun},
    origin::{Origin, Scope},
    settings::DialectConfig,
    source::DialectSource,
};

#[cfg(test)]
mod tests;
