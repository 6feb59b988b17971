//! The recordings: what the shared protocol library answers, and what the agents themselves did.
//!
//! They are read from the workspace's `tests/vectors`, or from the folder that `HOOKCHAIN_VECTORS` names, which has the
//! same layout: `dsh/`, `oracle-claude/`, `oracle-codex/`.

#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::indexing_slicing,
    clippy::wildcard_enum_match_arm,
    reason = "a test that cannot go on fails, and says how much it compared"
)]

#[path = "vectors/agent.rs"]
mod agent;
#[path = "vectors/claude/mod.rs"]
mod claude;
#[path = "vectors/codex/mod.rs"]
mod codex;
#[path = "vectors/differs.rs"]
mod differs;
#[path = "vectors/machine.rs"]
mod machine;
#[path = "vectors/payloads.rs"]
mod payloads;
#[path = "vectors/played.rs"]
mod played;
#[path = "vectors/scenarios.rs"]
mod scenarios;
#[path = "vectors/shared.rs"]
mod shared;
#[path = "vectors/stored.rs"]
mod stored;
