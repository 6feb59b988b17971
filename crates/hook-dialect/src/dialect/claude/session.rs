//! Events of the session and of prompts.

#[cfg_attr(
    not(test),
    expect(clippy::wildcard_imports, reason = "a table names much")
)]
use super::*;

const SESSION_END_TIMEOUT: Timeout = Timeout {
    default: Duration::from_millis(1500),
    at_most: Some(Duration::from_secs(60)),
    together: Some("CLAUDE_CODE_SESSIONEND_HOOKS_TIMEOUT_MS"),
};

pub(super) const SESSION_START: EventRow = EventRow {
    subject: Subject::Fact(Fact::Source),
    handlers: Handlers::CommandAndMcp,
    honours: Honours::MESSAGE.and(Honours::CONTEXT),
    plain_text: PlainText::Context,
    exports: true,
    top: TOP,
    specific: &[
        AdditionalContext,
        InitialUserMessage,
        SessionTitle,
        WatchPaths,
        ReloadSkills,
    ],
    ..EventRow::new(
        "SessionStart",
        "a session starts, is resumed, cleared, compacted or forked",
        payload!(
            place,
            required(Fact::Source),
            optional(Fact::Model),
            optional(Fact::SessionTitle),
            optional(Fact::SecondsSinceLastResponse),
            optional(Fact::ContextTokens),
            optional(Fact::PromptCacheLikelyExpired),
            optional(Fact::EstimatedCacheWriteUsd)
        ),
    )
};

pub(super) const SETUP: EventRow = EventRow {
    subject: Subject::Fact(Fact::Trigger),
    handlers: Handlers::Command,
    exports: true,
    top: TOP,
    specific: &[AdditionalContext],
    ..EventRow::new(
        "Setup",
        "the agent is started to set up or maintain a project",
        payload!(place, required(Fact::Trigger)),
    )
};

pub(super) const SESSION_END: EventRow = EventRow {
    subject: Subject::Fact(Fact::Reason),
    timeout: SESSION_END_TIMEOUT,
    top: TOP,
    ..EventRow::new(
        "SessionEnd",
        "the session ends",
        payload!(place, required(Fact::Reason)),
    )
};

pub(super) const INSTRUCTIONS_LOADED: EventRow = EventRow {
    subject: Subject::Fact(Fact::LoadReason),
    top: TOP,
    ..EventRow::new(
        "InstructionsLoaded",
        "a file of instructions is loaded",
        payload!(
            place,
            required(Fact::FilePath),
            required(Fact::MemoryType),
            required(Fact::LoadReason),
            optional(Fact::Globs),
            optional(Fact::TriggerFilePath),
            optional(Fact::ParentFilePath)
        ),
    )
};

pub(super) const USER_PROMPT_SUBMIT: EventRow = EventRow {
    timeout: seconds(30),
    handlers: Handlers::All,
    honours: Honours::MESSAGE.and(Honours::BLOCK).and(Honours::CONTEXT),
    stop: Stop::Ends,
    plain_text: PlainText::Context,
    exit_two: ExitTwo::Refuses,
    failure_can_block: true,
    before: true,
    first_decides: true,
    top: TOP,
    specific: &[AdditionalContext, SessionTitle, SuppressOriginalPrompt],
    ..EventRow::new(
        "UserPromptSubmit",
        "a prompt is about to be processed",
        payload!(
            mode,
            required(Fact::Prompt),
            optional(Fact::Source),
            optional(Fact::SessionTitle)
        ),
    )
};

pub(super) const USER_PROMPT_EXPANSION: EventRow = EventRow {
    subject: Subject::Fact(Fact::CommandName),
    handlers: Handlers::All,
    honours: Honours::MESSAGE.and(Honours::BLOCK).and(Honours::CONTEXT),
    stop: Stop::Ends,
    plain_text: PlainText::Context,
    exit_two: ExitTwo::Refuses,
    failure_can_block: true,
    before: true,
    top: TOP,
    specific: &[AdditionalContext, SuppressOriginalPrompt],
    ..EventRow::new(
        "UserPromptExpansion",
        "a typed command or an MCP prompt is expanded",
        payload!(
            mode,
            required(Fact::ExpansionType),
            required(Fact::CommandName),
            required(Fact::CommandArgs),
            optional(Fact::CommandSource),
            required(Fact::Prompt)
        ),
    )
};

pub(super) const NOTIFICATION: EventRow = EventRow {
    subject: Subject::Fact(Fact::NotificationType),
    top: TOP,
    specific: &[AdditionalContext],
    ..EventRow::new(
        "Notification",
        "the user is notified",
        payload!(
            place,
            required(Fact::Message),
            optional(Fact::Title),
            required(Fact::NotificationType)
        ),
    )
};

pub(super) const MESSAGE_DISPLAY: EventRow = EventRow {
    timeout: seconds(10),
    top: TOP,
    specific: &[DisplayContent],
    ..EventRow::new(
        "MessageDisplay",
        "a text of the model is shown",
        payload!(
            place,
            required(Fact::TurnId),
            required(Fact::MessageId),
            required(Fact::Index),
            required(Fact::Final),
            required(Fact::Delta)
        ),
    )
};

pub(super) const STOP_FAILURE: EventRow = EventRow {
    subject: Subject::Fact(Fact::Error),
    matcher: Some(NARROW),
    top: TOP,
    ..EventRow::new(
        "StopFailure",
        "a turn ended with an error of the model's service",
        payload!(
            effort,
            required(Fact::Error),
            optional(Fact::ErrorDetails),
            optional(Fact::LastAssistantMessage)
        ),
    )
};

pub(super) const PRE_COMPACT: EventRow = EventRow {
    subject: Subject::Fact(Fact::Trigger),
    honours: Honours::BLOCK,
    plain_text: PlainText::Context,
    exit_two: ExitTwo::Refuses,
    failure_can_block: true,
    before: true,
    top: TOP,
    ..EventRow::new(
        "PreCompact",
        "before the conversation is compacted",
        payload!(
            place,
            required(Fact::Trigger),
            field(Fact::CustomInstructions, Nullable)
        ),
    )
};

pub(super) const POST_COMPACT: EventRow = EventRow {
    subject: Subject::Fact(Fact::Trigger),
    top: TOP,
    ..EventRow::new(
        "PostCompact",
        "after the conversation was compacted",
        payload!(
            place,
            required(Fact::Trigger),
            required(Fact::CompactSummary)
        ),
    )
};
