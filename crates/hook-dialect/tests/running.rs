//! Hooks of other agents, started for real: in the chain, at other events, in the background.

#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot go on fails"
)]

#[path = "running/asking.rs"]
mod asking;
#[path = "running/at_home.rs"]
mod at_home;
#[path = "running/background.rs"]
mod background;
#[path = "running/cases.rs"]
mod cases;
#[path = "running/chain.rs"]
mod chain;
#[path = "running/events.rs"]
mod events;
#[path = "running/failures.rs"]
mod failures;
#[path = "running/kit.rs"]
mod kit;
#[path = "running/parts.rs"]
mod parts;
#[path = "running/ranks.rs"]
mod ranks;
#[path = "running/surroundings.rs"]
mod surroundings;
