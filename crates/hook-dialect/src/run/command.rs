//! One hook: what is started for it, and what came of that.

use std::{
    fmt,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use hook_contract::shown;
use hook_runner::{
    Exit, StartError,
    program::{Ending, Environment, Limits, Program, Run},
};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::{
    environments::Environments, exports::Exports, long::shorten, selection::programs_of,
    together::Work, variables::filled,
};
use crate::{
    Failure, FailurePolicy, HookOutput, Profile,
    config::{Background, CommandForm, LoadedHook, Shell},
    decode::announces_background,
    decode_output,
    dialect::{EventRow, HeldOpen},
    shell::own_errors,
};

/// How long output that something still holds open is read after a hook has ended.
const GRACE: Duration = Duration::from_millis(100);

/// How much is kept of each end of what a hook prints as errors: exit status 2 makes it the reason.
const MAX_ERROR_BYTES: usize = 64 * 1024;

/// How much of a command is shown.
const SHOWN_CHARS: usize = 120;

/// One hook, ready to be started.
#[derive(Debug)]
pub(super) struct Command {
    pub(super) hook: Arc<LoadedHook>,
    program: Program,
    /// The words of the programs that the command starts, as far as it says so plainly.
    programs: Vec<Vec<String>>,
    limits: Limits,
    /// Whether output that is held open until the time limit loses the answer.
    held_loses: bool,
}

/// What is the same for all hooks of one event.
#[derive(Debug)]
pub(super) struct Question {
    pub(super) profile: Profile,
    pub(super) event: &'static EventRow,
    pub(super) payload: Vec<u8>,
    pub(super) directory: Arc<Path>,
    pub(super) environments: Environments,
    /// Where texts are put that are too long.
    pub(super) long_texts: Option<Arc<Path>>,
}

impl Question {
    /// The variable that names the file for exports, where there is one.
    fn exports_variable(&self) -> Option<&'static str> {
        let variable = self.profile.dialect.running.exports;
        variable.filter(|_| self.event.exports)
    }
}

/// One hook that was asked, and what came of it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct HookRun {
    /// Which hook.
    pub hook: Arc<LoadedHook>,
    /// What it said, with what its failure means.
    pub output: HookOutput,
    /// How its program ended, where it did by itself.
    pub exit: Option<Exit>,
    /// How long it waited for its turn.
    pub queued: Duration,
    /// How long it took after that.
    pub took: Duration,
    /// How many bytes it was told.
    pub bytes_sent: usize,
    /// How many bytes it printed.
    pub bytes_received: usize,
    /// Whether something outlived it, held its output open and was killed.
    pub held_open: bool,
    /// What its ending probably comes of, where its script shows that.
    pub hint: Option<String>,
    /// What it put into the file for exports: lines for a POSIX shell, for the commands that follow in this session.
    pub exports: Option<String>,
}

impl HookRun {
    /// The lines on standard error in which a shell says that it could not do what its text says, where the hook ended with
    /// 0 all the same: `/bin/sh: 1: jq: not found`.
    pub fn shell_errors(&self) -> impl Iterator<Item = &str> {
        let ended_well = self.exit == Some(Exit::Code(0));
        own_errors(&self.output.stderr).filter(move |_| ended_well)
    }

    /// The command on one line, cut where it is long; harmless to a terminal.
    #[must_use]
    pub fn command(&self) -> String {
        named(&self.hook)
    }
}

