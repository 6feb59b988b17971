//! Who would be asked, who would not, and why.

use std::{path::Path, sync::Arc};

use hook_contract::HookRequest;

use super::{
    DialectHooks,
    hooks::{EventHooks, holds},
    variables::{filled, of_project},
    words::plain,
};
use crate::{
    Dialect, Facts, Failure, HookOutput, PayloadError,
    config::{CommandForm, LoadedHook, Shell},
    dialect::EventRow,
    payload,
    shell::{Named, is_shell},
};

/// What would come of an event, without anybody being asked.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Prospect {
    /// The event; nothing when the agent has none of that name.
    pub event: Option<&'static EventRow>,
    /// Every hook there is, in configured order.
    pub hooks: Vec<(Arc<LoadedHook>, Selection)>,
    /// What those that would be asked would read; nothing when nobody would be.
    pub payload: Option<Result<Vec<u8>, PayloadError>>,
}

/// Whether a hook would be asked.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Selection {
    /// It would.
    Asked,
    /// It is asked at the event of its declaration, which is another one.
    OtherEvent,
    /// Its matcher does not match.
    NoMatch,
    /// Its rule does not hold.
    RuleDoesNotHold,
    /// Its agent takes it for a copy of this one, which is asked.
    CopyOf(Arc<LoadedHook>),
}

impl DialectHooks {
    /// What would come of a call, or of the result of one, without anybody being asked.
    #[must_use]
    pub fn prospect_of(&self, request: &HookRequest) -> Prospect {
        let facts = self.inner.facts_of(request);
        self.prospect(self.inner.event_of(request), &facts)
    }

    /// What would come of [firing](Self::fire) an event with these facts, without anybody being asked.
    #[must_use]
    pub fn prospect(&self, event: &str, facts: &Facts) -> Prospect {
        let dialect = self.dialect();
        let row = Dialect::event(dialect, event);
        let facts = row.map(|row| self.inner.complete(facts.clone(), row));
        let mut hooks = Vec::new();
        for at in &self.inner.events {
            match facts.as_ref().filter(|_| at.event.name == event) {
                Some(facts) => hooks.extend(at.selections(dialect, facts)),
                None => hooks.extend(at.commands.iter().map(|command| {
                    let hook = Arc::clone(&command.hook);
                    (hook, Selection::OtherEvent)
                })),
            }
        }
        hooks.sort_by_key(|(hook, _)| hook.order);
        let somebody = hooks
            .iter()
            .any(|(_, selection)| matches!(selection, Selection::Asked));
        let payload = facts
            .filter(|_| somebody)
            .map(|facts| payload(event, &facts, dialect));
        Prospect {
            event: row,
            hooks,
            payload,
        }
    }

    /// The program that a hook starts, with its arguments: for whoever looks whether it is there.
    ///
    /// Nothing for a command that is more than one plain program: what such a line does is its shell's to say.
    #[must_use]
    pub fn words_of(&self, hook: &LoadedHook) -> Option<Vec<String>> {
        words_of(&hook.handler.command, self.dialect(), &self.inner.workspace)
    }

    /// The programs that a hook starts, each with its arguments, as far as its command says so plainly: more than
    /// [`words_of`](Self::words_of) in a line such as `cd sub && ./guard.sh || exit 2`. Whether each is started, and what in
    /// its arguments is a program's, is the shell's to say.
    #[must_use]
    pub fn programs_of(&self, hook: &LoadedHook) -> Vec<Vec<String>> {
        programs_of(&hook.handler.command, self.dialect(), &self.inner.workspace)
    }

    /// Whether what is about to happen at an event is refused when a hook cannot answer in time.
    #[must_use]
    pub fn refuses_without(&self, hook: &LoadedHook) -> bool {
        let policy = hook.handler.on_failure;
        HookOutput::failed(Failure::TimedOut)
            .settled(hook.event, policy, self.inner.profile)
            .refuses()
    }
}

