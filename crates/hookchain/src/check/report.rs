//! Everything that is found in the hooks files of a workspace, and about their programs.

use std::{
    collections::HashSet,
    path::{Path, PathBuf},
};

use hook_config::{
    ApproverSpec, Candidate, CommandWord, Examined, ExaminedApprover, ExaminedEntry, Found,
    HookConfigError, HookSpec, HooksScope, survey,
};
use hook_runner::{FaultKind, HookRunner, Inspection, ProgramFault, exposures};
use hook_source::{Severity, Subject};

use super::{
    diagnostic::{self, Finding},
    settings::Settings,
};
use crate::sources::SourcesArgs;

/// How many faults of programs are told of one file. Nobody reads more, and each costs a look at the text.
pub(super) const MOST_FAULTS: usize = 100;

/// What was looked at, and what is wrong.
#[derive(Debug)]
pub(crate) struct Report {
    /// Where files were looked for, in consultation order.
    pub(crate) files: Vec<LookedFor>,
    /// What is wrong, in the order of the files and of their texts.
    pub(crate) diagnostics: Vec<Finding>,
    /// What the settings of other agents declare, agent by agent.
    pub(crate) settings: Vec<Settings>,
}

/// A place where a hooks file was looked for.
#[derive(Debug)]
pub(crate) struct LookedFor {
    /// The agent in whose settings it is; nothing for a hooks file of this project's own.
    pub(crate) agent: Option<&'static str>,
    /// Whose file it is.
    pub(crate) scope: &'static str,
    /// The file; nothing when no directory is known in which it could be.
    pub(crate) path: Option<PathBuf>,
    pub(crate) state: State,
}

/// What was found there.
#[derive(Debug)]
pub(crate) enum State {
    /// No file.
    Absent,
    /// The file that was read already, under this path.
    Same(PathBuf),
    /// Something that cannot be used.
    Unusable,
    /// A text, and what it says.
    Read {
        text: String,
        /// The folder that the programs belong to; nothing for the workspace.
        directory: Option<PathBuf>,
        entries: Vec<ExaminedEntry>,
        approver: Option<ExaminedApprover>,
    },
    /// The text of an agent's settings, how many hooks it has that are asked, and how many that are not.
    Settings {
        text: String,
        hooks: usize,
        not_run: usize,
    },
    /// A text of test cases, and how many there are; none where something is wrong.
    Cases { text: String, cases: usize },
}

impl Report {
    /// Reads the hooks files.
    pub(crate) fn of(workspace: &Path, sources: &SourcesArgs) -> Self {
        let mut report = Self {
            files: Vec::new(),
            diagnostics: Vec::new(),
            settings: Vec::new(),
        };
        if let Some(config) = sources.native() {
            for candidate in survey(workspace, &config) {
                report.add(candidate);
            }
        }
        for agent in sources.agents() {
            let config = sources.reading.settings_of(agent);
            report.add_settings(agent, workspace, &config);
        }
        report.in_order();
        report
    }

    fn add(&mut self, candidate: Candidate) {
        let file = self.files.len();
        let state = match candidate.found {
            Found::Nothing => State::Absent,
            Found::Same { first, .. } => State::Same(first),
            Found::File(source) => {
                let Examined {
                    entries,
                    approver,
                    problems,
                    warnings,
                    ..
                } = source.examine();
                let found = problems.into_iter().chain(warnings);
                let found = found.map(|told| Finding::new(file, told));
                self.diagnostics.extend(found);
                State::Read {
                    text: source.text,
                    directory: source.directory,
                    entries,
                    // In another file it has no business, so that its program is not looked for.
                    approver: approver.filter(|_| candidate.scope == HooksScope::Global),
                }
            }
            // A text that is no UTF-8 is shown as far as it is one.
            Found::Unusable(HookConfigError::Invalid { text, problems, .. }) => {
                let found = problems.into_iter();
                let found = found.map(|told| Finding::new(file, told));
                self.diagnostics.extend(found);
                State::Read {
                    text,
                    directory: None,
                    entries: Vec::new(),
                    approver: None,
                }
            }
            Found::Unusable(error) => {
                self.diagnostics.push(Finding::of_file(file, &error));
                State::Unusable
            }
            // A state that is added one day is none that can be relied on.
            _ => State::Unusable,
        };
        self.files.push(LookedFor {
            agent: None,
            scope: word(candidate.scope),
            path: Some(candidate.path),
            state,
        });
    }

