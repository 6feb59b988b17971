//! One chain that asks everybody about every tool call of an AI agent.
//!
//! A runtime builds one [`HookRunner`] for a workspace and asks it before a call (may it happen, in
//! what form?) and after it (what may the model see?). Interceptors compiled into the host and
//! programs declared in hooks files answer the same question in the same vocabulary, and one chain
//! decides order, short circuit, rewrites and failures once for all of them.
//!
//! What it guarantees:
//!
//! 1. Interceptors are asked first, then hooks the host supplied, then the global file's, then the
//!    workspace's; the first deny ends the chain, and no later program is started.
//! 2. Everybody sees the call as those before left it; a rewrite does not get past a later guard.
//! 3. Whoever cannot answer denies, unless its own declaration says otherwise, and is reported
//!    either way.
//! 4. A program has one deadline for everything, runs without a shell, without the host's
//!    credentials and in its own process group. When it is killed or holds its output open, the whole
//!    group is killed; what left the group or let go of the output is on its own.
//! 5. A program declared as a worker is started once and asked line by line. An answer is never taken
//!    for the answer to another question, and no such process outlives the runner.
//!
//! # Asking
//!
//! ```no_run
//! use hook_config::HooksConfig;
//! use hook_contract::{HookCall, HookOutcome};
//! use hook_runner::HookRunner;
//!
//! # async fn guard() -> Result<(), Box<dyn std::error::Error>> {
//! let workspace = std::path::Path::new("/repo");
//! let loaded = hook_config::load(workspace, &HooksConfig::default())?;
//! let runner = HookRunner::new(workspace, loaded.hooks);
//!
//! let call = HookCall::new("agent-1", "shell", "call-1", r#"{"command":"git push --force"}"#);
//! match runner.decide(&call).await {
//!     HookOutcome::Allow => { /* run the tool with call.input_json */ }
//!     HookOutcome::Deny(reason) => { /* tell the model why */ }
//!     HookOutcome::Modify { input, .. } => { /* run the tool with input.text() */ }
//!     HookOutcome::Replace { .. } => { /* only ever after a call */ }
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # Where things are
//!
//! | item | what |
//! |---|---|
//! | [`HookRunner`], [`HookRunnerBuilder`] | the chain, and everything that can be set about it |
//! | [`Consultation`], [`Step`], [`Note`] | the outcome with the trail of who said what, and what is to be delivered |
//! | [`HookFailure`], [`WorkerFailure`] | why a participant gave no answer that counts |
//! | [`Participant`] | for transports that have more to say than an outcome |
//! | [`Recorder`] | where records of each step go |
//! | [`program`] | starting a program, for transports of one's own |
//! | [`BASELINE`] | the variables that programs get |
//! | [`Inspection`], [`exposures`] | what is wrong with a program, seen without starting it |
//!
//! # Features
//!
//! - `tracing` (off by default): a span for each consultation and an event for each step.
//!
//! Linux and macOS. The minimum supported Rust version is 1.88.

#[cfg(not(unix))]
compile_error!("hook-runner starts programs on Unix systems only; see the README");

mod alarm;
mod approver;
mod build_error;
mod builder;
mod chain;
mod closing;
mod consultation;
mod failure;
mod forms;
mod guarded;
mod hook;
mod interceptor;
mod observe;
mod participant;
mod process;
pub mod program;
mod question;
mod rank;
mod recorder;
mod reply;
mod runner;
mod strict;
#[cfg(test)]
mod testing;
pub mod transport;
mod unbuilt;
mod walk;
mod worker;

pub use self::{
    approver::ProgramApprover,
    build_error::{BuildError, BuildProblem, BuildProblemKind},
    builder::{
        DEFAULT_APPROVAL_TIMEOUT, DEFAULT_INTERCEPTOR_TIMEOUT, DEFAULT_QUEUE_TIMEOUT,
        HookRunnerBuilder,
    },
    consultation::{Asked, Consultation, Context, Note, NoteKind, Part, Settled, Step, WorkerLife},
    failure::{FailureKind, HookFailure},
    participant::{Identity, Origin, Participant, TimeLimit},
    process::{
        BASELINE, Exit, Exposure, ExposureKind, FaultKind, Inspection, ProgramFault, StartError,
        Writers, exposures,
    },
    question::Question,
    rank::{Rank, Ranks},
    recorder::{Recorded, Recorder},
    reply::Reply,
    runner::HookRunner,
    worker::{Delay, WorkerFailure},
};

#[doc(no_inline)]
pub use hook_contract::{
    Answer, Approval, ApprovalRequest, Approver, Decision, HookCall, HookEvent, HookOutcome,
    HookRequest, HookSpec, Interceptor, Json, OnFailure, Subject,
};

/// The code of the README is compiled and run as tests of this crate.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
