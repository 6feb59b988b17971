//! What git ignores, by `.gitignore` files that a stranger may have written.
//!
//! The rules are those of git; the files are opened with the care of every other file that a repository brings along.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use hook_source::{FileError, FileReader};
use ignore::{
    Match,
    gitignore::{Gitignore, GitignoreBuilder},
};

use super::plan::NEVER;

const NAME: &str = ".gitignore";

/// What git ignores below a root.
#[derive(Debug)]
pub(super) struct Ignored {
    /// Above it, nothing has a say: the repository, or else the root.
    top: PathBuf,
    /// What each folder says that was looked at.
    folders: Mutex<HashMap<PathBuf, Arc<Rules>>>,
    /// Why what is ignored is not known.
    fault: Mutex<Option<FileError>>,
}

/// What the file of a folder says.
#[derive(Debug)]
struct Rules {
    own: Gitignore,
    /// Whether the folder is a repository, for which nothing above it counts.
    is_repository: bool,
}

impl Ignored {
    /// For everything below `root`, a path without symbolic links. Without a repository nothing above it counts.
    pub(super) fn of(root: &Path) -> Self {
        let repository = root.ancestors().find(|folder| is_repository(folder));
        Self {
            top: repository.unwrap_or(root).to_owned(),
            folders: Mutex::default(),
            fault: Mutex::default(),
        }
    }

    /// Whether git ignores what is at this path; what it is in is not ignored itself.
    ///
    /// Where a file cannot be read, nothing is ignored, and [`fault`](Self::fault) says why.
    pub(super) fn holds(&self, path: &Path, is_directory: bool) -> bool {
        for folder in path.ancestors().skip(1) {
            let rules = self.rules(folder);
            match rules.own.matched(path, is_directory) {
                Match::Ignore(_) => return true,
                Match::Whitelist(_) => return false,
                Match::None => {}
            }
            if rules.is_repository || folder == self.top {
                return false;
            }
        }
        false
    }

    /// Why what is ignored is not known, told once.
    pub(super) fn fault(&self) -> Option<FileError> {
        let mut fault = self.fault.lock().unwrap_or_else(PoisonError::into_inner);
        fault.take()
    }

    fn rules(&self, folder: &Path) -> Arc<Rules> {
        let mut folders = self.folders.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = folders.get(folder) {
            return Arc::clone(known);
        }
        let own = read(folder, &self.top).unwrap_or_else(|error| {
            let mut fault = self.fault.lock().unwrap_or_else(PoisonError::into_inner);
            fault.get_or_insert(error);
            Gitignore::empty()
        });
        let rules = Arc::new(Rules {
            own,
            is_repository: is_repository(folder),
        });
        folders.insert(folder.to_owned(), Arc::clone(&rules));
        rules
    }
}

fn is_repository(folder: &Path) -> bool {
    folder.join(NEVER).exists()
}

/// What the file of a folder says. A line that is no pattern says nothing, as with git.
fn read(folder: &Path, top: &Path) -> Result<Gitignore, FileError> {
    let path = folder.join(NAME);
    let text = match FileReader::new("a list of patterns")
        .within(top)
        .read(&path)
    {
        Ok(None) => return Ok(Gitignore::empty()),
        Ok(Some(file)) => file.text,
        // Git reads bytes; what is no text in one line is no reason to drop the others.
        Err(FileError::NotText { text, .. }) => text,
        Err(error) => return Err(error),
    };
    let mut rules = GitignoreBuilder::new(folder);
    for line in text.lines() {
        let _no_pattern = rules.add_line(Some(path.clone()), line);
    }
    Ok(rules.build().unwrap_or_else(|_too_many| Gitignore::empty()))
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::symlink};

    use super::*;

    struct Place(tempfile::TempDir);

    impl Place {
        fn new(files: &[(&str, &str)]) -> Self {
            let place = Self(tempfile::tempdir().expect("a folder"));
            for (path, text) in files {
                let path = place.path(path);
                fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
                fs::write(path, text).expect("a file");
            }
            place
        }

        fn path(&self, path: &str) -> PathBuf {
            fs::canonicalize(self.0.path())
                .expect("a folder")
                .join(path)
        }

        fn ignored(&self, root: &str) -> Ignored {
            Ignored::of(&self.path(root))
        }
    }

    #[test]
    fn the_nearest_file_that_says_something_counts() {
        let place = Place::new(&[
            (".git/HEAD", ""),
            (".gitignore", "*.log\n/build/\n"),
            ("ws/.gitignore", "!kept.log\nbuild\n[\n"),
            ("ws/inner/.git", "gitdir: elsewhere"),
        ]);
        let ignored = place.ignored("ws");
        // As a walk gives them: a folder has no slash at its end.
        let holds = |path: &str| {
            ignored.holds(&place.path(path.trim_end_matches('/')), path.ends_with('/'))
        };
        for path in ["ws/a.log", "ws/deep/b.log", "ws/build/", "ws/deep/build"] {
            assert!(holds(path), "{path}");
        }
        for path in ["ws/kept.log", "ws/deep/kept.log", "ws/a", "ws/inner/a.log"] {
            assert!(!holds(path), "{path}");
        }
        assert!(ignored.fault().is_none());
    }

    #[test]
    fn nothing_above_the_root_counts_without_a_repository() {
        let place = Place::new(&[("ws/a.log", "")]);
        symlink("/dev/zero", place.path(".gitignore")).expect("a link");
        let ignored = place.ignored("ws");
        assert!(!ignored.holds(&place.path("ws/a.log"), false));
        assert!(ignored.fault().is_none(), "it is not even looked at");
    }

    #[test]
    fn what_is_no_file_of_the_repository_is_told_and_not_read() {
        for target in [
            "/dev/zero",
            "/dev/stdin",
            "/proc/self/environ",
            ".",
            "gone",
            "../aside",
        ] {
            let place = Place::new(&[("aside", "*\n"), ("ws/a", "")]);
            symlink(target, place.path("ws/.gitignore")).expect("a link");
            let ignored = place.ignored("ws");
            assert!(!ignored.holds(&place.path("ws/a"), false), "{target}");
            let error = ignored.fault().expect(target);
            assert_eq!(error.path(), place.path("ws/.gitignore"), "{target}");
            assert!(ignored.fault().is_none(), "told once");
        }
    }

    #[test]
    fn bytes_that_are_no_text_hide_no_other_line() {
        let place = Place::new(&[("ws/a.log", "")]);
        fs::write(place.path("ws/.gitignore"), b"\xff\xfe\n*.log\r\n").expect("a file");
        let ignored = place.ignored("ws");
        assert!(ignored.holds(&place.path("ws/a.log"), false));
        assert!(ignored.fault().is_none());
    }
}
