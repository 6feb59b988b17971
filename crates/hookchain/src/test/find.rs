//! Case files: where they are, and reading all of them.

use std::{
    collections::HashSet,
    fs, io,
    path::{Path, PathBuf},
};

use hook_source::{Diagnostic, FileError, FileReader};
use thiserror::Error;

use super::{
    case::{Case, CaseFile},
    read::{self, MAX_FILE_BYTES},
};
use crate::handed::located;

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
    /// A link of the workspace leads out of it: nothing of what is there is shown.
    #[error(transparent)]
    Outside(#[from] FileError),
    /// Everything that is wrong, a line for each.
    #[error("{0}")]
    Invalid(String),
    #[error(
        "there is no case in {place}; a case file ends in {ENDING}, and `hookchain init` writes a first one"
    )]
    NoCase { place: String },
}

/// A case file, read or not.
#[derive(Debug)]
pub(crate) struct Found {
    /// As it was found; shown to people.
    pub(crate) path: PathBuf,
    /// What is in it, as far as it is text.
    pub(crate) text: String,
    /// Its cases, or everything that is wrong.
    pub(super) cases: Result<Vec<Case>, Vec<Diagnostic>>,
}

impl Found {
    /// How many cases there are, or what is wrong.
    pub(crate) fn count(&self) -> Result<usize, &[Diagnostic]> {
        self.cases.as_ref().map(Vec::len).map_err(Vec::as_slice)
    }
}

/// Reads the case files at these paths, or those of the workspace; each once, in alphabetical order.
pub(super) fn find(workspace: &Path, paths: &[PathBuf]) -> Result<Vec<CaseFile>, FindError> {
    let mut files = Vec::new();
    let mut wrong = Vec::new();
    for found in look(workspace, paths)? {
        let Found { path, cases, .. } = found?;
        match cases {
            Ok(cases) => files.push(CaseFile { path, cases }),
            Err(told) => {
                let from = path.display().to_string();
                wrong.extend(told.iter().map(|told| located(told, &from, 1)));
            }
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

/// Everything that is at these paths, or in the workspace, whether or not it can be used.
pub(crate) fn look(
    workspace: &Path,
    paths: &[PathBuf],
) -> Result<Vec<Result<Found, FindError>>, FindError> {
    let bounds = Bounds::of(workspace);
    let mut found = Vec::new();
    if paths.is_empty() {
        let directory = plain(workspace.join(DEFAULT_DIRECTORY));
        if directory.exists() {
            bounds.reader_for(&directory).lies_inside(&directory)?;
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
    let once = found
        .into_iter()
        .filter_map(|path| match fs::canonicalize(&path) {
            Ok(real) => seen.insert(real).then(|| read(path, &bounds)),
            Err(source) => Some(Err(cannot_read(&path, source))),
        });
    Ok(once.collect())
}

/// Where a file that the workspace holds has to be, whatever links lead to it.
struct Bounds {
    workspace: PathBuf,
}

impl Bounds {
    fn of(workspace: &Path) -> Self {
        let workspace = workspace.to_owned();
        Self { workspace }
    }

    /// A path below the workspace, as it is written or by links, has to lead to a file of the workspace. Any other was
    /// named by the person.
    fn reader_for(&self, path: &Path) -> FileReader {
        let reader = FileReader::new("a case file").with_limit(MAX_FILE_BYTES);
        let is_below = |path: Option<PathBuf>, root: Option<PathBuf>| {
            path.zip(root)
                .is_some_and(|(path, root)| path.starts_with(root))
        };
        let as_written = |path: &Path| std::path::absolute(path).ok();
        let real = |path: &Path| fs::canonicalize(path).ok();
        let folder = path.parent().and_then(|folder| match folder {
            folder if folder.as_os_str().is_empty() => real(Path::new(".")),
            folder => real(folder),
        });
        if is_below(as_written(path), as_written(&self.workspace))
            || is_below(folder, real(&self.workspace))
        {
            return reader.within(&self.workspace);
        }
        reader
    }
}

/// What a case file says.
fn read(path: PathBuf, bounds: &Bounds) -> Result<Found, FindError> {
    let reader = bounds.reader_for(&path);
    let wrong = |text: String, span, told: Diagnostic| {
        let cases = Err(vec![told.at(&text, span)]);
        (text, cases)
    };
    let (text, cases) = match reader.read(&path) {
        Ok(Some(file)) => {
            let cases = read::read(&file.text);
            (file.text, cases)
        }
        Ok(None) => return Err(cannot_read(&path, io::ErrorKind::NotFound.into())),
        Err(FileError::NotText { text, span, .. }) => {
            let told = Diagnostic::error("not_utf8", "the file is not UTF-8");
            wrong(text, span, told.with_help("save it as UTF-8"))
        }
        Err(FileError::TooLarge { limit, .. }) => {
            let message = format!("the file is larger than {} MiB", limit / (1024 * 1024));
            wrong(String::new(), 0..0, Diagnostic::error("too_large", message))
        }
        Err(FileError::NotAFile { .. }) => return Err(FindError::NotAFile { path }),
        Err(FileError::Read { source, .. }) => return Err(cannot_read(&path, source)),
        Err(outside @ FileError::Outside { .. }) => return Err(outside.into()),
        Err(other) => return Err(cannot_read(&path, io::Error::other(other))),
    };
    Ok(Found { path, text, cases })
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

fn cannot_read(path: &Path, source: io::Error) -> FindError {
    FindError::Read {
        path: path.to_owned(),
        source,
    }
}

#[cfg(test)]
mod tests {
    use hook_contract::json::Position;

    use super::*;

    #[test]
    fn a_byte_order_mark_is_no_mistake() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.hooktest.json");
        let case =
            r#"{"name": "n", "call": {"tool": "t", "input": {}}, "expect": {"outcome": "allow"}}"#;
        let text = format!("\u{feff}{{\"schema\": 1, \"cases\": [{case}]}}");
        fs::write(&path, text).expect("a file");
        assert_eq!(
            read(path, &Bounds::of(folder.path()))
                .expect("a file")
                .count()
                .expect("a case"),
            1
        );
    }

    #[test]
    fn bytes_that_are_no_text_are_told_where() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.hooktest.json");
        fs::write(&path, b"{\n \"\xff\"").expect("a file");
        let found = read(path, &Bounds::of(folder.path())).expect("a file");
        let told = found.count().expect_err("wrong");
        let position = told.iter().map(Diagnostic::position);
        let expected = [Some(Position::at("{\n \"", 4))];
        assert_eq!(position.collect::<Vec<_>>(), expected);
        assert_eq!(told[0].code, "not_utf8");
    }
}
