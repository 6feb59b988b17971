//! Programs in other languages that tasks need, installed below the directory that cargo builds in.

use std::{fs, path::Path, process::Command};

use crate::command::in_root;

/// Whether the package is there, after an attempt to install it where it was not.
pub(crate) fn installed(directory: &Path, package: &str, install: impl FnOnce() -> bool) -> bool {
    let marker = directory.join("installed");
    if fs::read_to_string(&marker).is_ok_and(|found| found == package) {
        return true;
    }
    install() && fs::write(marker, package).is_ok()
}

/// The same for a package of npm.
pub(crate) fn installed_by_npm(directory: &Path, package: &str) -> bool {
    installed(directory, package, || {
        let mut install = in_root("npm");
        install.args([
            "install",
            "--silent",
            "--no-save",
            "--no-fund",
            "--no-audit",
        ]);
        install.arg("--prefix").arg(directory).arg(package);
        fs::create_dir_all(directory).is_ok() && starts(&mut install)
    })
}

/// Whether it could be started and ended well.
pub(crate) fn starts(command: &mut Command) -> bool {
    command.status().is_ok_and(|status| status.success())
}