    /// Looks at the programs as the runner would, and at who can change them and the files.
    pub(crate) fn look_at_programs(&mut self, workspace: &Path) {
        let runner = HookRunner::new(workspace, Vec::new());
        let mut told = HashSet::new();
        for (file, looked_for) in self.files.iter().enumerate() {
            let found = looked_for.exposed(file, &mut told);
            self.diagnostics.extend(found);
            let found = looked_for.programs(file, &runner, &mut told);
            self.diagnostics.extend(found);
            let found = looked_for.approver_program(file, &runner, &mut told);
            self.diagnostics.extend(found);
        }
        let found = self.settings_programs(&mut told);
        self.diagnostics.extend(found);
        self.look_at_doubts();
    }

    /// Looks at what hooks of other agents take for granted.
    pub(crate) fn look_at_doubts(&mut self) {
        let found = self.settings_doubts();
        self.diagnostics.extend(found);
        self.in_order();
    }

    /// What is about a file as a whole comes first.
    pub(super) fn in_order(&mut self) {
        self.diagnostics.sort_by_key(|found| {
            let start = found.what.place.as_ref().map(|place| place.span.start);
            (found.file, start)
        });
    }

    /// Makes errors of warnings.
    pub(crate) fn be_strict(&mut self) {
        for diagnostic in &mut self.diagnostics {
            diagnostic.what.severity = Severity::Error;
        }
    }

    pub(crate) fn count(&self, severity: Severity) -> usize {
        let found = self.diagnostics.iter();
        found
            .filter(|found| found.what.severity == severity)
            .count()
    }

    /// The declared hooks; of use only when there are no errors.
    pub(crate) fn hooks(&self) -> Vec<HookSpec> {
        let entries = self.files.iter().flat_map(LookedFor::entries);
        entries.filter_map(|entry| entry.spec.clone()).collect()
    }

    /// The declared program that puts a call to a person; of use only when there are no errors.
    pub(crate) fn approver(&self) -> Option<&ApproverSpec> {
        let mut declared = self.files.iter().filter_map(LookedFor::approver);
        declared.find_map(|approver| approver.spec.as_ref())
    }

    /// What is found in one of the files.
    pub(crate) fn about(&self, file: usize) -> impl Iterator<Item = &Finding> {
        self.diagnostics
            .iter()
            .filter(move |found| found.file == file)
    }
}

impl LookedFor {
    pub(crate) fn entries(&self) -> &[ExaminedEntry] {
        match &self.state {
            State::Read { entries, .. } => entries,
            State::Absent
            | State::Same(_)
            | State::Unusable
            | State::Settings { .. }
            | State::Cases { .. } => &[],
        }
    }

    /// The folder that the programs of its entries belong to; nothing for the workspace.
    pub(crate) fn directory(&self) -> Option<&Path> {
        match &self.state {
            State::Read { directory, .. } => directory.as_deref(),
            State::Absent
            | State::Same(_)
            | State::Unusable
            | State::Settings { .. }
            | State::Cases { .. } => None,
        }
    }

    const fn approver(&self) -> Option<&ExaminedApprover> {
        match &self.state {
            State::Read { approver, .. } => approver.as_ref(),
            State::Absent
            | State::Same(_)
            | State::Unusable
            | State::Settings { .. }
            | State::Cases { .. } => None,
        }
    }

    /// How many hooks it has.
    pub(crate) fn hooks(&self) -> usize {
        if let State::Settings { hooks, .. } = self.state {
            hooks
        } else {
            self.entries().len()
        }
    }

    /// How many test cases it has.
    pub(crate) const fn cases(&self) -> usize {
        if let State::Cases { cases, .. } = self.state {
            cases
        } else {
            0
        }
    }

