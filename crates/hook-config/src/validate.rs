//! Whether a hook that was made as a value could have been declared in a file.

use std::time::Duration;

use hook_contract::{CommandTransport, HookSpec, MAX_HOOK_TIMEOUT, MIN_HOOK_TIMEOUT};
use thiserror::Error;

use hook_source::{Diagnostic, Shown};

use crate::words;

/// The most questions that a worker can be given before it is replaced.
pub const MAX_MAX_QUESTIONS: u64 = 1_000_000_000;

/// The longest age and the longest idle time that a worker can be given: a day.
pub const MAX_WORKER_TIME: Duration = Duration::from_secs(24 * 60 * 60);

/// The shortest age and the shortest idle time that a worker can be given.
const MIN_WORKER_TIME: Duration = Duration::from_millis(1);

/// Checks what a hooks file could not have said either.
///
/// Hooks from [`load`](crate::load) have passed; a host that hands hooks over as values calls
/// this, or lets `load` do it.
///
/// ```
/// use hook_config::{HookSpec, validate};
///
/// assert!(validate(&HookSpec::new("guard", ["./guard.sh"])).is_ok());
/// let error = validate(&HookSpec::new("", ["./guard.sh"])).unwrap_err();
/// assert_eq!(error.to_string(), "hook ``: the name is empty; name the hook, it stands in every denial");
/// ```
///
/// # Errors
///
/// When the name or the command is empty, the program is an empty word, a word of the command
/// holds a NUL (no operating system can pass it on), the key of another transport is empty, `kinds` is an empty
/// list, or the timeout or a bound of a worker is out of range. All of it at once.
pub fn validate(spec: &HookSpec) -> Result<(), HookSpecError> {
    let mut problems = Vec::new();
    if spec.name.is_empty() {
        problems.push(words::empty_name());
    }
    if let Some(command) = spec.command() {
        problems.extend(command_problems(command));
    } else if spec.transport.key().is_empty() {
        problems.push(words::missing_field("command"));
    }
    if spec.kinds.as_ref().is_some_and(Vec::is_empty) {
        problems.push(words::empty_kinds());
    }
    if !(MIN_HOOK_TIMEOUT..=MAX_HOOK_TIMEOUT).contains(&spec.timeout) {
        let found = format!("{:?}", spec.timeout);
        problems.push(words::timeout_out_of_range(&found));
    }
    problems.extend(spec.program().into_iter().flat_map(bounds_out_of_range));
    if problems.is_empty() {
        return Ok(());
    }
    Err(HookSpecError {
        name: spec.name.clone(),
        problems,
    })
}

fn command_problems(command: &[String]) -> Vec<Diagnostic> {
    let mut problems = Vec::new();
    match command.first().map(String::as_str) {
        None => problems.push(words::empty_command()),
        Some("") => problems.push(words::empty_program()),
        Some(_) => {}
    }
    for (index, word) in command.iter().enumerate() {
        if word.contains('\0') {
            problems.push(words::nul_in_command(index));
        }
    }
    problems
}

/// What is wrong with the bounds of a worker.
fn bounds_out_of_range(program: &CommandTransport) -> impl Iterator<Item = Diagnostic> + use<> {
    let out = |field, found: String| words::bound_out_of_range(field, &found);
    let questions = (!(1..=MAX_MAX_QUESTIONS).contains(&program.max_questions))
        .then(|| out("max_questions", program.max_questions.to_string()));
    let times = [
        ("max_age_ms", program.max_age),
        ("max_idle_ms", program.max_idle),
    ];
    let times = times.into_iter().filter_map(move |(field, time)| {
        let is_within = (MIN_WORKER_TIME..=MAX_WORKER_TIME).contains(&time);
        (!is_within).then(|| out(field, format!("{time:?}")))
    });
    questions.into_iter().chain(times)
}

/// A hook that cannot be run as it was declared.
///
/// Shown with a line for each problem. Correct the value; nothing about it changes by trying again.
///
/// ```
/// use hook_config::{HookSpec, validate};
///
/// let error = validate(&HookSpec::new("guard", ["./guard.sh", "a\0b"])).unwrap_err();
/// assert_eq!((&*error.name, error.problems[0].code), ("guard", "nul_in_command"));
/// assert_eq!(
///     error.to_string(),
///     "hook `guard`: word 2 of the command holds a NUL character; remove it, no program can be given one"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}", self.lines())]
#[non_exhaustive]
pub struct HookSpecError {
    /// The name of the hook, which may be what is wrong with it.
    pub name: String,
    /// What is wrong, in the order of the fields; at least one.
    pub problems: Vec<Diagnostic>,
}

impl HookSpecError {
    fn lines(&self) -> String {
        let lines = self
            .problems
            .iter()
            .map(|problem| format!("hook `{}`: {}", Shown(&self.name), problem.sentence()));
        lines.collect::<Vec<_>>().join("\n")
    }
}

#[cfg(test)]
mod tests;
