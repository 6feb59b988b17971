//! The user's folder on systems without a user database of Unix.

use std::path::PathBuf;

/// The folder that the system has for the user.
pub(super) fn noted() -> Option<PathBuf> {
    std::env::home_dir()
}
