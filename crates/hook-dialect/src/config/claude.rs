//! The settings files of Claude Code.

mod command;
mod guarding;
mod switches;

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use hook_source::{Diagnostic, Field, Kind, Node, Shown, Standing, Table, Value};

use self::{guarding::Elsewhere, switches::Switches};
use super::{
    commands::{MEANT, OTHER_WORDS},
    error::DialectConfigError,
    finding::{AtHome, Report},
    groups::{self, wrong_type},
    load::{Loading, Text},
    loaded::Variable,
    origin::Scope,
    repository,
    source::{Ground, Habits, ReadFile},
};
use crate::Dialect;

const HABITS: Habits = Habits {
    types: &["command", "http", "mcp_tool", "prompt", "agent"],
    fields: FIELDS,
    foreign: &[],
    group: groups::GROUP,
    group_may_be_empty: false,
    on_mistake: |event| on_mistake(event, AtHome::DropsHandler),
    on_group_mistake: |event| on_mistake(event, AtHome::DropsGroup),
    on_matcher: AtHome::NeverAsks,
    command: command::read,
};

/// Where a hook may guard permissions that the same file grants, a mistake costs the whole file.
fn on_mistake(event: &str, otherwise: AtHome) -> AtHome {
    if matches!(event, "PreToolUse" | "PermissionRequest") {
        AtHome::DropsFile
    } else {
        otherwise
    }
}

/// The fields of a command.
const FIELDS: Table = Table::new(&[
    Field::new("type").of(Kind::String),
    Field::new("command").of(Kind::String),
    Field::new("args").of(Kind::Array),
    Field::new("shell").of(Kind::String),
    Field::new("timeout").of(Kind::Number),
    // Of two letters, each makes another word.
    Field::new("if").of(Kind::String).exact(),
    Field::new("async").of(Kind::Boolean),
    Field::new("asyncRewake").of(Kind::Boolean),
    Field::new("once").of(Kind::Boolean),
    Field::new("onFailure").of(Kind::String),
    Field::new("statusMessage").of(Kind::String),
    // Claude Code's own, not for others to use.
    Field::new("holdsTools"),
    Field::new("rewakeMessage"),
    Field::new("rewakeSummary"),
])
.with_habits(MEANT, OTHER_WORDS);

/// Other settings whose type is known, because one that is wrong costs the whole file and the hooks in it.
const TOP: Table = Table::new(&[
    Field::new("disableAllHooks").of(Kind::Boolean),
    Field::new("env").of(Kind::Object),
    Field::new("model").of(Kind::String),
    Field::new("permissions").of(Kind::Object),
]);

/// A file of Claude Code, and what it says beside its hooks.
struct Settings {
    file: ReadFile,
    switches: Switches,
    env: Vec<Variable>,
    elsewhere: Elsewhere,
}

/// Reads every settings file there is.
pub(super) fn load(loading: &mut Loading<'_>) {
    let mut files = Vec::new();
    for place in places(loading) {
        let (scope, root) = (place.scope, place.root);
        if let Some(inside) = place.inside {
            loading.inside = inside;
        }
        let Some(text) = loading.read(Dialect::CLAUDE, scope, &place.path) else {
            continue;
        };
        let hooks_above = files.iter().any(|above: &Settings| {
            let file = &above.file;
            !file.declared.is_empty() && !scope.reaches(file.source.scope)
        });
        files.push(settings(loading, text, root.as_deref(), hooks_above));
    }
    let strict = loading.config.is_strict();
    // What came with a project does not switch the user's guards, nor the organisation's.
    let effective = |hooks: Scope| {
        let reaches = |settings: &&Settings| strict || settings.file.source.scope.reaches(hooks);
        Switches::of(
            files
                .iter()
                .filter(reaches)
                .map(|settings| &settings.switches),
        )
    };
    let effective: Vec<_> = Scope::ALL.map(|scope| (scope, effective(scope))).into();
    // What the organisation says comes last, so that it counts.
    let mut lowest_first: Vec<&Settings> = files.iter().collect();
    lowest_first.sort_by_key(|settings| settings.file.source.scope == Scope::Managed);
    for settings in lowest_first {
        loading
            .loaded
            .environment
            .extend(settings.env.iter().cloned());
    }
    let elsewhere = files
        .iter()
        .map(|settings| (settings.file.source.scope, &settings.elsewhere));
    loading.loaded.beside.extend(Elsewhere::beside(elsewhere));
    for settings in files {
        let scope = settings.file.source.scope;
        let switches = effective.iter().find(|(of, _)| *of == scope);
        loading.add(settings.file, |_declared| {
            switches.and_then(|(_, switches)| switches.why_not(scope))
        });
    }
}

/// Where settings are looked for.
struct Place {
    scope: Scope,
    path: PathBuf,
    /// What `/…` in its rules begins at.
    root: Option<PathBuf>,
    /// Where the file has to be, whatever links lead to it, for this place and those after it; nothing where that stays.
    inside: Option<PathBuf>,
}

impl Place {
    fn new(scope: Scope, path: PathBuf, root: impl Into<PathBuf>) -> Self {
        Self {
            scope,
            path,
            root: Some(root.into()),
            inside: None,
        }
    }
}

