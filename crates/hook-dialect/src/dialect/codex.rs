//! Codex CLI 0.171.0.

use std::time::Duration;

#[cfg_attr(
    not(test),
    expect(clippy::enum_glob_use, reason = "a table names much")
)]
use super::{
    Alias, AnswerRules, Dialect, EventName, EventRow, ExitTwo, Handlers, HeldOpen, Honours,
    JsonShape, LongTexts, Null, Oddity, PlainText, ReadOn, Refused, Running, Stop, Subject,
    Timeout, Trim, Variable, VariableValue,
    field::{
        AnswerField::*,
        Fact, PayloadField,
        Presence::{Nullable, Optional, Required},
    },
};
use crate::{MatcherMode, RegexLanguage};

mod events;

pub(super) static CODEX: Dialect = Dialect {
    name: "codex",
    title: "Codex",
    checked_against: "0.171.0",
    matcher: MatcherMode::literal_or_regex("_|", &['|'], false, RegexLanguage::Rust),
    aliases: &[
        Alias::new("apply_patch", &["Write", "Edit"]),
        Alias::new("spawn_agent", &["Agent"]),
    ],
    answers: AnswerRules {
        trim: Trim::Unicode,
        json: JsonShape::Opened,
        read: ReadOn::Success,
        unknown_key: Oddity::Fails,
        wrong_type: Oddity::Fails,
        null: Null::Absent,
        event_name: EventName::MustBeAnEvent,
        needs_reason: true,
        keeps_stderr: false,
        reads_every_value: true,
        specific_wins: true,
        detaches: false,
        exit_status_fails: true,
    },
    newline: false,
    running: Running {
        variables: &[Variable::new("PWD", VariableValue::WorkingDirectory)],
        exports: None,
        long: LongTexts::Tokens(2_500),
        follows_cwd: false,
        sockets: false,
        held_open: HeldOpen::Loses,
        background_at_once: 8,
        background_timed: true,
    },
    events: &EVENTS,
    other: EventRow {
        honours: Honours::BLOCK
            .and(Honours::PERMISSION)
            .and(Honours::CONTEXT),
        stop: Stop::Ends,
        exit_two: ExitTwo::RefusesWithReason,
        before: true,
        top: &[
            Continue,
            StopReason,
            SuppressOutput,
            SystemMessage,
            Decision,
            Reason,
            HookSpecificOutput,
        ],
        specific: &[
            PermissionDecision,
            PermissionDecisionReason,
            AdditionalContext,
        ],
        ..EventRow::new("", "an event that is not known here", events::PLACE)
    },
};

static EVENTS: [EventRow; 14] = [
    events::PRE_TOOL_USE,
    events::PERMISSION_REQUEST,
    events::POST_TOOL_USE,
    events::PRE_COMPACT,
    events::POST_COMPACT,
    events::SESSION_START,
    events::SESSION_END,
    events::USER_PROMPT_SUBMIT,
    events::SUBAGENT_START,
    events::SUBAGENT_STOP,
    events::STOP,
    events::INTERRUPT,
    events::PRE_MODEL_REQUEST,
    events::POST_MODEL_REQUEST,
];
