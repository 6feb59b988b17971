//! The hook programs that are asked: the smallest ones that read their input and agree.

use std::{
    fs, io,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
};

/// Reads its input to the end, then allows.
const C: &str = r#"
#include <unistd.h>
int main(void) {
    static char buffer[65536];
    while (read(0, buffer, sizeof buffer) > 0) {}
    static const char answer[] = "{\"decision\":\"allow\"}\n";
    return write(1, answer, sizeof answer - 1) != sizeof answer - 1;
}
"#;

const SHELL: &str = "#!/bin/sh\ncat >/dev/null\necho '{\"decision\":\"allow\"}'\n";

/// The programs, in a directory of their own.
#[derive(Debug)]
#[non_exhaustive]
pub struct Programs {
    /// A C program.
    pub c: PathBuf,
    /// A shell script.
    pub shell: PathBuf,
}

impl Programs {
    /// Writes and compiles them.
    ///
    /// # Errors
    ///
    /// When there is no C compiler, or the directory cannot be written.
    pub fn build(directory: &Path) -> io::Result<Self> {
        let (source, c, shell) = (
            directory.join("hook.c"),
            directory.join("hook"),
            directory.join("hook.sh"),
        );
        fs::write(&source, C)?;
        #[expect(clippy::disallowed_methods, reason = "a compiler is no hook")]
        let compiled = Command::new("cc")
            .args(["-O2", "-o"])
            .arg(&c)
            .arg(&source)
            .status()?;
        if !compiled.success() {
            return Err(io::Error::other("cc did not compile the benchmark's hook"));
        }
        fs::write(&shell, SHELL)?;
        fs::set_permissions(&shell, fs::Permissions::from_mode(0o755))?;
        Ok(Self { c, shell })
    }
}
