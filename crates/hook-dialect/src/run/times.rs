//! How long hooks may take that have one time for all of them.

use std::{
    cell::RefCell,
    collections::HashMap,
    ffi::{OsStr, OsString},
    sync::Arc,
    time::Duration,
};

use crate::{
    config::{Handler, LoadedHook},
    dialect::{EventRow, Timeout},
};

/// What the environment says about such times.
#[derive(Debug, Default)]
pub(super) struct Times(RefCell<HashMap<OsString, Option<Duration>>>);

/// The time that all hooks of one event have together. They begin together, so that it is a limit of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Together(Duration);

impl Times {
    /// Notes a variable that says how long the hooks of an event may take. The one that is seen last counts.
    pub(super) fn look(&self, events: &[EventRow], name: &OsStr, value: &OsStr) {
        let is_said = |event: &EventRow| event.timeout.together.is_some_and(|own| name == own);
        if events.iter().any(is_said) {
            let said = value.to_str().and_then(|text| text.trim().parse().ok());
            let said = said.map(Duration::from_millis);
            self.0.borrow_mut().insert(name.to_owned(), said);
        }
    }

    /// The time of these hooks, where their event has one for all.
    pub(super) fn together(
        &self,
        event: &EventRow,
        hooks: &[&Arc<LoadedHook>],
    ) -> Option<Together> {
        let Timeout {
            default, together, ..
        } = event.timeout;
        let said = self.0.borrow().get(OsStr::new(together?)).copied();
        if let Some(said) = said.flatten() {
            return Some(Together(said));
        }
        let written = hooks.iter().filter(|hook| hook.handler.timeout_written);
        let longest = written.map(|hook| hook.handler.timeout).max();
        Some(Together(default.max(longest.unwrap_or_default())))
    }
}

impl Together {
    /// How long one of them may take.
    pub(super) fn of(self, handler: &Handler) -> Duration {
        if handler.timeout_written {
            handler.timeout.min(self.0)
        } else {
            self.0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Dialect,
        config::{CommandForm, Origin, Scope, Shell},
    };

    const VARIABLE: &str = "CLAUDE_CODE_SESSIONEND_HOOKS_TIMEOUT_MS";

    /// What hooks of these timeouts, in milliseconds, may take in an environment that says this.
    fn limits(said: Option<&str>, timeouts: &[Option<u64>]) -> Vec<u64> {
        let claude = Dialect::CLAUDE;
        let event = claude.event("SessionEnd").expect("an event");
        let hooks = timeouts.iter().map(|timeout| {
            let (text, shell) = (String::new(), Shell::Posix);
            let mut handler =
                Handler::new(CommandForm::Shell { text, shell }, event.timeout.default);
            if let Some(timeout) = timeout {
                handler = handler.with_timeout(Duration::from_millis(*timeout));
            }
            let origin = Origin::new(Scope::User, "settings.json".into(), 1);
            Arc::new(LoadedHook::new(claude, event, None, handler, origin))
        });
        let hooks: Vec<_> = hooks.collect();
        let times = Times::default();
        times.look(claude.events, OsStr::new("OTHER"), OsStr::new("7"));
        if let Some(said) = said {
            times.look(claude.events, OsStr::new(VARIABLE), OsStr::new(said));
        }
        let shared: Vec<_> = hooks.iter().collect();
        let together = times.together(event, &shared).expect("one time for all");
        let millis = |hook: &Arc<LoadedHook>| together.of(&hook.handler).as_millis();
        hooks
            .iter()
            .map(millis)
            .map(|n| u64::try_from(n).expect("short"))
            .collect()
    }

    #[test]
    fn the_longest_that_is_written_is_the_time_of_all_unless_the_environment_says_another() {
        assert_eq!(limits(None, &[None, None]), [1500, 1500]);
        assert_eq!(limits(None, &[None, Some(1000)]), [1500, 1000]);
        assert_eq!(
            limits(None, &[None, Some(5000), Some(3000)]),
            [5000, 5000, 3000]
        );
        assert_eq!(
            limits(Some("4000"), &[None, Some(9000), Some(3000)]),
            [4000, 4000, 3000]
        );
        assert_eq!(limits(Some("soon"), &[None]), [1500]);
    }

    #[test]
    fn other_events_have_no_such_time() {
        let stop = Dialect::CLAUDE.event("Stop").expect("an event");
        assert_eq!(Times::default().together(stop, &[]), None);
    }
}
