//! Values to bytes: one line each.

use std::path::{Path, PathBuf};

use hook_contract::HookRequest;
use serde::Serialize;
use thiserror::Error;

use crate::HookResponse;

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
    Ok(line(request))
}

/// The response as a chain reads it: compact JSON on one line, ended by one `\n`.
#[must_use]
pub fn encode_response(response: &HookResponse) -> Vec<u8> {
    line(response)
}

#[expect(
    clippy::expect_used,
    reason = "text, numbers and checked paths always serialise"
)]
fn line<T: Serialize>(value: &T) -> Vec<u8> {
    let mut bytes = serde_json::to_vec(value).expect("the value is made of text and numbers");
    bytes.push(b'\n');
    bytes
}

#[cfg(test)]
mod tests;
