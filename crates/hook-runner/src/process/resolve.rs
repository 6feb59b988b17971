//! From the first word of a command to the absolute path of a program.
//!
//! The path is made absolute here and not left to the exec: a bare name together with a changed
//! `PATH` would make the standard library fork, and the operating system's own search would look
//! into the working directory, where a repository could plant a program.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use super::{join, start_error::StartError};

/// Finds the program: a word with a `/` from the workspace, a bare one along the search path.
pub(super) fn resolve(
    word: &str,
    workspace: &Path,
    search_path: &[PathBuf],
) -> Result<PathBuf, StartError> {
    if word.contains('/') {
        return Ok(join(workspace, word));
    }
    let candidates = || search_path.iter().map(|directory| directory.join(word));
    if let Some(program) = candidates().find(|path| is_program(path)) {
        return Ok(program);
    }
    // A file of that name that cannot be run explains more than "not found".
    match candidates().find(|path| path.is_file()) {
        Some(path) => Ok(path),
        None => Err(StartError::NotOnPath {
            name: word.to_owned(),
            searched: search_path.to_vec(),
        }),
    }
}

/// A regular file that somebody may execute; whether this process may is the system's word.
fn is_program(path: &Path) -> bool {
    fs::metadata(path)
        .is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(directory: &Path, name: &str, mode: u32) -> PathBuf {
        fs::create_dir_all(directory).expect("a directory");
        let path = directory.join(name);
        fs::write(&path, "#!/bin/sh\n").expect("a file");
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("a mode");
        path
    }

    #[test]
    fn a_word_with_a_slash_belongs_to_the_workspace() {
        let found =
            |word| resolve(word, Path::new("/ws"), &[PathBuf::from("/usr/bin")]).expect("a path");
        assert_eq!(found("./hooks/guard.sh"), Path::new("/ws/./hooks/guard.sh"));
        assert_eq!(found("hooks/guard.sh"), Path::new("/ws/hooks/guard.sh"));
        assert_eq!(found("/opt/guard"), Path::new("/opt/guard"));
    }

    #[test]
    fn a_bare_name_is_the_first_program_along_the_path_and_never_of_the_workspace() {
        let root = tempfile::tempdir().expect("a directory");
        let workspace = root.path().join("ws");
        place(&workspace, "guard", 0o755);
        let (first, second) = (root.path().join("first"), root.path().join("second"));
        place(&first, "guard", 0o644);
        let program = place(&second, "guard", 0o755);
        let found = resolve("guard", &workspace, &[first.clone(), second.clone()]).expect("found");
        assert_eq!(found, program);

        let unrunnable = resolve("guard", &workspace, std::slice::from_ref(&first))
            .expect("explained by the start");
        assert_eq!(unrunnable, first.join("guard"));

        let error = resolve("absent", &workspace, &[first, second]).expect_err("absent");
        assert!(error.to_string().contains("`absent`"), "{error}");
    }

    #[test]
    fn a_directory_of_the_name_is_passed_over() {
        let root = tempfile::tempdir().expect("a directory");
        let first = root.path().join("first");
        fs::create_dir_all(first.join("guard")).expect("a directory");
        let program = place(&root.path().join("second"), "guard", 0o755);
        let found = resolve(
            "guard",
            Path::new("/ws"),
            &[first, root.path().join("second")],
        );
        assert_eq!(found.expect("found"), program);
    }
}
