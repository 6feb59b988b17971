//! What was looked at and how it stands, in a few lines.

use hook_dialect::config::Guarding;
use hook_source::Severity;

use super::{
    diagnostic::Finding,
    drawing::draw,
    report::{LookedFor, Report, State},
};
use crate::page::{BOLD, DIM, GREEN, INDENT, PLAIN, Page, RED, YELLOW};

/// Everything that is wrong, one drawing after the other.
pub(crate) fn drawings(report: &Report) -> String {
    let mut text = String::new();
    for found in &report.diagnostics {
        if let Some(file) = report.files.get(found.file) {
            text.push_str(&draw(&found.what, file));
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
    page.not_run(report);
    page.close(report);
    page.text
}

impl Page {
    /// Where files were looked for, and what is there.
    pub(crate) fn files(&mut self, report: &Report, indent: &str) {
        let is_agents = |file: &LookedFor| file.agent.is_some();
        // As wide as the longest: `workspace`, or `claude project`.
        let width = if report.files.iter().any(is_agents) {
            14
        } else {
            9
        };
        for (index, file) in report.files.iter().enumerate() {
            let whose = file.agent.map_or_else(
                || file.scope.to_owned(),
                |agent| format!("{agent} {}", file.scope),
            );
            let scope = format!("{whose:<width$}  ");
            let path = file.shown_path();
            let colon = if path.is_empty() { "" } else { ": " };
            let (style, state) = match &file.state {
                State::Absent => (DIM, "no file".into()),
                State::Same(first) => (
                    DIM,
                    format!("the same file as {}, read once", first.display()),
                ),
                State::Unusable
                | State::Read { .. }
                | State::Settings { .. }
                | State::Cases { .. } => (PLAIN, stands(file, report.about(index))),
            };
            let parts = [
                (PLAIN, indent),
                (DIM, &scope),
                (PLAIN, &path),
                (PLAIN, colon),
                (style, &state),
            ];
            self.line(&parts);
        }
    }

    /// The handlers of other agents that are not asked here, and why.
    pub(crate) fn not_run(&mut self, report: &Report) {
        if report.not_run().next().is_none() && report.beside().next().is_none() {
            return;
        }
        self.line(&[]);
        self.line(&[(BOLD, "not asked here")]);
        for not_run in report.not_run() {
            let event = format!("{}  ", not_run.event);
            self.line(&[(PLAIN, INDENT), (PLAIN, &event), (PLAIN, &not_run.shown)]);
            self.line(&[(PLAIN, INDENT), (DIM, &not_run.origin.to_string())]);
            self.paragraph(INDENT, &[], &not_run.why.to_string());
        }
        for beside in report.beside() {
            self.line(&[(PLAIN, INDENT), (PLAIN, beside.what.code())]);
            self.line(&[(PLAIN, INDENT), (DIM, &beside.origin.to_string())]);
            self.paragraph(INDENT, &[], &beside.what.to_string());
        }
    }

    /// The last line: what it comes to.
    fn close(&mut self, report: &Report) {
        let read = report.files.iter().filter(|file| {
            matches!(
                file.state,
                State::Read { .. } | State::Settings { .. } | State::Unusable | State::Cases { .. }
            )
        });
        let files = read.clone().count();
        let of_hooks = read.filter(|file| file.scope != "cases").count();
        let cases: usize = report.files.iter().map(LookedFor::cases).sum();
        let cases = match cases {
            0 => String::new(),
            cases => format!(", {}", counted(cases, "test case")),
        };
        let hooks: usize = report.files.iter().map(LookedFor::hooks).sum();
        let errors = report.count(Severity::Error);
        let warnings = report.count(Severity::Warning);
        let not_run = match report.not_run().count() {
            0 => String::new(),
            count => format!(", {count} not asked here"),
        };
        let untrusted = report
            .not_run()
            .filter(|hook| hook.why.waits_for_trust())
            .count();
        let (files_read, hooks) = (counted(files, "file"), counted(hooks, "hook"));
        let beside = beside(report);
        let looked_at = format!("{files_read} with {hooks}{not_run}{beside}{cases}");
        self.line(&[]);
        if errors == 0 && warnings == 0 && of_hooks == 0 {
            self.line(&[(
                GREEN.bold(),
                "no hooks file: nobody is asked about any call",
            )]);
        } else if errors == 0 && warnings == 0 && untrusted > 0 {
            let which = if untrusted == 1 {
                "1 hook is not trusted, and guards nothing until it is".to_owned()
            } else {
                format!("{untrusted} hooks are not trusted, and guard nothing until they are")
            };
            let text = format!(": {looked_at}");
            self.line(&[(YELLOW.bold(), &which), (BOLD, &text)]);
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
fn stands<'a>(file: &LookedFor, diagnostics: impl Iterator<Item = &'a Finding>) -> String {
    let mut parts = Vec::new();
    if let State::Read { entries, .. } = &file.state {
        parts.push(counted(entries.len(), "hook"));
    }
    if let State::Settings { hooks, not_run, .. } = &file.state {
        parts.push(counted(*hooks, "hook"));
        if *not_run > 0 {
            parts.push(format!("{not_run} not asked here"));
        }
    }
    if let State::Cases { cases: 1.., .. } = &file.state {
        parts.push(counted(file.cases(), "case"));
    }
    let severities: Vec<_> = diagnostics.map(|found| found.what.severity).collect();
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

/// What guards calls at home and is not looked at here, in a few words.
fn beside(report: &Report) -> String {
    let (mut rules, mut plugins) = (0, 0);
    for beside in report.beside() {
        match &beside.what {
            Guarding::Permissions { deny, ask } => rules += deny + ask,
            Guarding::Plugins(names) => plugins += names.len(),
            _ => {}
        }
    }
    let counts = [
        (rules, "rule of permissions", "rules of permissions"),
        (plugins, "plugin", "plugins"),
    ];
    let counts = counts.into_iter().filter(|(count, ..)| *count > 0);
    let words = counts.map(|(count, one, more)| {
        let what = if count == 1 { one } else { more };
        format!(", {count} {what} not looked at here")
    });
    words.collect()
}

/// `1 hook`, `2 hooks`.
fn counted(count: usize, what: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {what}{plural}")
}
