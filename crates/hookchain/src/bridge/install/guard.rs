//! What guards an agent, as the agent itself reads its settings.

use std::path::{Path, PathBuf};

use hook_dialect::{
    Dialect,
    bridge::Bridge,
    config::{DialectConfig, DialectConfigError, LoadedHooks, Origin, Scope, WhyNotRun, load},
};
use serde::Serialize;

use super::{
    entry::{events, is_bridge},
    place::{Place, Syntax},
};
use crate::bridge::args::SettingsScope;

/// What guards each event.
#[derive(Debug)]
pub(super) struct Guard {
    pub(super) events: Vec<EventGuard>,
    trust: Option<(&'static Bridge, PathBuf)>,
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
}

impl Why {
    pub(super) fn text(&self) -> String {
        match self {
            Self::NotRun(why) => why.to_string(),
            Self::SomeTools(pattern) => {
                format!("its matcher `{pattern}` leaves other tools out; take the matcher away")
            }
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
        let trusting = bridge.dialect.name == Dialect::CODEX.name;
        let trust = config.codex_home().filter(|_| trusting);
        Ok(Self {
            events: events(bridge)
                .map(|event| at(bridge, &loaded, event))
                .collect(),
            trust: trust.map(|home| (bridge, home.join("config.toml"))),
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
            Why::SomeTools(_) | Why::InBackground => None,
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

    /// The file in which trust is kept.
    pub(super) fn trust_place(&self) -> Option<Place> {
        let (bridge, path) = self.trust.as_ref()?;
        Some(Place {
            bridge,
            path: path.clone(),
            format: Syntax::Toml,
            trust: Some(path.clone()),
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

fn at(bridge: &Bridge, loaded: &LoadedHooks, event: &'static str) -> EventGuard {
    let mut guard = EventGuard {
        event,
        by: Vec::new(),
        not: Vec::new(),
    };
    for hook in loaded.at(bridge.dialect, event) {
        if !is_bridge(bridge, &hook.handler.command.shown()) {
            continue;
        }
        let pattern = hook.pattern.clone().unwrap_or_default();
        let origin = hook.origin.clone();
        let background = hook.handler.background != hook_dialect::config::Background::Never;
        let some = !["", "*"].contains(&pattern.as_str()) || hook.handler.rule.is_some();
        let why = match (background, some) {
            (true, _) => Why::InBackground,
            (false, true) => Why::SomeTools(pattern),
            (false, false) => {
                guard.by.push(origin);
                continue;
            }
        };
        guard.not.push(Missed { origin, why });
    }
    for hook in &loaded.not_run {
        if hook.event == event && is_bridge(bridge, &hook.shown) {
            guard.not.push(Missed {
                origin: hook.origin.clone(),
                why: Why::NotRun(hook.why.clone()),
            });
        }
    }
    guard
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
