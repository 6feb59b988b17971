//! Why a file cannot be read.

use std::{
    io,
    ops::Range,
    path::{Path, PathBuf},
};

use hook_contract::json::Position;
use thiserror::Error;

/// Why a file cannot be read. Never to be taken for "no file".
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FileError {
    /// The file cannot be read, or cannot even be looked for. Repair the path or its permissions.
    #[error("cannot read {}; repair the path, or its permissions", .path.display())]
    #[non_exhaustive]
    Read {
        /// The file.
        path: PathBuf,
        /// What the operating system says.
        source: io::Error,
    },
    /// Something that is not a file stands in the file's place. Remove it.
    #[error("{} is {found}, not {wanted}; remove it or put the file in its place", .path.display())]
    #[non_exhaustive]
    NotAFile {
        /// The path.
        path: PathBuf,
        /// What it is, with an article: `a directory`.
        found: &'static str,
        /// What belongs there, with an article: `a hooks file`.
        wanted: &'static str,
    },
    /// A symbolic link on the way to the file leads nowhere. Repair or remove the link.
    #[error("{} cannot be reached: {} is a symbolic link to nothing; repair or remove the link", .path.display(), .link.display())]
    #[non_exhaustive]
    DanglingLink {
        /// The file.
        path: PathBuf,
        /// The link: the file itself, or a directory above it.
        link: PathBuf,
    },
    /// The file is larger than any such file needs to be. Make it smaller.
    #[error("{} is larger than {limit} bytes; remove what does not belong there", .path.display())]
    #[non_exhaustive]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// How many bytes it may have.
        limit: u64,
    },
    /// The file leads out of the folder in which it must lie. Put the file itself there.
    #[error("{} leads out of {}; put the file itself there", .path.display(), .folder.display())]
    #[non_exhaustive]
    Outside {
        /// The file.
        path: PathBuf,
        /// The folder.
        folder: PathBuf,
    },
    /// The file is not UTF-8 text. Save it as UTF-8.
    #[error("{}:{}: the file is not UTF-8 text; save it as UTF-8", .path.display(), place(.text, .span))]
    #[non_exhaustive]
    NotText {
        /// The file.
        path: PathBuf,
        /// What was read, with the broken bytes replaced.
        text: String,
        /// The first broken place in that text, in bytes.
        span: Range<usize>,
    },
}

impl FileError {
    pub(super) fn read(path: &Path, source: io::Error) -> Self {
        let path = path.to_owned();
        Self::Read { path, source }
    }

    /// A file that leads out of a folder, for readers that find it out on their own way: of a file that is yet to be made.
    #[must_use]
    pub fn outside(path: &Path, folder: &Path) -> Self {
        let (path, folder) = (path.to_owned(), folder.to_owned());
        Self::Outside { path, folder }
    }

    /// The file this is about.
    #[must_use]
    pub fn path(&self) -> &Path {
        match self {
            Self::Read { path, .. }
            | Self::NotAFile { path, .. }
            | Self::DanglingLink { path, .. }
            | Self::TooLarge { path, .. }
            | Self::Outside { path, .. }
            | Self::NotText { path, .. } => path,
        }
    }

    /// One word for the kind, which does not change with the message: `dangling_link`.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Read { .. } => "read",
            Self::NotAFile { .. } => "not_a_file",
            Self::DanglingLink { .. } => "dangling_link",
            Self::TooLarge { .. } => "too_large",
            Self::Outside { .. } => "outside",
            Self::NotText { .. } => "invalid",
        }
    }
}

fn place(text: &str, span: &Range<usize>) -> String {
    let Position { line, column, .. } = Position::at(text, span.start);
    format!("{line}:{column}")
}
