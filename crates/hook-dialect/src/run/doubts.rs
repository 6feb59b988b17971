//! What is doubtful about a hook before it is asked: what its command, or the script that it runs, takes for granted.

use std::collections::BTreeSet;

use hook_source::Diagnostic;

use super::{
    DialectHooks,
    family::{Family, help},
    script::{Reader, Script, script},
};
use crate::{
    config::{Background, CommandForm, LoadedHook, Shell},
    shell::{Named, Odd, names_in_code},
};

/// Something about a hook that is allowed and probably not meant.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Doubt {
    /// What it is, without a place.
    pub what: Diagnostic,
    /// Whether it costs the hook its answer, so that the operator has to hear of it when calls are made as well.
    pub at_calls: bool,
}

/// What a hook says with which a call is refused.
const REFUSALS: [&str; 8] = [
    "exit 2",
    "exit(2",
    "Exit(2",
    "exit_code = 2",
    "exitCode = 2",
    "permissionDecision",
    "\"deny\"",
    "\"block\"",
];

/// What a hook names.
struct Texts {
    /// The variables that it takes from its environment.
    variables: BTreeSet<String>,
    /// The variables that its script alone takes from there.
    of_script: BTreeSet<String>,
    /// What a POSIX shell reads of it and does not have.
    odd: BTreeSet<Odd>,
    /// Whether it says something with which a call is refused.
    refuses: bool,
}

impl DialectHooks {
    /// What is doubtful about one of these hooks, without asking it: variables that are empty, words that its shell does not
    /// have, a guard for which no call waits.
    ///
    /// The command is looked at, and the script where the command is one plain program ([`words_of`](Self::words_of)).
    #[must_use]
    pub fn doubts(&self, hook: &LoadedHook) -> Vec<Doubt> {
        let texts = self.texts(hook);
        let mut doubts = Vec::new();
        for name in texts.variables.iter().chain(&texts.of_script) {
            let in_script = !texts.variables.contains(name);
            doubts.extend(self.doubt_about(hook, name, in_script));
        }
        doubts.extend(texts.odd.into_iter().map(about_odd));
        let is_late = hook.handler.background == Background::Always && hook.event.before;
        if is_late && texts.refuses {
            let message =
                "the hook can refuse, and in the background (`async`) its refusal comes too late";
            let told = Diagnostic::warning("background_guard", message);
            doubts.push(Doubt {
                what: told.with_help("take `async` away, so that the hook is waited for"),
                at_calls: false,
            });
        }
        doubts
    }

    fn doubt_about(&self, hook: &LoadedHook, name: &str, in_script: bool) -> Option<Doubt> {
        let inner = &self.inner;
        let (scope, strict) = (hook.origin.scope, inner.profile.strict);
        let mut added = inner.added.iter();
        let is_added = added.any(|added| {
            let variable = added.for_hooks_of(scope, strict);
            variable.is_some_and(|(added, _)| added == name)
        });
        let running = &self.dialect().running;
        let is_set = running.exports == Some(name)
            || running
                .variables
                .iter()
                .any(|variable| variable.name == name);
        if is_added || is_set || inner.host.hands_on(name) {
            return None;
        }
        let agent = self.dialect().title;
        let at_calls = true;
        if inner.host.withholds(name) {
            let message = format!(
                "`{name}` looks like a credential and is withheld, so that the hook finds it empty"
            );
            let told = Diagnostic::warning("withheld_variable", message).with_help(
                "give it in `env` of the settings that declare the hook, or let the hook read it from a file",
            );
            return Some(Doubt {
                what: told,
                at_calls,
            });
        }
        let (code, message) = match Family::of(name, in_script)? {
            Family::Plugin => (
                "plugin_variable",
                format!(
                    "`{name}` is set for hooks of plugins alone, and this hook stands in settings, where it is empty"
                ),
            ),
            Family::Agent => (
                "unset_variable",
                format!(
                    "`{name}` is set by no version of {agent}, so that the hook finds it empty"
                ),
            ),
        };
        let told = Diagnostic::warning(code, message).with_help(help(name, self.dialect()));
        Some(Doubt {
            what: told,
            at_calls,
        })
    }

