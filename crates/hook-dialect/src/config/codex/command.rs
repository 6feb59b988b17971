//! A command of Codex.

use std::time::Duration;

use hook_source::{Diagnostic, Shown};

use crate::{
    FailurePolicy,
    config::{
        commands::Commands,
        finding::{self, AtHome},
        handler::{Background, CommandForm, Handler, Shell},
        origin::Scope,
    },
    dialect::Honours,
};

/// How many tokens of context there may be when nothing is written.
pub(super) const DEFAULT_CONTEXT_LIMIT: u64 = 2500;

pub(super) fn read(commands: &mut Commands<'_, '_, '_>) -> Option<Handler> {
    let text = text(commands);
    let timeout = timeout(commands);
    let background = background(commands);
    let context_limit = context_limit(commands);
    let status_message = commands.text("statusMessage").map(str::to_owned);
    let shell = Shell::OfUser;
    let command = CommandForm::Shell { text: text?, shell };
    let mut handler = Handler::new(command, timeout.unwrap_or(commands.event.timeout.default));
    handler.timeout_written = timeout.is_some();
    handler.background = background;
    handler.on_failure = commands.ground.on_failure(FailurePolicy::Unwritten);
    handler.context_limit = context_limit;
    handler.status_message = status_message;
    Some(handler)
}

/// The command of this system.
fn text(commands: &mut Commands<'_, '_, '_>) -> Option<String> {
    // What the organisation requires must be right in everything.
    let on_blank = if commands.ground.scope == Scope::Managed {
        AtHome::Refuses
    } else {
        AtHome::DropsHandler
    };
    let command = commands.command_line(on_blank).map(str::to_owned);
    let (one, other) = ("commandWindows", "command_windows");
    let windows = commands
        .text(one)
        .or_else(|| commands.text(other))
        .map(str::to_owned);
    let both = commands.node.member(one).and(commands.node.member(other));
    if let Some(second) = both {
        commands.mistake(&second.span, finding::duplicate_key(other));
    }
    if cfg!(windows) {
        windows.or(command)
    } else {
        command
    }
}

/// Whole seconds, at least one.
fn timeout(commands: &mut Commands<'_, '_, '_>) -> Option<Duration> {
    let seconds = whole(commands, "timeout", "whole seconds, such as 30")?;
    let node = commands.field("timeout")?;
    Some(commands.within(node, Duration::from_secs(seconds.max(1))))
}

/// A number that is not negative and has no parts.
fn whole(
    commands: &mut Commands<'_, '_, '_>,
    field: &'static str,
    wanted: &'static str,
) -> Option<u64> {
    let node = commands.field(field)?;
    let written = node.number()?;
    let whole = written.parse().ok();
    if whole.is_none() {
        let told = if field == "timeout" {
            finding::timeout(written, wanted)
        } else {
            let message = format!("`additionalContextLimit` cannot be {}", Shown(written));
            Diagnostic::error("no_limit", message)
                .with_help("write a whole number of tokens, or 0 for no limit")
        };
        commands.mistake(&node.span, told);
    }
    whole
}

fn background(commands: &mut Commands<'_, '_, '_>) -> Background {
    if !commands.flag("async") {
        return Background::Never;
    }
    if commands.event.name != "SessionEnd" {
        return Background::Always;
    }
    if let Some(node) = commands.field("async") {
        let message = "this event waits for every hook, so `async` has no effect";
        commands.odd(node, "always_waits", message, "remove it");
    }
    Background::Never
}

fn context_limit(commands: &mut Commands<'_, '_, '_>) -> Option<u64> {
    let field = "additionalContextLimit";
    let limit = whole(commands, field, "")?;
    if commands.event.honours.has(Honours::CONTEXT) {
        return Some(limit);
    }
    let node = commands.field(field)?;
    let message = "this event takes no context, so `additionalContextLimit` has no effect";
    commands.odd(node, "no_context_to_limit", message, "remove it");
    None
}
