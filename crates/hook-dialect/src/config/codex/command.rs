//! A command of Codex.

use std::time::Duration;

use crate::{
    FailurePolicy,
    config::{
        commands::Commands,
        finding::{AtHome, FindingKind},
        handler::{Background, CommandForm, Handler, Shell},
        node::Value,
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
        let key = other.to_owned();
        commands.mistake(second.span.clone(), FindingKind::DuplicateKey { key });
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
    let Value::Number(written) = &node.value else {
        commands.wrong_type(node, field, "a number");
        return None;
    };
    let whole = written.parse().ok();
    if whole.is_none() {
        let found = written.clone();
        let kind = if field == "timeout" {
            FindingKind::Timeout { found, wanted }
        } else {
            FindingKind::NoLimit { found }
        };
        commands.mistake(node.span.clone(), kind);
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
    let span = commands
        .field("async")
        .map_or(0..0, |node| node.span.clone());
    commands.odd(span, FindingKind::AlwaysWaits, AtHome::Nothing);
    Background::Never
}

fn context_limit(commands: &mut Commands<'_, '_, '_>) -> Option<u64> {
    let field = "additionalContextLimit";
    let limit = whole(commands, field, "")?;
    if commands.event.honours.has(Honours::CONTEXT) {
        return Some(limit);
    }
    let span = commands.field(field).map_or(0..0, |node| node.span.clone());
    commands.odd(span, FindingKind::NoContextToLimit, AtHome::Nothing);
    None
}
