//! What was looked at and how it stands, in a few lines.

use hook_config::HooksScope;

use super::{
    diagnostic::{Diagnostic, Severity},
    drawing::draw,
    report::{LookedFor, Report, State},
};
use crate::page::{BOLD, DIM, GREEN, PLAIN, Page, RED, YELLOW};

/// Everything that is wrong, one drawing after the other.
pub(crate) fn drawings(report: &Report) -> String {
    let mut text = String::new();
    for diagnostic in &report.diagnostics {
        if let Some(file) = report.files.get(diagnostic.file) {
            text.push_str(&draw(diagnostic, file));
            text.push_str("\n\n");
        }
    }
    text
}

/// The whole report.
pub(crate) fn page(report: &Report) -> String {
    let mut page = Page {
        text: drawings(report),
    };
    page.files(report, "");
    page.close(report);
    page.text
}

impl Page {
    /// Where files were looked for, and what is there.
    pub(crate) fn files(&mut self, report: &Report, indent: &str) {
        for (index, file) in report.files.iter().enumerate() {
            let scope = match file.scope {
                HooksScope::Global => "global     ",
                HooksScope::Workspace => "workspace  ",
            };
            let path = file.shown_path();
            let colon = if path.is_empty() { "" } else { ": " };
            let (style, state) = match &file.state {
                State::Unknown => (
                    DIM,
                    "not looked for: none of BASIS_CONFIG_DIR, XDG_CONFIG_HOME and HOME is set"
                        .into(),
                ),
                State::Absent => (DIM, "no file".into()),
                State::Same(first) => (
                    DIM,
                    format!("the same file as {}, read once", first.display()),
                ),
                State::Unusable | State::Read { .. } => (PLAIN, stands(file, report.about(index))),
            };
            let parts = [
                (PLAIN, indent),
                (DIM, scope),
                (PLAIN, &path),
                (PLAIN, colon),
                (style, &state),
            ];
            self.line(&parts);
        }
    }

    /// The last line: what it comes to.
    fn close(&mut self, report: &Report) {
        let files = report.files.iter();
        let read = files.filter(|file| matches!(file.state, State::Read { .. } | State::Unusable));
        let files = read.count();
        let hooks: usize = report.files.iter().map(|file| file.entries().len()).sum();
        let errors = report.count(Severity::Error);
        let warnings = report.count(Severity::Warning);
        let looked_at = format!("{} with {}", counted(files, "file"), counted(hooks, "hook"));
        self.line(&[]);
        if errors == 0 && warnings == 0 && files == 0 {
            self.line(&[(
                GREEN.bold(),
                "no hooks file: nobody is asked about any call",
            )]);
        } else if errors == 0 && warnings == 0 {
            let text = format!(": {looked_at}");
            self.line(&[(GREEN.bold(), "nothing is wrong"), (BOLD, &text)]);
        } else {
            let mut found = Vec::new();
            if errors > 0 {
                found.push(counted(errors, "error"));
            }
            if warnings > 0 {
                found.push(counted(warnings, "warning"));
            }
            let style = if errors > 0 { RED } else { YELLOW };
            let text = format!(" in {looked_at}");
            self.line(&[(style.bold(), &found.join(" and ")), (BOLD, &text)]);
        }
    }
}

/// How many hooks are in a file, and how much is wrong.
fn stands<'a>(file: &LookedFor, diagnostics: impl Iterator<Item = &'a Diagnostic>) -> String {
    let mut parts = Vec::new();
    if let State::Read { entries, .. } = &file.state {
        parts.push(counted(entries.len(), "hook"));
    }
    let severities: Vec<_> = diagnostics.map(|found| found.severity).collect();
    for severity in [Severity::Error, Severity::Warning] {
        let count = severities
            .iter()
            .filter(|found| **found == severity)
            .count();
        if count > 0 {
            parts.push(counted(count, severity.as_str()));
        }
    }
    parts.join(", ")
}

/// `1 hook`, `2 hooks`.
fn counted(count: usize, what: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {what}{plural}")
}
