//! What the tests that cross crates share.
//!
//! A [`Workspace`] in a directory of its own, hooks that run the `fake-hook` program ([`fake`]), a
//! runner whose reports are kept ([`Bench`]), and a [`census`] of what a test left running.

mod bench;
pub mod census;
mod outcome;
mod workspace;

pub use crate::{
    bench::{Bench, PATIENCE, after, before, call, fake, fake_hook, in_time, program, say},
    outcome::{as_json, denial},
    workspace::Workspace,
};
