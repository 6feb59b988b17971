//! `hookchain bridge`: the workspace's hooks as a hook of another agent.
//!
//! What the agent sends and what it understands is in [`hook_dialect::bridge`], as tables; here is the rest: which
//! workspace it is about ([`workspace`]), asking its chain ([`decide`]), and handing the answer over such that no accident
//! on the way is taken for consent ([`deliver`], [`watchdog`]). With `--connect` a resident chain is asked first
//! ([`connect`]). How the command gets into the agent's settings is in
//! [`install`].

mod args;
mod connect;
mod decide;
mod deliver;
mod error;
mod install;
mod judge;
mod watchdog;
mod workspace;

use hook_dialect::{bridge::Bridge, config::LoadedHook};

pub(crate) use self::{
    args::BridgeArgs, error::BridgeError, install::SettingsError, judge::Prepared,
};
use self::{
    args::{AnswerArgs, BridgeCommand},
    watchdog::Watchdog,
};
use crate::{command_error::CommandError, status::Status, streams::Output};

/// Runs the command.
pub(crate) fn run(args: &BridgeArgs, output: Output) -> Result<Status, CommandError> {
    match &args.command {
        BridgeCommand::Claude(args) => Ok(answer(Bridge::CLAUDE, args)),
        BridgeCommand::Codex(args) => Ok(answer(Bridge::CODEX, args)),
        BridgeCommand::Install(args) => install::install(args, output),
        BridgeCommand::Uninstall(args) => install::uninstall(args, output),
        BridgeCommand::Status(args) => install::status(args, output),
    }
}

/// Answers an agent's question, if the arguments are just such a command. Anything else, help and mistakes as well, is for the
/// whole command line.
pub(crate) fn answer_at_once() -> Option<Status> {
    let mut words = std::env::args_os().skip(1);
    if words.next()? != "bridge" {
        return None;
    }
    let agent = words.next()?;
    let bridge = Bridge::named(agent.to_str()?)?;
    let args = AnswerArgs::parse(words)?;
    Some(answer(bridge, &args))
}

/// Answers one question of an agent. Whatever happens, what comes out is an answer.
fn answer(bridge: &'static Bridge, args: &AnswerArgs) -> Status {
    let _watched = Watchdog::start(args.within());
    deliver::deliver(decide::guarded(|| decide::decide(bridge, args)))
}

/// Whether a hook in an agent's settings is the bridge: a command that asks native hooks itself needs not ask them through it.
pub(crate) fn is_installed_as(hook: &LoadedHook) -> bool {
    install::is_entry(hook)
}
