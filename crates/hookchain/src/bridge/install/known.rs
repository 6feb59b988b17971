//! Which programs count as this one.
//!
//! An entry of the bridge is known by the program that it starts, and a file of settings may come from anywhere. So a
//! program counts when its user named it, and never because of what it is called.

use super::error::SettingsError;

/// The program as the PATH has it.
pub(super) const BY_NAME: &str = "hookchain";

/// The programs that an entry of ours may start.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    programs: Vec<String>,
}

impl Known {
    /// `hookchain`, this very program, and these.
    pub(super) fn with(programs: impl IntoIterator<Item = String>) -> Self {
        let mut known = vec![BY_NAME.to_owned()];
        known.extend(this_path());
        known.extend(programs);
        Self { programs: known }
    }

    /// Whether an entry that starts this program is ours.
    pub(super) fn has(&self, program: &str) -> bool {
        self.programs.iter().any(|known| known == program)
    }
}

/// The program that runs now, by its path.
pub(super) fn this_program() -> Result<String, SettingsError> {
    let path = this_path().unwrap_or_default();
    let name = path.rsplit('/').next().unwrap_or_default();
    if name.starts_with(BY_NAME) {
        return Ok(path);
    }
    let name = name.to_owned();
    Err(SettingsError::Program { name })
}

fn this_path() -> Option<String> {
    std::env::current_exe().ok()?.to_str().map(str::to_owned)
}
