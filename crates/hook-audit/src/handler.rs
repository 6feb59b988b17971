//! A name for a participant that stays the same wherever its entry stands.

use std::path::{Component, Path, PathBuf};

use hook_contract::{HookEvent, HookOrigin, Transport};
use hook_runner::{Identity, Origin};

use crate::Digest;

/// How many hexadecimal digits of the digest are used.
const DIGITS: usize = 16;

/// The `handler_id` of a participant: stable across runs, and independent of its place in a file.
///
/// A digest of its origin, the event it is asked at, its matcher, its dialect and its command; of the key and the settings
/// of another transport; of its kind and name where an entry declares neither. The origin is the scope and, for a hooks
/// file, the path: of the workspace's own file relative to the workspace, so that another checkout of the same repository
/// has the same participants. A hook keeps its id when it is renamed, moved within its file, or given another time limit.
///
/// ```
/// use std::path::Path;
///
/// use hook_audit::handler_id;
/// use hook_contract::HookEvent;
/// use hook_runner::{Identity, Origin};
///
/// let who = Identity::new("interceptor", "redact", Origin::Host);
/// let id = handler_id(&who, HookEvent::PostToolUse, Path::new("/repo"));
/// assert_eq!(id.len(), 16);
/// assert_eq!(id, handler_id(&who, HookEvent::PostToolUse, Path::new("/elsewhere")));
/// ```
#[must_use]
pub fn handler_id(who: &Identity, event: HookEvent, workspace: &Path) -> String {
    let (scope, file) = match who.origin() {
        Origin::Declared(origin) => (origin.scope(), file(origin, workspace)),
        // A kind of origin that is newer than this crate says of itself where it is.
        Origin::Host | _ => ("host", None),
    };
    let matcher = who.matcher();
    let mut parts = vec![
        scope.as_bytes(),
        file.as_ref()
            .map_or(&[][..], |file| file.as_os_str().as_encoded_bytes()),
        event.as_str().as_bytes(),
        who.dialect().as_bytes(),
        // No matcher is every tool, and an empty one is none.
        if matcher.is_some() { b"matcher" } else { b"" },
        matcher.unwrap_or_default().as_bytes(),
    ];
    if let Some(Transport::Other { key, config, .. }) = who.transport() {
        parts.extend([b"transport", key.as_bytes(), config.text().as_bytes()]);
    } else if who.command().is_empty() {
        parts.extend([who.kind().as_bytes(), who.name().as_bytes()]);
    } else {
        parts.push(b"command");
        parts.extend(who.command().iter().map(String::as_bytes));
    }
    format!("{:.DIGITS$}", Digest::of_parts(parts))
}

/// The hooks file; the workspace's own relative to the workspace.
fn file(origin: &HookOrigin, workspace: &Path) -> Option<PathBuf> {
    match origin {
        HookOrigin::Supplied => None,
        HookOrigin::GlobalFile { path, .. } => Some(path.clone()),
        HookOrigin::WorkspaceFile { path, .. } => Some(within(path, workspace)),
    }
}

/// A path without the part that leads to the workspace, whose own path is absolute. This one may be relative to where the
/// host was when it read the file, and then begins with what the workspace ends with.
fn within(path: &Path, workspace: &Path) -> PathBuf {
    if let Ok(rest) = path.strip_prefix(workspace) {
        return rest.to_owned();
    }
    let parts: Vec<_> = path
        .components()
        .filter(|part| *part != Component::CurDir)
        .collect();
    let leads_there = |length: &usize| {
        let begin: Option<PathBuf> = parts.get(..*length).map(|parts| parts.iter().collect());
        begin.is_some_and(|begin| workspace.ends_with(begin))
    };
    let length = (1..parts.len()).rev().find(leads_there).unwrap_or(0);
    parts.into_iter().skip(length).collect()
}

#[cfg(test)]
mod tests {
    use hook_contract::HookSpec;

    use super::*;

    fn spec(line: usize) -> HookSpec {
        let path = "/repo/.basis/hooks.json".into();
        HookSpec::new("guard", ["python3", "guard.py"])
            .with_tools(["shell"])
            .with_origin(HookOrigin::WorkspaceFile {
                path,
                line,
                column: 1,
            })
    }

    fn id(spec: &HookSpec) -> String {
        let who = Identity::declared("hook", spec);
        handler_id(&who, spec.event, Path::new("/repo"))
    }

    #[test]
    fn an_id_depends_on_what_a_hook_is_and_not_on_where_it_stands() {
        let guard = id(&spec(3));
        assert_eq!(guard, id(&spec(90)), "another line");
        let mut renamed = spec(3);
        renamed.name = "other".into();
        assert_eq!(guard, id(&renamed), "another name");
        let elsewhere = spec(3).with_origin(HookOrigin::WorkspaceFile {
            path: "/other/.basis/hooks.json".into(),
            line: 3,
            column: 1,
        });
        let who = Identity::declared("hook", &elsewhere);
        assert_eq!(
            guard,
            handler_id(&who, elsewhere.event, Path::new("/other")),
            "another checkout"
        );
    }

    #[test]
    fn an_id_does_not_depend_on_where_the_host_was_when_it_read_the_file() {
        for (path, workspace) in [
            (".basis/hooks.json", "/repo"),
            ("./.basis/hooks.json", "/repo"),
            ("repo/.basis/hooks.json", "/src/repo"),
            ("./src/repo/.basis/hooks.json", "/home/src/repo"),
            ("../repo/.basis/hooks.json", "/src/other/../repo"),
            ("repo/repo/.basis/hooks.json", "/repo/repo"),
        ] {
            assert_eq!(
                within(Path::new(path), Path::new(workspace)),
                Path::new(".basis/hooks.json"),
                "{path}"
            );
        }
        let elsewhere = Path::new("/etc/hooks.json");
        assert_eq!(within(elsewhere, Path::new("/repo")), elsewhere);
    }

    #[test]
    fn another_origin_event_matcher_or_command_is_another_id() {
        let mut ids = vec![
            id(&spec(3)),
            id(&spec(3).with_event(HookEvent::PostToolUse)),
            id(&spec(3).with_tools(["shell", "write_file"])),
            id(&spec(3).with_tools([""; 0])),
            id(&spec(3).with_origin(HookOrigin::Supplied)),
            id(&spec(3).with_origin(HookOrigin::GlobalFile {
                path: ".basis/hooks.json".into(),
                line: 3,
                column: 1,
            })),
            id(&HookSpec::new("guard", ["python3 guard.py"]).with_tools(["shell"])),
        ];
        let who = Identity::declared("hook", &spec(3)).with_dialect("codex");
        ids.push(handler_id(&who, HookEvent::PreToolUse, Path::new("/repo")));
        let count = ids.len();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), count);
    }

    #[test]
    fn a_hook_of_another_transport_is_known_by_its_key_and_settings() {
        let over = |name: &str, key: &str, url: &str| {
            id(&HookSpec::over(name, key, serde_json::json!({"url": url})))
        };
        let remote = over("policy", "http", "https://a.example");
        assert_eq!(
            remote,
            over("renamed", "http", "https://a.example"),
            "another name"
        );
        assert_ne!(
            remote,
            over("policy", "http", "https://b.example"),
            "other settings"
        );
        assert_ne!(
            remote,
            over("policy", "grpc", "https://a.example"),
            "another transport"
        );
    }

    #[test]
    fn an_id_is_the_same_in_every_run_and_release() {
        assert_eq!(id(&spec(3)), "124b983b8fef5d0a");
    }
}
