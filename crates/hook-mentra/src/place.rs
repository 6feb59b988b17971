//! Whether an agent works where the hooks look.

use std::{
    fmt, io,
    path::{Path, PathBuf},
};

use hook_contract::HookEvent;

/// Where the agents may work whose calls a chain judges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// In the workspace itself: there a relative path is the same file for a hook and for a tool.
    Workspace,
    /// There and below it.
    Below,
    Anywhere,
}

impl Reach {
    /// Links are followed on both sides. A directory that cannot be looked at is not reached.
    pub(crate) fn covers(self, directory: &Path, workspace: &Path) -> bool {
        if self == Self::Anywhere || directory == workspace {
            return true;
        }
        let looked_at = || -> io::Result<bool> {
            let (directory, workspace) = (directory.canonicalize()?, workspace.canonicalize()?);
            Ok(directory == workspace || self == Self::Below && directory.starts_with(workspace))
        };
        looked_at().unwrap_or(false)
    }
}

/// A call that works where the hooks do not look. The text is what the model reads.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Foreign {
    pub(crate) event: HookEvent,
    pub(crate) directory: PathBuf,
    pub(crate) workspace: PathBuf,
}

impl fmt::Display for Foreign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: the agent works in {}, and the hooks are those of {}",
            unasked(self.event),
            self.directory.display(),
            self.workspace.display()
        )
    }
}

/// How a refusal begins that no hook made.
pub(crate) fn unasked(event: HookEvent) -> &'static str {
    if event == HookEvent::PostToolUse {
        "the result is withheld before any hook was asked"
    } else {
        "denied before any hook was asked"
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::symlink};

    use super::*;

    #[test]
    fn what_counts_is_where_a_path_leads() {
        let root = tempfile::tempdir().expect("a directory");
        let at = |name: &str| root.path().join(name);
        fs::create_dir_all(at("ws/below")).expect("directories");
        fs::create_dir(at("wsx")).expect("a directory");
        symlink(at("ws"), at("link-to-ws")).expect("a link");
        symlink(at("wsx"), at("ws/link-out")).expect("a link");
        let the_same = ["ws", "ws/below/..", "link-to-ws"];
        let below = ["ws/below", "link-to-ws/below"];
        let outside = [
            "wsx",
            "",
            "ws/..",
            "ws/../wsx",
            "ws/link-out",
            "ws/absent",
            "absent",
        ];
        for workspace in [at("ws"), at("link-to-ws")] {
            let reached = |name: &str| {
                let reaches = [Reach::Workspace, Reach::Below, Reach::Anywhere];
                reaches.map(|reach| reach.covers(&at(name), &workspace))
            };
            for name in the_same {
                assert_eq!(reached(name), [true, true, true], "{name}");
            }
            for name in below {
                assert_eq!(reached(name), [false, true, true], "{name}");
            }
            for name in outside {
                assert_eq!(reached(name), [false, false, true], "{name}");
            }
        }
        assert!(!Reach::Below.covers(&at("ws"), &at("absent")));
    }
}
