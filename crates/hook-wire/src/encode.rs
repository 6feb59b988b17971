//! Values to bytes: one line each.

use std::path::{Path, PathBuf};

use hook_contract::{Facts, HookEvent, HookRequest, Json, Tool};
use serde::Serialize;
use thiserror::Error;

use crate::HookResponse;

/// A request cannot be written, because its workspace path is not UTF-8.
///
/// JSON has no way to say such a path; run the agent in a directory whose path is UTF-8.
///
/// ```
/// # #[cfg(unix)] {
/// use std::{ffi::OsStr, os::unix::ffi::OsStrExt, path::Path};
///
/// use hook_contract::HookEvent;
/// use hook_wire::{HookCall, HookRequest, encode_request};
///
/// let workspace = Path::new(OsStr::from_bytes(b"/repo/\xff"));
/// let call = HookCall::new("agent-1", "shell", "call-1", "{}");
/// let request = HookRequest::from_call(HookEvent::PreToolUse, workspace, &call);
/// let error = encode_request(&request).unwrap_err();
/// assert!(error.to_string().starts_with(r#"the workspace path "/repo/\xFF" is not UTF-8"#));
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "the workspace path {workspace:?} is not UTF-8, so no hook can be told of it in JSON; use a directory whose path \
     is UTF-8"
)]
pub struct EncodeError {
    workspace: PathBuf,
}

impl EncodeError {
    /// The path that cannot be written.
    #[must_use]
    pub fn workspace(&self) -> &Path {
        &self.workspace
    }
}

/// The request as a hook program reads it: compact JSON on one line, ended by one `\n`.
///
/// ```
/// use std::path::Path;
///
/// use hook_contract::HookEvent;
/// use hook_wire::{HookCall, HookRequest, decode_request, encode_request};
///
/// let call = HookCall::new("agent-1", "shell", "call-1", r#"{ "id": 12345678901234567890123 }"#);
/// let request = HookRequest::from_call(HookEvent::PreToolUse, Path::new("/repo"), &call);
/// let line = encode_request(&request)?;
/// assert!(line.ends_with(b",\"input\":{\"id\":12345678901234567890123}}\n"), "every digit is kept");
/// assert_eq!(decode_request(&line)?, request);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// When the workspace path is not UTF-8; for no other reason.
pub fn encode_request(request: &HookRequest) -> Result<Vec<u8>, EncodeError> {
    Ok(RequestLine::new(request)?.to_bytes())
}

/// The response as a chain reads it: compact JSON on one line, ended by one `\n`.
///
/// ```
/// use hook_wire::{HookResponse, encode_response};
///
/// let line = encode_response(&HookResponse::ask("this deploys to production"));
/// assert_eq!(line, b"{\"decision\":\"ask\",\"reason\":\"this deploys to production\"}\n");
/// ```
#[must_use]
pub fn encode_response(response: &HookResponse) -> Vec<u8> {
    let mut line = object(response);
    line.push(b'\n');
    line
}

/// The same, naming the call that it is about: what a kept program prints, so that it is never taken for the answer to
/// another question.
///
/// ```
/// use hook_wire::{HookResponse, encode_response_to};
///
/// assert_eq!(
///     encode_response_to("call-1", &HookResponse::allow()),
///     b"{\"decision\":\"allow\",\"tool_call_id\":\"call-1\"}\n"
/// );
/// ```
#[must_use]
pub fn encode_response_to(tool_call_id: &str, response: &HookResponse) -> Vec<u8> {
    let mut line = object(response);
    // The object goes on.
    line.pop();
    line.extend_from_slice(b",\"tool_call_id\":");
    line.append(&mut object(&tool_call_id));
    line.extend_from_slice(b"}\n");
    line
}

/// A request as one line, in pieces: a large value is not copied, but shared with the request.
///
/// ```
/// use std::path::Path;
///
/// use hook_contract::HookEvent;
/// use hook_wire::{HookCall, HookRequest, RequestLine, encode_request};
///
/// let call = HookCall::new("agent-1", "shell", "call-1", r#"{"command":"ls"}"#);
/// let request = HookRequest::from_call(HookEvent::PreToolUse, Path::new("/repo"), &call);
/// let line = RequestLine::new(&request)?;
/// assert_eq!(line.pieces().collect::<Vec<_>>().concat(), encode_request(&request)?);
/// # Ok::<(), hook_wire::EncodeError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct RequestLine(Vec<Piece>);

#[derive(Clone, Debug, PartialEq)]
enum Piece {
    Bytes(Vec<u8>),
    Value(Json),
}

/// From how many bytes on a value is a piece of its own. What is smaller is cheaper to copy than to write apart.
const LARGE_BYTES: usize = 32 * 1024;

