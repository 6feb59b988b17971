//! The hooks of Codex: `hooks.json` and `config.toml`, layer by layer.

mod command;
mod gates;
mod trust;

use std::path::{Path, PathBuf};

use hook_contract::shown;
use hook_source::{Diagnostic, Field, Kind, Node, Shown, Standing, Table};

use self::{
    gates::Gates,
    trust::{Key, State},
};
use super::{
    beside::{Beside, Guarding},
    commands::{MEANT, OTHER_WORDS},
    finding::{self, AtHome, Report},
    groups::{self, Declared, What, wrong_type},
    load::{Loading, Text, absolute},
    not_run::WhyNotRun,
    origin::Scope,
    repository,
    source::{DialectSource, Ground, Habits, ReadFile},
};
use crate::Dialect;

const JSON: Habits = Habits {
    types: &["command", "mcp_tool", "prompt", "agent"],
    fields: FIELDS,
    foreign: &["args", "asyncRewake", "if", "onFailure", "once", "shell"],
    group: groups::NULLABLE_GROUP,
    group_may_be_empty: true,
    on_mistake: |_event| AtHome::DropsFile,
    on_group_mistake: |_event| AtHome::DropsFile,
    on_matcher: AtHome::DropsGroup,
    command: command::read,
};

/// The fields of a command.
const FIELDS: Table = Table::new(&[
    Field::new("type").of(Kind::String).nullable(),
    Field::new("command").of(Kind::String).nullable(),
    Field::new("commandWindows").of(Kind::String).nullable(),
    Field::new("command_windows").of(Kind::String).nullable(),
    Field::new("timeout").of(Kind::Number).nullable(),
    Field::new("async").of(Kind::Boolean),
    Field::new("statusMessage").of(Kind::String).nullable(),
    Field::new("additionalContextLimit")
        .of(Kind::Number)
        .nullable(),
])
.with_habits(MEANT, OTHER_WORDS);

/// The fields of the root of `hooks.json`, which may hold nothing else.
const ROOT: Table = Table::new(&[
    Field::new("hooks"),
    Field::new("description").of(Kind::String).nullable(),
]);

/// In TOML, a mistake keeps Codex from starting.
const TOML: Habits = Habits {
    on_mistake: |_event| AtHome::Refuses,
    on_group_mistake: |_event| AtHome::Refuses,
    ..JSON
};

/// What the organisation requires must be right in everything.
const REQUIREMENTS: Habits = Habits {
    on_matcher: AtHome::Refuses,
    ..TOML
};

/// Fields of the table `hooks` that are no events.
const NO_EVENTS: &[&str] = &["state", "managed_dir", "windows_managed_dir"];

/// A file of Codex, and what it holds.
struct Layer {
    file: ReadFile,
    node: Option<Node>,
}

/// A folder that may hold the two files.
struct Folder {
    path: PathBuf,
    scope: Scope,
}

/// Reads every file there is.
pub(super) fn load(loading: &mut Loading<'_>) {
    let config = loading.config;
    let mut layers = Vec::new();
    if let Some(folder) = config.codex_system_dir() {
        layers.extend(toml(
            loading,
            &folder.join("requirements.toml"),
            Scope::Managed,
            false,
        ));
        layers.extend(both(loading, folder, Scope::System, false));
    }
    let mut user = None;
    if let Some(folder) = config.codex_home() {
        let read = both(loading, folder, Scope::User, false);
        let settings = read.iter().find(|layer| is_toml(&layer.file.source));
        user = settings.and_then(|layer| layer.node.clone());
        layers.extend(read);
    }
    let (root, folders) = project(loading.workspace);
    let trusted = trust::is_project_trusted(user.as_ref(), loading.workspace, &root);
    root.clone_into(&mut loading.inside);
    for folder in folders {
        layers.extend(both(loading, &folder.path, folder.scope, !trusted));
    }
    let state = State::read(user.as_ref());
    let heard = |layer: &&Layer| layer.file.source.scope != Scope::Project || trusted;
    let settings = layers
        .iter()
        .filter(heard)
        .filter(|layer| is_toml(&layer.file.source));
    let gates = Gates::of(settings.filter_map(|layer| {
        let node = layer.node.as_ref()?;
        Some((&layer.file.source, node))
    }));
    let project = absolute(&root).display().to_string();
    for layer in layers {
        let Layer { file, node } = layer;
        let source = file.source.clone();
        loading.add(file, |declared| {
            gates
                .why_not(source.scope)
                .or_else(|| {
                    let untrusted = source.scope == Scope::Project && !trusted;
                    untrusted.then(|| WhyNotRun::ProjectNotTrusted {
                        project: project.clone(),
                    })
                })
                .or_else(|| {
                    why_not_trusted(
                        config.trusts_every_hook(),
                        &state,
                        &source,
                        node.as_ref(),
                        declared,
                    )
                })
        });
    }
}

