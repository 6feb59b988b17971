//! What keeps this process closed to the programs that it starts.

/// Closes what the system shows of this process to other processes of the user: its environment, its memory, its open files,
/// and a debugger's way in. A hook is started with an environment of its own, and is not to read the keys of the host from
/// `/proc/$PPID/environ`. Programs that are started afterwards are as they always are.
///
/// What runs as root still sees everything. Where the system has no such
/// switch, nothing is closed.
#[cfg(target_os = "linux")]
pub(crate) fn close_to_hooks() {
    use rustix::process::{DumpableBehavior, set_dumpable_behavior};

    // The system refuses only values that it does not know.
    let _known = set_dumpable_behavior(DumpableBehavior::NotDumpable);
}

#[cfg(not(target_os = "linux"))]
pub(crate) const fn close_to_hooks() {}
