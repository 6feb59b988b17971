//! The bridge into other agents: what they were seen to send and to do, and what they make of each answer.

#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::indexing_slicing,
    clippy::wildcard_enum_match_arm,
    reason = "a test that cannot go on fails, and says how much it compared"
)]

#[path = "bridge/asks.rs"]
mod asks;
#[path = "bridge/contexts.rs"]
mod contexts;
#[path = "bridge/kit.rs"]
mod kit;
#[path = "bridge/recorded.rs"]
mod recorded;
#[path = "bridge/seen.rs"]
mod seen;