/// The program that a command starts, with its arguments; nothing for one that is more than a plain program.
pub(super) fn words_of(
    command: &CommandForm,
    dialect: &Dialect,
    project: &Path,
) -> Option<Vec<String>> {
    match command {
        CommandForm::Exec { program, args } => {
            let words = std::iter::once(program).chain(args);
            Some(words.map(|word| filled(word, dialect, project)).collect())
        }
        CommandForm::Shell {
            text,
            shell: Shell::Posix | Shell::OfUser,
        } => plain(text, &of_project(dialect), &project.to_string_lossy()),
        CommandForm::Shell {
            shell: Shell::PowerShell,
            ..
        } => None,
    }
}

/// The programs that a command starts, each with its arguments.
pub(super) fn programs_of(
    command: &CommandForm,
    dialect: &Dialect,
    project: &Path,
) -> Vec<Vec<String>> {
    if let Some(words) = words_of(command, dialect, project) {
        return vec![innermost(words)];
    }
    let CommandForm::Shell {
        text,
        shell: Shell::Posix | Shell::OfUser,
    } = command
    else {
        return Vec::new();
    };
    let names = of_project(dialect);
    let fill = |word: &String| {
        names.iter().fold(word.clone(), |word, name| {
            word.replace(&format!("${name}/"), &format!("{}/", project.display()))
        })
    };
    let commands = Named::by(text).commands;
    let plain = commands
        .iter()
        .map(|words| innermost(words.iter().map(fill).collect()));
    plain.collect()
}

/// Programs that start another one.
const STARTERS: [&str; 10] = [
    "command", "env", "exec", "ionice", "nice", "nohup", "setsid", "stdbuf", "time", "timeout",
];

/// What a command starts in the end, where another program starts a shell: `timeout 5 bash guard.sh`. A file that the shell
/// itself reads (`. ./lib.sh`) is one for `sh`.
fn innermost(mut words: Vec<String>) -> Vec<String> {
    let first = words.first().map(String::as_str).unwrap_or_default();
    let starts = STARTERS.contains(&first.rsplit('/').next().unwrap_or_default());
    if matches!(first, "." | "source") {
        let shell = std::iter::once("sh".to_owned());
        return shell.chain(words.into_iter().skip(1)).collect();
    }
    let shell = words.iter().position(|word| starts && is_shell(word));
    words.split_off(shell.unwrap_or_default())
}

