//! Telling processes apart, as far as the system does.

#[cfg(target_os = "linux")]
#[path = "process/linux.rs"]
mod system;
#[cfg(not(target_os = "linux"))]
#[path = "process/other.rs"]
mod system;

pub(super) use self::system::{end, is_running, started};
