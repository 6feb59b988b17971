//! A session of Claude Code, as far as hooks are concerned: what is asked when, and what follows from the answers.

use std::{
    collections::HashSet,
    ffi::OsString,
    path::{Path, PathBuf},
};

use hook_contract::Json;
use hook_dialect::{
    Dialect, Fact, Facts, MergedOutcome, Verdict,
    config::{AtHome, DialectConfig, load},
    run::DialectHooks,
};
use serde_json::{Value, json};

use super::{
    permissions::{Rules, user_settings},
    place::place,
    tools::in_order,
};
use crate::{
    machine::{Machine, ending, read},
    played::Played,
};

/// What a Claude Code of the recordings does after so many ends of a turn that hooks have put off.
const CONTINUATIONS: usize = 8;

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
    in_subagent: bool,
    pub(super) played: Played,
}

impl Session {
    /// A session of a row, with its files in place.
    pub(crate) fn new(row: Value, strict: bool) -> Self {
        let machine = Machine::new();
        let repo = place(&row, &machine, &user_settings(&row));
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
            played: Played::default(),
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
            .filter(|finding| finding.at_home == AtHome::DropsFile)
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
        if prompted.decision == Verdict::Deny {
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
    fn hear_late(&mut self) {
        for hooks in self.former.iter().chain([&self.hooks]) {
            for late in hooks.ended_in_background() {
                // What nobody asks for any more is not there at the end.
                self.played.maybe.extend(late.run.output.additional_context);
            }
        }
    }

    async fn turns(&mut self) {
        let cap = self.row["env"]["CLAUDE_CODE_STOP_HOOK_BLOCK_CAP"].as_str();
        let cap = cap
            .and_then(|cap| cap.parse().ok())
            .unwrap_or(CONTINUATIONS);
        let mut continued = 0;
        loop {
            self.hear_late();
            let reply = self.reply(self.played.requests);
            self.played.requests += 1;
            if !reply.is_empty() {
                continued = 0;
                if self.calls(&reply).await == Flow::Ends {
                    return;
                }
            } else if continued == cap || self.ends("Stop", continued > 0).await == Flow::Ends {
                if continued == cap {
                    // It is asked once more, and has no say.
                    self.ends("Stop", true).await;
                }
                return;
            } else {
                continued += 1;
            }
        }
    }

    /// The calls of a reply of the model; a reply without any is a text.
    fn reply(&self, number: usize) -> Vec<Value> {
        let Some(turns) = self.row["turns"].as_array() else {
            return if number == 0 {
                vec![self.only_call()]
            } else {
                Vec::new()
            };
        };
        let blocks = turns.get(number).and_then(Value::as_array);
        let blocks = blocks.into_iter().flatten();
        blocks
            .filter(|block| block["type"] == "tool_use")
            .cloned()
            .collect()
    }

    fn only_call(&self) -> Value {
        match self.row["write_path"].as_str() {
            Some(path) => {
                let input = json!({"file_path": path, "content": "original\n"});
                json!({"id": "toolu_01", "name": "Write", "input": input})
            }
            None => {
                let input = json!({"command": "sh tool.sh original", "description": "original"});
                json!({"id": "toolu_01", "name": "Bash", "input": input})
            }
        }
    }

    /// Whether a turn ends, when it is about to.
    async fn ends(&mut self, event: &'static str, active: bool) -> Flow {
        let facts = Facts::new()
            .with(Fact::StopHookActive, active)
            .with(Fact::AgentTranscriptPath, "/a.jsonl")
            .with(Fact::AgentId, "<id>")
            .with(Fact::AgentType, "general-purpose");
        let said = self.fire(event, facts).await;
        let denies = said.decision == Verdict::Deny;
        if said.stop || !denies && said.additional_context.is_empty() {
            self.played.maybe.extend(said.additional_context);
            return Flow::Ends;
        }
        if denies {
            self.refused();
        }
        self.given(event, said.additional_context);
        Flow::GoesOn
    }

    /// What a subagent does: what was recorded of it.
    pub(super) async fn subagent(&mut self) {
        let facts = Facts::new()
            .with(Fact::AgentId, "<id>")
            .with(Fact::AgentType, "general-purpose");
        let started = self.fire("SubagentStart", facts).await;
        self.given("SubagentStart", started.additional_context);
        self.in_subagent = true;
        let seen = self.row["expect"]["subagent_saw"].as_array().cloned();
        for block in seen.unwrap_or_default() {
            if block["type"] == "tool_use" {
                Box::pin(self.calls(&[block])).await;
            }
        }
        self.in_subagent = false;
        let mut continued = 0;
        while self.ends("SubagentStop", continued > 0).await == Flow::GoesOn {
            if continued == CONTINUATIONS {
                break;
            }
            continued += 1;
        }
    }

    /// An input as hooks are told it: with absolute paths, and in the tool's own order.
    pub(super) fn told(&self, input: &Value) -> Json {
        const ORDER: [&str; 9] = [
            "command",
            "file_path",
            "content",
            "old_string",
            "new_string",
            "description",
            "prompt",
            "subagent_type",
            "run_in_background",
        ];
        let mut input = input.clone();
        if let Some(path) = input["file_path"].as_str() {
            let path = path.strip_prefix("/repo/").unwrap_or(path);
            let path = self.repo.join(path);
            input["file_path"] = json!(path.to_string_lossy());
        }
        if let Some(command) = input["command"].as_str() {
            input["command"] = json!(whole(command));
        }
        let Value::Object(members) = input else {
            return Json::from(input);
        };
        let place = |name: &str| ORDER.iter().position(|known| *known == name);
        let mut members: Vec<_> = members
            .iter()
            .map(|(name, value)| (&**name, value.clone()))
            .collect();
        members.sort_by_key(|(name, _)| place(name).unwrap_or(ORDER.len()));
        in_order(&members)
    }
}

/// A text that was cut in the middle of nothing but one character, with what was cut.
fn whole(text: &str) -> String {
    let cut = text.split_once("…[").and_then(|(head, rest)| {
        let (length, tail) = rest.split_once(" characters in all]…")?;
        let left: usize = length.parse().ok()?;
        let left = left.checked_sub(head.chars().count() + tail.chars().count())?;
        let filler = head.chars().next_back().filter(|c| tail.starts_with(*c))?;
        Some(format!("{head}{}{tail}", filler.to_string().repeat(left)))
    });
    cut.unwrap_or_else(|| text.to_owned())
}
