//! Which hooks of Codex somebody has trusted.

use std::{
    fmt::Write as _,
    path::{Path, PathBuf},
};

use hook_source::Node;
use sha2::{Digest as _, Sha256};

use super::command::DEFAULT_CONTEXT_LIMIT;
use crate::{
    config::{
        finding::{AtHome, Report},
        groups::wrong_type,
        handler::{CommandForm, Handler},
        load::absolute,
        not_run::WhyNotRun,
        origin::Scope,
    },
    dialect::{EventRow, Subject},
};

/// The name under which the state of a hook is kept: its file, its event and its place there.
pub(super) struct Key {
    paths: Vec<PathBuf>,
    rest: String,
}

impl Key {
    pub(super) fn new(path: &Path, event: &str, (group, index): (usize, usize)) -> Self {
        let mut paths = vec![absolute(path)];
        paths.extend(
            path.canonicalize()
                .ok()
                .filter(|real| !paths.contains(real)),
        );
        Self {
            paths,
            rest: format!("{}:{group}:{index}", snake(event)),
        }
    }

    /// The names it may have: with the path as it was looked for, and with links resolved.
    fn names(&self) -> impl Iterator<Item = String> {
        self.paths
            .iter()
            .map(|path| format!("{}:{}", path.display(), self.rest))
    }
}

/// What the user's settings say about single hooks.
pub(super) struct State(Option<Node>);

impl State {
    pub(super) fn read(user: Option<&Node>) -> Self {
        let state = user.and_then(|user| user.get("hooks")?.get("state"));
        Self(state.cloned())
    }

    /// Why a hook with that hash is not run.
    pub(super) fn why_not(&self, key: &Key, hash: String, trust_all: bool) -> Option<WhyNotRun> {
        let state = self.0.as_ref();
        let kept = key.names().find_map(|name| {
            let node = state?.get(&name)?;
            Some((name, node))
        });
        let name = kept.as_ref().map(|(name, _)| name.clone());
        let key = name.or_else(|| key.names().next()).unwrap_or_default();
        let entry = kept.map(|(_, node)| node);
        if entry.and_then(|entry| entry.get("enabled")?.flag()) == Some(false) {
            return Some(WhyNotRun::Disabled { key });
        }
        match entry.and_then(|entry| entry.get("trusted_hash")?.text()) {
            _ if trust_all => None,
            Some(trusted) if trusted == hash => None,
            Some(_other) => Some(WhyNotRun::ChangedSinceTrusted { key, hash }),
            None => Some(WhyNotRun::NotTrusted { key, hash }),
        }
    }
}

/// Whether the user's settings say that the project is trusted: the workspace itself, or the root of its repository.
pub(super) fn is_project_trusted(user: Option<&Node>, workspace: &Path, root: &Path) -> bool {
    let Some(projects) = user.and_then(|user| user.get("projects")) else {
        return false;
    };
    let real = |path: &Path| path.canonicalize().ok();
    let mut paths = vec![absolute(workspace), absolute(root)];
    paths.extend([real(workspace), real(root)].into_iter().flatten());
    let level = |path: &PathBuf| {
        let project = projects.get(&path.display().to_string())?;
        project.get("trust_level")?.text().map(str::to_owned)
    };
    // What is said about the workspace comes before what is said about the repository.
    paths.iter().find_map(level).as_deref() == Some("trusted")
}

/// Tells of settings about trust that nobody can read.
pub(super) fn look(report: &mut Report<'_>, scope: Scope, settings: &Node) {
    if scope == Scope::Managed
        && let Some(node) = settings.get("allow_managed_hooks_only")
        && node.flag().is_none()
    {
        wrong_type(
            report,
            node,
            "allow_managed_hooks_only",
            "a boolean",
            AtHome::Refuses,
        );
    }
    for name in ["hooks", "codex_hooks"] {
        if let Some(node) = settings
            .get("features")
            .and_then(|features| features.get(name))
            && node.flag().is_none()
        {
            wrong_type(report, node, "features.hooks", "a boolean", AtHome::Refuses);
        }
    }
    if scope != Scope::User {
        return;
    }
    let state = settings.get("hooks").and_then(|hooks| hooks.get("state"));
    for member in state.and_then(Node::members).unwrap_or_default() {
        if let Some(enabled) = member.node.get("enabled")
            && enabled.flag().is_none()
        {
            wrong_type(report, enabled, "enabled", "a boolean", AtHome::Ignores);
        }
    }
}

/// What Codex remembers of a hook that was trusted.
///
/// The script behind the command is no part of it, so that somebody who may write the script may change a trusted hook.
pub(super) fn hash(
    event: &EventRow,
    pattern: Option<&str>,
    handler: &Handler,
    is_async: bool,
) -> String {
    let digest = Sha256::digest(canonical(event, pattern, handler, is_async).as_bytes());
    let mut text = String::from("sha256:");
    for byte in digest {
        // Writing to a string cannot fail.
        let _infallible = write!(text, "{byte:02x}");
    }
    text
}

/// The hook as compact JSON with sorted keys, every default written out.
fn canonical(event: &EventRow, pattern: Option<&str>, handler: &Handler, is_async: bool) -> String {
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let command = match &handler.command {
        CommandForm::Shell { text, .. } | CommandForm::Exec { program: text, .. } => quoted(text),
    };
    let limit = handler
        .context_limit
        .filter(|limit| *limit != DEFAULT_CONTEXT_LIMIT);
    let limit = limit.map_or(String::new(), |limit| {
        format!("\"additionalContextLimit\":{limit},")
    });
    let message = handler.status_message.as_deref().map(quoted);
    let message = message.map_or(String::new(), |text| format!("\"statusMessage\":{text},"));
    let matcher = pattern
        .filter(|_| event.subject != Subject::Nothing)
        .map(quoted);
    let matcher = matcher.map_or(String::new(), |text| format!(",\"matcher\":{text}"));
    let (name, timeout) = (quoted(&snake(event.name)), handler.timeout.as_secs());
    format!(
        "{{\"event_name\":{name},\"hooks\":[{{{limit}\"async\":{is_async},\"command\":{command},{message}\
         \"timeout\":{timeout},\"type\":\"command\"}}]{matcher}}}"
    )
}

/// `PreToolUse` as `pre_tool_use`.
fn snake(event: &str) -> String {
    let mut snake = String::new();
    for c in event.chars() {
        if c.is_ascii_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.push(c.to_ascii_lowercase());
    }
    snake
}

#[cfg(test)]
mod tests;
