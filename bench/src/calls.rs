//! The calls that are asked about.

use hook_contract::HookCall;

/// Whether a call's input is small or 1 MiB large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "the two that spec 08 names")]
pub enum Size {
    /// A shell command.
    Small,
    /// A command of 1 MiB.
    Large,
}

impl Size {
    /// The input as JSON text.
    #[must_use]
    pub fn input(self) -> String {
        match self {
            Self::Small => r#"{"command":"git push --force"}"#.into(),
            Self::Large => format!(r#"{{"command":"{}"}}"#, "x".repeat(1 << 20)),
        }
    }

    /// A call with that input.
    #[must_use]
    pub fn call(self) -> HookCall {
        HookCall::new("agent-1", "shell", "call-1", self.input())
    }
}
