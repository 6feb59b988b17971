//! The shared protocol library: the rules that its vectors record.

use std::time::Duration;

use super::{
    AnswerRules, Dialect, EventName, EventRow, ExitTwo, HeldOpen, Honours, JsonShape, LongTexts,
    Null, Oddity, ReadOn, Running, Stop, Trim,
    field::AnswerField::{
        AdditionalContext, Continue, Decision, HookSpecificOutput, PermissionDecision,
        PermissionDecisionReason, Reason, StopReason, SuppressOutput, SystemMessage, UpdatedInput,
        UpdatedToolOutput,
    },
};
use crate::{MatcherMode, RegexLanguage};

pub(super) static SHARED: Dialect = Dialect {
    name: "shared",
    title: "the shared protocol",
    checked_against: "its vectors",
    matcher: MatcherMode::literal_or_regex("_|", &['|'], false, RegexLanguage::EcmaScript),
    aliases: &[],
    answers: AnswerRules {
        trim: Trim::EcmaScript,
        json: JsonShape::Readable,
        read: ReadOn::Success,
        unknown_key: Oddity::LeftOut,
        wrong_type: Oddity::LeftOut,
        null: Null::WrongType,
        event_name: EventName::ScopesTheRest,
        needs_reason: false,
        keeps_stderr: false,
        reads_every_value: false,
        specific_wins: false,
        detaches: false,
        exit_status_fails: false,
    },
    newline: true,
    running: Running {
        variables: &[],
        exports: None,
        long: LongTexts::Tokens(0),
        follows_cwd: false,
        sockets: false,
        held_open: HeldOpen::Waits(Duration::from_millis(100)),
        background_at_once: 8,
        background_timed: true,
    },
    events: &[],
    other: EventRow {
        honours: Honours::BLOCK
            .and(Honours::APPROVE)
            .and(Honours::PERMISSION)
            .and(Honours::REWRITE)
            .and(Honours::REPLACE)
            .and(Honours::CONTEXT)
            .and(Honours::MESSAGE),
        stop: Stop::Ends,
        exit_two: ExitTwo::Refuses,
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
            UpdatedInput,
            AdditionalContext,
            UpdatedToolOutput,
        ],
        ..EventRow::new("", "any event", &[])
    },
};