fn why_not_trusted(
    trusts_every_hook: bool,
    state: &State,
    source: &DialectSource,
    node: Option<&Node>,
    declared: &Declared,
) -> Option<WhyNotRun> {
    let What::Runs(event, handler) = &declared.what else {
        return None;
    };
    if matches!(source.scope, Scope::Managed | Scope::System) {
        return None;
    }
    let key = Key::new(&source.path, event.name, declared.place);
    let written = written(node?, declared)?;
    let is_async = written
        .get("async")
        .and_then(Node::flag)
        .unwrap_or_default();
    let hash = trust::hash(event, declared.pattern.as_deref(), handler, is_async);
    state.why_not(&key, hash, trusts_every_hook)
}

/// The handler, as it is written.
fn written<'n>(node: &'n Node, declared: &Declared) -> Option<&'n Node> {
    let (group, index) = declared.place;
    let groups = node.get("hooks")?.get(&declared.event)?.list()?;
    groups.get(group)?.get("hooks")?.list()?.get(index)
}

/// The root of the project, and the folders of Codex from there down to the workspace.
fn project(workspace: &Path) -> (PathBuf, Vec<Folder>) {
    let workspace = absolute(workspace);
    let root = repository::root(&workspace).unwrap_or_else(|| workspace.clone());
    let mut folders: Vec<Folder> = workspace
        .ancestors()
        .take_while(|folder| folder.starts_with(&root))
        .map(|folder| Folder {
            path: folder.join(".codex"),
            scope: Scope::Project,
        })
        .collect();
    folders.reverse();
    (root, folders)
}

fn is_toml(source: &DialectSource) -> bool {
    source
        .path
        .extension()
        .is_some_and(|extension| extension == "toml")
}

/// The two files of one folder.
fn both(loading: &mut Loading<'_>, folder: &Path, scope: Scope, lenient: bool) -> Vec<Layer> {
    let hooks = folder.join("hooks.json");
    let json = json(loading, &hooks, scope, lenient);
    let mut toml = toml(loading, &folder.join("config.toml"), scope, lenient);
    if let (Some(json), Some(toml)) = (&json, &mut toml)
        && !json.file.declared.is_empty()
        && !toml.file.declared.is_empty()
    {
        let table = toml.node.as_ref().and_then(|node| node.member("hooks"));
        let span = table.map_or(0..0, |member| member.span.clone());
        let source = &toml.file.source;
        let mut report = Report::new(&source.text, &source.path, Dialect::CODEX, lenient);
        let other = shown::line(&hooks.to_string_lossy());
        let message = format!("hooks stand here and in {other}; both are used");
        let told = finding::odd("two_files", &message, "keep them in one of the two");
        report.add(&span, told, AtHome::Nothing);
        let told = report.finish();
        toml.file.findings.extend(told);
    }
    json.into_iter().chain(toml).collect()
}

fn json(loading: &mut Loading<'_>, path: &Path, scope: Scope, lenient: bool) -> Option<Layer> {
    let text = loading.read(Dialect::CODEX, scope, path)?;
    let has_mark = text.has_mark;
    Some(read(loading, text, &JSON, lenient, |report, ground| {
        if has_mark {
            report.add(&(0..0), finding::byte_order_mark(), AtHome::DropsFile);
        }
        let node = report.json()?;
        let declared = if node.members().is_some() {
            look_at_root(report, &node);
            hooks(report, ground, &node, &[])
        } else {
            wrong_type(report, &node, "the file", "an object", AtHome::DropsFile);
            Vec::new()
        };
        Some((node, declared))
    }))
}

