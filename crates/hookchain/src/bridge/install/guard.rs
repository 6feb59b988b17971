//! What guards an agent, as the agent itself reads its settings.

use std::path::Path;

use hook_dialect::{
    bridge::Bridge,
    config::{
        Background, DialectConfig, DialectConfigError, LoadedHook, LoadedHooks, Origin, Scope,
        WhyNotRun, load,
    },
};
use serde::Serialize;

use super::{
    entry::{Entry, events, is_alike},
    known::Known,
    place::Syntax,
    reading::Reading,
    record::Record,
};
use crate::bridge::args::SettingsScope;

/// What guards each event.
#[derive(Debug)]
pub(super) struct Guard {
    pub(super) events: Vec<EventGuard>,
}

/// What guards one event.
#[derive(Debug)]
pub(super) struct EventGuard {
    pub(super) event: &'static str,
    /// Where the bridge is declared and run, for every tool.
    pub(super) by: Vec<Origin>,
    /// Where it is declared and not run, or for some tools alone.
    pub(super) not: Vec<Missed>,
}

/// An entry that does not guard.
#[derive(Debug)]
pub(super) struct Missed {
    pub(super) origin: Origin,
    pub(super) why: Why,
}

/// Why not.
#[derive(Debug)]
pub(super) enum Why {
    NotRun(WhyNotRun),
    SomeTools(String),
    InBackground,
    /// It has words of the bridge, and is not what this program writes.
    Alike,
}

impl Why {
    pub(super) fn text(&self) -> String {
        match self {
            Self::NotRun(why) => why.to_string(),
            Self::SomeTools(pattern) => {
                format!("its matcher `{pattern}` leaves other tools out; take the matcher away")
            }
            Self::Alike => "it is not written as `hookchain bridge install` writes it, so that what it does is not known and it was \
                            left alone; remove it, and install the bridge"
                .into(),
            Self::InBackground => "in the background it decides nothing; take `async` away".into(),
        }
    }
}

impl Guard {
    /// Reads the agent's settings.
    pub(super) fn look(
        bridge: &'static Bridge,
        workspace: &Path,
    ) -> Result<Self, DialectConfigError> {
        let config = DialectConfig::default().with_dialects([bridge.dialect]);
        let loaded = load(workspace, &config)?;
        let entries = Entries::of(bridge, &loaded);
        let events = events(bridge).map(|event| at(bridge, &loaded, &entries, event));
        Ok(Self {
            events: events.collect(),
        })
    }

    /// Whether every tool call is put to the chain.
    pub(super) fn everything(&self) -> bool {
        self.events.iter().all(|event| !event.by.is_empty())
    }

    /// Whether it is so by the settings of this scope.
    pub(super) fn of_scope(&self, scope: SettingsScope) -> bool {
        let scope = match scope {
            SettingsScope::User => Scope::User,
            SettingsScope::Project => Scope::Project,
        };
        let by = |event: &EventGuard| event.by.iter().any(|origin| origin.scope == scope);
        self.events.iter().all(by)
    }

    /// Why entries are not run.
    pub(super) fn refused(&self) -> impl Iterator<Item = &WhyNotRun> {
        let missed = self.events.iter().flat_map(|event| &event.not);
        missed.filter_map(|missed| match &missed.why {
            Why::NotRun(why) => Some(why),
            Why::SomeTools(_) | Why::InBackground | Why::Alike => None,
        })
    }

    /// Whether nothing but somebody's trust is missing somewhere.
    pub(super) fn waits_for_trust(&self) -> bool {
        self.refused().any(|why| {
            matches!(
                why,
                WhyNotRun::NotTrusted { .. } | WhyNotRun::ChangedSinceTrusted { .. }
            )
        })
    }

