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

/// Notes the time at which it was started, then does the same.
const C_STAMP: &str = r#"
#include <stdio.h>
#include <time.h>
#include <unistd.h>
int main(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    static char buffer[65536];
    while (read(0, buffer, sizeof buffer) > 0) {}
    FILE *stamp = fopen("stamp", "w");
    if (!stamp) return 1;
    fprintf(stamp, "%lld", now.tv_sec * 1000000000LL + now.tv_nsec);
    fclose(stamp);
    static const char answer[] = "{\"decision\":\"allow\"}\n";
    return write(1, answer, sizeof answer - 1) != sizeof answer - 1;
}
"#;

/// Allows each line that it reads, in the name of its call, until its input ends.
const C_LINES: &str = r#"
#define _GNU_SOURCE
#include <string.h>
#include <unistd.h>
int main(void) {
    static char buffer[65536], answer[1024] = "{\"decision\":\"allow\",";
    static const char name[] = "\"tool_call_id\":\"";
    size_t start = strlen(answer), filled = 0;
    ssize_t count;
    while ((count = read(0, buffer + filled, sizeof buffer - filled)) > 0) {
        filled += count;
        if (buffer[filled - 1] != '\n') continue;
        char *id = memmem(buffer, filled, name, sizeof name - 1);
        filled = 0;
        if (!id) return 1;
        size_t length = strchr(id + sizeof name - 1, '"') + 1 - id;
        memcpy(answer + start, id, length);
        memcpy(answer + start + length, "}\n", 2);
        if (write(1, answer, start + length + 2) < 0) return 1;
    }
    return 0;
}
"#;

/// The same without a name.
const C_UNNAMED: &str = r#"
#include <unistd.h>
int main(void) {
    static char buffer[65536];
    static const char answer[] = "{\"decision\":\"allow\"}\n";
    ssize_t count;
    while ((count = read(0, buffer, sizeof buffer)) > 0)
        if (buffer[count - 1] == '\n' && write(1, answer, sizeof answer - 1) < 0) return 1;
    return 0;
}
"#;

const PYTHON_LINES: &str = r#"
import json, sys
for line in sys.stdin:
    call = json.loads(line)
    print(json.dumps({"decision": "allow", "tool_call_id": call["tool_call_id"]}), flush=True)
"#;

const NODE_LINES: &str = r"
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { tool_call_id } = JSON.parse(line);
  process.stdout.write(JSON.stringify({ decision: 'allow', tool_call_id }) + '\n');
});
";

const SHELL: &str = "#!/bin/sh\ncat >/dev/null\necho '{\"decision\":\"allow\"}'\n";

/// The programs, in a directory of their own.
#[derive(Debug)]
#[non_exhaustive]
pub struct Programs {
    /// A C program.
    pub c: PathBuf,
    /// The same, which writes the nanoseconds of [`floor::now`](crate::floor::now) at its start into the file `stamp`.
    pub stamp: PathBuf,
    /// A shell script.
    pub shell: PathBuf,
    /// The words of programs that answer line by line, with the name of their language: C, and Python
    /// and Node where they are installed. Each serves one question as well as many.
    pub lines: Vec<(&'static str, Vec<String>)>,
    /// The words of a C program whose answers name no call.
    pub unnamed: Vec<String>,
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
        compile(C, &source, &c)?;
        let stamp = directory.join("hook-stamp");
        compile(C_STAMP, &directory.join("stamp.c"), &stamp)?;
        fs::write(&shell, SHELL)?;
        fs::set_permissions(&shell, fs::Permissions::from_mode(0o755))?;
        let c_lines = directory.join("lines");
        compile(C_LINES, &directory.join("lines.c"), &c_lines)?;
        let unnamed = directory.join("unnamed");
        compile(C_UNNAMED, &directory.join("unnamed.c"), &unnamed)?;
        let mut lines = vec![("C", vec![c_lines.display().to_string()])];
        // The interpreter itself, because what stands in the PATH may be a script that looks for it.
        for (language, name, tell, text, file) in [
            (
                "Python",
                "python3",
                "import sys; print(sys.executable)",
                PYTHON_LINES,
                "lines.py",
            ),
            (
                "Node",
                "node",
                "console.log(process.execPath)",
                NODE_LINES,
                "lines.cjs",
            ),
        ] {
            let flag = if name == "node" { "-e" } else { "-c" };
            let Some(interpreter) = printed(name, &[flag, tell]) else {
                continue;
            };
            let script = directory.join(file);
            fs::write(&script, text)?;
            lines.push((language, vec![interpreter, script.display().to_string()]));
        }
        Ok(Self {
            c,
            stamp,
            shell,
            lines,
            unnamed: vec![unnamed.display().to_string()],
        })
    }
}

fn compile(text: &str, source: &Path, program: &Path) -> io::Result<()> {
    fs::write(source, text)?;
    #[expect(clippy::disallowed_methods, reason = "a compiler is no hook")]
    let compiled = Command::new("cc")
        .args(["-O2", "-o"])
        .arg(program)
        .arg(source)
        .status()?;
    if compiled.success() {
        Ok(())
    } else {
        Err(io::Error::other("cc did not compile the benchmark's hook"))
    }
}

/// What a program prints, where there is such a program.
fn printed(program: &str, words: &[&str]) -> Option<String> {
    #[expect(
        clippy::disallowed_methods,
        reason = "an interpreter is asked where it is"
    )]
    let output = Command::new(program).args(words).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    (output.status.success() && !text.is_empty()).then_some(text)
}
