//! The settings of other agents in a report.

use std::{
    collections::HashSet,
    ops::Range,
    path::{Path, PathBuf},
};

use hook_dialect::{
    Dialect,
    config::{
        Beside, DialectConfig, DialectConfigError, Finding as Noticed, LoadedHook, LoadedHooks,
        NotRun, Place, examine,
    },
    run::DialectHooks,
};
use hook_runner::{FaultKind, HookRunner, Inspection, ProgramFault};
use hook_source::Subject;

use super::{
    diagnostic::{self, Finding},
    report::{LookedFor, MOST_FAULTS, Report, State},
};
use crate::agents::ready;

/// What the settings of one agent declare.
#[derive(Debug)]
pub(crate) struct Settings {
    /// The hooks, ready to be explained; nobody asks them.
    pub(crate) hooks: DialectHooks,
    /// The handlers that are not asked here.
    pub(crate) not_run: Vec<NotRun>,
    /// What guards calls at home beside the hooks.
    pub(crate) beside: Vec<Beside>,
    /// Looks at programs as these hooks would find them.
    looks: HookRunner,
}

impl Settings {
    /// A hook's program, where it is one plain program.
    pub(crate) fn program(&self, hook: &LoadedHook) -> Option<Inspection> {
        let words = self.hooks.words_of(hook)?;
        Some(self.looks.inspect(&words))
    }

    /// What is wrong with a hook's program; of a line that is more than one plain program, only what a shell cannot read of
    /// the scripts in it.
    fn faults(&self, hook: &LoadedHook) -> Vec<ProgramFault> {
        let mut faults = self
            .program(hook)
            .map(|program| program.faults)
            .unwrap_or_default();
        if !faults.iter().any(|fault| fault.kind.is_of_line_ends()) {
            let programs = self.hooks.programs_of(hook).into_iter();
            let more = programs.flat_map(|words| self.looks.inspect(&words).faults);
            faults.extend(more.filter(|fault| fault.kind.is_of_line_ends()));
        }
        faults
    }
}

impl Report {
    /// Reads the settings of an agent.
    pub(super) fn add_settings(
        &mut self,
        agent: &'static Dialect,
        workspace: &Path,
        config: &DialectConfig,
    ) {
        let examined = examine(workspace, config);
        let first = self.files.len();
        for looked_for in &examined.looked_for {
            let state = match &looked_for.place {
                Place::Absent => State::Absent,
                Place::Same(first) => State::Same(first.clone()),
                Place::Read => text_of(&looked_for.path, &examined.loaded, &examined.errors),
                // A state that is added one day is none that can be relied on.
                Place::Unusable | _ => State::Unusable,
            };
            self.files.push(LookedFor {
                agent: Some(agent.name),
                scope: looked_for.scope.as_str(),
                path: Some(looked_for.path.clone()),
                state,
            });
        }
        for error in &examined.errors {
            self.add_error(agent, first, error);
        }
        for finding in &examined.loaded.findings {
            self.add_finding(first, finding);
        }
        let mut loaded = examined.loaded;
        let not_run = std::mem::take(&mut loaded.not_run);
        let mut variables = loaded.environment.iter().rev();
        let path = variables.find(|variable| variable.name == "PATH");
        let looks = HookRunner::new(workspace, Vec::new());
        let looks = match path {
            Some(path) => looks.with_env("PATH", &*path.value),
            None => looks,
        };
        self.settings.push(Settings {
            looks,
            hooks: ready(agent, workspace, config, &loaded),
            not_run,
            beside: loaded.beside,
        });
    }

    fn add_error(&mut self, agent: &'static Dialect, first: usize, error: &DialectConfigError) {
        if let DialectConfigError::Invalid { findings, .. } = error {
            for finding in findings {
                self.add_finding(first, finding);
            }
            return;
        }
        let path = error.path().map(Path::to_owned);
        let known = self.place(first, path.as_deref());
        let file = known.unwrap_or_else(|| {
            // What is no file: the workspace, or a folder of files.
            self.files.push(LookedFor {
                agent: Some(agent.name),
                scope: "folder",
                path,
                state: State::Unusable,
            });
            self.files.len() - 1
        });
        self.diagnostics.push(Finding::of_settings(file, error));
    }

