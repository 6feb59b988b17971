//! Hooks written for other agents: how they are matched, asked, understood and merged.
//!
//! Thousands of hooks exist for Claude Code and Codex: groups of handlers with a matcher, a JSON payload on standard
//! input, an exit status and a JSON answer. This crate knows what those programs do with them, from recordings of the
//! programs themselves, and has it as pure functions over tables. [`run`] runs them, by the means of the runner.
//!
//! ```
//! use hook_contract::Json;
//! use hook_dialect::{Dialect, Exit, Fact, Facts, Verdict, decode_output, merge, payload};
//!
//! let claude = Dialect::CLAUDE;
//! let event = claude.event("PreToolUse").expect("an event of Claude Code");
//!
//! // Who is asked?
//! let matcher = claude.matcher(event, Some("Bash|mcp__.*"));
//! assert!(claude.names_of("Bash").any(|name| matcher.matches(name)));
//!
//! // What are they told?
//! let facts = Facts::new()
//!     .with(Fact::SessionId, "s1")
//!     .with(Fact::TranscriptPath, "/home/ada/t.jsonl")
//!     .with(Fact::Cwd, "/repo")
//!     .with(Fact::PermissionMode, "default")
//!     .with(Fact::ToolName, "Bash")
//!     .with_json(Fact::ToolInput, Json::parse(r#"{"command":"git push --force"}"#)?)
//!     .with(Fact::ToolUseId, "toolu_01");
//! let line = payload("PreToolUse", &facts, claude)?;
//! assert!(line.ends_with(b"\"tool_use_id\":\"toolu_01\"}\n"));
//!
//! // What did they say?
//! let output = decode_output(Exit::Code(2), b"", b"no force-push", Some("PreToolUse"), claude.guarded());
//! assert_eq!(merge(&[output]).decision, Verdict::Deny);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # To the letter, or on the safe side
//!
//! The agents let a call pass in many cases in which a guard meant to stop it. A [strict](Dialect::strict) profile does
//! the same; a [guarded](Dialect::guarded) one does not. Each difference is in ADR 0017.
//!
//! # Where things are
//!
//! | item | what |
//! |---|---|
//! | [`Dialect`], [`dialect::EventRow`] | the tables: one for each agent, a row for each event |
//! | [`Matcher`], [`MatcherSet`] | which calls a group of hooks is asked about, in a bounded number of steps |
//! | [`IfRule`] | which of those by what they are called with |
//! | [`payload`], [`Facts`] | the bytes a hook is asked with |
//! | [`decode_output`], [`HookOutput`] | what a hook said, and what of it was ignored and why |
//! | [`HookOutput::settled`], [`FailurePolicy`] | what the failure of a hook means |
//! | [`merge`], [`MergedOutcome`] | what several hooks said together |
//! | [`config`] | what an agent's own files declare |
//! | [`bridge`] | the other way round: the chain's hooks inside an agent |
//! | [`run::DialectHooks`] | running hooks: in the chain around tool calls, and at every other event |
//! | [`stderr_summary`] | a few characters for a report |
//!
//! The minimum supported Rust version is 1.88.

pub mod bridge;
pub mod config;
mod decode;
pub mod dialect;
mod failure;
mod matcher;
mod merge;
mod output;
mod payload;
mod rule;
pub mod run;
mod settle;
mod shell;
mod summary;

pub use crate::{
    decode::decode_output,
    dialect::{Dialect, Fact, FactShape, Profile},
    failure::{Exit, Failure},
    matcher::{Matcher, MatcherMode, MatcherProblem, MatcherSet, RegexLanguage},
    merge::{MergedOutcome, Overwritten, Verdict, merge, merge_as_finished},
    output::{Decision, HookOutput, Ignored, WhyIgnored},
    payload::{Facts, PayloadError, payload},
    rule::{IfRule, RuleBase, RuleProblem},
    settle::FailurePolicy,
    summary::stderr_summary,
};

/// The code of the README is compiled and run as tests of this crate.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
