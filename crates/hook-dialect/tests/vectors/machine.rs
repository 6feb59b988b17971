//! A machine of its own for every recorded run, and running many of them at once.

use std::{
    ffi::OsString,
    future::Future,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    pin::Pin,
    sync::{Arc, RwLock},
    time::Duration,
};

use hook_dialect::run::HookRun;
use hook_runner::program::{Ending, Environment, Limits, Program};
use tempfile::TempDir;
use tokio::sync::Semaphore;

/// The folders of one run. Recordings call them by other names.
pub(crate) struct Machine {
    folder: TempDir,
}

impl Machine {
    pub(crate) fn new() -> Self {
        Self {
            folder: tempfile::tempdir().expect("a folder"),
        }
    }

    /// A folder or file of it, as programs find it.
    pub(crate) fn at(&self, name: &str) -> PathBuf {
        let root = self.folder.path().canonicalize().expect("a folder");
        root.join(name)
    }

    pub(crate) fn text_of(&self, name: &str) -> String {
        self.at(name).to_str().expect("UTF-8").to_owned()
    }

    pub(crate) fn make(&self, name: &str) -> PathBuf {
        let path = self.at(name);
        std::fs::create_dir_all(&path).expect("a folder");
        path
    }
}

/// Writes a file; the mode decides whether it can be run.
pub(crate) fn write(path: &Path, content: &str, mode: u32) {
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    std::fs::write(path, content).expect("a file");
    let permissions = std::fs::Permissions::from_mode(mode);
    std::fs::set_permissions(path, permissions).expect("a mode");
}

/// What is in a file; nothing when it is not there.
pub(crate) fn read(path: &Path) -> Option<String> {
    let bytes = std::fs::read(path).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// A command of a tool, run for real: what it printed and whether it succeeded. The working directory that it ends in is
/// that of the next one.
pub(crate) struct Ran {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) success: bool,
    pub(crate) cwd: PathBuf,
}

/// Runs a line after some others that set variables.
pub(crate) async fn run_line(
    machine: &Machine,
    cwd: &Path,
    before: &str,
    line: &str,
    variables: &[(OsString, OsString)],
) -> Ran {
    let (text, end) = (machine.at("line"), machine.at("end"));
    // A line may be longer than an argument can be.
    std::fs::write(&text, format!("{line}\n")).expect("a file");
    let script = format!(
        "{before}\n. '{}'\nstatus=$?\npwd > '{}'\nexit $status\n",
        text.display(),
        end.display()
    );
    let environment = Environment::inherited(|_, _| true, variables.iter().cloned());
    let program = Program::shell(script, cwd, &environment);
    let ran = program.run(b"", Limits::new(Duration::from_secs(30))).await;
    let ran = ran.expect("a shell");
    let ended = read(&end).map(|end| PathBuf::from(end.trim_end_matches('\n')));
    Ran {
        stdout: String::from_utf8_lossy(&ran.stdout).trim_end().to_owned(),
        stderr: ran.stderr.unwrap_or_default(),
        success: matches!(ran.ending, Ending::Exited(hook_runner::Exit::Code(0))),
        cwd: ended.unwrap_or_else(|| cwd.to_owned()),
    }
}

/// How a hook ended, in the three words that agents have for it.
pub(crate) fn ending(run: &HookRun) -> &'static str {
    match &run.output.failure {
        Some(hook_dialect::Failure::TimedOut) => "cancelled",
        Some(_) => "error",
        None if run
            .exit
            .is_some_and(|exit| exit != hook_runner::Exit::Code(0)) =>
        {
            "error"
        }
        None => "success",
    }
}

/// A program that is being written cannot be started, and a child of another thread holds the file open until it runs
/// something of its own. So nothing is written while anything may be started.
static WRITING_OR_STARTING: RwLock<()> = RwLock::new(());

/// How many runs there are at once.
const AT_ONCE: usize = 8;

pub(crate) type Work<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// Prepares something for each, and then does everything, some at once.
pub(crate) fn at_once<R, T: Send + 'static>(
    rows: impl IntoIterator<Item = R>,
    prepare: impl Fn(R) -> Work<T>,
) -> Vec<T> {
    let alone = WRITING_OR_STARTING.write().expect("a lock");
    let works: Vec<_> = rows.into_iter().map(prepare).collect();
    drop(alone);
    let _together = WRITING_OR_STARTING.read().expect("a lock");
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build();
    runtime.expect("a runtime").block_on(async {
        let places = Arc::new(Semaphore::new(AT_ONCE));
        let tasks: Vec<_> = works
            .into_iter()
            .map(|work| {
                let places = Arc::clone(&places);
                tokio::spawn(async move {
                    let _place = places.acquire().await.expect("open");
                    work.await
                })
            })
            .collect();
        let mut done = Vec::new();
        for task in tasks {
            done.push(task.await.expect("no panic"));
        }
        done
    })
}
