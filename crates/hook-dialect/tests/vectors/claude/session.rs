//! A session of Claude Code, as far as hooks are concerned: what is asked when, and what follows from the answers.

use std::{
    collections::HashSet,
    ffi::OsString,
    path::{Path, PathBuf},
};

use hook_dialect::{
    Dialect, Fact, Facts, MergedOutcome, Verdict,
    config::{DialectConfig, load},
    run::DialectHooks,
};
use serde_json::{Value, json};

use super::{
    permissions::{Rules, user_settings},
    place::place,
};
use crate::{
    machine::{Machine, ending, read},
    played::Played,
};

/// Whether the turn goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flow {
    GoesOn,
    Ends,
}

pub(crate) struct Session {
    pub(super) row: Value,
    strict: bool,
    pub(super) machine: Machine,
    /// Where the session began.
    pub(super) repo: PathBuf,
    /// Where it is.
    pub(super) cwd: PathBuf,
    hooks: DialectHooks,
    /// Hooks of settings that have been changed since.
    former: Vec<DialectHooks>,
    seen: Vec<Option<String>>,
    environment: Vec<(OsString, OsString)>,
    pub(super) rules: Rules,
    pub(super) exports: Vec<String>,
    pub(super) logged: usize,
    prompted: bool,
    pub(super) in_subagent: bool,
    pub(super) played: Played,
}

impl Session {
    /// A session of a row, with its files in place.
    pub(crate) fn new(row: Value, strict: bool) -> Self {
        let machine = Machine::new();
        let repo = place(&row, &machine, &user_settings(&row));
        let played = Played {
            places: vec![
                ("/repo", machine.text_of("repo")),
                ("/home/user", machine.text_of("home")),
            ],
            ..Played::default()
        };
        let mut session = Self {
            hooks: DialectHooks::builder(Dialect::CLAUDE, &repo).build(),
            cwd: repo.clone(),
            row,
            strict,
            machine,
            repo,
            former: Vec::new(),
            seen: Vec::new(),
            environment: Vec::new(),
            rules: Rules::default(),
            exports: Vec::new(),
            logged: 0,
            prompted: false,
            in_subagent: false,
            played,
        };
        session.look_at_settings();
        session
    }

    /// Reads the settings again when they have changed.
    fn look_at_settings(&mut self) {
        let folder = self.repo.join(".claude");
        let user = self.machine.at("home/.claude");
        let files = [
            user.join("settings.json"),
            folder.join("settings.json"),
            folder.join("settings.local.json"),
        ];
        let texts: Vec<_> = files.iter().map(|file| read(file)).collect();
        if texts == self.seen {
            return;
        }
        let config = DialectConfig::new()
            .with_dialects([Dialect::CLAUDE])
            .with_claude_dir(user)
            .with_home(self.machine.at("home"))
            .with_strict(self.strict);
        let loaded = match load(&self.repo, &config) {
            Ok(loaded) => loaded,
            Err(error) => {
                self.played.invalid = Some(error.to_string());
                return;
            }
        };
        let dropped: HashSet<&Path> = loaded
            .findings
            .iter()
            .filter(|finding| {
                let mut notes = finding.what.notes.iter();
                notes.any(|note| note.ends_with(" uses nothing of the file"))
            })
            .map(|finding| finding.path.as_path())
            .collect();
        self.rules = Rules::default();
        for (file, text) in files.iter().zip(&texts) {
            let settings = text
                .as_deref()
                .and_then(|text| serde_json::from_str(text).ok());
            if let Some(settings) = settings.filter(|_| !dropped.contains(file.as_path())) {
                self.rules.add(&settings);
            }
        }
        self.environment = loaded
            .environment
            .iter()
            .map(|variable| ((&variable.name).into(), (&variable.value).into()))
            .collect();
        let variables = self.variables();
        let builder = DialectHooks::builder(Dialect::CLAUDE, &self.repo)
            .with_loaded(&loaded)
            .with_strict(self.strict)
            .with_long_texts_in(self.machine.at("rec"));
        let builder = variables
            .into_iter()
            .fold(builder, |builder, (name, value)| {
                builder.with_env(name, value)
            });
        let before = std::mem::replace(&mut self.hooks, builder.build());
        self.former.push(before);
        self.seen = texts;
    }