impl EventHooks {
    /// Each hook of the event, and whether it is among the [chosen](Self::chosen).
    fn selections(&self, dialect: &Dialect, facts: &Facts) -> Vec<(Arc<LoadedHook>, Selection)> {
        let selected = self.selected(dialect, facts);
        let mut judged: Vec<(Arc<LoadedHook>, Selection)> = Vec::new();
        for (place, command) in self.commands.iter().enumerate() {
            let hook = &command.hook;
            let first = || {
                let mut asked = judged
                    .iter()
                    .filter(|(_, how)| matches!(how, Selection::Asked));
                asked.find(|(other, _)| hook.is_copy_of(other))
            };
            let selection = if !selected.contains(&place) {
                Selection::NoMatch
            } else if !holds(hook, facts) {
                Selection::RuleDoesNotHold
            } else if let Some((first, _)) = first() {
                Selection::CopyOf(Arc::clone(first))
            } else {
                Selection::Asked
            };
            judged.push((Arc::clone(hook), selection));
        }
        judged
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use hook_contract::{HookCall, HookEvent};

    use super::*;
    use crate::{
        Fact, IfRule, RuleBase,
        config::{Handler, Origin, Scope},
    };

    fn hook(
        order: usize,
        event: &str,
        pattern: &str,
        rule: Option<&str>,
        text: &str,
    ) -> LoadedHook {
        let command = CommandForm::Shell {
            text: text.into(),
            shell: Shell::Posix,
        };
        let mut handler = Handler::new(command, Duration::from_secs(1));
        if let Some(rule) = rule {
            let base = RuleBase::new(None, None, false);
            handler = handler.with_rule(IfRule::parse(rule, base).expect("a rule"));
        }
        let origin = Origin::new(Scope::Project, "settings.json".into(), order + 1);
        let event = Dialect::CLAUDE.event(event).expect("an event");
        let pattern = Some(pattern.to_owned());
        let mut hook = LoadedHook::new(Dialect::CLAUDE, event, pattern, handler, origin);
        hook.order = order;
        // As the loader numbers two of the same command.
        hook.same = if text == "twice" { 0 } else { order };
        hook
    }

    #[test]
    fn the_prospect_is_what_is_chosen_and_says_why_the_others_are_not() {
        let hooks = DialectHooks::builder(Dialect::CLAUDE, "/repo")
            .with_hooks([
                hook(0, "PreToolUse", "Bash", None, "twice"),
                hook(1, "PreToolUse", "Edit", None, "edits"),
                hook(2, "PreToolUse", "", Some("Bash(rm:*)"), "removals"),
                hook(3, "Stop", "", None, "the end"),
                hook(4, "PreToolUse", "*", None, "twice"),
            ])
            .build();
        let call = HookCall::new("a", "Bash", "c", r#"{"command":"ls"}"#);
        let request = HookRequest::from_call(HookEvent::PreToolUse, "/repo".as_ref(), &call);
        let prospect = hooks.prospect_of(&request);
        let shown: Vec<_> = prospect
            .hooks
            .iter()
            .map(|(hook, selection)| {
                let how = if let Selection::CopyOf(first) = selection {
                    format!("copy of {}", first.order)
                } else {
                    format!("{selection:?}")
                };
                format!("{} {how}", hook.order)
            })
            .collect();
        assert_eq!(
            shown,
            [
                "0 Asked",
                "1 NoMatch",
                "2 RuleDoesNotHold",
                "3 OtherEvent",
                "4 copy of 0"
            ]
        );
        assert_eq!(prospect.event.map(|row| row.name), Some("PreToolUse"));
        let payload = prospect.payload.expect("somebody").expect("known");
        assert!(
            String::from_utf8(payload)
                .expect("UTF-8")
                .contains(r#""command":"ls""#)
        );

        let at = hooks.inner.at("PreToolUse").expect("hooks");
        let facts = hooks.inner.facts_of(&request);
        let chosen: Vec<_> = at
            .chosen(Dialect::CLAUDE, &facts)
            .iter()
            .map(|chosen| chosen.command.hook.order)
            .collect();
        assert_eq!(chosen, [0]);
    }

    #[test]
    fn the_words_are_those_that_are_started() {
        let mut direct = hook(0, "PreToolUse", "", None, "");
        direct.handler.command = CommandForm::Exec {
            program: "${CLAUDE_PROJECT_DIR}/guard".into(),
            args: vec!["--in=${CLAUDE_PROJECT_DIR}".into(), "$HOME".into()],
        };
        let hooks = DialectHooks::builder(Dialect::CLAUDE, "/a repo").build();
        let words = hooks.words_of(&direct).expect("words");
        assert_eq!(words, ["/a repo/guard", "--in=/a repo", "$HOME"]);
        let shell = |text| hooks.words_of(&hook(0, "Stop", "", None, text));
        let words = shell("python3 \"$CLAUDE_PROJECT_DIR\"/x.py").expect("words");
        assert_eq!(words, ["python3", "/a repo/x.py"]);
        assert!(shell("exit 2").is_none());
        assert!(hooks.refuses_without(&direct));
        assert!(!hooks.refuses_without(&hook(0, "SessionEnd", "", None, "x")));
    }

    #[test]
    fn nobody_would_read_anything_where_nobody_would_be_asked() {
        let hooks = DialectHooks::builder(Dialect::CLAUDE, "/repo")
            .with_hooks([hook(0, "PreToolUse", "Bash", None, "x")])
            .build();
        let prospect = hooks.prospect("Stop", &Facts::new().with(Fact::StopHookActive, false));
        assert!(prospect.payload.is_none());
        let unknown = hooks.prospect("Halt", &Facts::new());
        assert!(unknown.event.is_none());
        assert_eq!(unknown.hooks.len(), 1);
    }
}
