//! The bytes between a hook chain and a hook program: one JSON object in, one JSON object out.
//!
//! A program is asked with one line on its standard input and answers with one object on its standard output. This
//! crate turns the one into the other and knows nothing of processes, time limits or what a failure leads to; that is
//! `hook-runner`'s. What is asked and may be answered is defined in `hook-contract`.
//!
//! Standard output is the decision, and an exit status other than zero is a failure whatever was printed. What is not
//! an answer is never taken for one: see [`DecodeErrorKind`] for each way in which that happens and what it tells the
//! author of the program.
//!
//! # For a chain
//!
//! ```
//! use std::path::Path;
//!
//! use hook_contract::HookEvent;
//! use hook_wire::{HookCall, HookRequest, HookResponse, decode_response, encode_request};
//!
//! let call = HookCall::new("agent-1", "shell", "call-1", r#"{"command":"git push --force"}"#);
//! let request = HookRequest::from_call(HookEvent::PreToolUse, Path::new("/repo"), &call);
//! let line = encode_request(&request)?;
//! assert!(line.ends_with(b"\"input\":{\"command\":\"git push --force\"}}\n"));
//!
//! let decoded = decode_response(br#"{"decision":"deny","reason":"no force-push here"}"#)?;
//! assert_eq!(decoded.response, HookResponse::deny("no force-push here"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # For the author of a hook in Rust
//!
//! The same program serves a single question and, as a worker, any number of them:
//!
//! ```
#![doc = include_str!("../examples/allow_all.rs")]
//! ```
//!
//! # Where things are
//!
//! | item | what |
//! |---|---|
//! | [`encode_request`], [`decode_response`] | the chain's side |
//! | [`DecodedResponse`], [`DecodeNote`] | an answer, and what was odd about it |
//! | [`DecodeError`], [`DecodeErrorKind`] | why something is not an answer |
//! | [`serve`], [`serve_on`] | the author's side, as a loop |
//! | [`decode_request`], [`encode_response`], [`encode_response_to`] | the author's side, by hand |
//!
//! # Features
//!
//! - `own-streams` (on by default): while [`serve`] runs, nothing else in the program, nor a program that it starts, can print an
//!   answer or read a question.
//! - `async` (off by default): `serve_async` and `serve_async_on`, the loop over tokio's readers and writers.
//! - `schema` (off by default): JSON Schema 2020-12 for the response, in the module `schema`.
//!
//! The minimum supported Rust version is 1.88.

mod cut;
mod decision;
mod decode;
mod encode;
mod object;
mod quote;
mod request;
mod response;
#[cfg(feature = "schema")]
pub mod schema;
mod serve;

pub use hook_contract::{Decision, HOOK_SCHEMA_VERSION, HookCall, HookRequest};

#[cfg(feature = "async")]
pub use crate::serve::asynchronous::{serve_async, serve_async_on};
pub use crate::{
    cut::cut,
    decode::{
        DecodedResponse, MAX_CONTEXT_BYTES, MAX_REASON_BYTES, MAX_RESPONSE_BYTES, decode_response,
        error::{DecodeError, DecodeErrorKind, NotJsonHint},
        note::DecodeNote,
    },
    encode::{EncodeError, RequestLine, encode_request, encode_response, encode_response_to},
    request::{
        decode_request,
        error::{RequestError, RequestErrorKind},
    },
    response::HookResponse,
    serve::{IntoAnswer, ServeError, ServeErrorKind, serve, serve_on},
};

/// The code of the README is compiled and run as tests of this crate.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
