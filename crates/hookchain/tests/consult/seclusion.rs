//! What a hook can see of the command that asked it.

use std::{os::unix::fs::PermissionsExt, process::Stdio};

use crate::workspace::{Workspace, finish, program};

/// Reads whatever the system shows of the parent.
const CURIOUS: &str = r#"cat >/dev/null
for file in environ maps mem auxv io; do
  head -c 64 "/proc/$PPID/$file" 2>/dev/null && echo "read $file"
done
ls /proc/$PPID/fd/ 2>/dev/null && echo "read fd"
readlink "/proc/$PPID/cwd" "/proc/$PPID/exe" && echo "read links"
echo '{"decision":"allow"}' >&3"#;

#[cfg(target_os = "linux")]
#[test]
fn a_hook_cannot_read_the_environment_or_the_memory_of_its_parent() {
    let script = format!("exec 3>&1 >seen\n{CURIOUS}");
    let workspace = Workspace::with_hooks(&[("curious", "", &script)]);
    let consult = workspace.command(&["--tool", "shell", "--input", "{}"]);
    // Root may look into everything, so that another user runs it then: a copy, where that user can reach it.
    let mut command = if rustix::process::geteuid().is_root() {
        let copy = workspace.path().join("hookchain");
        std::fs::copy(consult.get_program(), &copy).expect("a copy");
        let everybody = std::fs::Permissions::from_mode(0o777);
        for directory in workspace.path().ancestors().take(2) {
            std::fs::set_permissions(directory, everybody.clone()).expect("their mode");
        }
        let mut other = program("setpriv");
        other.args(["--reuid=65534", "--clear-groups"]).arg(copy);
        other
    } else {
        program(consult.get_program().to_str().expect("UTF-8"))
    };
    command
        .args(consult.get_args())
        .env_clear()
        .envs(
            consult
                .get_envs()
                .filter_map(|(name, value)| Some((name, value?))),
        )
        .env("GITHUB_TOKEN", "hunter2")
        .current_dir(consult.get_current_dir().expect("a directory"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let ran = finish(command.spawn().expect("started"), "");
    assert_eq!(ran.stdout, "{\"outcome\":\"allow\"}\n", "{ran:?}");
    let seen = std::fs::read(workspace.path().join("seen")).expect("what was seen");
    let seen = String::from_utf8_lossy(&seen);
    assert_eq!(seen, "");
}
