//! The hooks that an agent's own files declare.

mod handler;
mod loaded;
mod not_run;
mod origin;
mod settings;

pub use self::{
    handler::{Background, CommandForm, Handler, Shell},
    loaded::{LoadedHook, LoadedHooks},
    not_run::{NotRun, WhyNotRun},
    origin::{Origin, Scope},
    settings::DialectConfig,
};
