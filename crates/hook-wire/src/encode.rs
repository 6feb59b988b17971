//! Values to bytes: one line each.

use std::path::{Path, PathBuf};

use hook_contract::HookRequest;
use serde::Serialize;
use thiserror::Error;

use crate::HookResponse;

/// Room for everything in a message but the tool's own values, so that a large one is not moved while it is written.
const ENVELOPE_BYTES: usize = 512;

/// A request cannot be written, because its workspace path is not UTF-8.
///
/// JSON has no way to say such a path; run the agent in a directory whose path is UTF-8.
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
/// # Errors
///
/// When the workspace path is not UTF-8; for no other reason.
pub fn encode_request(request: &HookRequest) -> Result<Vec<u8>, EncodeError> {
    if request.workspace.to_str().is_none() {
        return Err(EncodeError {
            workspace: request.workspace.clone(),
        });
    }
    let output = request
        .output
        .as_ref()
        .map_or(0, |output| output.text().len());
    Ok(line(
        request,
        ENVELOPE_BYTES + request.input.text().len() + output,
    ))
}

/// The response as a chain reads it: compact JSON on one line, ended by one `\n`.
#[must_use]
pub fn encode_response(response: &HookResponse) -> Vec<u8> {
    line(response, ENVELOPE_BYTES)
}

#[expect(
    clippy::expect_used,
    reason = "text, numbers and checked paths always serialise"
)]
fn line<T: Serialize>(value: &T, expected_bytes: usize) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(expected_bytes);
    serde_json::to_writer(&mut bytes, value).expect("the value is made of text and numbers");
    bytes.push(b'\n');
    bytes
}

#[cfg(test)]
mod tests;
