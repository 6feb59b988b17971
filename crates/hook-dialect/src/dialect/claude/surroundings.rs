//! Events of models, servers, files and directories.

#[cfg_attr(
    not(test),
    expect(clippy::wildcard_imports, reason = "a table names much")
)]
use super::*;

pub(super) const PRE_MODEL_SWITCH: EventRow = EventRow {
    subject: Subject::Fact(Fact::ToModel),
    timeout: seconds(30),
    honours: Honours::MESSAGE
        .and(Honours::BLOCK)
        .and(Honours::PERMISSION),
    stop: Stop::Ends,
    exit_two: ExitTwo::Refuses,
    failure_can_block: true,
    before: true,
    top: TOP,
    specific: &[PermissionDecision, PermissionDecisionReason],
    ..EventRow::new(
        "PreModelSwitch",
        "another model is asked for",
        payload!(
            place,
            required(Fact::FromModel),
            required(Fact::ToModel),
            field(Fact::RequestedModel, Nullable),
            required(Fact::Source),
            required(Fact::ContextTokens),
            required(Fact::PromptCacheWarm),
            required(Fact::CacheTtl),
            required(Fact::EstimatedCacheWriteUsd),
            required(Fact::Pricing)
        ),
    )
};

pub(super) const POST_MODEL_SWITCH: EventRow = EventRow {
    subject: Subject::Fact(Fact::ToModel),
    timeout: seconds(30),
    honours: Honours::MESSAGE.and(Honours::CONTEXT),
    stop: Stop::Ends,
    plain_text: PlainText::Context,
    top: TOP,
    specific: &[AdditionalContext],
    ..EventRow::new(
        "PostModelSwitch",
        "the model changed",
        payload!(
            place,
            required(Fact::FromModel),
            required(Fact::ToModel),
            field(Fact::RequestedModel, Nullable),
            required(Fact::Source),
            required(Fact::ContextTokens),
            required(Fact::PromptCacheWarm),
            required(Fact::CacheTtl),
            required(Fact::EstimatedCacheWriteUsd),
            required(Fact::Pricing)
        ),
    )
};

pub(super) const ELICITATION: EventRow = EventRow {
    subject: Subject::Fact(Fact::McpServerName),
    exit_two: ExitTwo::Refuses,
    failure_can_block: true,
    before: true,
    top: TOP,
    specific: &[Action, Content],
    ..EventRow::new(
        "Elicitation",
        "an MCP server asks the user",
        payload!(
            place,
            required(Fact::McpServerName),
            required(Fact::Message),
            optional(Fact::Mode),
            optional(Fact::Url),
            optional(Fact::ElicitationId),
            optional(Fact::RequestedSchema)
        ),
    )
};

pub(super) const ELICITATION_RESULT: EventRow = EventRow {
    subject: Subject::Fact(Fact::McpServerName),
    exit_two: ExitTwo::Refuses,
    failure_can_block: true,
    before: true,
    top: TOP,
    specific: &[Action, Content],
    ..EventRow::new(
        "ElicitationResult",
        "the user answered an MCP server",
        payload!(
            place,
            required(Fact::McpServerName),
            required(Fact::Action),
            optional(Fact::Mode),
            optional(Fact::ElicitationId),
            optional(Fact::Content)
        ),
    )
};

pub(super) const CONFIG_CHANGE: EventRow = EventRow {
    subject: Subject::Fact(Fact::Source),
    honours: Honours::BLOCK,
    exit_two: ExitTwo::Refuses,
    failure_can_block: true,
    before: true,
    top: TOP,
    ..EventRow::new(
        "ConfigChange",
        "a file of settings, policy or skills changed",
        payload!(place, required(Fact::Source), optional(Fact::FilePath)),
    )
};

pub(super) const CWD_CHANGED: EventRow = EventRow {
    honours: Honours::MESSAGE,
    exports: true,
    top: TOP,
    specific: &[WatchPaths],
    ..EventRow::new(
        "CwdChanged",
        "a shell command changed the working directory",
        payload!(place, required(Fact::OldCwd), required(Fact::NewCwd)),
    )
};

pub(super) const DIRECTORY_ADDED: EventRow = EventRow {
    subject: Subject::Fact(Fact::Source),
    honours: Honours::MESSAGE,
    stop: Stop::Ends,
    top: TOP,
    ..EventRow::new(
        "DirectoryAdded",
        "a directory was added to the session",
        payload!(place, required(Fact::Directory), required(Fact::Source)),
    )
};

pub(super) const FILE_CHANGED: EventRow = EventRow {
    subject: Subject::FileName(Fact::FilePath),
    matcher: Some(NARROW),
    honours: Honours::MESSAGE,
    exports: true,
    top: TOP,
    specific: &[WatchPaths],
    ..EventRow::new(
        "FileChanged",
        "a watched file changed",
        payload!(place, required(Fact::FilePath), required(Fact::Event)),
    )
};

pub(super) const WORKTREE_CREATE: EventRow = EventRow {
    exit_two: ExitTwo::RefusesAsAny,
    failure_can_block: true,
    before: true,
    top: TOP,
    specific: &[WorktreePath],
    ..EventRow::new(
        "WorktreeCreate",
        "a worktree is wanted",
        payload!(place, required(Fact::Name)),
    )
};

pub(super) const WORKTREE_REMOVE: EventRow = EventRow {
    exit_two: ExitTwo::RefusesAsAny,
    failure_can_block: true,
    before: true,
    top: TOP,
    ..EventRow::new(
        "WorktreeRemove",
        "a worktree that a hook made is to be removed",
        payload!(place, required(Fact::WorktreePath)),
    )
};