    /// What the commands of tools have in their environment beside this test's.
    pub(super) fn variables(&self) -> Vec<(OsString, OsString)> {
        let own = [
            ("ORACLE_REC", self.machine.at("rec").into_os_string()),
            ("HOME", self.machine.at("home").into_os_string()),
        ];
        let own = own.map(|(name, value)| (name.into(), value));
        let of_row = self.row["env"].as_object().into_iter().flatten();
        let of_row = of_row.filter_map(|(name, value)| Some((name.into(), value.as_str()?.into())));
        own.into_iter()
            .chain(of_row)
            .chain(self.environment.iter().cloned())
            .collect()
    }

    fn facts(&self) -> Facts {
        let mode = match self.row["mode"].as_str().unwrap_or_default() {
            "bypass" => "bypassPermissions",
            "dontask" => "dontAsk",
            _ => "default",
        };
        // Numbers that are never the same stand there as recordings have them.
        let facts = Facts::new()
            .with(Fact::SessionId, "<uuid>")
            .with(
                Fact::TranscriptPath,
                "/home/user/.claude/projects/-repo/<uuid>.jsonl",
            )
            .with(Fact::Cwd, &*self.cwd.to_string_lossy())
            .with(Fact::PermissionMode, mode)
            .with(Fact::Effort, json!({"level": "medium"}));
        let facts = if self.prompted {
            facts.with(Fact::PromptId, "<uuid>")
        } else {
            facts
        };
        if self.in_subagent {
            let facts = facts.with(Fact::AgentId, "<id>");
            return facts.with(Fact::AgentType, "general-purpose");
        }
        facts
    }

    /// Asks the hooks of an event.
    pub(super) async fn fire(&mut self, event: &'static str, own: Facts) -> MergedOutcome {
        self.look_at_settings();
        let facts = own.or(&self.facts());
        let fired = self.hooks.fire(event, &facts).await.expect("known");
        if event != "SessionEnd" {
            self.played.endings.extend(fired.runs.iter().map(ending));
            self.played.in_background += fired.in_background;
        }
        let messages = fired.outcome.system_messages.iter().cloned();
        self.played.messages.extend(messages);
        self.exports.extend(fired.exports().map(str::to_owned));
        let outcome = fired.outcome.clone();
        self.played.fired.push((event, fired));
        outcome
    }

    /// Notes what hooks of an event have given the model. What was before the first request was not always recorded.
    pub(super) fn given(&mut self, event: &str, texts: Vec<String>) {
        let early = ["SessionStart", "UserPromptSubmit"].contains(&event);
        let texts_of = if early && self.row["expect"].get("first_request").is_none() {
            &mut self.played.maybe
        } else {
            &mut self.played.contexts
        };
        texts_of.extend(texts);
    }

    /// Notes that something was refused, by one of these reasons.
    pub(super) fn refused(&mut self) {
        let Some((_, fired)) = self.played.fired.last() else {
            return;
        };
        let refusing = fired.runs.iter().filter(|run| run.output.refuses());
        // What a hook did not say itself, the agent says in its own words.
        let reasons = refusing.map(|run| match &run.output.failure {
            Some(_) => String::new(),
            None => run.output.reason.clone().unwrap_or_default(),
        });
        let reasons = reasons.collect();
        self.played.refusals.push(reasons);
    }

    /// Plays the whole session.
    pub(crate) async fn play(mut self) -> Played {
        if self.played.invalid.is_some() {
            return self.played;
        }
        let args = self.row["args"].as_array().into_iter().flatten();
        if args.into_iter().any(|arg| arg == "--init") {
            self.fire("Setup", Facts::new().with(Fact::Trigger, "init"))
                .await;
        }
        let facts = Facts::new().with(Fact::Source, "startup");
        let started = self.fire("SessionStart", facts).await;
        self.given("SessionStart", started.additional_context);
        self.prompted = true;
        let facts = Facts::new().with(Fact::Prompt, "please run it");
        let prompted = self.fire("UserPromptSubmit", facts).await;
        if prompted.decision == Verdict::Deny && !prompted.stop {
            self.refused();
        }
        if !prompted.stop && prompted.decision != Verdict::Deny {
            self.given("UserPromptSubmit", prompted.additional_context);
            self.turns().await;
        }
        let facts = Facts::new().with(Fact::Reason, "other");
        self.fire("SessionEnd", facts).await;
        self.hear_late();
        for hooks in self.former.iter().chain([&self.hooks]) {
            hooks.drain().await;
        }
        self.played.look_at(&self.machine);
        self.played
    }

    /// Takes over what hooks in the background have said since.
    pub(super) fn hear_late(&mut self) {
        for hooks in self.former.iter().chain([&self.hooks]) {
            for late in hooks.ended_in_background() {
                // What nobody asks for any more is not there at the end.
                self.played.maybe.extend(late.run.output.additional_context);
            }
        }
    }
}
