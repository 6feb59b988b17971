//! Running the hooks of an agent: in the chain around tool calls, and at every other event.
//!
//! All hooks of one event that are concerned run at once, each is told the original, and what they say is merged. They
//! are started by the runner's own means ([`hook_runner::program`]): one deadline, one process group, nothing left behind.
//!
//! # Examples
//!
//! ```
//! use std::time::Duration;
//!
//! use hook_dialect::{
//!     Dialect, Fact, Facts, Verdict,
//!     config::{CommandForm, Handler, LoadedHook, Origin, Scope, Shell},
//!     run::DialectHooks,
//! };
//! use hook_runner::{HookCall, HookOutcome, HookRunner};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let workspace = tempfile::tempdir()?;
//! let claude = Dialect::CLAUDE;
//! // What `config::load` finds in settings files.
//! let hook = |event, text: &str| {
//!     let command = CommandForm::Shell { text: text.into(), shell: Shell::Posix };
//!     let handler = Handler::new(command, Duration::from_secs(600));
//!     let origin = Origin::new(Scope::Project, ".claude/settings.json".into(), 1);
//!     LoadedHook::new(claude, claude.event(event).expect("an event"), None, handler, origin)
//! };
//! let hooks = DialectHooks::builder(claude, workspace.path())
//!     .with_hooks([
//!         hook("PreToolUse", "grep -q force && { echo 'no force-push' >&2; exit 2; }; true"),
//!         hook("UserPromptSubmit", "echo 'today is a holiday'"),
//!     ])
//!     .build();
//!
//! // Around tool calls, after the native hooks:
//! let runner = HookRunner::builder(workspace.path()).with_last_participant(hooks.clone()).build()?;
//! let call = HookCall::new("agent-1", "Bash", "call-1", r#"{"command":"git push --force"}"#);
//! let HookOutcome::Deny(reason) = runner.decide(&call).await else { unreachable!() };
//! assert!(reason.starts_with("denied by dialect 'claude': no force-push"), "{reason}");
//!
//! // At every other event:
//! let facts = Facts::new().with(Fact::SessionId, "s1").with(Fact::Prompt, "carry on");
//! let fired = hooks.fire("UserPromptSubmit", &facts).await?;
//! assert_eq!(fired.outcome.decision, Verdict::None);
//! assert_eq!(fired.outcome.additional_context, ["today is a holiday"]);
//! # Ok(())
//! # }
//! ```

mod background;
mod builder;
mod call;
mod command;
mod credentials;
mod doubts;
mod environments;
mod exports;
mod family;
mod fire;
mod hooks;
mod host;
mod long;
mod new_file;
mod outcome;
mod participant;
mod ranks;
mod remarks;
mod script;
mod selection;
mod times;
mod together;
mod variables;
mod words;

pub use self::{
    background::Late,
    builder::DialectHooksBuilder,
    command::HookRun,
    credentials::Credentials,
    doubts::Doubt,
    fire::Fired,
    hooks::DialectHooks,
    selection::{Prospect, Selection},
};
