//! What the author of a transport needs beside the contract: the bytes of a question and of an answer.
//!
//! A transport that only carries JSON needs `hook-contract` alone. This module is for one that speaks the wire of hook
//! programs: [`RequestLine`] is the line that a program reads, with or without what is known of the call, and
//! [`decode_response`] reads an answer as the chain reads a program's, so that a denial which can be read stays one.
//!
//! ```
//! use std::path::Path;
//!
//! use hook_contract::{HookCall, HookEvent, HookRequest};
//! use hook_runner::transport::{decode_response, encode_request};
//!
//! let call = HookCall::new("agent-1", "shell", "call-1", "{}");
//! let request = HookRequest::from_call(HookEvent::PreToolUse, Path::new("/repo"), &call);
//! assert!(encode_request(&request)?.ends_with(b"}\n"));
//! let decoded = decode_response(br#"{"decision":"deny","reason":7}"#)?;
//! assert_eq!(decoded.response.decision(), hook_contract::Decision::Deny);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[doc(no_inline)]
pub use hook_contract::TransportFactory;
#[doc(no_inline)]
pub use hook_wire::{
    DecodeError, DecodeErrorKind, DecodeNote, DecodedResponse, EncodeError, MAX_CONTEXT_BYTES,
    MAX_REASON_BYTES, MAX_RESPONSE_BYTES, RequestLine, cut, decode_response, encode_request,
};
