//! Case files: where they are, and reading all of them.

use std::{
    collections::HashSet,
    fs::{self, File},
    io::{self, Read},
    path::{Path, PathBuf},
};

use thiserror::Error;

use super::{
    case::CaseFile,
    problem::{Problem, ProblemKind},
    read::{self, MAX_FILE_BYTES},
};
use hook_contract::json::Position;

/// Where case files are, in a workspace.
const DEFAULT_DIRECTORY: &str = ".basis/tests";

/// How the name of a case file ends.
const ENDING: &str = ".hooktest.json";

/// Why there are no cases to run.
#[derive(Debug, Error)]
pub(crate) enum FindError {
    #[error("cannot read {}", .path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("{} is not a file", .path.display())]
    NotAFile { path: PathBuf },
    /// Everything that is wrong, a line for each.
    #[error("{0}")]
    Invalid(String),
    #[error(
        "there is no case in {place}; a case file ends in {ENDING}, and `hookchain init` writes a first one"
    )]
    NoCase { place: String },
}

/// Reads the case files at these paths, or those of the workspace; each once, in alphabetical order.
pub(super) fn find(workspace: &Path, paths: &[PathBuf]) -> Result<Vec<CaseFile>, FindError> {
    let mut found = Vec::new();
    if paths.is_empty() {
        let directory = plain(workspace.join(DEFAULT_DIRECTORY));
        if directory.exists() {
            search(&directory, &mut found)?;
        }
    }
    for path in paths {
        let metadata = fs::metadata(path).map_err(|source| cannot_read(path, source))?;
        if metadata.is_dir() {
            search(path, &mut found)?;
        } else {
            found.push(path.clone());
        }
    }
    let mut seen = HashSet::new();
    let mut files = Vec::new();
    let mut wrong = Vec::new();
    for path in found {
        let real = fs::canonicalize(&path).map_err(|source| cannot_read(&path, source))?;
        if !seen.insert(real) {
            continue;
        }
        match read::read(&bytes(&path)?) {
            Ok(cases) => files.push(CaseFile { path, cases }),
            Err(problems) => wrong.extend(problems.iter().map(|problem| located(&path, problem))),
        }
    }
    if !wrong.is_empty() {
        return Err(FindError::Invalid(wrong.join("\n")));
    }
    if files.is_empty() {
        return Err(FindError::NoCase {
            place: place(workspace, paths),
        });
    }
    Ok(files)
}

fn place(workspace: &Path, paths: &[PathBuf]) -> String {
    if paths.is_empty() {
        let directory = plain(workspace.join(DEFAULT_DIRECTORY));
        return directory.display().to_string();
    }
    let paths = paths.iter().map(|path| path.display().to_string());
    paths.collect::<Vec<_>>().join(", ")
}

/// Without the `./` in front that nobody writes.
fn plain(path: PathBuf) -> PathBuf {
    path.strip_prefix(".").map(Path::to_owned).unwrap_or(path)
}

/// The case files below a directory. Symbolic links to directories are not followed: they could lead back.
fn search(directory: &Path, found: &mut Vec<PathBuf>) -> Result<(), FindError> {
    let failed = |source| cannot_read(directory, source);
    let entries = fs::read_dir(directory).map_err(failed)?;
    let mut entries = entries.collect::<Result<Vec<_>, _>>().map_err(failed)?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        if entry.file_type().map_err(failed)?.is_dir() {
            search(&path, found)?;
        } else if entry.file_name().to_string_lossy().ends_with(ENDING) {
            found.push(path);
        }
    }
    Ok(())
}

fn bytes(path: &Path) -> Result<Vec<u8>, FindError> {
    let failed = |source| cannot_read(path, source);
    // A pipe would be waited for.
    if !fs::metadata(path).map_err(failed)?.is_file() {
        return Err(FindError::NotAFile {
            path: path.to_owned(),
        });
    }
    let file = File::open(path).map_err(failed)?;
    let mut bytes = Vec::new();
    file.take(MAX_FILE_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    if bytes.len() as u64 <= MAX_FILE_BYTES {
        return Ok(bytes);
    }
    let problem = Problem {
        position: Position::at("", 0),
        kind: ProblemKind::TooLarge,
    };
    Err(FindError::Invalid(located(path, &problem)))
}

fn located(path: &Path, problem: &Problem) -> String {
    let Position { line, column, .. } = problem.position;
    format!("{}:{line}:{column}: {}", path.display(), problem.kind)
}

fn cannot_read(path: &Path, source: io::Error) -> FindError {
    FindError::Read {
        path: path.to_owned(),
        source,
    }
}