/// Tells of what may not stand at the root.
fn look_at_root(report: &mut Report<'_>, root: &Node) {
    ROOT.read(root, |found| {
        let (member, at_home) = (found.member, AtHome::DropsFile);
        let told = match found.standing {
            Standing::Known(_) => return,
            Standing::OfAnotherKind(name, wanted) => {
                wrong_type(report, &member.node, name, wanted, at_home);
                return;
            }
            Standing::NotUnicode(_)
            | Standing::Meant(_)
            | Standing::Note
            | Standing::Unknown
            | _ => forbidden(&member.name),
        };
        report.add(&member.span, told, at_home);
    });
}

fn forbidden(field: &str) -> Diagnostic {
    if let Some(row) = Dialect::CODEX.event(field) {
        return finding::misplaced_event(row.name);
    }
    let message = format!("the field `{}` may not stand here", Shown(field));
    Diagnostic::error("forbidden_field", message)
        .with_help("remove it; the file may hold `hooks` and `description` alone")
}

fn toml(loading: &mut Loading<'_>, path: &Path, scope: Scope, lenient: bool) -> Option<Layer> {
    let text = loading.read(Dialect::CODEX, scope, path)?;
    let habits = if scope == Scope::Managed {
        &REQUIREMENTS
    } else {
        &TOML
    };
    let mut plugins = None;
    let layer = read(loading, text, habits, lenient, |report, ground| {
        let node = report.toml()?;
        plugins = enabled_plugins(report, ground, &node);
        for member in node.members().unwrap_or_default() {
            groups::look_beside(report, Dialect::CODEX, member);
        }
        trust::look(report, ground.scope, &node);
        let declared = hooks(report, ground, &node, NO_EVENTS);
        Some((node, declared))
    });
    loading.loaded.beside.extend(plugins);
    Some(layer)
}

/// The plugins that a file of the user's or of the system enables: `[plugins."name"]`.
fn enabled_plugins(report: &Report<'_>, ground: Ground<'_>, node: &Node) -> Option<Beside> {
    if ground.scope == Scope::Project {
        return None;
    }
    let member = node.member("plugins")?;
    let is_on = |plugin: &Node| plugin.get("enabled").and_then(Node::flag) != Some(false);
    let plugins = member.node.members()?.iter();
    let names = plugins.filter(|plugin| plugin.node.members().is_some() && is_on(&plugin.node));
    let names: Vec<String> = names.map(|plugin| plugin.name.clone()).collect();
    (!names.is_empty()).then(|| Beside {
        dialect: Dialect::CODEX.name,
        origin: ground.origin(report.line(member.span.start)),
        what: Guarding::Plugins(names),
    })
}

fn hooks(report: &mut Report<'_>, ground: Ground<'_>, node: &Node, skip: &[&str]) -> Vec<Declared> {
    let hooks = node.get("hooks");
    let mut declared = hooks
        .map(|hooks| groups::read(report, ground, hooks, skip))
        .unwrap_or_default();
    // Codex goes through the events in an order of its own.
    let place = |event: &str| {
        ground
            .dialect
            .events
            .iter()
            .position(|row| row.name == event)
    };
    declared.sort_by_key(|declared| place(&declared.event).unwrap_or(usize::MAX));
    declared
}

fn read(
    loading: &Loading<'_>,
    text: Text,
    habits: &'static Habits,
    lenient: bool,
    read: impl FnOnce(&mut Report<'_>, Ground<'_>) -> Option<(Node, Vec<Declared>)>,
) -> Layer {
    let Text { source, .. } = text;
    let lenient = lenient || loading.config.is_strict();
    let mut report = Report::new(&source.text, &source.path, Dialect::CODEX, lenient);
    let ground = Ground {
        dialect: Dialect::CODEX,
        scope: source.scope,
        path: &source.path,
        config: loading.config,
        root: None,
        habits,
    };
    let (node, declared) = read(&mut report, ground).unzip();
    let dropped = report.drops_file();
    let findings = report.finish();
    Layer {
        file: ReadFile {
            source,
            declared: declared.unwrap_or_default(),
            findings,
            dropped,
        },
        node,
    }
}