    fn add_finding(&mut self, first: usize, finding: &Noticed) {
        if let Some(file) = self.place(first, Some(&finding.path)) {
            self.diagnostics
                .push(Finding::new(file, finding.what.clone()));
        }
    }

    /// Which of the files from `first` on has this path and is no second way to another.
    fn place(&self, first: usize, path: Option<&Path>) -> Option<usize> {
        let mut files = self.files.iter().enumerate().skip(first);
        files
            .find(|(_, file)| file.path.as_deref() == path && !matches!(file.state, State::Same(_)))
            .map(|(place, _)| place)
    }

    /// The handlers of other agents that are not asked here.
    pub(crate) fn not_run(&self) -> impl Iterator<Item = &NotRun> {
        self.settings.iter().flat_map(|settings| &settings.not_run)
    }

    /// What guards calls at home beside the hooks of other agents, and is not looked at here.
    pub(crate) fn beside(&self) -> impl Iterator<Item = &Beside> {
        self.settings.iter().flat_map(|settings| &settings.beside)
    }

    /// What is doubtful about the hooks that the settings of other agents declare.
    pub(super) fn settings_doubts(&self) -> Vec<Finding> {
        let all = self.settings.iter().flat_map(|settings| {
            let hooks = settings.hooks.hooks();
            hooks.flat_map(|hook| {
                let doubts = settings.hooks.doubts(hook);
                doubts.into_iter().map(move |doubt| (hook, doubt))
            })
        });
        let findings = all.filter_map(|(hook, doubt)| {
            let file = self.place(0, Some(&hook.origin.path))?;
            let text = self.files.get(file).map_or("", LookedFor::text);
            let what = doubt.what.at(text, span(text, hook));
            let what = what.about(Subject::Part(hook.event.name.to_owned()));
            Some(Finding::new(file, what))
        });
        findings.take(MOST_FAULTS).collect()
    }

    /// What is wrong with the programs that the settings of other agents name. What a line
    /// for a shell does that is more than one program is the shell's to say.
    pub(super) fn settings_programs(&self, told: &mut HashSet<PathBuf>) -> Vec<Finding> {
        let all = self.settings.iter().flat_map(|settings| {
            let hooks = settings.hooks.hooks();
            hooks.map(|hook| (hook, settings.faults(hook)))
        });
        let mut diagnostics = Vec::new();
        for (hook, mut faults) in all {
            if diagnostics.len() >= MOST_FAULTS {
                break;
            }
            let Some(file) = self.place(0, Some(&hook.origin.path)) else {
                continue;
            };
            faults.retain(|fault| match &fault.kind {
                FaultKind::Exposed(exposure) => told.insert(exposure.path.clone()),
                FaultKind::Start(_) | _ => true,
            });
            let text = self.files.get(file).map_or("", LookedFor::text);
            let fault = |fault: &ProgramFault| {
                let what = diagnostic::fault(&fault.kind).at(text, span(text, hook));
                Finding::new(file, what.about(Subject::Part(hook.event.name.to_owned())))
            };
            diagnostics.extend(faults.iter().map(fault));
        }
        diagnostics
    }
}

/// The text of a file, and how many hooks it has.
fn text_of(path: &Path, loaded: &LoadedHooks, errors: &[DialectConfigError]) -> State {
    let broken = errors.iter().find_map(|error| {
        let DialectConfigError::Invalid {
            path: other, text, ..
        } = error
        else {
            return None;
        };
        (other == path).then_some(text)
    });
    if let Some(text) = broken {
        return State::Settings {
            text: text.clone(),
            hooks: 0,
            not_run: 0,
        };
    }
    let source = loaded.sources.iter().find(|source| source.path == path);
    State::Settings {
        text: source.map(|source| source.text.clone()).unwrap_or_default(),
        hooks: loaded
            .hooks
            .iter()
            .filter(|hook| hook.origin.path == path)
            .count(),
        not_run: loaded
            .not_run
            .iter()
            .filter(|not| not.origin.path == path)
            .count(),
    }
}

/// The line on which a hook is declared.
fn span(text: &str, hook: &LoadedHook) -> Range<usize> {
    let mut start = 0;
    let mut lines = text.split_inclusive('\n');
    for _before in 1..hook.origin.line {
        start += lines.next().map_or(0, str::len);
    }
    let line = lines.next().unwrap_or_default();
    let from = start + line.len() - line.trim_start().len();
    from..(start + line.trim_end().len()).max(from)
}
