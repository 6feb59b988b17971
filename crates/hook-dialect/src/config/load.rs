//! Reading everything that the agents would read.

use std::{
    collections::HashMap,
    fs, io,
    path::{Path, PathBuf},
};

use hook_source::{FileId, FileReader, FileText, Severity};

use super::{
    claude, codex,
    error::DialectConfigError,
    examined::{Examined, LookedFor, Place},
    groups::{Declared, What},
    loaded::{LoadedHook, LoadedHooks},
    not_run::{NotRun, WhyNotRun},
    origin::{Origin, Scope},
    settings::DialectConfig,
    source::{DialectSource, ReadFile},
};
use crate::Dialect;

/// How a settings file is read.
const READER: FileReader = FileReader::new("a hooks file");

/// Every hook that the agents' files declare, in configured order, and the handlers that are not asked.
///
/// Only files are looked at; nothing is started, and whether programs exist is not looked at.
///
/// ```
/// use hook_dialect::config::{DialectConfig, load};
///
/// let workspace = tempfile::tempdir()?;
/// std::fs::create_dir(workspace.path().join(".claude"))?;
/// std::fs::write(
///     workspace.path().join(".claude/settings.json"),
///     r#"{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [
///         {"type": "command", "command": "./guard.sh", "timeout": 3},
///         {"type": "prompt", "prompt": "Is $ARGUMENTS safe?"}
///     ]}]}}"#,
/// )?;
///
/// let loaded = load(workspace.path(), &DialectConfig::new())?;
/// assert_eq!(loaded.hooks[0].handler.command.shown(), "./guard.sh");
/// assert_eq!(
///     loaded.not_run[0].why.to_string(),
///     "handlers of type `prompt` need the agent itself; only commands are run here",
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// When anything about any file is wrong; everything is told at once. An error must never be taken for "no hooks".
pub fn load(workspace: &Path, config: &DialectConfig) -> Result<LoadedHooks, DialectConfigError> {
    let Examined { loaded, errors, .. } = examine(workspace, config);
    DialectConfigError::of(errors).map_or(Ok(loaded), Err)
}

/// The same for whoever shows everything that is wrong, and where files were looked for: what could be read, beside what
/// could not.
///
/// Where there is an error, the hooks are not all there are, and nobody may be asked in their stead.
///
/// ```
/// use hook_dialect::{Dialect, config::{DialectConfig, Place, examine}};
///
/// let workspace = tempfile::tempdir()?;
/// let examined = examine(workspace.path(), &DialectConfig::new().with_dialects([Dialect::CLAUDE]));
/// assert!(examined.errors.is_empty());
/// assert!(examined.looked_for[0].path.ends_with(".claude/settings.json"));
/// assert_eq!(examined.looked_for[0].place, Place::Absent);
/// # Ok::<(), std::io::Error>(())
/// ```
#[must_use]
pub fn examine(workspace: &Path, config: &DialectConfig) -> Examined {
    let mut loading = Loading {
        workspace,
        config,
        loaded: LoadedHooks::default(),
        inside: workspace.to_owned(),
        errors: Vec::new(),
        looked_for: Vec::new(),
        seen: Vec::new(),
    };
    loading.look_at_workspace();
    for dialect in config.dialects() {
        loading.seen.clear();
        workspace.clone_into(&mut loading.inside);
        loading.errors.extend(config.fault(dialect));
        if let Some(agent) = Agent::of(dialect) {
            (agent.load)(&mut loading);
        }
    }
    loading.finish()
}

/// How an agent's files are read.
struct Agent {
    dialect: &'static Dialect,
    load: fn(&mut Loading<'_>),
    /// Whether it starts equal hooks of one event once.
    starts_equals_once: bool,
}

const AGENTS: [Agent; 2] = [
    Agent {
        dialect: Dialect::CLAUDE,
        load: claude::load,
        starts_equals_once: true,
    },
    Agent {
        dialect: Dialect::CODEX,
        load: codex::load,
        starts_equals_once: false,
    },
];

impl Agent {
    fn of(dialect: &Dialect) -> Option<&'static Self> {
        AGENTS
            .iter()
            .find(|agent| agent.dialect.name == dialect.name)
    }
}

/// What has been read so far.
pub(super) struct Loading<'a> {
    pub(super) workspace: &'a Path,
    pub(super) config: &'a DialectConfig,
    pub(super) loaded: LoadedHooks,
    /// Where the files of the project have to be, whatever links lead to them.
    pub(super) inside: PathBuf,
    errors: Vec<DialectConfigError>,
    looked_for: Vec<LookedFor>,
    /// The files that this agent's paths have led to.
    seen: Vec<(FileId, PathBuf)>,
}

/// A file that was read.
pub(super) struct Text {
    pub(super) source: DialectSource,
    /// Whether a byte order mark stood in front.
    pub(super) has_mark: bool,
}

