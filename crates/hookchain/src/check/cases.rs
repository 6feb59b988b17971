//! The test cases of a workspace in a report.

use std::path::Path;

use hook_source::Diagnostic;

use super::{
    diagnostic::Finding,
    report::{LookedFor, Report, State},
};
use crate::{
    command_error::with_causes,
    test::{FindError, look},
};

impl Report {
    /// Reads every case file that `hookchain test` finds in the workspace.
    pub(crate) fn add_cases(&mut self, workspace: &Path) {
        let found = look(workspace, &[]).unwrap_or_else(|error| vec![Err(error)]);
        for found in found {
            let file = self.files.len();
            let (path, state) = match found {
                Ok(found) => {
                    let (cases, told) = match found.count() {
                        Ok(count) => (count, Vec::new()),
                        Err(told) => (0, told.to_vec()),
                    };
                    let told = told.into_iter().map(|told| Finding::new(file, told));
                    self.diagnostics.extend(told);
                    let text = found.text;
                    (Some(found.path), State::Cases { text, cases })
                }
                Err(error) => {
                    let what = Diagnostic::error(error.code(), with_causes(&error));
                    self.diagnostics.push(Finding::new(file, what));
                    (error.path().map(Path::to_owned), State::Unusable)
                }
            };
            self.files.push(LookedFor {
                agent: None,
                scope: "cases",
                path,
                state,
            });
        }
        self.in_order();
    }
}

impl FindError {
    /// One word for the kind, as for the files of hooks.
    const fn code(&self) -> &'static str {
        match self {
            Self::Read { .. } => "read",
            Self::NotAFile { .. } => "not_a_file",
            Self::Outside(error) => error.code(),
            Self::Invalid(_) => "invalid",
            Self::NoCase { .. } => "empty",
        }
    }

    fn path(&self) -> Option<&Path> {
        match self {
            Self::Read { path, .. } | Self::NotAFile { path } => Some(path),
            Self::Outside(error) => Some(error.path()),
            Self::Invalid(_) | Self::NoCase { .. } => None,
        }
    }
}