    fn texts(&self, hook: &LoadedHook) -> Texts {
        let mut of_command = Named::default();
        let mut code = String::new();
        let mut is_posix = false;
        match &hook.handler.command {
            CommandForm::Shell { text, shell } => {
                code.push_str(text);
                if *shell != Shell::PowerShell {
                    of_command = Named::by(text);
                }
                is_posix = *shell == Shell::Posix;
            }
            CommandForm::Exec { program, args } => {
                let words: Vec<&str> = std::iter::once(program)
                    .chain(args)
                    .map(String::as_str)
                    .collect();
                code = words.join(" ");
                of_command.used.extend(placeholders(&code));
                if let Some((reader, text)) = given_to_shell(&words) {
                    is_posix = reader == Reader::PosixShell;
                    let mut named = Named::by(text);
                    of_command.used.append(&mut named.used);
                    of_command.set.append(&mut named.set);
                    of_command.odd.append(&mut named.odd);
                }
            }
        }
        let mut refuses = says_no(&code);
        let mut variables = from_outside(&of_command, &code);
        let mut odd = if is_posix {
            of_command.odd
        } else {
            BTreeSet::new()
        };
        let words = self.words_of(hook);
        let script = words.and_then(|words| script(&words, &self.inner.workspace));
        let mut of_script = BTreeSet::new();
        if let Some(Script { text, reader }) = script {
            refuses |= says_no(&text);
            let mut named = Named::default();
            if reader != Reader::Other {
                named = Named::by(&text);
            }
            of_script = from_outside(&named, &text);
            if reader == Reader::PosixShell {
                odd.append(&mut named.odd);
            }
        }
        of_script.retain(|name| !variables.contains(name));
        variables.retain(|name| !name.is_empty());
        Texts {
            variables,
            of_script,
            odd,
            refuses,
        }
    }
}

fn says_no(text: &str) -> bool {
    REFUSALS.iter().any(|refusal| text.contains(refusal))
}

/// The variables that a text takes from its environment.
fn from_outside(named: &Named, text: &str) -> BTreeSet<String> {
    let of_shell = named.taken();
    let of_code =
        names_in_code(text).filter(|name| !named.reads_more && !named.set.contains(*name));
    of_shell.chain(of_code).map(str::to_owned).collect()
}

/// What is filled in where a program is started directly: `${NAME}`.
fn placeholders(text: &str) -> impl Iterator<Item = String> {
    let after = text.split("${").skip(1);
    let names = after.filter_map(|rest| rest.split_once('}').map(|(name, _)| name));
    names.map(str::to_owned)
}

/// The text that a shell is given directly: `["bash", "-c", "…"]`.
fn given_to_shell<'w>(words: &[&'w str]) -> Option<(Reader, &'w str)> {
    let (program, rest) = words.split_first()?;
    let reader = Reader::named(program).filter(|reader| *reader != Reader::Other)?;
    let option = rest
        .iter()
        .position(|word| word.starts_with('-') && word.ends_with('c'))?;
    Some((reader, rest.get(option + 1)?))
}

fn about_odd(odd: Odd) -> Doubt {
    let message = format!(
        "`sh` reads this, and `{}` is none of its words everywhere",
        odd.shown()
    );
    let bash = "have it read by bash: `bash ./script.sh`, with `#!/usr/bin/env bash` in the script";
    let help = match odd.instead() {
        Some(instead) => format!("write {instead}, or {bash}"),
        None => bash.to_owned(),
    };
    Doubt {
        what: Diagnostic::warning("no_word_of_sh", message).with_help(help),
        at_calls: false,
    }
}
