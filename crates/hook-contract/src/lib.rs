//! What an AI agent's tool-call hooks are asked and may answer.
//!
//! A runtime asks one chain of participants before a tool call (may it happen, and in what form?)
//! and after it (what may the model see?). This crate is the vocabulary of that conversation and
//! nothing else: it knows serde, and nothing of processes, files, environments, clocks or async
//! runtimes. The order of participants, short circuits and failures belong to `hook-runner`; the
//! bytes exchanged with a program belong to `hook-wire`.
//!
//! It is all that a third-party transport needs: implement [`Interceptor`], and a remote service, a
//! policy engine or a plugin speaks in the same chain as every other participant.
//!
//! # A guard in a few lines
//!
//! ```
//! use hook_contract::{HookOutcome, HookRequest, Interceptor, InterceptorError, async_trait};
//!
//! struct NoForcePush;
//!
//! #[async_trait]
//! impl Interceptor for NoForcePush {
//!     fn name(&self) -> &str {
//!         "no-force-push"
//!     }
//!
//!     async fn intercept(&self, call: &HookRequest) -> Result<HookOutcome, InterceptorError> {
//!         // An input that is no object is carried as text, and a guard that cannot read it has cleared nothing.
//!         let command = call.input["command"].as_str().ok_or("the call has no command")?;
//!         Ok(if command.contains("--force") {
//!             HookOutcome::Deny("force-push is not allowed in this workspace".into())
//!         } else {
//!             HookOutcome::Allow
//!         })
//!     }
//! }
//! ```
//!
//! # Where things are
//!
//! | item | what |
//! |---|---|
//! | [`HookEvent`] | when a participant is asked |
//! | [`HookCall`] | the runtime's view of a tool call |
//! | [`HookRequest`] | what every participant sees, on every transport |
//! | [`Answer`], [`Decision`] | what one participant says: allow, deny, ask, modify or replace, and words for the model |
//! | [`HookOutcome`] | what a runtime acts on |
//! | [`Interceptor`], [`Subject`] | the in-process binding, and what it is told before it is asked |
//! | [`Approver`] | the host's callback for a person's agreement |
//! | [`HookSpec`], [`Transport`], [`OnFailure`], [`HookOrigin`] | one declared hook |
//! | [`RecordSpec`] | where records go, as an operator declares it |
//! | [`ApproverSpec`] | the program that puts a call to a person, as an operator declares it |
//! | [`TransportFactory`] | how a host turns a declared hook into a participant |
//! | [`Kind`], [`Tool`], [`Facts`], [`ToolKnowledge`] | what a tool can do, and what a call of it does |
//! | [`json`] | [`Json`], a value that keeps every digit as it was written |
//! | [`shown`] | text of others in a message, harmless to a terminal |
//!
//! # Features
//!
//! - `schema` (off by default): JSON Schema 2020-12 for the request, in the module `schema`.
//!
//! The minimum supported Rust version is 1.88.

mod answer;
mod approver;
mod approver_spec;
mod call;
mod decision;
mod event;
mod facts;
mod interceptor;
pub mod json;
mod kind;
mod knowledge;
mod on_failure;
mod origin;
mod outcome;
mod record;
mod request;
#[cfg(feature = "schema")]
pub mod schema;
pub mod shown;
mod spec;
mod subject;
mod transport;

pub use async_trait::async_trait;

pub use crate::{
    answer::{Answer, AnswerParts, Rewrite},
    approver::{Approval, ApprovalRequest, Approver, Asker},
    approver_spec::{ApproverSpec, DEFAULT_APPROVER_TIMEOUT},
    call::HookCall,
    decision::Decision,
    event::HookEvent,
    facts::{Access, CommandFact, Coverage, Facts, PathFact, Redirect, Tool, UrlFact},
    interceptor::{Interceptor, InterceptorError, TransportFactory},
    json::Json,
    kind::{Kind, Kinds, KindsIter},
    knowledge::ToolKnowledge,
    on_failure::OnFailure,
    origin::HookOrigin,
    outcome::HookOutcome,
    record::{MAX_KEEP_DAYS, MAX_KEEP_MIB, RecordCapture, RecordSpec},
    request::HookRequest,
    spec::{DEFAULT_HOOK_TIMEOUT, HookSpec, MAX_HOOK_TIMEOUT, MIN_HOOK_TIMEOUT},
    subject::Subject,
    transport::{
        COMMAND_KEY, CommandTransport, DEFAULT_MAX_AGE, DEFAULT_MAX_IDLE, DEFAULT_MAX_QUESTIONS,
        HookMode, Transport,
    },
};

/// The version of the request and the response, sent as `hook_schema` in every request.
///
/// It rises only when a hook written against the old shape would be wrong under the new one. An
/// additional event or an additional optional field is not such a change (ADR 0004).
pub const HOOK_SCHEMA_VERSION: u32 = 1;

/// The code of the README is compiled and run as tests of this crate.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
