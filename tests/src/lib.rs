//! What the tests that cross crates share.
//!
//! A [`Workspace`] in a directory of its own, hooks that run the `fake-hook` program ([`fake`]), a
//! runner whose reports are kept ([`Bench`]), a [`census`] of what a test left running, a [`model`] of
//! the chain to compare it with, and the bodies that are fuzzed ([`fuzz`]).

mod bench;
pub mod census;
pub mod fuzz;
mod kept;
pub mod model;
mod outcome;
mod polls;
mod workspace;

pub use crate::{
    bench::{Bench, PATIENCE, after, before, call, fake, fake_hook, in_time, program, say, worker},
    kept::Kept,
    outcome::{as_json, denial},
    polls::dropped_after,
    workspace::Workspace,
};

/// The code of the page about moving from basis is compiled and run as tests of this crate, that of basis with it. The code for
/// here alone is a test of hook-mentra as well, where basis is not built.
#[cfg(all(doctest, feature = "basis"))]
#[doc = include_str!("../../docs/book/src/moving/from-basis.md")]
struct FromBasis;