    /// For a program.
    pub(super) fn json(&self, bridge: &Bridge) -> String {
        let events = self.events.iter().map(|event| EventJson {
            event: event.event,
            guarded: !event.by.is_empty(),
            by: event.by.iter().map(|origin| entry(origin, None)).collect(),
            not: event
                .not
                .iter()
                .map(|missed| entry(&missed.origin, Some(missed.why.text())))
                .collect(),
        });
        let status = StatusJson {
            agent: bridge.dialect.name,
            guarded: self.everything(),
            events: events.collect(),
        };
        // Texts and numbers: there is nothing that could not be written.
        let mut text = serde_json::to_string(&status).unwrap_or_default();
        text.push('\n');
        text
    }
}

/// The entries in each of the agent's files.
struct Entries<'a>(Vec<(Scope, &'a Path, Reading)>);

impl<'a> Entries<'a> {
    fn of(bridge: &'static Bridge, loaded: &'a LoadedHooks) -> Self {
        let sources = loaded.sources.iter();
        let read = sources.filter_map(|source| {
            let toml = source.path.extension().is_some_and(|end| end == "toml");
            let syntax = if toml { Syntax::Toml } else { Syntax::Json };
            let real = source.path.canonicalize().ok()?;
            let known = Known::with(Record::of(&real).programs);
            let reading = Reading::of(bridge, &known, syntax, &source.text)?;
            Some((source.scope, source.path.as_path(), reading))
        });
        Self(read.collect())
    }

    /// The entries at an event in the file of a hook.
    fn at(&self, origin: &Origin, event: &str) -> impl Iterator<Item = &Entry> {
        let files = self.0.iter();
        let file = files.filter(|(scope, path, _)| *scope == origin.scope && *path == origin.path);
        let ours = file.flat_map(|(_, _, reading)| &reading.ours);
        ours.filter(move |ours| ours.spot.event == event)
            .map(|ours| &ours.entry)
    }
}

fn at(
    bridge: &Bridge,
    loaded: &LoadedHooks,
    entries: &Entries<'_>,
    event: &'static str,
) -> EventGuard {
    let mut guard = EventGuard {
        event,
        by: Vec::new(),
        not: Vec::new(),
    };
    for hook in loaded.at(bridge.dialect, event) {
        let mut entries = entries.at(&hook.origin, event);
        let origin = hook.origin.clone();
        if asks_about_all(hook) && entries.any(|entry| is_entry(hook, entry)) {
            guard.by.push(origin);
        } else if is_alike(&hook.handler.command.shown()) {
            let why = why_not(hook);
            guard.not.push(Missed { origin, why });
        }
    }
    for hook in &loaded.not_run {
        if hook.event == event && is_alike(&hook.shown) {
            guard.not.push(Missed {
                origin: hook.origin.clone(),
                why: Why::NotRun(hook.why.clone()),
            });
        }
    }
    guard
}

fn asks_about_all(hook: &LoadedHook) -> bool {
    let waits = hook.handler.background == Background::Never;
    waits && hook.pattern.is_none() && hook.handler.rule.is_none()
}

/// Whether what is run is what the entry says.
fn is_entry(hook: &LoadedHook, entry: &Entry) -> bool {
    hook.handler.command == entry.command() && hook.handler.timeout == entry.timeout()
}

/// Why a hook with words of the bridge is none.
fn why_not(hook: &LoadedHook) -> Why {
    if hook.handler.background != Background::Never {
        return Why::InBackground;
    }
    match &hook.pattern {
        Some(pattern) if !["", "*"].contains(&pattern.as_str()) => Why::SomeTools(pattern.clone()),
        _ => Why::Alike,
    }
}

#[derive(Serialize)]
struct StatusJson {
    agent: &'static str,
    guarded: bool,
    events: Vec<EventJson>,
}

#[derive(Serialize)]
struct EventJson {
    event: &'static str,
    guarded: bool,
    by: Vec<EntryJson>,
    not: Vec<EntryJson>,
}

#[derive(Serialize)]
struct EntryJson {
    scope: &'static str,
    file: String,
    line: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
}

fn entry(origin: &Origin, why: Option<String>) -> EntryJson {
    EntryJson {
        scope: origin.scope.as_str(),
        file: origin.path.display().to_string(),
        line: origin.line,
        why,
    }
}
