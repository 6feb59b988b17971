//! A workspace with hooks.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
    time::Duration,
};

use hook_dialect::{
    Dialect,
    config::{CommandForm, Handler, LoadedHook, Origin, Scope, Shell},
    run::{DialectHooks, DialectHooksBuilder},
};
use hook_runner::{Consultation, HookCall, HookEvent, HookRequest, HookRunner};
use serde_json::Value;
use tempfile::TempDir;

/// Hooks of one agent, in a workspace of their own. What a hook leaves behind is in `$MARKS`.
pub(crate) struct Place {
    pub(crate) dialect: &'static Dialect,
    directory: TempDir,
    hooks: Vec<LoadedHook>,
}

impl Place {
    pub(crate) fn of(dialect: &'static Dialect) -> Self {
        Self {
            dialect,
            directory: tempfile::tempdir().expect("a directory"),
            hooks: Vec::new(),
        }
    }

    pub(crate) fn path(&self) -> &Path {
        self.directory.path()
    }

    /// What a hook has left behind under this name.
    pub(crate) fn mark(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    /// Whether a line has been left behind under this name.
    pub(crate) fn has_written(&self, name: &str) -> bool {
        std::fs::read_to_string(self.mark(name)).is_ok_and(|written| written.ends_with('\n'))
    }

    /// Whether the program whose number a hook has left behind is there.
    pub(crate) fn is_running(&self, name: &str) -> bool {
        let written = std::fs::read_to_string(self.mark(name)).expect("a number");
        let pid = rustix::process::Pid::from_raw(written.trim().parse().expect("a number"));
        rustix::process::test_kill_process(pid.expect("a process")).is_ok()
    }

    /// With a line for a shell at this event, which is concerned whatever it is about.
    pub(crate) fn with(self, event: &str, line: &str) -> Self {
        self.with_handler(event, None, handler(line))
    }

    pub(crate) fn with_handler(self, event: &str, pattern: Option<&str>, handler: Handler) -> Self {
        self.with_handler_of(Scope::Project, event, pattern, handler)
    }

    /// With a line for a shell in a file of that scope.
    pub(crate) fn with_in(self, scope: Scope, event: &str, line: &str) -> Self {
        self.with_handler_of(scope, event, None, handler(line))
    }

    fn with_handler_of(
        mut self,
        scope: Scope,
        event: &str,
        pattern: Option<&str>,
        handler: Handler,
    ) -> Self {
        let event = self.dialect.event(event).expect("an event");
        let line = self.hooks.len() + 1;
        let origin = Origin::new(scope, "hooks.json".into(), line);
        let pattern = pattern.map(str::to_owned);
        let mut hook = LoadedHook::new(self.dialect, event, pattern, handler, origin);
        hook.same = self.hooks.len();
        self.hooks.push(hook);
        self
    }

    /// The last hook is the same as the first, as the agent sees it.
    pub(crate) fn with_the_last_a_copy(mut self) -> Self {
        let last = self.hooks.last_mut().expect("a hook");
        last.same = 0;
        self
    }

    pub(crate) fn builder(&self) -> DialectHooksBuilder {
        DialectHooks::builder(self.dialect, self.path())
            .with_hooks(self.hooks.clone())
            .with_env("MARKS", self.path())
    }

    pub(crate) fn hooks(&self) -> DialectHooks {
        self.builder().build()
    }

    pub(crate) fn strict(&self) -> DialectHooks {
        self.builder().with_strict(true).build()
    }
}

/// What is written down about a line for a shell.
pub(crate) fn handler(line: &str) -> Handler {
    let text = line.to_owned();
    let shell = Shell::Posix;
    Handler::new(CommandForm::Shell { text, shell }, Duration::from_secs(600))
}

/// A line that prints an answer to an event.
pub(crate) fn says(event: &str, fields: &str) -> String {
    format!(
        r#"cat >/dev/null; echo '{{"hookSpecificOutput":{{"hookEventName":"{event}",{fields}}}}}'"#
    )
}

/// A line that waits until somebody has left something behind.
pub(crate) fn waits_for(name: &str) -> String {
    format!("until [ -e \"$MARKS/{name}\" ]; do sleep 0.01; done")
}

/// What was reported.
#[derive(Clone, Default)]
pub(crate) struct Reports(Arc<Mutex<Vec<String>>>);

impl Reports {
    pub(crate) fn all(&self) -> Vec<String> {
        self.0.lock().expect("a lock").clone()
    }
}

/// A chain of nobody but these hooks.
pub(crate) fn chain(hooks: &DialectHooks, place: &Place) -> (HookRunner, Reports) {
    let reports = Reports::default();
    let sink = reports.clone();
    let runner = HookRunner::builder(place.path())
        .with_last_participant(hooks.clone())
        .with_reporter(move |report| sink.0.lock().expect("a lock").push(report.to_owned()))
        .build()
        .expect("built");
    (runner, reports)
}

pub(crate) fn bash(command: &str) -> HookCall {
    let input = serde_json::json!({ "command": command }).to_string();
    HookCall::new("agent-1", "Bash", "call-1", input)
}

/// What comes out before a call.
pub(crate) async fn before(hooks: &DialectHooks, place: &Place, command: &str) -> Consultation {
    let (runner, _) = chain(hooks, place);
    let request = HookRequest::from_call(HookEvent::PreToolUse, place.path(), &bash(command));
    runner.consult(request).await
}

/// What comes out after a call that had this result.
pub(crate) async fn after(
    hooks: &DialectHooks,
    place: &Place,
    output: impl Into<Value>,
    is_error: bool,
) -> Consultation {
    let (runner, _) = chain(hooks, place);
    let call = bash("make");
    let request = HookRequest::from_result(place.path(), &call, output.into(), is_error);
    runner.consult(request).await
}
