//! The other way round: the chain's own hooks inside another agent.
//!
//! An agent can call a program as a hook of its own, and that program can put the call through the chain of the
//! workspace. What lies between is here, as tables with a row for each event and as pure functions over them: from the
//! bytes that the agent sends to a [`HookRequest`](hook_contract::HookRequest), and from a
//! [`Consultation`](hook_runner::Consultation) to what has that effect in the agent.
//!
//! Nothing that was decided is dropped. What an agent has no words for is refused or put beside the result with an
//! explanation, and a refusal is said in every way in which the agent hears one (ADR 0021).
//!
//! A call to which a person has to agree is handed on as the agent's own question in the modes in which the agent was seen
//! to ask, or else to refuse; a mode is a row ([`AskRow`]). Everywhere else the chain's denial stands, which says how a person
//! runs the call by hand. Words for the model stand where the agent hears them beside the answer ([`ContextPlace`], ADR 0026).
//!
//! The module knows what agents send and hear. It must not know which chain was asked, where a person sits, or how bytes
//! travel: it reads no environment ([`Bridge::attendance`] is told), starts nothing and prints nothing. No function asks which
//! agent it is about.
//!
//! ```
//! use hook_contract::{HookEvent, HookOutcome};
//! use hook_dialect::bridge::{Answer, Bridge, Reading};
//! use hook_runner::Consultation;
//!
//! let payload = br#"{"session_id":"s1","cwd":"/repo","hook_event_name":"PreToolUse",
//!     "tool_name":"Bash","tool_input":{"command":"git push --force"},"tool_use_id":"toolu_01"}"#;
//! let Reading::Tool(asked) = Bridge::CLAUDE.read(payload)? else { panic!("a tool event") };
//! let request = asked.request("/repo".as_ref())?;
//! assert_eq!((request.event, request.tool_name.as_str()), (HookEvent::PreToolUse, "Bash"));
//!
//! // What a chain that was asked that comes to.
//! let consultation = Consultation::of(HookOutcome::deny("no force-push"));
//! let Answer::Refused { stdout, stderr } = asked.answer(&consultation) else { panic!("a refusal") };
//! assert!(stdout.contains(r#""permissionDecision":"deny""#));
//! assert_eq!(stderr, "no force-push\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answer;
mod asking;
mod object;
mod reading;
mod row;
mod saying;
mod shape;
mod table;
mod told;
mod unsaid;

pub use self::{
    answer::Answer,
    asking::{AskRow, Asks, Attendance, AttendanceVariable},
    reading::{Asked, PayloadFault, Reading, Unreadable},
    row::{BridgeRow, ContextPlace, OutcomeOf, Refusal, Replacement, Rewrite},
    table::Bridge,
};

#[cfg(test)]
mod tests;