/// Everything that stands before the input.
#[derive(Serialize)]
struct Head<'a> {
    hook_schema: u32,
    event: HookEvent,
    workspace: &'a str,
    agent_id: &'a str,
    tool_call_id: &'a str,
    tool_name: &'a str,
}

/// Everything that stands behind the rest, for hooks that ask for it.
#[derive(Serialize)]
struct More<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    cwd: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    session_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    extensions: Option<&'a Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool: Option<&'a Tool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    facts: Option<&'a Facts>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    again: bool,
}

impl RequestLine {
    /// The line of a request, with the members that every hook gets and none of those that an entry has to ask for by
    /// `"facts": true`: a strict program that was written before they existed never sees them.
    ///
    /// # Errors
    ///
    /// When the workspace path is not UTF-8; for no other reason.
    pub fn new(request: &HookRequest) -> Result<Self, EncodeError> {
        let Some(workspace) = request.workspace.to_str() else {
            return Err(EncodeError {
                workspace: request.workspace.clone(),
            });
        };
        let mut head = object(&Head {
            hook_schema: request.hook_schema,
            event: request.event,
            workspace,
            agent_id: &request.agent_id,
            tool_call_id: &request.tool_call_id,
            tool_name: &request.tool_name,
        });
        // The object goes on.
        head.pop();
        let mut line = Self(vec![Piece::Bytes(head)]);
        line.push(b",\"input\":");
        line.push_value(&request.input);
        if let Some(output) = &request.output {
            line.push(b",\"output\":");
            line.push_value(output);
        }
        line.push(match request.is_error {
            None => b"}\n",
            Some(true) => b",\"is_error\":true}\n",
            Some(false) => b",\"is_error\":false}\n",
        });
        Ok(line)
    }

    /// The line of a request with everything that is known about the call: `cwd`, `session_id`, `extensions`, `tool`,
    /// `facts` and `again`, each where it is there.
    ///
    /// ```
    /// use std::path::Path;
    ///
    /// use hook_contract::HookEvent;
    /// use hook_wire::{HookCall, HookRequest, RequestLine};
    ///
    /// let call = HookCall::new("agent-1", "shell", "call-1", "{}").with_cwd("/repo/sub");
    /// let request = HookRequest::from_call(HookEvent::PreToolUse, Path::new("/repo"), &call);
    /// let line = RequestLine::with_facts(&request)?.to_bytes();
    /// assert!(line.ends_with(b"\"input\":{},\"cwd\":\"/repo/sub\"}\n"));
    /// # Ok::<(), hook_wire::EncodeError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the workspace path is not UTF-8; for no other reason.
    pub fn with_facts(request: &HookRequest) -> Result<Self, EncodeError> {
        let mut line = Self::new(request)?;
        let more = object(&More {
            cwd: request.cwd.as_deref(),
            session_id: request.session_id.as_deref(),
            extensions: request.extensions.as_ref(),
            tool: request.tool.as_ref(),
            facts: request.facts.as_ref(),
            again: request.again,
        });
        let members = more.get(1..more.len() - 1).unwrap_or_default();
        if !members.is_empty() {
            line.reopen();
            line.push(b",");
            line.push(members);
            line.push(b"}\n");
        }
        Ok(line)
    }

    /// Takes the end of the object away, so that members can follow.
    fn reopen(&mut self) {
        if let Some(Piece::Bytes(last)) = self.0.last_mut() {
            last.truncate(last.len().saturating_sub(2));
        }
    }

    /// The pieces, to be written one after the other.
    pub fn pieces(&self) -> impl Iterator<Item = &[u8]> {
        self.0.iter().map(|piece| match piece {
            Piece::Bytes(bytes) => bytes.as_slice(),
            Piece::Value(value) => value.text().as_bytes(),
        })
    }

    /// How many bytes the line has, the line end included.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a line is never empty")]
    pub fn len(&self) -> usize {
        self.pieces().map(<[u8]>::len).sum()
    }

    /// The line in one piece.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.pieces().collect::<Vec<_>>().concat()
    }

    fn push(&mut self, bytes: &[u8]) {
        if let Some(Piece::Bytes(last)) = self.0.last_mut() {
            last.extend_from_slice(bytes);
        } else {
            self.0.push(Piece::Bytes(bytes.to_vec()));
        }
    }

    fn push_value(&mut self, value: &Json) {
        if value.text().len() < LARGE_BYTES {
            self.push(value.text().as_bytes());
        } else {
            self.0.push(Piece::Value(value.clone()));
        }
    }
}

#[expect(clippy::expect_used, reason = "text and numbers always serialise")]
fn object<T: Serialize>(value: &T) -> Vec<u8> {
    serde_json::to_vec(value).expect("the value is made of text and numbers")
}

#[cfg(test)]
mod tests;