/// The command on one line, and where it is declared.
impl fmt::Display for HookRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` ({})", named(&self.hook), self.hook.origin)
    }
}

/// The command on one line, cut where it is long.
pub(super) fn named(hook: &LoadedHook) -> String {
    let command = hook.handler.command.shown();
    let mut short: String = command.chars().take(SHOWN_CHARS).collect();
    if short.len() < command.len() {
        short.push('…');
    }
    short
}

/// What a hook is asked with, beside the question.
#[derive(Clone)]
pub(super) struct Means {
    /// How many may run at once.
    pub(super) places: Arc<Semaphore>,
    pub(super) clock: Arc<dyn Fn() -> Instant + Send + Sync>,
}

impl Command {
    pub(super) fn new(
        hook: Arc<LoadedHook>,
        profile: Profile,
        project: &Arc<Path>,
        environment: &Environment,
        (limit, max_output_bytes): (Duration, usize),
    ) -> Self {
        let handler = &hook.handler;
        let place = Arc::clone(project);
        let program = match &handler.command {
            // No agent starts a shell for it.
            CommandForm::Shell { text, .. } if text.is_empty() => {
                Program::new([""], place, environment)
            }
            CommandForm::Shell { text, shell } => match shell {
                Shell::Posix => Program::shell(text, place, environment),
                Shell::OfUser => Program::user_shell(text, place, environment),
                Shell::PowerShell => {
                    let words = ["pwsh", "-NoProfile", "-NonInteractive", "-Command", text];
                    Program::new(words, place, environment)
                }
            },
            CommandForm::Exec { program, args } => {
                let words = std::iter::once(program).chain(args);
                let words = words.map(|word| filled(word, profile.dialect, project));
                Program::new(words, place, environment)
            }
        };
        let running = &profile.dialect.running;
        let program = if profile.strict && running.sockets {
            program.with_sockets()
        } else {
            program
        };
        let timeout = if handler.background == Background::Never || running.background_timed {
            limit
        } else {
            Duration::MAX
        };
        let (grace, held_loses) = match running.held_open {
            _ if !profile.strict => (GRACE, false),
            HeldOpen::Waits(grace) => (grace, false),
            HeldOpen::Loses => (timeout, true),
        };
        let limits = Limits::new(timeout)
            .with_max_output_bytes(max_output_bytes)
            .with_max_error_bytes(MAX_ERROR_BYTES)
            .with_grace(grace);
        Self {
            programs: programs_of(&hook.handler.command, profile.dialect, project),
            hook,
            program,
            limits,
            held_loses,
        }
    }

    /// Asks the hook. The work is its own: it borrows nothing, and `leaves` is set when the hook says that it goes on in
    /// the background.
    pub(super) fn ask(
        self: Arc<Self>,
        question: Arc<Question>,
        policy: FailurePolicy,
        means: Means,
        leaves: Arc<AtomicBool>,
    ) -> Work<HookRun> {
        Box::pin(async move {
            let since = (means.clock)();
            // The semaphore is never closed; should it be one day, a hook without a place is no harm.
            let place = means.places.acquire_owned().await.ok();
            let started = (means.clock)();
            let mut heard = first_line_heard(question.profile, leaves, place);
            let exports = question.exports_variable().zip(Exports::new());
            let mut environment = question.environments.of(&self.hook);
            if let Some((name, exports)) = &exports {
                environment = environment.with([(*name, exports.path())]);
            }
            let program = self
                .program
                .placed(Arc::clone(&question.directory), &environment);
            let ran = program
                .run_heard(&question.payload, self.limits, &mut heard)
                .await;
            let ended = (means.clock)();
            let mut run = self.judge(&question, ran, policy);
            run.queued = started.saturating_duration_since(since);
            run.took = ended.saturating_duration_since(started);
            run.exports = exports.and_then(|(_, exports)| exports.written());
            if let Some(folder) = &question.long_texts {
                let long = question.profile.dialect.running.long;
                shorten(&mut run.output, &self.hook.handler, long, folder);
            }
            run
        })
    }

    fn judge(
        &self,
        question: &Question,
        ran: Result<Run, StartError>,
        policy: FailurePolicy,
    ) -> HookRun {
        let mut run = HookRun {
            hook: Arc::clone(&self.hook),
            output: HookOutput::default(),
            exit: None,
            queued: Duration::ZERO,
            took: Duration::ZERO,
            bytes_sent: 0,
            bytes_received: 0,
            held_open: false,
            hint: None,
            exports: None,
        };
        let output = match ran {
            Err(error) => HookOutput::failed(Failure::not_started(with_causes(&error))),
            Ok(ran) => {
                run.bytes_sent = ran.sent;
                run.bytes_received = ran.stdout.len();
                run.held_open = ran.held_open;
                self.output_of(question, ran, &mut run.exit)
            }
        };
        let in_order =
            run.exit == Some(Exit::Code(0)) && own_errors(&output.stderr).next().is_none();
        if run.exit.is_some() && !in_order {
            run.hint = self.line_ends(question, &output.stderr);
        }
        run.output = output.settled(question.event, policy, question.profile);
        run
    }

    /// What is to be said of the line ends of its script, which a shell could not read.
    fn line_ends(&self, question: &Question, stderr: &str) -> Option<String> {
        let environment = question.environments.of(&self.hook);
        let inspect = |words: &Vec<String>| {
            Program::new(words, Arc::clone(&question.directory), &environment)
                .inspect()
                .line_ends()
        };
        let told = self.programs.iter().find_map(inspect);
        told.or_else(|| {
            let names_one = |line: &str| line.trim_end_matches('\r').contains(['\r']) || line.contains("\\r'");
            stderr.lines().any(names_one).then(|| {
                "a shell met a carriage return (CRLF line ends); save the script with LF line ends".to_owned()
            })
        })
    }

    fn output_of(&self, question: &Question, ran: Run, exit: &mut Option<Exit>) -> HookOutput {
        let stderr = ran.stderr.unwrap_or_default();
        let ended = match ran.ending {
            Ending::Exited(_) if ran.held_open && self.held_loses => Err(Failure::TimedOut),
            Ending::Exited(ended) => Ok(ended),
            Ending::TimedOut => Err(Failure::TimedOut),
            Ending::TooMuchOutput => Err(Failure::too_much_output(self.limits.max_output_bytes)),
        };
        match ended {
            Ok(ended) => {
                *exit = Some(ended);
                let event = Some(question.event.name);
                let (stdout, stderr) = (&ran.stdout, stderr.as_bytes());
                decode_output(ended.into(), stdout, stderr, event, question.profile)
            }
            Err(failure) => HookOutput {
                stderr,
                ..HookOutput::failed(failure)
            },
        }
    }
}

/// Looks at the first line once it is there. Whoever leaves gives up its place; otherwise it is kept as long as this.
fn first_line_heard(
    profile: Profile,
    leaves: Arc<AtomicBool>,
    mut place: Option<OwnedSemaphorePermit>,
) -> impl FnMut(&[u8]) + Send {
    let mut waiting = profile.dialect.answers.detaches;
    // Nothing is looked through twice: much may be printed before the first line ends.
    let mut searched = 0;
    move |printed: &[u8]| {
        if !waiting {
            return;
        }
        let new = printed.get(searched..).unwrap_or_default();
        let Some(end) = new.iter().position(|byte| *byte == b'\n') else {
            searched = printed.len();
            return;
        };
        waiting = false;
        let line = printed.get(..searched + end).unwrap_or_default();
        let line = String::from_utf8_lossy(line);
        if announces_background(&line, profile) {
            leaves.store(true, Ordering::Relaxed);
            drop(place.take());
        }
    }
}

/// The error and its causes, on one line.
fn with_causes(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    let causes: Vec<_> = causes.map(ToString::to_string).collect();
    shown::line(&causes.join(": "))
}

impl From<Exit> for crate::Exit {
    fn from(exit: Exit) -> Self {
        match exit {
            Exit::Code(code) => Self::Code(code),
            Exit::Signal(signal) => Self::Signal(signal),
            Exit::Unknown | _ => Self::Unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Dialect;

    /// Whether a hook leaves that prints this, heard piece by piece.
    fn leaves(pieces: &[&str]) -> bool {
        leaves_as(Dialect::CLAUDE.strict(), pieces)
    }

    fn leaves_as(profile: Profile, pieces: &[&str]) -> bool {
        let leaves = Arc::new(AtomicBool::new(false));
        let mut heard = first_line_heard(profile, Arc::clone(&leaves), None);
        let mut printed = Vec::new();
        for piece in pieces {
            printed.extend_from_slice(piece.as_bytes());
            heard(&printed);
        }
        leaves.load(Ordering::Relaxed)
    }

    #[test]
    fn whoever_refuses_does_not_leave() {
        let refuses = ["{\"async\":true,\"decision\":\"block\"}\n"];
        assert!(leaves_as(Dialect::CLAUDE.strict(), &refuses));
        assert!(!leaves_as(Dialect::CLAUDE.guarded(), &refuses));
        let later = ["{\"async\":true}\n", "{\"decision\":\"block\"}\n"];
        assert!(leaves_as(Dialect::CLAUDE.guarded(), &later));
    }

    #[test]
    fn the_first_line_is_heard_however_it_arrives() {
        assert!(leaves(&["{\"async\":true}\n"]));
        assert!(leaves(&["{\"asy", "", "nc\":tr", "ue}", "\nmore"]));
        assert!(!leaves(&["{\"async\":true}"]));
        assert!(!leaves(&["no\n", "{\"async\":true}\n"]));
        assert!(!leaves(&["{\"async\":", "false}\n"]));
    }
}
