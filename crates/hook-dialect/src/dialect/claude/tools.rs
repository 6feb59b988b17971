//! Events around a tool call.

#[cfg_attr(
    not(test),
    expect(clippy::wildcard_imports, reason = "a table names much")
)]
use super::*;

pub(super) const PRE_TOOL_USE: EventRow = EventRow {
    subject: Subject::Tool,
    handlers: Handlers::All,
    honours: Honours::MESSAGE
        .and(Honours::BLOCK)
        .and(Honours::APPROVE)
        .and(Honours::PERMISSION)
        .and(Honours::DEFER)
        .and(Honours::REWRITE)
        .and(Honours::CONTEXT),
    stop: Stop::Ends,
    exit_two: ExitTwo::Refuses,
    failure_can_block: true,
    before: true,
    top: TOP,
    specific: &[
        PermissionDecision,
        PermissionDecisionReason,
        UpdatedInput,
        AdditionalContext,
    ],
    ..EventRow::new(
        "PreToolUse",
        "before a tool call",
        payload!(
            all,
            required(Fact::ToolName),
            required(Fact::ToolInput),
            required(Fact::ToolUseId),
            optional(Fact::McpServer)
        ),
    )
};

pub(super) const PRE_SKILL_SHELL_COMMAND: EventRow = EventRow {
    subject: Subject::Tool,
    handlers: Handlers::Command,
    honours: Honours::MESSAGE.and(Honours::PERMISSION),
    stop: Stop::Ends,
    exit_two: ExitTwo::Refuses,
    failure_can_block: true,
    before: true,
    top: TOP,
    specific: &[PermissionDecision, PermissionDecisionReason, UpdatedInput],
    ..EventRow::new(
        "PreSkillShellCommand",
        "before an inline shell command of a skill or command that is being loaded",
        payload!(
            all,
            required(Fact::ToolName),
            required(Fact::ToolInput),
            required(Fact::ToolUseId),
            required(Fact::CommandName),
            optional(Fact::CommandSource),
            required(Fact::InvokedBy)
        ),
    )
};

pub(super) const PERMISSION_REQUEST: EventRow = EventRow {
    subject: Subject::Tool,
    handlers: Handlers::AllButAgent,
    honours: Honours::MESSAGE
        .and(Honours::BEHAVIOR)
        .and(Honours::REWRITE),
    failure_can_block: true,
    before: true,
    first_decides: true,
    top: TOP,
    specific: &[
        Behavior,
        Message,
        Interrupt,
        PermittedInput,
        UpdatedPermissions,
    ],
    ..EventRow::new(
        "PermissionRequest",
        "when somebody would be asked for permission",
        payload!(
            all,
            required(Fact::ToolName),
            required(Fact::ToolInput),
            optional(Fact::PermissionSuggestions),
            optional(Fact::McpServer)
        ),
    )
};

pub(super) const PERMISSION_DENIED: EventRow = EventRow {
    subject: Subject::Tool,
    handlers: Handlers::All,
    honours: Honours::MESSAGE,
    top: TOP,
    specific: &[Retry],
    ..EventRow::new(
        "PermissionDenied",
        "after a call was denied in auto mode",
        payload!(
            all,
            required(Fact::ToolName),
            required(Fact::ToolInput),
            required(Fact::ToolUseId),
            required(Fact::Reason),
            optional(Fact::McpServer)
        ),
    )
};

pub(super) const POST_TOOL_USE: EventRow = EventRow {
    subject: Subject::Tool,
    handlers: Handlers::All,
    honours: Honours::MESSAGE
        .and(Honours::BLOCK)
        .and(Honours::REPLACE)
        .and(Honours::REPLACE_MCP)
        .and(Honours::CONTEXT),
    stop: Stop::Ends,
    exit_two: ExitTwo::Refuses,
    failure_can_block: true,
    top: TOP,
    specific: &[
        AdditionalContext,
        UpdatedToolOutput,
        UpdatedMcpToolOutput,
        ClassifierContext,
    ],
    ..EventRow::new(
        "PostToolUse",
        "after a tool call succeeded",
        payload!(
            all,
            required(Fact::ToolName),
            required(Fact::ToolInput),
            required(Fact::ToolResponse),
            required(Fact::ToolUseId),
            optional(Fact::DurationMs),
            optional(Fact::McpServer)
        ),
    )
};

pub(super) const POST_TOOL_USE_FAILURE: EventRow = EventRow {
    subject: Subject::Tool,
    handlers: Handlers::All,
    honours: Honours::MESSAGE.and(Honours::BLOCK).and(Honours::CONTEXT),
    exit_two: ExitTwo::Refuses,
    failure_can_block: true,
    top: TOP,
    specific: &[AdditionalContext],
    ..EventRow::new(
        "PostToolUseFailure",
        "after a tool call failed",
        payload!(
            all,
            required(Fact::ToolName),
            required(Fact::ToolInput),
            required(Fact::ToolUseId),
            required(Fact::Error),
            optional(Fact::IsInterrupt),
            optional(Fact::DurationMs),
            optional(Fact::McpServer)
        ),
    )
};

pub(super) const POST_TOOL_BATCH: EventRow = EventRow {
    handlers: Handlers::All,
    honours: Honours::MESSAGE.and(Honours::BLOCK).and(Honours::CONTEXT),
    stop: Stop::Ends,
    exit_two: ExitTwo::Refuses,
    failure_can_block: true,
    top: TOP,
    specific: &[AdditionalContext],
    ..EventRow::new(
        "PostToolBatch",
        "after all calls of one reply",
        payload!(all, required(Fact::ToolCalls)),
    )
};
