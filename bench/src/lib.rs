//! What hookchain costs, against a floor and a peer measured in the same run.
//!
//! Nothing here asserts a time: a number from one machine says nothing about another. What counts
//! is the ratio between two ways of doing the same thing, measured by turns, so that whatever slows
//! the machine down slows both. `docs/performance.md` shows the table and says how to read it.

pub mod allocations;
pub mod calls;
pub mod cores;
pub mod floor;
pub mod measure;
pub mod programs;
pub mod runtimes;
