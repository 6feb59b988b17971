//! Whether an agent works in the workspace whose hooks are asked.

use std::{
    fmt, io,
    path::{Path, PathBuf},
};

use hook_contract::HookEvent;

/// A call that works outside the workspace. The text is what the model reads.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Foreign {
    pub(crate) event: HookEvent,
    pub(crate) directory: PathBuf,
    pub(crate) workspace: PathBuf,
}

impl fmt::Display for Foreign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = if self.event == HookEvent::PostToolUse {
            "the result is withheld"
        } else {
            "denied"
        };
        write!(
            f,
            "{what} before any hook was asked: the agent works in {}, and the hooks are those of {}",
            self.directory.display(),
            self.workspace.display()
        )
    }
}

/// Whether the directory is the workspace or below it, once links are followed. One that cannot be looked at is not.
pub(crate) fn is_within(directory: &Path, workspace: &Path) -> bool {
    let looked_at = || -> io::Result<bool> {
        Ok(directory
            .canonicalize()?
            .starts_with(workspace.canonicalize()?))
    };
    looked_at().unwrap_or(false)
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
        let inside = [
            "ws",
            "ws/below",
            "ws/below/..",
            "link-to-ws",
            "link-to-ws/below",
        ];
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
            for name in inside {
                assert!(is_within(&at(name), &workspace), "{name}");
            }
            for name in outside {
                assert!(!is_within(&at(name), &workspace), "{name}");
            }
        }
        assert!(!is_within(&at("ws"), &at("absent")));
    }
}
