//! Why a runner cannot be built.

use hook_contract::{HookSpec, InterceptorError};
use thiserror::Error;

/// Hooks that this runner cannot ask. Correct their entries, or the host; nothing was started.
///
/// Shown with a line for each hook.
///
/// ```
/// use hook_contract::HookSpec;
/// use hook_runner::HookRunner;
/// use serde_json::json;
///
/// let hooks = ["policy", "audit"].map(|name| HookSpec::over(name, "http", json!({"url": "http://localhost"})));
/// let error = HookRunner::builder("/repo").with_hooks(hooks).build().unwrap_err();
/// let names: Vec<_> = error.problems.iter().map(|problem| &*problem.hook.name).collect();
/// assert_eq!(names, ["policy", "audit"]);
/// assert_eq!(error.to_string().lines().count(), 2);
/// ```
#[derive(Debug, Error)]
#[error("{}", lines(.problems))]
#[non_exhaustive]
pub struct BuildError {
    /// Each hook that cannot be asked, in the order of asking; at least one.
    pub problems: Vec<BuildProblem>,
}

/// One hook that this runner cannot ask, and why.
///
/// Shown as `hook 'policy' (workspace /repo/.basis/hooks.json:4): why; what to do`.
///
/// ```
/// use hook_contract::{HookSpec, Kind};
/// use hook_runner::HookRunner;
///
/// let hook = HookSpec::new("guard", ["./guard.sh"]).with_kinds([Kind::Shell]);
/// let error = HookRunner::builder("/repo").with_hooks([hook]).build().unwrap_err();
/// assert_eq!(
///     error.problems[0].to_string(),
///     "hook 'guard' (supplied): it asks for `kinds`, and this host does not know its tools; \
///      set them with `with_tools`"
/// );
/// ```
#[derive(Debug, Error)]
#[error("hook '{}' ({}): {kind}", .hook.name, .hook.origin())]
#[non_exhaustive]
pub struct BuildProblem {
    /// The hook as it was declared.
    pub hook: Box<HookSpec>,
    /// Why it cannot be asked.
    pub kind: BuildProblemKind,
}

/// Why a declared hook cannot be asked.
///
/// ```
/// use hook_contract::HookSpec;
/// use hook_runner::{BuildProblemKind, HookRunner};
/// use serde_json::json;
///
/// let remote = HookSpec::over("policy", "http", json!({"url": "http://localhost"}));
/// let error = HookRunner::builder("/repo").with_hooks([remote]).build().unwrap_err();
/// match &error.problems[0].kind {
///     BuildProblemKind::UnknownTransport { key, known, .. } => {
///         assert_eq!((&**key, &**known), ("http", &["command".to_owned()][..]));
///     }
///     other => panic!("{other}"),
/// }
/// ```
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BuildProblemKind {
    /// The host has no such transport. Register it, or declare the hook in another way.
    #[error(
        "it is reached by `{key}`, and this host reaches hooks by {}; register the transport with `with_transport`, or \
         declare a program",
        list(.known)
    )]
    #[non_exhaustive]
    UnknownTransport {
        /// The key of the entry.
        key: String,
        /// The keys that this host has.
        known: Vec<String>,
    },
    /// The transport refuses the entry's settings. Correct them.
    #[error("its `{key}` cannot be used: {source}")]
    #[non_exhaustive]
    Transport {
        /// The key of the entry.
        key: String,
        /// What the transport says.
        source: InterceptorError,
    },
    /// The entry speaks of kinds of tools or of facts, and the host knows none. Give the host its tools.
    #[error(
        "it asks for `{field}`, and this host does not know its tools; set them with `with_tools`"
    )]
    #[non_exhaustive]
    NeedsTools {
        /// `kinds` or `facts`.
        field: &'static str,
    },
}

fn lines(problems: &[BuildProblem]) -> String {
    let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
    lines.join("\n")
}

fn list(keys: &[String]) -> String {
    let keys: Vec<String> = keys.iter().map(|key| format!("`{key}`")).collect();
    keys.join(", ")
}