impl Loading<'_> {
    fn look_at_workspace(&mut self) {
        let source = match fs::metadata(self.workspace) {
            Ok(metadata) if metadata.is_dir() => return,
            Ok(_no_directory) => io::ErrorKind::NotADirectory.into(),
            Err(error) => error,
        };
        let path = self.workspace.to_owned();
        self.errors
            .push(DialectConfigError::Workspace { path, source });
    }

    /// The text of a file; nothing when there is none, when it was read already, or when it cannot be read.
    pub(super) fn read(
        &mut self,
        dialect: &'static Dialect,
        scope: Scope,
        path: &Path,
    ) -> Option<Text> {
        let reader = match scope {
            // What is read is shown to people and to models, and the workspace could link to anything.
            Scope::Project | Scope::Local => READER.within(&self.inside),
            Scope::User | Scope::System | Scope::Managed => READER,
        };
        let read = reader.read(path).map_err(DialectConfigError::Unreadable);
        let place = match &read {
            Ok(None) => Place::Absent,
            Ok(Some(file)) => match self.seen.iter().find(|(id, _)| *id == file.id) {
                Some((_, first)) => Place::Same(first.clone()),
                None => Place::Read,
            },
            Err(_unreadable) => Place::Unusable,
        };
        let is_new = place == Place::Read;
        self.looked_for.push(LookedFor {
            dialect: dialect.name,
            scope,
            path: path.to_owned(),
            place,
        });
        let read = self.collect(read).flatten().filter(|_| is_new)?;
        let FileText {
            text, has_mark, id, ..
        } = read;
        self.seen.push((id, path.to_owned()));
        let source = DialectSource {
            dialect: dialect.name,
            scope,
            path: path.to_owned(),
            text,
        };
        Some(Text { source, has_mark })
    }

    /// The value, or nothing and one more error.
    pub(super) fn collect<T>(&mut self, result: Result<T, DialectConfigError>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(error) => {
                self.errors.push(error);
                None
            }
        }
    }

    /// Takes over what a file says; `why_not` says why a command that could be asked is not.
    pub(super) fn add(&mut self, file: ReadFile, why_not: impl Fn(&Declared) -> Option<WhyNotRun>) {
        let ReadFile {
            source,
            declared,
            findings,
            dropped,
        } = file;
        if findings
            .iter()
            .any(|finding| finding.what.severity == Severity::Error)
        {
            self.errors.push(DialectConfigError::Invalid {
                path: source.path,
                text: source.text,
                findings,
            });
            return;
        }
        let Some(dialect) = Dialect::named(source.dialect) else {
            return;
        };
        for declared in declared {
            let origin = Origin::new(source.scope, source.path.clone(), declared.line);
            let home = dropped.clone().map(|what| WhyNotRun::DroppedAtHome {
                agent: dialect.title,
                what,
            });
            let switched = home.or_else(|| match declared.what {
                What::DoesNotRun(_) => None,
                What::Runs(..) => why_not(&declared),
            });
            self.add_one(dialect, declared, origin, switched);
        }
        self.loaded.findings.extend(findings);
        self.loaded.sources.push(source);
    }

    fn add_one(
        &mut self,
        dialect: &'static Dialect,
        declared: Declared,
        origin: Origin,
        why_not: Option<WhyNotRun>,
    ) {
        let why = match (why_not, declared.what) {
            (None, What::Runs(event, handler)) => {
                let hook = LoadedHook::new(dialect, event, declared.pattern, *handler, origin);
                self.loaded.hooks.push(hook);
                return;
            }
            (Some(why), _) | (None, What::DoesNotRun(why)) => why,
        };
        self.loaded.not_run.push(NotRun {
            dialect: dialect.name,
            event: declared.event,
            matcher: declared.pattern,
            handler_type: declared.handler_type,
            shown: declared.shown,
            origin,
            why,
        });
    }

    fn finish(self) -> Examined {
        let mut loaded = self.loaded;
        number(&mut loaded.hooks);
        Examined {
            loaded,
            errors: self.errors,
            looked_for: self.looked_for,
        }
    }
}

/// Gives each hook its place, and the same number to those that their agent starts once.
fn number(hooks: &mut [LoadedHook]) {
    let mut first = HashMap::new();
    let numbers: Vec<usize> = hooks
        .iter()
        .enumerate()
        .map(|(order, hook)| {
            let once = Agent::of(hook.dialect).is_some_and(|agent| agent.starts_equals_once);
            if once {
                *first.entry(hook.likeness()).or_insert(order)
            } else {
                order
            }
        })
        .collect();
    drop(first);
    for ((order, hook), same) in hooks.iter_mut().enumerate().zip(numbers) {
        hook.order = order;
        hook.same = same;
    }
}

/// A path as it is, from the root; a file of that name need not exist.
pub(super) fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_no_working_directory| path.to_owned())
}
