//! What is known of each agent.

use super::{
    asking::{AskRow, Asks, Attendance, AttendanceVariable},
    row::{BridgeRow, ContextPlace, OutcomeOf, Refusal, Replacement, Rewrite},
};
use crate::{Dialect, dialect::Fact};

/// How one agent's tool events are put to the chain, and the chain's outcome to the agent.
#[derive(Debug)]
#[non_exhaustive]
pub struct Bridge {
    /// The agent.
    pub dialect: &'static Dialect,
    /// The events at which the chain is asked. At any other event of the agent there is nothing to say.
    pub rows: &'static [BridgeRow],
    /// The variable in which the agent names the root of its project.
    pub project: Option<&'static str>,
    /// The variable by which the agent tells whether a person sits before it.
    pub attendance: Option<AttendanceVariable>,
    /// Tools of whose rewritten input the agent takes the member `command` alone.
    pub(super) by_command: &'static [&'static str],
    /// What the names of tools begin with whose results may be of any shape.
    pub(super) any_shape: &'static str,
    /// Where results of other tools hold what the model reads.
    pub(super) texts: &'static [TextOf],
}

/// Where the results of a tool hold what the model reads.
#[derive(Debug)]
pub(super) struct TextOf {
    pub(super) tool: &'static str,
    /// The way to the text.
    pub(super) path: &'static [&'static str],
    /// Other members with text, which must not outlive it.
    pub(super) blank: &'static [&'static str],
    /// Members that lead the model to the old result, and may be left out.
    pub(super) leads: &'static [&'static str],
    /// A result of the tool, in JSON, that any of its results may become; `path` leads to its text.
    pub(super) plain: Option<&'static str>,
}

/// A shell keeps a long output in a file, of which the hooks see the beginning, and tells the model where it is.
const SHELL: TextOf = TextOf {
    tool: "Bash",
    path: &["stdout"],
    blank: &["stderr"],
    leads: &["persistedOutputPath", "persistedOutputSize"],
    plain: None,
};

const AFTER: Option<OutcomeOf> = Some(OutcomeOf {
    fact: Fact::ToolResponse,
    is_error: false,
});

const BEFORE: BridgeRow = BridgeRow {
    event: "PreToolUse",
    call_id: Fact::ToolUseId,
    outcome: None,
    refusal: Refusal::Permission,
    rewrite: Rewrite::Alone,
    replacement: Replacement::Beside,
    context: ContextPlace::Beside,
    asks: &[],
    installed: true,
};

/// An ask in a mode in which another input beside it was seen to be what is asked about and what runs.
const fn ask(attendance: Attendance, permission_mode: &'static str, asks: Asks) -> AskRow {
    AskRow {
        attendance,
        permission_mode,
        asks,
        takes_input: true,
    }
}

/// Claude Code before a call. No mode was seen in which the call ran without an answer to the ask, not even where every call
/// is permitted.
const CLAUDE_ASKS: &[AskRow] = {
    use Asks::{HostIfAny, Person};
    use Attendance::{Attended, Unattended};
    &[
        ask(Attended, "default", Person),
        ask(Attended, "acceptEdits", Person),
        ask(Attended, "auto", Person),
        ask(Attended, "dontAsk", Person),
        ask(Attended, "plan", Person),
        ask(Attended, "bypassPermissions", Person),
        ask(Unattended, "default", HostIfAny),
        ask(Unattended, "acceptEdits", HostIfAny),
        ask(Unattended, "auto", HostIfAny),
        ask(Unattended, "dontAsk", HostIfAny),
        ask(Unattended, "plan", HostIfAny),
        ask(Unattended, "bypassPermissions", HostIfAny),
    ]
};

static CLAUDE: Bridge = Bridge {
    dialect: Dialect::CLAUDE,
    rows: &[
        BridgeRow {
            asks: CLAUDE_ASKS,
            ..BEFORE
        },
        // An inline command of a skill. A rewrite is never taken there. Versions before 2.1.332 ask about the unknown
        // event when they start, so that no settings get it unasked.
        BridgeRow {
            event: "PreSkillShellCommand",
            rewrite: Rewrite::Unsaid,
            context: ContextPlace::InRefusals,
            installed: false,
            ..BEFORE
        },
        BridgeRow {
            event: "PostToolUse",
            outcome: AFTER,
            refusal: Refusal::Block,
            rewrite: Rewrite::Unsaid,
            replacement: Replacement::InShape,
            ..BEFORE
        },
        BridgeRow {
            event: "PostToolUseFailure",
            outcome: Some(OutcomeOf {
                fact: Fact::Error,
                is_error: true,
            }),
            refusal: Refusal::Block,
            rewrite: Rewrite::Unsaid,
            ..BEFORE
        },
    ],
    project: Some("CLAUDE_PROJECT_DIR"),
    attendance: Some(AttendanceVariable {
        name: "CLAUDE_CODE_SESSION_ATTENDED",
        attended: "1",
        unattended: "0",
    }),
    by_command: &[],
    any_shape: "mcp__",
    texts: &[
        SHELL,
        TextOf {
            tool: "PowerShell",
            ..SHELL
        },
        // Pictures, notebooks and documents have other members, but the result of a text is taken for theirs.
        TextOf {
            tool: "Read",
            path: &["file", "content"],
            blank: &[],
            leads: &[],
            plain: Some(
                r#"{"type":"text","file":{"filePath":"","content":"","numLines":1,"startLine":1,"totalLines":1}}"#,
            ),
        },
    ],
};

static CODEX: Bridge = Bridge {
    dialect: Dialect::CODEX,
    // Codex takes an ask for a broken hook, and runs the call.
    rows: &[
        BridgeRow {
            rewrite: Rewrite::WithAllow,
            context: ContextPlace::BesideUnlessRefused,
            ..BEFORE
        },
        // It has no identifier of the call. A silent hook leaves the question to a person or to a model, without the reason,
        // and nothing tells which; so an ask is a refusal here too. The model was told at `PreToolUse`.
        BridgeRow {
            event: "PermissionRequest",
            call_id: Fact::TurnId,
            refusal: Refusal::Behavior,
            rewrite: Rewrite::Unsaid,
            context: ContextPlace::InRefusals,
            ..BEFORE
        },
        BridgeRow {
            event: "PostToolUse",
            outcome: AFTER,
            refusal: Refusal::Block,
            rewrite: Rewrite::Unsaid,
            replacement: Replacement::AsReason,
            context: ContextPlace::BesideUnlessRefused,
            ..BEFORE
        },
    ],
    project: None,
    attendance: None,
    by_command: &["Bash", "apply_patch"],
    any_shape: "mcp__",
    texts: &[],
};

impl Bridge {
    /// Claude Code.
    pub const CLAUDE: &'static Self = &CLAUDE;
    /// Codex CLI.
    pub const CODEX: &'static Self = &CODEX;
    /// The agents that can call the chain.
    pub const ALL: [&'static Self; 2] = [Self::CLAUDE, Self::CODEX];

    /// The bridge into the agent of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        Self::ALL
            .into_iter()
            .find(|bridge| bridge.dialect.name == name)
    }

    /// The row of an event at which the chain is asked.
    #[must_use]
    pub fn row(&self, event: &str) -> Option<&'static BridgeRow> {
        self.rows.iter().find(|row| row.event == event)
    }
}