/// Where settings are looked for, in the order in which hooks are listed.
fn places(loading: &mut Loading<'_>) -> Vec<Place> {
    let (config, workspace) = (loading.config, loading.workspace);
    let mut places = Vec::new();
    if let Some(folder) = config.claude_managed_dir() {
        let managed = |path| Place::new(Scope::Managed, path, "/");
        places.push(managed(folder.join("managed-settings.json")));
        let more = loading.collect(in_order(&folder.join("managed-settings.d")));
        places.extend(more.unwrap_or_default().into_iter().map(managed));
    }
    if let Some(folder) = config.claude_dir() {
        places.push(Place::new(
            Scope::User,
            folder.join("settings.json"),
            folder,
        ));
    }
    let of_project = |scope, folder: &Path, name| {
        let path = folder.join(".claude").join(name);
        Place::new(scope, path, folder)
    };
    places.push(of_project(Scope::Project, workspace, "settings.json"));
    places.push(of_project(Scope::Local, workspace, "settings.local.json"));
    // What is the user's own in a repository counts in all of its folders.
    places.extend(repository::root_above(workspace).map(|root| Place {
        inside: Some(root.clone()),
        ..of_project(Scope::Local, &root, "settings.local.json")
    }));
    places
}

/// The JSON files of a folder, by name.
fn in_order(folder: &Path) -> Result<Vec<PathBuf>, DialectConfigError> {
    let failed = |source| DialectConfigError::Folder {
        path: folder.to_owned(),
        source,
    };
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(failed(error)),
    };
    let mut paths = Vec::new();
    for entry in entries {
        let path = entry.map_err(failed)?.path();
        let hidden = path
            .file_name()
            .is_some_and(|name| name.to_string_lossy().starts_with('.'));
        if !hidden
            && path
                .extension()
                .is_some_and(|extension| extension == "json")
        {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

/// `hooks_above`: whether a file that ranks higher has hooks.
fn settings(loading: &Loading<'_>, text: Text, root: Option<&Path>, hooks_above: bool) -> Settings {
    let Text { source, .. } = text;
    let strict = loading.config.is_strict();
    let mut report = Report::new(&source.text, &source.path, Dialect::CLAUDE, strict);
    let ground = Ground {
        dialect: Dialect::CLAUDE,
        scope: source.scope,
        path: &source.path,
        config: loading.config,
        root,
        habits: &HABITS,
    };
    let mut declared = Vec::new();
    let (mut switches, mut env) = (Switches::default(), Vec::new());
    let mut elsewhere = Elsewhere::default();
    if let Some(node) = report.json() {
        if node.members().is_none() {
            wrong_type(
                &mut report,
                &node,
                "the file",
                "an object",
                AtHome::DropsFile,
            );
        }
        look_at_top(&mut report, &node);
        switches = Switches::read(&mut report, ground, &node);
        if hooks_above && !strict {
            switches.tell_what_stays(&mut report, &node);
        }
        env = variables(&mut report, ground, &node);
        elsewhere = Elsewhere::read(&node, |node| ground.origin(report.line(node.span.start)));
        if let Some(hooks) = node.get("hooks") {
            declared = groups::read(&mut report, ground, hooks, &[]);
        }
    }
    let dropped = report.drops_file();
    let findings = report.finish();
    if dropped.is_some() && source.scope != Scope::Managed {
        // What is not used at home has no say there either; of the organisation's files only the hooks are lost.
        switches = Switches::default();
        elsewhere = Elsewhere::default();
        env.clear();
    }
    Settings {
        file: ReadFile {
            source,
            declared,
            findings,
            dropped,
        },
        switches,
        env,
        elsewhere,
    }
}

fn look_at_top(report: &mut Report<'_>, settings: &Node) {
    TOP.read(settings, |found| {
        if groups::look_beside(report, Dialect::CLAUDE, found.member) {
            return;
        }
        if let Standing::OfAnotherKind(name, wanted) = found.standing {
            let node = &found.member.node;
            wrong_type(report, node, name, wanted, AtHome::DropsFile);
        }
    });
}

/// The variables that hooks are given.
fn variables(report: &mut Report<'_>, ground: Ground<'_>, settings: &Node) -> Vec<Variable> {
    let env = settings.get("env").and_then(Node::members);
    let mut variables = Vec::new();
    for member in env.unwrap_or_default() {
        let value = match &member.node.value {
            Value::Text(text) | Value::Number(text) => text.clone(),
            Value::Bool(flag) => flag.to_string(),
            Value::Null | Value::List(_) | Value::Table(_) | Value::Time | _ => {
                let field = format!("env.{}", member.name);
                wrong_type(report, &member.node, &field, "a string", AtHome::DropsFile);
                continue;
            }
        };
        if member.name.is_empty() || member.name.contains(['=', '\0']) || value.contains('\0') {
            let name = Shown(&member.name);
            let message = format!("`{name}` is no variable that a process can be given");
            let told = Diagnostic::error("no_variable", message)
                .with_help("write a name without `=`, and a value without NUL characters");
            report.add(&member.span, told, AtHome::Nothing);
            continue;
        }
        let origin = ground.origin(report.line(member.span.start));
        variables.push(Variable {
            dialect: ground.dialect.name,
            name: member.name.clone(),
            value,
            origin,
        });
    }
    variables
}
