//! What becomes of a call about which a hook wants a person to be asked.
//!
//! This module knows where the choice comes from, where a person may be asked, and nothing of how.

use std::io::{self, IsTerminal};

use clap::{Args, ValueEnum};
use hook_config::ApproverSpec;
use hook_runner::HookRunnerBuilder;

use super::terminal::Terminal;
use crate::{approver, cli::usage_error, command_error::CommandError};

/// Where the choice stands when no option says it.
const VARIABLE: &str = "HOOKCHAIN_ON_ASK";

/// How deep in hooks this process is.
const DEPTH: &str = "HOOKCHAIN_DEPTH";

/// Variables by which the commands of an agent are known.
const OF_AGENTS: &[&str] = &[
    "CLAUDECODE",
    "CLAUDE_CODE_CHILD_SESSION",
    "CODEX_SANDBOX",
    "CODEX_SANDBOX_NETWORK_DISABLED",
    "CODEX_THREAD_ID",
    "GEMINI_CLI",
    "QWEN_CODE",
    "CURSOR_AGENT",
    "OPENCODE",
    "COPILOT_CLI",
];

/// What becomes of a call about which a hook wants a person to be asked.
#[derive(Debug, Args)]
pub(crate) struct OnAskArgs {
    /// What happens when a hook wants a person to be asked
    ///
    /// Unless given, `$HOOKCHAIN_ON_ASK` says it. Without either, the person at the terminal is asked where there is one; else
    /// the approver of your own hooks file, where it names one; else the call is denied.
    #[arg(long = "on-ask", value_name = "WHAT")]
    on_ask: Option<OnAsk>,
}

/// What happens when a hook wants a person to be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum OnAsk {
    /// Deny the call, with how to run it by hand
    Deny,
    /// Print {"outcome":"ask"}, with the reason and what then happens, and end with status 4
    Report,
    /// Ask the person at this terminal
    Prompt,
}

/// Who is asked, in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    Deny,
    Report,
    Prompt,
    /// Nothing was chosen: the approver that the operator's file names, if it does.
    Configured,
}

impl OnAskArgs {
    /// What was chosen, or what fits the place.
    pub(super) fn way(&self, each_line: bool) -> Result<Way, CommandError> {
        let chosen = match self.on_ask {
            Some(chosen) => Some((chosen, "--on-ask")),
            None => from_environment()?.map(|chosen| (chosen, VARIABLE)),
        };
        let obstacle = obstacle(each_line);
        match chosen {
            Some((OnAsk::Deny, _)) => Ok(Way::Deny),
            Some((OnAsk::Report, _)) => Ok(Way::Report),
            Some((OnAsk::Prompt, by)) => match obstacle {
                Some(obstacle) => Err(usage_error(
                    "consult",
                    &format!(
                        "no person is asked {obstacle}, as {by} wants it; choose deny or report"
                    ),
                )),
                None => Ok(Way::Prompt),
            },
            None if obstacle.is_none() && is_at_a_terminal() => Ok(Way::Prompt),
            None => Ok(Way::Configured),
        }
    }
}

impl Way {
    /// Gives the chain its approver. `declared` is what the operator's own file names.
    pub(super) fn equip(
        self,
        builder: HookRunnerBuilder,
        declared: Option<&ApproverSpec>,
    ) -> HookRunnerBuilder {
        match self {
            Self::Prompt => builder.with_approver(Terminal),
            Self::Configured => approver::equip(builder, declared),
            Self::Deny | Self::Report => builder,
        }
    }
}

fn from_environment() -> Result<Option<OnAsk>, CommandError> {
    let Some(value) = variable(VARIABLE) else {
        return Ok(None);
    };
    let words = "deny, report or prompt";
    let chosen = value
        .to_str()
        .and_then(|word| OnAsk::from_str(word, false).ok());
    chosen.map(Some).ok_or_else(|| {
        let found = value.to_string_lossy().into_owned();
        usage_error(
            "consult",
            &format!("{VARIABLE} is '{found}'; set it to {words}, or unset it"),
        )
    })
}

/// Why no person can be asked here, as the end of a sentence.
fn obstacle(each_line: bool) -> Option<String> {
    if each_line {
        return Some("about one call of many (--each-line)".into());
    }
    if variable(DEPTH).is_some() {
        return Some("inside a hook (HOOKCHAIN_DEPTH is set)".into());
    }
    let agent = OF_AGENTS.iter().find(|name| variable(name).is_some());
    agent.map(|name| format!("by a command of an agent ({name} is set)"))
}

fn is_at_a_terminal() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// A variable that says something.
fn variable(name: &str) -> Option<std::ffi::OsString> {
    #[expect(
        clippy::disallowed_methods,
        reason = "an option of the command that may stand in the environment"
    )]
    let value = std::env::var_os(name);
    value.filter(|value| !value.is_empty())
}
