//! Events of agents, teammates and their tasks.

#[cfg_attr(
    not(test),
    expect(clippy::wildcard_imports, reason = "a table names much")
)]
use super::*;

pub(super) const SUBAGENT_START: EventRow = EventRow {
    subject: Subject::Fact(Fact::AgentType),
    honours: Honours::MESSAGE.and(Honours::CONTEXT),
    top: TOP,
    specific: &[AdditionalContext],
    ..EventRow::new("SubagentStart", "a subagent starts", payload!(place))
};

pub(super) const SUBAGENT_STOP: EventRow = EventRow {
    subject: Subject::Fact(Fact::AgentType),
    handlers: Handlers::All,
    honours: Honours::MESSAGE.and(Honours::BLOCK).and(Honours::CONTEXT),
    stop: Stop::Ends,
    exit_two: ExitTwo::Refuses,
    top: TOP,
    specific: &[AdditionalContext],
    ..EventRow::new(
        "SubagentStop",
        "a subagent is about to finish",
        payload!(
            all,
            required(Fact::StopHookActive),
            required(Fact::AgentTranscriptPath),
            optional(Fact::LastAssistantMessage),
            optional(Fact::BackgroundTasks),
            optional(Fact::SessionCrons)
        ),
    )
};

pub(super) const STOP: EventRow = EventRow {
    handlers: Handlers::All,
    honours: Honours::MESSAGE.and(Honours::BLOCK).and(Honours::CONTEXT),
    stop: Stop::Ends,
    exit_two: ExitTwo::Refuses,
    top: TOP,
    specific: &[AdditionalContext],
    ..EventRow::new(
        "Stop",
        "the agent finished a reply",
        payload!(
            all,
            required(Fact::StopHookActive),
            optional(Fact::LastAssistantMessage),
            optional(Fact::BackgroundTasks),
            optional(Fact::SessionCrons)
        ),
    )
};

pub(super) const TASK_CREATED: EventRow = EventRow {
    handlers: Handlers::All,
    honours: Honours::MESSAGE.and(Honours::BLOCK),
    exit_two: ExitTwo::Refuses,
    failure_can_block: true,
    before: true,
    top: TOP,
    ..EventRow::new(
        "TaskCreated",
        "a task is created",
        payload!(
            mode,
            required(Fact::TaskId),
            required(Fact::TaskSubject),
            optional(Fact::TaskDescription),
            optional(Fact::TeammateName),
            optional(Fact::TeamName)
        ),
    )
};

pub(super) const TASK_COMPLETED: EventRow = EventRow {
    handlers: Handlers::All,
    honours: Honours::MESSAGE.and(Honours::BLOCK),
    stop: Stop::Ends,
    exit_two: ExitTwo::Refuses,
    before: true,
    top: TOP,
    ..EventRow::new(
        "TaskCompleted",
        "a task is marked as done",
        payload!(
            mode,
            required(Fact::TaskId),
            required(Fact::TaskSubject),
            optional(Fact::TaskDescription),
            optional(Fact::TeammateName),
            optional(Fact::TeamName)
        ),
    )
};

pub(super) const TEAMMATE_IDLE: EventRow = EventRow {
    handlers: Handlers::All,
    honours: Honours::MESSAGE.and(Honours::BLOCK),
    stop: Stop::Ends,
    exit_two: ExitTwo::Refuses,
    top: TOP,
    ..EventRow::new(
        "TeammateIdle",
        "a teammate is about to idle",
        payload!(mode, required(Fact::TeammateName), required(Fact::TeamName)),
    )
};
