//! What is doubtful about a hook before it is asked: what its command, or the script that it runs, takes for granted.

use std::collections::{BTreeMap, BTreeSet};

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

/// How many scripts of one hook are looked at.
const MOST_SCRIPTS: usize = 8;

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
#[derive(Default)]
struct Texts {
    /// The variables that it takes from its environment.
    variables: BTreeMap<String, Use>,
    /// What a POSIX shell reads of it and does not have.
    odd: BTreeSet<Odd>,
    /// Whether it says something with which a call is refused.
    refuses: bool,
}

/// How a variable is taken.
#[derive(Clone, Copy)]
struct Use {
    /// Whether the script alone takes it.
    in_script: bool,
    /// Whether the hook can do without it.
    is_spare: bool,
}

impl DialectHooks {
    /// What is doubtful about one of these hooks, without asking it: variables that are empty, words that its shell does not
    /// have, a guard for which no call waits.
    ///
    /// The command is looked at, and scripts that it names plainly ([`programs_of`](Self::programs_of)).
    #[must_use]
    pub fn doubts(&self, hook: &LoadedHook) -> Vec<Doubt> {
        let texts = self.texts(hook);
        let mut doubts = Vec::new();
        for (name, used) in &texts.variables {
            doubts.extend(self.doubt_about(hook, name, *used));
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

    fn doubt_about(&self, hook: &LoadedHook, name: &str, used: Use) -> Option<Doubt> {
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
        let family = Family::of(name, used.in_script).filter(|_| !used.is_spare);
        let (code, message) = match family? {
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
        let command = Spoken::by(hook);
        let mut texts = Texts {
            refuses: says_no(&command.text),
            ..Texts::default()
        };
        texts.take(false, &command.named, &command.text, |_| false);
        if command.is_posix {
            texts.odd.extend(&command.named.odd);
        }
        for Script { text, reader } in self.scripts(hook) {
            let named = match reader {
                Reader::Other => Named::default(),
                Reader::PosixShell | Reader::OtherShell => Named::by(&text),
            };
            texts.refuses |= says_no(&text);
            texts.take(true, &named, &text, |name| command.named.sets(name));
            if reader == Reader::PosixShell {
                texts.odd.extend(&named.odd);
            }
        }
        texts
    }

    /// The scripts that a hook runs, as far as its command names them plainly.
    fn scripts(&self, hook: &LoadedHook) -> Vec<Script> {
        let programs = self.programs_of(hook).into_iter();
        let scripts = programs.filter_map(|words| script(&words, &self.inner.workspace));
        scripts.take(MOST_SCRIPTS).collect()
    }
}

impl Texts {
    /// Adds the variables that a text takes from outside, in which something else may set them.
    fn take(&mut self, in_script: bool, named: &Named, text: &str, is_set: impl Fn(&str) -> bool) {
        let of_code = names_in_code(text).filter(|(name, _)| !named.sets(name));
        for (name, is_spare) in named.taken().chain(of_code) {
            if !name.is_empty() && !is_set(name) {
                let used = self.variables.entry(name.to_owned());
                let used = used.or_insert(Use {
                    in_script,
                    is_spare,
                });
                used.is_spare &= is_spare;
            }
        }
    }
}

/// What a command says.
#[derive(Default)]
struct Spoken {
    text: String,
    named: Named,
    /// Whether a POSIX shell reads it.
    is_posix: bool,
}

impl Spoken {
    fn by(hook: &LoadedHook) -> Self {
        match &hook.handler.command {
            CommandForm::Shell { text, shell } => Self {
                text: text.clone(),
                named: match shell {
                    Shell::Posix | Shell::OfUser => Named::by(text),
                    Shell::PowerShell => Named::default(),
                },
                is_posix: *shell == Shell::Posix,
            },
            CommandForm::Exec { program, args } => {
                let words = std::iter::once(program).chain(args);
                let words: Vec<&str> = words.map(String::as_str).collect();
                let text = words.join(" ");
                let (reader, given) = given_to_shell(&words).unzip();
                let mut named = given.map(Named::by).unwrap_or_default();
                named.used.extend(placeholders(&text));
                let is_posix = reader == Some(Reader::PosixShell);
                Self {
                    text,
                    named,
                    is_posix,
                }
            }
        }
    }
}

fn says_no(text: &str) -> bool {
    REFUSALS.iter().any(|refusal| text.contains(refusal))
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
        "`sh` reads this, and many a `sh` (dash, busybox) does not have `{}`",
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
