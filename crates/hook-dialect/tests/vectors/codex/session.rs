//! A session of Codex, as far as hooks are concerned: what is asked when, and what follows from the answers.
//!
//! Its own permission step is small. `codex exec` asks nobody, so that everything happens that no hook blocks. Where
//! approvals are on (`approval`), a command that wants to leave the sandbox is asked about: first its hooks, then the
//! client of the recording, which declines, or accepts where the notes say so.

use std::path::PathBuf;

use hook_contract::Json;
use hook_dialect::{
    Dialect, Fact, Facts, MergedOutcome, Verdict,
    config::{DialectConfig, LoadedHooks, load},
    run::DialectHooks,
};
use serde_json::{Value, json};

use super::{
    calls::Call,
    place::{here, place},
};
use crate::{
    machine::{Machine, read},
    played::Played,
};

pub(super) const TRANSCRIPT: &str =
    "/codex_home/sessions/YYYY/MM/DD/rollout-YYYY-MM-DDThh-mm-ss-<uuid>.jsonl";

/// More requests than any recorded session has: hooks that put off every end do so for ever.
const MANY: usize = 100;

pub(crate) struct Session {
    pub(super) row: Value,
    pub(super) machine: Machine,
    pub(super) repo: PathBuf,
    hooks: DialectHooks,
    /// Whether the agent does not start at all.
    refuses: bool,
    pub(super) played: Played,
}

impl Session {
    /// A session of a row, with its files in place.
    pub(crate) fn new(row: Value, strict: bool) -> Self {
        let machine = Machine::new();
        place(&row, &machine);
        let repo = machine.at("repo");
        let config = DialectConfig::new()
            .with_dialects([Dialect::CODEX])
            .with_codex_home(machine.at("codex_home"))
            .with_home(machine.at("home"))
            .with_strict(strict);
        let config = if row.get("hook_trust").is_some() {
            config
        } else {
            config.with_every_hook_trusted()
        };
        let mut played = Played {
            places: here(&machine).to_vec(),
            ..Played::default()
        };
        let loaded = load(&repo, &config).unwrap_or_else(|error| {
            played.invalid = Some(error.to_string());
            LoadedHooks::default()
        });
        let refuses = loaded
            .findings
            .iter()
            .flat_map(|finding| &finding.what.notes)
            .any(|note| note.ends_with(" does not start"));
        let hooks = DialectHooks::builder(Dialect::CODEX, &repo)
            .with_loaded(&loaded)
            .with_strict(strict)
            .with_long_texts_in(machine.make("long"))
            .with_env("HOME", machine.at("home"))
            .with_env("CODEX_HOME", machine.at("codex_home"))
            .with_env("ORACLE_MARK", "from-parent-env")
            .build();
        Self {
            row,
            machine,
            repo,
            hooks,
            refuses,
            played,
        }
    }

    fn facts(&self) -> Facts {
        let mode = if self.row.get("approval").is_some() {
            "default"
        } else {
            "bypassPermissions"
        };
        Facts::new()
            .with(Fact::SessionId, "<uuid>")
            .with(Fact::ThreadId, "<uuid>")
            .with(Fact::TurnId, "<uuid>")
            .with(Fact::TranscriptPath, TRANSCRIPT)
            .with(Fact::Cwd, &*self.repo.to_string_lossy())
            .with(Fact::Model, "gpt-5.5")
            .with(Fact::PermissionMode, mode)
    }

    /// Asks the hooks of an event.
    pub(super) async fn fire(&mut self, event: &'static str, own: Facts) -> MergedOutcome {
        let facts = own.or(&self.facts());
        let fired = self.hooks.fire(event, &facts).await.expect("known");
        self.played.in_background += fired.in_background;
        let contexts = fired.outcome.additional_context.clone();
        self.played.contexts.extend(contexts);
        let outcome = fired.outcome.clone();
        self.played.fired.push((event, fired));
        outcome
    }

