//! `approver` as it is written, and as its schema describes it.

use serde::Serialize;

#[cfg(feature = "schema")]
use super::milliseconds;
use super::other_than;
use crate::{ApproverSpec, DEFAULT_APPROVER_TIMEOUT};

/// A program that puts a call to a person: in a chat, on a phone, as a ticket.
#[derive(Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "Approver", title = "Approver", extend("examples" = [approver_example()]))
)]
pub(crate) struct ApproverModel<'a> {
    /// The program and its arguments, one word each, started directly and not through a shell, in the folder of this
    /// file. A program with a slash in it, such as `./ask-in-chat`, is relative to that folder; one without is looked
    /// up in the PATH.
    #[cfg_attr(
        feature = "schema",
        schemars(
            title = "Command",
            example = ["/usr/local/bin/ask-in-chat"],
            example = ["python3", "./ask_in_chat.py", "--channel", "deploys"],
            length(min = 1),
            inner(regex(pattern = r"^[^\u0000]*$")),
            // The program; what is said of the other words does not reach it.
            extend("prefixItems" = [{"type": "string", "minLength": 1, "pattern": r"^[^\u0000]*$"}])
        )
    )]
    command: &'a [String],
    /// How long a person has to answer, in milliseconds, from 1 to 86400000 (a day). Then the program is killed and the
    /// call is denied. Left out or null, it is 600000, ten minutes.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        feature = "schema",
        schemars(
            title = "Time limit",
            range(min = 1, max = 86_400_000),
            example = 120_000,
            extend("default" = milliseconds(DEFAULT_APPROVER_TIMEOUT))
        )
    )]
    timeout_ms: Option<u64>,
}

impl<'a> ApproverModel<'a> {
    pub(super) fn of(approver: &'a ApproverSpec) -> Self {
        Self {
            command: &approver.command,
            timeout_ms: other_than(DEFAULT_APPROVER_TIMEOUT, approver.timeout),
        }
    }
}

#[cfg(feature = "schema")]
pub(super) fn approver_example() -> serde_json::Value {
    serde_json::json!({"command": ["/usr/local/bin/ask-in-chat"], "timeout_ms": 120_000})
}
