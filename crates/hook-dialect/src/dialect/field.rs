//! The names that payloads and answers use.

/// A field of a payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PayloadField {
    /// Which one.
    pub fact: Fact,
    /// Whether it is always there.
    pub presence: Presence,
}

/// Whether a field of a payload is always there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Presence {
    /// Always; without it there is no payload.
    Required,
    /// Only when it is known.
    Optional,
    /// Always; `null` when it is not known.
    Nullable,
}

macro_rules! names {
    ($(#[$about:meta])* $type:ident { $($(#[$doc:meta])* $variant:ident = $name:literal,)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum $type {
            $($(#[$doc])* #[doc = concat!("`", $name, "`")] $variant,)*
        }

        impl $type {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The name in JSON.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// The one of that name.
            #[must_use]
            pub fn named(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|field| field.name() == name)
            }
        }
    };
}

names! {
    /// Something a hook is told.
    Fact {
        SessionId = "session_id",
        TurnId = "turn_id",
        ThreadId = "thread_id",
        PromptId = "prompt_id",
        TranscriptPath = "transcript_path",
        AgentTranscriptPath = "agent_transcript_path",
        Cwd = "cwd",
        ScratchpadDir = "scratchpad_dir",
        PermissionMode = "permission_mode",
        AgentId = "agent_id",
        AgentType = "agent_type",
        Effort = "effort",
        Model = "model",
        ToolName = "tool_name",
        ToolInput = "tool_input",
        ToolUseId = "tool_use_id",
        ToolResponse = "tool_response",
        ToolCalls = "tool_calls",
        DurationMs = "duration_ms",
        McpServer = "mcp_server",
        McpServerName = "mcp_server_name",
        PermissionSuggestions = "permission_suggestions",
        Error = "error",
        ErrorDetails = "error_details",
        IsInterrupt = "is_interrupt",
        Reason = "reason",
        Source = "source",
        Trigger = "trigger",
        Prompt = "prompt",
        SessionTitle = "session_title",
        SecondsSinceLastResponse = "seconds_since_last_response",
        ContextTokens = "context_tokens",
        PromptCacheLikelyExpired = "prompt_cache_likely_expired",
        EstimatedCacheWriteUsd = "estimated_cache_write_usd",
        PromptCacheWarm = "prompt_cache_warm",
        CacheTtl = "cache_ttl",
        Pricing = "pricing",
        FromModel = "from_model",
        ToModel = "to_model",
        RequestedModel = "requested_model",
        FilePath = "file_path",
        MemoryType = "memory_type",
        LoadReason = "load_reason",
        Globs = "globs",
        TriggerFilePath = "trigger_file_path",
        ParentFilePath = "parent_file_path",
        ExpansionType = "expansion_type",
        CommandName = "command_name",
        CommandArgs = "command_args",
        CommandSource = "command_source",
        InvokedBy = "invoked_by",
        Message = "message",
        Title = "title",
        NotificationType = "notification_type",
        MessageId = "message_id",
        Index = "index",
        Final = "final",
        Delta = "delta",
        StopHookActive = "stop_hook_active",
        LastAssistantMessage = "last_assistant_message",
        BackgroundTasks = "background_tasks",
        SessionCrons = "session_crons",
        TaskId = "task_id",
        TaskSubject = "task_subject",
        TaskDescription = "task_description",
        TeammateName = "teammate_name",
        TeamName = "team_name",
        CustomInstructions = "custom_instructions",
        CompactSummary = "compact_summary",
        Mode = "mode",
        Url = "url",
        ElicitationId = "elicitation_id",
        RequestedSchema = "requested_schema",
        Action = "action",
        Content = "content",
        OldCwd = "old_cwd",
        NewCwd = "new_cwd",
        Directory = "directory",
        Event = "event",
        Name = "name",
        WorktreePath = "worktree_path",
        Kind = "kind",
        RequestId = "request_id",
        AttemptNumber = "attempt_number",
        Status = "status",
        TokenUsage = "token_usage",
        ResponseId = "response_id",
        /// The name of the event; its row knows it.
        HookEventName = "hook_event_name",
    }
}

/// What the value of a fact is, as agents tell it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FactShape {
    /// `true` or `false`.
    Flag,
    /// A number.
    Number,
    /// Text mostly, or an object or a list; nothing is said about it.
    Other,
}

/// The facts that are `true` or `false`.
const FLAGS: &[Fact] = &[
    Fact::IsInterrupt,
    Fact::PromptCacheLikelyExpired,
    Fact::PromptCacheWarm,
    Fact::Final,
    Fact::StopHookActive,
];

/// The facts that are numbers.
const NUMBERS: &[Fact] = &[
    Fact::DurationMs,
    Fact::SecondsSinceLastResponse,
    Fact::ContextTokens,
    Fact::EstimatedCacheWriteUsd,
    Fact::Index,
    Fact::AttemptNumber,
];

impl Fact {
    /// What its value is.
    ///
    /// ```
    /// use hook_dialect::{Fact, FactShape};
    ///
    /// assert_eq!(Fact::StopHookActive.shape(), FactShape::Flag);
    /// assert_eq!(Fact::DurationMs.shape(), FactShape::Number);
    /// assert_eq!(Fact::Prompt.shape(), FactShape::Other);
    /// ```
    #[must_use]
    pub fn shape(self) -> FactShape {
        if FLAGS.contains(&self) {
            FactShape::Flag
        } else if NUMBERS.contains(&self) {
            FactShape::Number
        } else {
            FactShape::Other
        }
    }
}

names! {
    /// Something a hook may answer.
    AnswerField {
        Continue = "continue",
        StopReason = "stopReason",
        SuppressOutput = "suppressOutput",
        SystemMessage = "systemMessage",
        TerminalSequence = "terminalSequence",
        Decision = "decision",
        Reason = "reason",
        HookSpecificOutput = "hookSpecificOutput",
        HookEventName = "hookEventName",
        PermissionDecision = "permissionDecision",
        PermissionDecisionReason = "permissionDecisionReason",
        UpdatedInput = "updatedInput",
        AdditionalContext = "additionalContext",
        UpdatedToolOutput = "updatedToolOutput",
        UpdatedMcpToolOutput = "updatedMCPToolOutput",
        ClassifierContext = "classifierContext",
        SessionTitle = "sessionTitle",
        SuppressOriginalPrompt = "suppressOriginalPrompt",
        InitialUserMessage = "initialUserMessage",
        WatchPaths = "watchPaths",
        ReloadSkills = "reloadSkills",
        Retry = "retry",
        Action = "action",
        Content = "content",
        WorktreePath = "worktreePath",
        DisplayContent = "displayContent",
        /// The verdict on a request for permission: an object named like the older field.
        Behavior = "decision.behavior",
        Message = "decision.message",
        Interrupt = "decision.interrupt",
        PermittedInput = "decision.updatedInput",
        UpdatedPermissions = "decision.updatedPermissions",
    }
}