    /// Notes that something was refused.
    pub(super) fn refused(&mut self, outcome: &MergedOutcome) {
        // A stop without a reason is told in the agent's own words.
        const OWN: &str = "a hook stopped this";
        let reason = outcome.reason.clone().unwrap_or_default();
        let parts = reason.split("\n\n").filter(|part| *part != OWN);
        self.played
            .refusals
            .push(parts.map(str::to_owned).collect());
    }

    /// Plays the whole session.
    pub(crate) async fn play(mut self) -> Played {
        if self.played.invalid.is_some() || self.refuses {
            return self.played;
        }
        let facts = Facts::new().with(Fact::Source, "startup");
        let started = self.fire("SessionStart", facts).await;
        if !started.stop && self.prompt().await {
            self.turns().await;
        }
        let facts = Facts::new().with(Fact::Reason, "other");
        self.fire("SessionEnd", facts).await;
        self.hear_late();
        self.hooks.drain().await;
        self.look_at_files();
        self.played
    }

    /// Whether the prompt reaches the model.
    async fn prompt(&mut self) -> bool {
        let facts = Facts::new().with(Fact::Prompt, "please run the tool");
        let said = self.fire("UserPromptSubmit", facts).await;
        !said.stop && said.decision != Verdict::Deny
    }

    fn hear_late(&mut self) {
        for late in self.hooks.ended_in_background() {
            self.played.maybe.extend(late.run.output.additional_context);
        }
    }

    async fn turns(&mut self) {
        let turns = self.row["model_turns"].as_array().cloned();
        let turns = turns.unwrap_or_default();
        let mut active = false;
        let mut goes_on = true;
        while goes_on && self.played.requests < MANY {
            self.request("PreModelRequest").await;
            let reply = turns.get(self.played.requests);
            self.played.requests += 1;
            self.request("PostModelRequest").await;
            let blocks = reply.and_then(Value::as_array).cloned().unwrap_or_default();
            if !blocks.iter().any(|block| block["type"] != "message") {
                goes_on = self.goes_on(active).await;
                active = true;
            }
            for call in blocks.iter().filter_map(Call::of) {
                self.call(call).await;
            }
            self.hear_late();
        }
    }

    /// Whether a turn goes on that is about to end.
    async fn goes_on(&mut self, active: bool) -> bool {
        let facts = Facts::new().with(Fact::StopHookActive, active);
        let said = self.fire("Stop", facts).await;
        let goes_on = !said.stop && said.decision == Verdict::Deny;
        if goes_on {
            self.refused(&said);
        }
        goes_on
    }

    async fn request(&mut self, event: &'static str) {
        let facts = Facts::new()
            .with(Fact::Kind, "sampling")
            .with(Fact::RequestId, "<uuid>")
            .with(Fact::AttemptNumber, 1)
            .with(Fact::Status, "completed");
        self.fire(event, facts).await;
    }

    /// Whether a command that is asked about may run.
    pub(super) async fn is_approved(&mut self, call: &Call) -> bool {
        if self.row.get("approval").is_none() || !call.leaves_the_sandbox {
            return true;
        }
        let mut input = call.input.value().clone();
        if let Some(why) = &call.justification {
            input["description"] = json!(why);
        }
        let facts = Facts::new()
            .with(Fact::ToolName, &*call.tool)
            .with_json(Fact::ToolInput, Json::from(input));
        let said = self.fire("PermissionRequest", facts).await;
        match said.decision {
            Verdict::Allow => true,
            Verdict::Deny => {
                self.refused(&said);
                false
            }
            _ => {
                let notes = self.row["expect"]["notes"].as_str().unwrap_or_default();
                notes.contains("answers 'accept'")
            }
        }
    }

    /// Takes over what hooks have left in the repository.
    fn look_at_files(&mut self) {
        for file in std::fs::read_dir(&self.repo).expect("a folder") {
            let path = file.expect("a file").path();
            let name = path.file_name().expect("a name").to_string_lossy();
            let text = self.played.shown(&read(&path).unwrap_or_default());
            self.played.recorded.insert(name.into_owned(), text);
        }
    }
}
