//! The seam through which a host says what its tools do.

use crate::{Facts, HookRequest, Kinds, Tool};

/// What a host knows about its tools: what each can do, and what a call of it does.
///
/// A runner asks for the kinds once for each consultation, before anything of the input is parsed, and for the rest only
/// where a hook wants it. An implementation does no input or output except to resolve paths, and never panics on what a
/// model wrote.
///
/// ```
/// use hook_contract::{HookRequest, Kind, Kinds, Tool, ToolKnowledge};
///
/// struct Own;
///
/// impl ToolKnowledge for Own {
///     fn kinds(&self, tool_name: &str) -> Kinds {
///         match tool_name {
///             "run" => [Kind::Shell].into_iter().collect(),
///             _ => [Kind::Other].into_iter().collect(),
///         }
///     }
/// }
///
/// assert!(Own.kinds("run").contains(Kind::Shell));
/// assert!(!Own.knows_facts());
/// ```
pub trait ToolKnowledge: Send + Sync {
    /// Everything that the tool of this name can do. Decides who is asked, so that it depends on the name alone and no
    /// rewrite of the input changes it.
    fn kinds(&self, tool_name: &str) -> Kinds;

    /// What is known about the tool of this call. Unless implemented, its kinds.
    fn tool(&self, request: &HookRequest) -> Tool {
        Tool::new(self.kinds(&request.tool_name))
    }

    /// Whether [`facts`](Self::facts) says anything. Unless implemented, it does not.
    fn knows_facts(&self) -> bool {
        false
    }

    /// What the call does, as far as it can be read. Unless implemented, nothing is known.
    fn facts(&self, request: &HookRequest) -> Option<Facts> {
        let _ = request;
        None
    }
}
