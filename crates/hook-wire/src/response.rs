//! What a hook program answers.

/// What a hook program answers, as it stands on the wire: the contract's [`Answer`](hook_contract::Answer).
///
/// ```
/// use hook_wire::{HookResponse, encode_response};
/// use serde_json::json;
///
/// let response = HookResponse::modify(json!({"command": "git push"})).because("dropped --force");
/// assert_eq!(
///     encode_response(&response),
///     b"{\"decision\":\"modify\",\"input\":{\"command\":\"git push\"},\"reason\":\"dropped --force\"}\n"
/// );
/// let response = HookResponse::allow().with_context("2 warnings of the linter");
/// assert_eq!(
///     encode_response(&response),
///     b"{\"decision\":\"allow\",\"context\":\"2 warnings of the linter\"}\n"
/// );
/// ```
pub type HookResponse = hook_contract::Answer;