    /// Who can change the file.
    fn exposed(&self, file: usize, told: &mut HashSet<PathBuf>) -> Vec<Finding> {
        let (State::Read { .. } | State::Settings { .. }, Some(path)) = (&self.state, &self.path)
        else {
            return Vec::new();
        };
        let exposures = exposures(path).into_iter();
        exposures
            .filter(|exposure| told.insert(exposure.path.clone()))
            .map(|exposure| Finding::new(file, diagnostic::fault(&FaultKind::Exposed(exposure))))
            .collect()
    }

    /// What is wrong with the programs it names.
    fn programs(
        &self,
        file: usize,
        runner: &HookRunner,
        told: &mut HashSet<PathBuf>,
    ) -> Vec<Finding> {
        let (text, entries) = (self.text(), self.entries());
        let mut diagnostics = Vec::new();
        for (number, entry) in entries.iter().enumerate() {
            if diagnostics.len() >= MOST_FAULTS {
                let start = entry.span.start;
                let more = diagnostic::more(entries.len() - number);
                let more = more.at(text, start..start + 1).about(subject(entry));
                diagnostics.push(Finding::new(file, more));
                break;
            }
            let inspect = |words: &[String]| runner.inspect_in(words, self.directory());
            let faults = faults(&entry.command, inspect, told).into_iter();
            diagnostics.extend(faults.map(|fault| {
                let word = entry.command.get(fault.word);
                let span = word.map_or_else(|| entry.span.clone(), |word| word.span.clone());
                let what = diagnostic::fault(&fault.kind);
                Finding::new(file, what.at(text, span).about(subject(entry)))
            }));
        }
        diagnostics
    }

    /// What is wrong with the program that puts a call to a person.
    fn approver_program(
        &self,
        file: usize,
        runner: &HookRunner,
        told: &mut HashSet<PathBuf>,
    ) -> Vec<Finding> {
        let Some(declared) = self.approver() else {
            return Vec::new();
        };
        let Some(spec) = &declared.spec else {
            return Vec::new();
        };
        let inspect = |words: &[String]| runner.inspect_in(words, Some(&spec.directory));
        let faults = faults(&declared.command, inspect, told);
        let findings = faults.into_iter().map(|fault| {
            let word = declared.command.get(fault.word);
            let span = word.map_or_else(|| declared.span.clone(), |word| word.span.clone());
            let what = diagnostic::fault(&fault.kind).at(self.text(), span);
            Finding::new(file, what.about(Subject::Part("approver".into())))
        });
        findings.collect()
    }

    /// Its text, as far as there is one.
    pub(crate) fn text(&self) -> &str {
        match &self.state {
            State::Read { text, .. } | State::Settings { text, .. } | State::Cases { text, .. } => {
                text
            }
            State::Absent | State::Same(_) | State::Unusable => "",
        }
    }

    /// The file, for a person or a program to read.
    pub(crate) fn shown_path(&self) -> String {
        let path = self.path.as_deref();
        path.map_or_else(String::new, |path| path.display().to_string())
    }
}

const fn word(scope: HooksScope) -> &'static str {
    match scope {
        HooksScope::Global => "global",
        HooksScope::Workspace => "workspace",
    }
}

/// The faults of a declared program, each place that others can change only once for all of them.
fn faults(
    command: &[CommandWord],
    inspect: impl FnOnce(&[String]) -> Inspection,
    told: &mut HashSet<PathBuf>,
) -> Vec<ProgramFault> {
    let words: Vec<String> = command.iter().map(|word| word.text.clone()).collect();
    // What the file's own rules say about the command is told already.
    let named = words.first().is_some_and(|program| !program.is_empty());
    if !named || words.iter().any(|word| word.contains('\0')) {
        return Vec::new();
    }
    let mut faults = inspect(&words).faults;
    faults.retain(|fault| match &fault.kind {
        FaultKind::Exposed(exposure) => told.insert(exposure.path.clone()),
        FaultKind::Start(_) | _ => true,
    });
    faults
}

fn subject(entry: &ExaminedEntry) -> Subject {
    Subject::entry("hook", "hooks", entry.index, entry.name.clone())
}
