//! The events.

#[cfg_attr(
    not(test),
    expect(clippy::wildcard_imports, reason = "a table names much")
)]
use super::*;

const fn required(fact: Fact) -> PayloadField {
    PayloadField {
        fact,
        presence: Required,
    }
}

const fn optional(fact: Fact) -> PayloadField {
    PayloadField {
        fact,
        presence: Optional,
    }
}

const fn nullable(fact: Fact) -> PayloadField {
    PayloadField {
        fact,
        presence: Nullable,
    }
}

/// The fields at the top of every answer that is read.
macro_rules! top {
    ($($field:expr),*) => {
        &[Continue, StopReason, SuppressOutput, SystemMessage $(, $field)*]
    };
}

/// What payloads of a turn begin with, and the event's own.
macro_rules! turn {
    ($($field:expr),* $(,)?) => {
        &[
            required(Fact::SessionId),
            required(Fact::TurnId),
            optional(Fact::AgentId),
            optional(Fact::AgentType),
            nullable(Fact::TranscriptPath),
            required(Fact::Cwd),
            required(Fact::HookEventName),
            required(Fact::Model)
            $(, $field)*
        ]
    };
}

/// The same without an agent, whose fields stand at the end or nowhere.
macro_rules! root_turn {
    ($($field:expr),* $(,)?) => {
        &[
            required(Fact::SessionId),
            required(Fact::TurnId),
            nullable(Fact::TranscriptPath),
            required(Fact::Cwd),
            required(Fact::HookEventName),
            required(Fact::Model),
            required(Fact::PermissionMode)
            $(, $field)*
        ]
    };
}

pub(super) const PLACE: &[PayloadField] = &[
    required(Fact::SessionId),
    nullable(Fact::TranscriptPath),
    required(Fact::Cwd),
    required(Fact::HookEventName),
];

const SHORT: Timeout = Timeout {
    default: Duration::from_secs(1),
    at_most: Some(Duration::from_secs(3)),
    together: None,
};

const NO_UNIVERSALS: [Refused; 3] = [Refused::Stop, Refused::StopReason, Refused::SuppressOutput];

pub(super) const PRE_TOOL_USE: EventRow = EventRow {
    subject: Subject::Tool,
    handlers: Handlers::CommandAndMcp,
    honours: Honours::MESSAGE
        .and(Honours::BLOCK)
        .and(Honours::PERMISSION)
        .and(Honours::REWRITE)
        .and(Honours::CONTEXT),
    exit_two: ExitTwo::RefusesWithReason,
    before: true,
    top: top!(Decision, Reason, HookSpecificOutput),
    specific: &[
        PermissionDecision,
        PermissionDecisionReason,
        UpdatedInput,
        AdditionalContext,
    ],
    refused: &[
        NO_UNIVERSALS[0],
        NO_UNIVERSALS[1],
        NO_UNIVERSALS[2],
        Refused::LoneRewrite,
        Refused::BareAllow,
        Refused::Ask,
        Refused::Approve,
        Refused::LoneReason,
    ],
    ..EventRow::new(
        "PreToolUse",
        "before a tool call",
        turn!(
            required(Fact::PermissionMode),
            required(Fact::ToolName),
            required(Fact::ToolInput),
            required(Fact::ToolUseId),
        ),
    )
};

pub(super) const PERMISSION_REQUEST: EventRow = EventRow {
    subject: Subject::Tool,
    handlers: Handlers::CommandAndMcp,
    honours: Honours::MESSAGE.and(Honours::BEHAVIOR),
    exit_two: ExitTwo::RefusesWithReason,
    before: true,
    top: top!(HookSpecificOutput),
    specific: &[
        Behavior,
        Message,
        Interrupt,
        PermittedInput,
        UpdatedPermissions,
    ],
    refused: &[
        NO_UNIVERSALS[0],
        NO_UNIVERSALS[1],
        NO_UNIVERSALS[2],
        Refused::PermittedInput,
        Refused::UpdatedPermissions,
        Refused::Interrupt,
    ],
    ..EventRow::new(
        "PermissionRequest",
        "when somebody would be asked for approval",
        turn!(
            required(Fact::PermissionMode),
            required(Fact::ToolName),
            required(Fact::ToolInput),
        ),
    )
};

pub(super) const POST_TOOL_USE: EventRow = EventRow {
    subject: Subject::Tool,
    handlers: Handlers::CommandAndMcp,
    honours: Honours::MESSAGE.and(Honours::BLOCK).and(Honours::CONTEXT),
    stop: Stop::Replaces,
    refusal_replaces: true,
    keeps_reasons: true,
    exit_two: ExitTwo::RefusesWithReason,
    top: top!(Decision, Reason, HookSpecificOutput),
    specific: &[AdditionalContext, UpdatedMcpToolOutput],
    refused: &[
        Refused::SuppressOutput,
        Refused::ReplaceMcp,
        Refused::LoneReason,
    ],
    ..EventRow::new(
        "PostToolUse",
        "after a tool printed its output",
        turn!(
            required(Fact::PermissionMode),
            required(Fact::ToolName),
            required(Fact::ToolInput),
            required(Fact::ToolResponse),
            required(Fact::ToolUseId),
        ),
    )
};

const COMPACT: EventRow = EventRow {
    subject: Subject::Fact(Fact::Trigger),
    handlers: Handlers::CommandAndMcp,
    honours: Honours::MESSAGE,
    stop: Stop::Ends,
    plain_text: PlainText::Fails,
    exit_two: ExitTwo::Fails,
    top: top!(),
    ..EventRow::new("", "", turn!(required(Fact::Trigger)))
};

pub(super) const PRE_COMPACT: EventRow = EventRow {
    name: "PreCompact",
    fires: "before the conversation is compacted",
    ..COMPACT
};

