//! Claude Code 2.1.332.

use std::time::Duration;

#[cfg_attr(
    not(test),
    expect(clippy::enum_glob_use, reason = "a table names much")
)]
use super::{
    Alias, AnswerRules, Dialect, EventName, EventRow, ExitTwo, Handlers, HeldOpen, Honours,
    JsonShape, LongTexts, Null, Oddity, PlainText, ReadOn, Running, Stop, Subject, Timeout, Trim,
    Variable, VariableValue,
    field::{
        AnswerField::{self, *},
        Fact, PayloadField,
        Presence::{self, Nullable, Optional, Required},
    },
    seconds,
};
use crate::{MatcherMode, RegexLanguage};

mod agents;
mod session;
mod surroundings;
mod tools;

pub(super) static CLAUDE: Dialect = Dialect {
    name: "claude",
    title: "Claude Code",
    checked_against: "2.1.332",
    matcher: MatcherMode::literal_or_regex("_- ,|", &['|', ','], true, RegexLanguage::EcmaScript),
    aliases: &[
        Alias::new("Agent", &["Task"]),
        Alias::new("TaskStop", &["KillShell", "KillBash"]),
        Alias::new("ListAgents", &["ListPeers"]),
        Alias::new("SendUserMessage", &["Brief"]),
        Alias::new("ListMcpResourcesTool", &["ListMcpResources"]),
        Alias::new("ReadMcpResourceTool", &["ReadMcpResource"]),
        Alias::new("ReadMcpResourceDirTool", &["ReadMcpResourceDir"]),
        Alias::new("SetGoal", &["ProposeGoal"]),
    ],
    answers: AnswerRules {
        trim: Trim::EcmaScript,
        json: JsonShape::Braces,
        read: ReadOn::Always,
        unknown_key: Oddity::LeftOut,
        wrong_type: Oddity::Fails,
        null: Null::WrongType,
        event_name: EventName::MustBeTheEvent,
        needs_reason: false,
        keeps_stderr: true,
        reads_every_value: false,
        specific_wins: false,
        detaches: true,
        exit_status_fails: true,
    },
    newline: true,
    running: Running {
        variables: &[
            Variable::new("CLAUDE_PROJECT_DIR", VariableValue::Project),
            Variable::new("CLAUDECODE", VariableValue::Fixed("1")),
            Variable::new(
                "CLAUDE_CODE_SESSION_ID",
                VariableValue::Fact(Fact::SessionId),
            ),
            Variable::new(
                "CLAUDE_EFFORT",
                VariableValue::Member(Fact::Effort, "level"),
            ),
            Variable::new("PWD", VariableValue::WorkingDirectory),
        ],
        exports: Some("CLAUDE_ENV_FILE"),
        long: LongTexts::Characters {
            most: 10_000,
            shown: 2_000,
        },
        follows_cwd: true,
        sockets: true,
        held_open: HeldOpen::Waits(Duration::from_millis(500)),
        background_at_once: 64,
        background_timed: false,
    },
    events: &EVENTS,
    other: EventRow {
        honours: Honours::BLOCK
            .and(Honours::PERMISSION)
            .and(Honours::CONTEXT),
        stop: Stop::Ends,
        exit_two: ExitTwo::Refuses,
        failure_can_block: true,
        before: true,
        top: TOP,
        specific: &[
            PermissionDecision,
            PermissionDecisionReason,
            AdditionalContext,
        ],
        ..EventRow::new("", "an event that is not known here", &PLACE)
    },
};

static EVENTS: [EventRow; 34] = [
    session::SESSION_START,
    session::SETUP,
    session::SESSION_END,
    session::INSTRUCTIONS_LOADED,
    session::USER_PROMPT_SUBMIT,
    session::USER_PROMPT_EXPANSION,
    tools::PRE_SKILL_SHELL_COMMAND,
    tools::PRE_TOOL_USE,
    tools::PERMISSION_REQUEST,
    tools::PERMISSION_DENIED,
    tools::POST_TOOL_USE,
    tools::POST_TOOL_USE_FAILURE,
    tools::POST_TOOL_BATCH,
    session::NOTIFICATION,
    session::MESSAGE_DISPLAY,
    agents::SUBAGENT_START,
    agents::SUBAGENT_STOP,
    agents::STOP,
    session::STOP_FAILURE,
    agents::TASK_CREATED,
    agents::TASK_COMPLETED,
    agents::TEAMMATE_IDLE,
    session::PRE_COMPACT,
    session::POST_COMPACT,
    surroundings::PRE_MODEL_SWITCH,
    surroundings::POST_MODEL_SWITCH,
    surroundings::ELICITATION,
    surroundings::ELICITATION_RESULT,
    surroundings::CONFIG_CHANGE,
    surroundings::CWD_CHANGED,
    surroundings::DIRECTORY_ADDED,
    surroundings::FILE_CHANGED,
    surroundings::WORKTREE_CREATE,
    surroundings::WORKTREE_REMOVE,
];

/// The fields at the top are the same for every event.
const TOP: &[AnswerField] = &[
    Continue,
    StopReason,
    SuppressOutput,
    SystemMessage,
    TerminalSequence,
    Decision,
    Reason,
    HookSpecificOutput,
];

/// A matcher for file names and kinds of errors: neither hyphens nor commas belong to a list of names.
const NARROW: MatcherMode =
    MatcherMode::literal_or_regex("_|", &['|'], false, RegexLanguage::EcmaScript);

const fn field(fact: Fact, presence: Presence) -> PayloadField {
    PayloadField { fact, presence }
}

const fn required(fact: Fact) -> PayloadField {
    field(fact, Required)
}

const fn optional(fact: Fact) -> PayloadField {
    field(fact, Optional)
}

/// Where the session is: what every payload begins with.
const PLACE: [PayloadField; 4] = [
    required(Fact::SessionId),
    required(Fact::TranscriptPath),
    required(Fact::Cwd),
    optional(Fact::PromptId),
];

/// The fields of one payload: the place, what the event has of the session, the event's name and its own.
macro_rules! payload {
    (place $(, $field:expr)* $(,)?) => {
        &[
            PLACE[0], PLACE[1], PLACE[2], PLACE[3],
            optional(Fact::AgentId), optional(Fact::AgentType),
            required(Fact::HookEventName) $(, $field)*
        ]
    };
    (mode $(, $field:expr)* $(,)?) => {
        &[
            PLACE[0], PLACE[1], PLACE[2], PLACE[3], optional(Fact::PermissionMode),
            optional(Fact::AgentId), optional(Fact::AgentType),
            required(Fact::HookEventName) $(, $field)*
        ]
    };
    (effort $(, $field:expr)* $(,)?) => {
        &[
            PLACE[0], PLACE[1], PLACE[2], PLACE[3],
            optional(Fact::AgentId), optional(Fact::AgentType), optional(Fact::Effort),
            required(Fact::HookEventName) $(, $field)*
        ]
    };
    (all $(, $field:expr)* $(,)?) => {
        &[
            PLACE[0], PLACE[1], PLACE[2], PLACE[3], optional(Fact::PermissionMode),
            optional(Fact::AgentId), optional(Fact::AgentType), optional(Fact::Effort),
            required(Fact::HookEventName) $(, $field)*
        ]
    };
}
use payload;
