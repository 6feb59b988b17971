//! The report as one JSON object (docs/check-json.md).

use hook_config::HooksScope;
use hook_contract::json::Position;
use serde::Serialize;

use super::{
    diagnostic::{Diagnostic, Severity},
    report::{LookedFor, Report, State},
};

#[derive(Debug, Serialize)]
struct ReportLine<'a> {
    ok: bool,
    strict: bool,
    files: Vec<FileLine>,
    hooks: usize,
    errors: usize,
    warnings: usize,
    diagnostics: Vec<DiagnosticLine<'a>>,
}

/// A place where a hooks file was looked for.
#[derive(Debug, Serialize)]
pub(crate) struct FileLine {
    scope: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    same_as: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hooks: Option<usize>,
}

#[derive(Debug, Serialize)]
struct DiagnosticLine<'a> {
    severity: &'static str,
    code: &'static str,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    #[serde(flatten)]
    place: Option<PlaceLine<'a>>,
}

#[derive(Debug, Serialize)]
struct PlaceLine<'a> {
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    entry: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hook: Option<&'a str>,
}

/// The report on one line, with its end.
pub(crate) fn line(report: &Report, strict: bool) -> Result<String, serde_json::Error> {
    let errors = report.count(Severity::Error);
    let files: Vec<FileLine> = files(report);
    let mut line = serde_json::to_string(&ReportLine {
        ok: errors == 0,
        strict,
        hooks: files.iter().filter_map(|file| file.hooks).sum(),
        files,
        errors,
        warnings: report.count(Severity::Warning),
        diagnostics: report
            .diagnostics
            .iter()
            .map(|found| DiagnosticLine::new(found, report))
            .collect(),
    })?;
    line.push('\n');
    Ok(line)
}

/// Where files were looked for, and what is there.
pub(crate) fn files(report: &Report) -> Vec<FileLine> {
    report.files.iter().map(FileLine::from).collect()
}

impl From<&LookedFor> for FileLine {
    fn from(file: &LookedFor) -> Self {
        let (state, same_as, hooks) = match &file.state {
            State::Unknown => ("unknown", None, None),
            State::Absent => ("absent", None, None),
            State::Same(first) => ("same", Some(first.display().to_string()), None),
            State::Unusable => ("unusable", None, None),
            State::Read { entries, .. } => ("read", None, Some(entries.len())),
        };
        Self {
            scope: match file.scope {
                HooksScope::Global => "global",
                HooksScope::Workspace => "workspace",
            },
            path: file.path.as_ref().map(|_| file.shown_path()),
            state,
            same_as,
            hooks,
        }
    }
}

impl<'a> DiagnosticLine<'a> {
    fn new(found: &'a Diagnostic, report: &Report) -> Self {
        let file = report.files.get(found.file);
        let text = file.map_or("", LookedFor::text);
        Self {
            severity: found.severity.as_str(),
            code: found.code,
            message: &found.message,
            help: found.help.as_deref(),
            file: file.map(LookedFor::shown_path),
            place: found.spot.as_ref().map(|spot| {
                let end = Position::at(text, spot.span.end);
                PlaceLine {
                    line: spot.position.line,
                    column: spot.position.column,
                    end_line: end.line,
                    end_column: end.column,
                    entry: spot.entry,
                    hook: spot.hook.as_deref(),
                }
            }),
        }
    }
}