pub(super) const POST_COMPACT: EventRow = EventRow {
    name: "PostCompact",
    fires: "after the conversation was compacted",
    ..COMPACT
};

pub(super) const SESSION_START: EventRow = EventRow {
    subject: Subject::Fact(Fact::Source),
    handlers: Handlers::CommandAndMcp,
    honours: Honours::MESSAGE.and(Honours::CONTEXT),
    stop: Stop::Ends,
    plain_text: PlainText::Context,
    exit_two: ExitTwo::Fails,
    top: top!(HookSpecificOutput),
    specific: &[AdditionalContext],
    ..EventRow::new(
        "SessionStart",
        "a session starts or is resumed, cleared, compacted or forked",
        &[
            required(Fact::SessionId),
            nullable(Fact::TranscriptPath),
            required(Fact::Cwd),
            required(Fact::HookEventName),
            required(Fact::Model),
            required(Fact::PermissionMode),
            required(Fact::Source),
        ],
    )
};

pub(super) const SESSION_END: EventRow = EventRow {
    subject: Subject::Fact(Fact::Reason),
    handlers: Handlers::Command,
    timeout: SHORT,
    ..EventRow::new(
        "SessionEnd",
        "the session ends",
        &[
            required(Fact::SessionId),
            nullable(Fact::TranscriptPath),
            required(Fact::Cwd),
            required(Fact::HookEventName),
            required(Fact::Reason),
        ],
    )
};

pub(super) const USER_PROMPT_SUBMIT: EventRow = EventRow {
    handlers: Handlers::CommandAndMcp,
    honours: Honours::MESSAGE.and(Honours::BLOCK).and(Honours::CONTEXT),
    stop: Stop::Ends,
    plain_text: PlainText::Context,
    exit_two: ExitTwo::RefusesWithReason,
    before: true,
    keeps_reasons: true,
    top: top!(Decision, Reason, HookSpecificOutput),
    specific: &[AdditionalContext],
    ..EventRow::new(
        "UserPromptSubmit",
        "before a prompt reaches the model",
        turn!(required(Fact::PermissionMode), required(Fact::Prompt)),
    )
};

pub(super) const SUBAGENT_START: EventRow = EventRow {
    subject: Subject::Fact(Fact::AgentType),
    handlers: Handlers::CommandAndMcp,
    honours: Honours::MESSAGE.and(Honours::CONTEXT),
    plain_text: PlainText::Context,
    exit_two: ExitTwo::Fails,
    top: top!(HookSpecificOutput),
    specific: &[AdditionalContext],
    ..EventRow::new(
        "SubagentStart",
        "a subagent starts",
        root_turn!(required(Fact::AgentId), required(Fact::AgentType)),
    )
};

pub(super) const SUBAGENT_STOP: EventRow = EventRow {
    subject: Subject::Fact(Fact::AgentType),
    ..EventRow {
        name: "SubagentStop",
        fires: "a subagent ends its turn",
        payload: &[
            required(Fact::SessionId),
            required(Fact::TurnId),
            nullable(Fact::TranscriptPath),
            nullable(Fact::AgentTranscriptPath),
            required(Fact::Cwd),
            required(Fact::HookEventName),
            required(Fact::Model),
            required(Fact::PermissionMode),
            required(Fact::StopHookActive),
            required(Fact::AgentId),
            required(Fact::AgentType),
            nullable(Fact::LastAssistantMessage),
        ],
        ..STOP
    }
};

pub(super) const STOP: EventRow = EventRow {
    handlers: Handlers::CommandAndMcp,
    honours: Honours::MESSAGE.and(Honours::BLOCK),
    stop: Stop::Ends,
    plain_text: PlainText::Fails,
    exit_two: ExitTwo::RefusesWithReason,
    top: top!(Decision, Reason),
    ..EventRow::new(
        "Stop",
        "a turn ends",
        root_turn!(
            required(Fact::StopHookActive),
            nullable(Fact::LastAssistantMessage),
        ),
    )
};

pub(super) const INTERRUPT: EventRow = EventRow {
    handlers: Handlers::CommandAndMcp,
    timeout: SHORT,
    honours: Honours::MESSAGE,
    plain_text: PlainText::Fails,
    exit_two: ExitTwo::Fails,
    top: &[SystemMessage],
    ..EventRow::new("Interrupt", "a turn is cancelled", root_turn!())
};

/// What payloads about one request to the model begin with.
macro_rules! request {
    ($($field:expr),* $(,)?) => {
        &[
            required(Fact::Kind),
            required(Fact::RequestId),
            required(Fact::AttemptNumber),
            required(Fact::SessionId),
            required(Fact::ThreadId),
            required(Fact::TurnId),
            required(Fact::Cwd),
            nullable(Fact::TranscriptPath),
            required(Fact::Model),
            optional(Fact::AgentId),
            optional(Fact::AgentType),
            required(Fact::HookEventName)
            $(, $field)*
        ]
    };
}

pub(super) const PRE_MODEL_REQUEST: EventRow = EventRow {
    handlers: Handlers::CommandAndMcp,
    exit_two: ExitTwo::Fails,
    ..EventRow::new(
        "PreModelRequest",
        "before a request to the model",
        request!(),
    )
};

pub(super) const POST_MODEL_REQUEST: EventRow = EventRow {
    handlers: Handlers::CommandAndMcp,
    exit_two: ExitTwo::Fails,
    ..EventRow::new(
        "PostModelRequest",
        "after a request to the model",
        request!(
            required(Fact::Status),
            nullable(Fact::Error),
            nullable(Fact::TokenUsage),
            nullable(Fact::ResponseId),
        ),
    )
};
