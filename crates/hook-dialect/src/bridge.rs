//! The other way round: the chain's own hooks inside another agent.
//!
//! An agent can call a program as a hook of its own, and that program can put the call through the chain of the
//! workspace. What lies between is here, as tables with a row for each event and as pure functions over them: from the
//! bytes that the agent sends to a [`HookRequest`](hook_contract::HookRequest), and from a
//! [`HookOutcome`](hook_contract::HookOutcome) to what has that effect in the agent.
//!
//! Nothing that was decided is dropped. What an agent has no words for is refused or put beside the result with an
//! explanation, and a refusal is said in every way in which the agent hears one (ADR 0021).
//!
//! ```
//! use hook_contract::{HookEvent, HookOutcome};
//! use hook_dialect::bridge::{Answer, Bridge, Reading};
//!
//! let payload = br#"{"session_id":"s1","cwd":"/repo","hook_event_name":"PreToolUse",
//!     "tool_name":"Bash","tool_input":{"command":"git push --force"},"tool_use_id":"toolu_01"}"#;
//! let Reading::Tool(asked) = Bridge::CLAUDE.read(payload)? else { panic!("a tool event") };
//! let request = asked.request("/repo".as_ref())?;
//! assert_eq!((request.event, request.tool_name.as_str()), (HookEvent::PreToolUse, "Bash"));
//!
//! let answer = asked.answer(&HookOutcome::deny("no force-push"), &[]);
//! let Answer::Refused { stdout, stderr } = answer else { panic!("a refusal") };
//! assert!(stdout.contains(r#""permissionDecision":"deny""#));
//! assert_eq!(stderr, "no force-push\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answer;
mod reading;
mod row;
mod shape;
mod table;
mod unsaid;

pub use self::{
    answer::Answer,
    reading::{Asked, PayloadFault, Reading, Unreadable},
    row::{BridgeRow, OutcomeOf, Refusal, Replacement, Rewrite},
    table::Bridge,
};

#[cfg(test)]
mod tests;
