//! The report as one JSON object (docs/check-json.md).

use hook_contract::json::Position;
use hook_dialect::config::{Beside, NotRun};
use hook_source::{Place, Severity, Subject};
use serde::Serialize;

use super::{
    diagnostic::Finding,
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
    #[serde(skip_serializing_if = "Vec::is_empty")]
    not_run: Vec<NotRunLine<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    beside: Vec<BesideLine>,
}

/// What guards calls at home beside the hooks of another agent, and is not looked at here.
#[derive(Debug, Serialize)]
struct BesideLine {
    agent: &'static str,
    what: &'static str,
    origin: String,
    why: String,
}

impl From<&Beside> for BesideLine {
    fn from(beside: &Beside) -> Self {
        Self {
            agent: beside.dialect,
            what: beside.what.code(),
            origin: beside.origin.to_string(),
            why: beside.what.to_string(),
        }
    }
}

/// A handler of another agent that is not asked here.
#[derive(Debug, Serialize)]
pub(crate) struct NotRunLine<'a> {
    agent: &'static str,
    event: &'a str,
    #[serde(rename = "type")]
    handler_type: &'a str,
    shown: &'a str,
    origin: String,
    why: String,
}

impl<'a> From<&'a NotRun> for NotRunLine<'a> {
    fn from(not_run: &'a NotRun) -> Self {
        Self {
            agent: not_run.dialect,
            event: &not_run.event,
            handler_type: &not_run.handler_type,
            shown: &not_run.shown,
            origin: not_run.origin.to_string(),
            why: not_run.why.to_string(),
        }
    }
}

/// A place where a hooks file was looked for.
#[derive(Debug, Serialize)]
pub(crate) struct FileLine {
    #[serde(skip_serializing_if = "Option::is_none")]
    agent: Option<&'static str>,
    scope: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    same_as: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hooks: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    not_run: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cases: Option<usize>,
}

#[derive(Debug, Serialize)]
struct DiagnosticLine<'a> {
    severity: &'static str,
    code: &'static str,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'a str>,
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
    #[serde(skip_serializing_if = "Option::is_none")]
    case: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<&'a str>,
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
        not_run: report.not_run().map(NotRunLine::from).collect(),
        beside: report.beside().map(BesideLine::from).collect(),
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
        let (state, same_as) = match &file.state {
            State::Absent => ("absent", None),
            State::Same(first) => ("same", Some(first.display().to_string())),
            State::Unusable => ("unusable", None),
            State::Read { .. } | State::Settings { .. } | State::Cases { .. } => ("read", None),
        };
        let not_run = match &file.state {
            State::Settings { not_run, .. } => Some(*not_run).filter(|count| *count > 0),
            State::Absent
            | State::Same(_)
            | State::Unusable
            | State::Read { .. }
            | State::Cases { .. } => None,
        };
        let is_cases = matches!(file.state, State::Cases { .. });
        Self {
            agent: file.agent,
            scope: file.scope,
            path: file.path.as_ref().map(|_| file.shown_path()),
            state,
            same_as,
            hooks: (state == "read" && !is_cases).then(|| file.hooks()),
            not_run,
            cases: is_cases.then(|| file.cases()),
        }
    }
}

impl<'a> DiagnosticLine<'a> {
    fn new(found: &'a Finding, report: &Report) -> Self {
        let what = &found.what;
        let file = report.files.get(found.file);
        let text = file.map_or("", LookedFor::text);
        Self {
            severity: what.severity.as_str(),
            code: what.code,
            message: &what.message,
            help: what.help.as_deref(),
            note: what.notes.first().map(String::as_str),
            file: file.map(LookedFor::shown_path),
            place: what
                .place
                .as_ref()
                .map(|place| PlaceLine::new(text, place, what.subject.as_ref())),
        }
    }
}

impl<'a> PlaceLine<'a> {
    fn new(text: &str, place: &Place, subject: Option<&'a Subject>) -> Self {
        let end = Position::at(text, place.span.end);
        let mut line = Self {
            line: place.position.line,
            column: place.position.column,
            end_line: end.line,
            end_column: end.column,
            entry: None,
            hook: None,
            case: None,
            at: None,
        };
        match subject {
            Some(Subject::Entry {
                one, index, name, ..
            }) => {
                line.entry = Some(*index);
                let whose = if *one == "hook" {
                    &mut line.hook
                } else {
                    &mut line.case
                };
                *whose = name.as_deref();
            }
            Some(Subject::Part(at)) => line.at = Some(at),
            // What is added one day has no key of its own.
            Some(_) | None => {}
        }
        line
    }
}
