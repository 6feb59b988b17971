//! A server as a process, and what it leaves.

use std::{
    fs,
    io::{BufRead, BufReader},
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
    process::{Child, Command},
    thread,
    time::{Duration, Instant},
};

use tempfile::TempDir;

use crate::desk::{Desk, Ran, answered, before, ran};

/// A worker that denies with its process id.
pub(super) const WORKER: &str =
    r#"while read -r call; do echo "{\"decision\":\"deny\",\"reason\":\"$$\"}"; done"#;

/// Where the servers of a desk listen. All of them are ended with it.
pub(crate) struct Residence<'a> {
    desk: &'a Desk,
    /// Everybody may write to the folder for temporary files, and so no server listens below it.
    state: TempDir,
}

/// A server that was started by hand and listens.
pub(crate) struct Server<'a> {
    child: Child,
    residence: &'a Residence<'a>,
    pub(super) socket: PathBuf,
}

/// Waits for something that other processes do.
#[track_caller]
pub(super) fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let since = Instant::now();
    while !is_so() {
        assert!(since.elapsed() < Duration::from_secs(60), "never: {what}");
        thread::yield_now();
    }
}

/// The process id of the worker that denied to this bridge.
#[track_caller]
pub(super) fn worker_of(command: Command) -> String {
    let ran = answered(command, before("ls").to_string().as_bytes());
    assert_eq!(ran.status, Some(2), "{ran:?}");
    let reason = ran.stderr.trim_end();
    let pid = reason.strip_prefix("denied by worker 'guard': ");
    pid.unwrap_or_else(|| panic!("{ran:?}")).to_owned()
}

/// The folder of the build, or the user's own where the build is below a folder into which everybody may write.
fn own_folder() -> PathBuf {
    let beside = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let is_closed = |path: &PathBuf| {
        let mut ways = path.ancestors().filter_map(|path| path.metadata().ok());
        ways.all(|found| found.mode() & 0o002 == 0)
    };
    let places = [Some(beside.clone()), std::env::home_dir()];
    let place = places.into_iter().flatten().find(is_closed);
    place.unwrap_or(beside)
}

impl<'a> Residence<'a> {
    pub(crate) fn new(desk: &'a Desk) -> Self {
        let state = tempfile::tempdir_in(own_folder()).expect("a directory");
        Self { desk, state }
    }

    /// A directory into which only the user may write, and in which the one of the sockets is.
    pub(super) fn path(&self) -> PathBuf {
        self.state.path().canonicalize().expect("its path")
    }

    fn directory(&self) -> PathBuf {
        self.path().join("hookchain/serve")
    }

    pub(super) fn program(&self, name: &str, args: &[&str]) -> Command {
        let mut command = self.desk.program(name);
        command.args(args).env("XDG_STATE_HOME", self.state.path());
        command
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        self.program(env!("CARGO_BIN_EXE_hookchain"), args)
    }

    pub(super) fn run(&self, args: &[&str]) -> Ran {
        ran(self.command(args).output().expect("started"))
    }

    pub(crate) fn bridge(&self, agent: &str, payload: &[u8]) -> Ran {
        answered(self.command(&["bridge", agent, "--connect"]), payload)
    }

    pub(super) fn ask(&self, agent: &str) -> Ran {
        self.bridge(agent, before("ls").to_string().as_bytes())
    }

    /// The process id of the worker that denied.
    #[track_caller]
    pub(super) fn worker(&self, agent: &str) -> String {
        worker_of(self.command(&["bridge", agent, "--connect"]))
    }

    pub(crate) fn serve(&self, args: &[&str]) -> Server<'_> {
        self.serve_with(env!("CARGO_BIN_EXE_hookchain"), args)
    }

    pub(super) fn serve_with(&self, name: &str, args: &[&str]) -> Server<'_> {
        self.started(self.server(name).args(args))
    }

    /// One that was started with these variables beside its own.
    pub(crate) fn serve_in(&self, environment: &[(&str, &str)]) -> Server<'_> {
        let mut command = self.server(env!("CARGO_BIN_EXE_hookchain"));
        self.started(command.envs(environment.iter().copied()))
    }

    fn server(&self, name: &str) -> Command {
        let mut command = self.program(name, &["serve", "--socket"]);
        let workspace = self.desk.path().join("ws");
        command.arg("--workspace").arg(workspace);
        command
    }

    fn started(&self, command: &mut Command) -> Server<'_> {
        let mut child = command.spawn().expect("started");
        let stdout = child.stdout.as_mut().expect("its output");
        let mut line = String::new();
        BufReader::new(stdout).read_line(&mut line).expect("a line");
        let socket = line.trim_end().strip_prefix("listening on ");
        let socket = socket.unwrap_or_else(|| panic!("{line}")).into();
        Server {
            child,
            residence: self,
            socket,
        }
    }

    pub(super) fn lives(&self, pid: &str) -> bool {
        let status = self.desk.program("kill").args(["-0", pid]).output();
        status.expect("started").status.success() && !is_zombie(pid)
    }

    pub(super) fn signal(&self, name: &str, pid: &str) {
        let signal = format!("-{name}");
        let sent = self.desk.program("kill").args([&signal, pid]).output();
        sent.expect("started");
    }

    /// What is in the directory of the sockets.
    pub(super) fn files(&self) -> Vec<String> {
        let files = fs::read_dir(self.directory());
        let names = files.into_iter().flatten().map(|file| {
            let name = file.expect("a file").file_name();
            name.into_string().expect("UTF-8")
        });
        names.collect()
    }

    /// The processes that serve this workspace, those that are about to find out that they may not as well.
    pub(super) fn servers(&self) -> Vec<String> {
        let workspace = self.desk.path().join("ws");
        let workspace = workspace.to_str().expect("UTF-8");
        let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
        let pids = processes.filter_map(|process| process.file_name().into_string().ok());
        pids.filter(|pid| {
            let line = fs::read(Path::new("/proc").join(pid).join("cmdline"));
            let line = String::from_utf8_lossy(&line.unwrap_or_default()).into_owned();
            line.contains("serve\0--socket\0") && line.contains(workspace)
        })
        .collect()
    }
}

/// Whether it has ended and nobody has asked for its status yet.
fn is_zombie(pid: &str) -> bool {
    let stat = fs::read_to_string(Path::new("/proc").join(pid).join("stat"));
    stat.is_ok_and(|stat| stat.contains(") Z "))
}

impl Drop for Residence<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            for pid in self.servers() {
                self.signal("KILL", &pid);
            }
            return;
        }
        // Those that have only just been started listen to no signal yet, and die of it as well.
        for pid in self.servers() {
            self.signal("TERM", &pid);
        }
        until("the end of all servers", || self.servers().is_empty());
    }
}

impl Server<'_> {
    /// Its process id.
    pub(crate) fn id(&self) -> String {
        self.child.id().to_string()
    }

    /// Sends the signal; its exit status.
    pub(crate) fn end(self, signal: &str) -> Option<i32> {
        self.residence.signal(signal, &self.child.id().to_string());
        self.wait()
    }

    /// A file beside its socket.
    pub(super) fn file(&self, ending: &str) -> PathBuf {
        self.socket.with_extension(ending)
    }

    pub(super) fn wait(mut self) -> Option<i32> {
        self.child.wait().expect("its end").code()
    }
}
