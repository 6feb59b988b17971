use std::{fs, os::unix::fs::PermissionsExt};

use tempfile::TempDir;

use super::*;

const NOTHING: Input<'_> = Input::new(&[]);

/// A limit that no test that passes comes near.
const LONG: Duration = Duration::from_secs(30);

struct Place {
    root: TempDir,
}

impl Place {
    fn new() -> Self {
        Self {
            root: tempfile::tempdir().expect("a directory"),
        }
    }

    fn script(&self, text: &str) -> Program {
        self.file("script", &format!("#!/bin/sh\n{text}\n"), 0o755);
        self.program(&["./script"])
    }

    fn file(&self, name: &str, text: &str, mode: u32) {
        let path = self.root.path().join(name);
        fs::write(&path, text).expect("a file");
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("a mode");
    }

    fn program(&self, words: &[&str]) -> Program {
        let words: Vec<_> = words.iter().map(ToString::to_string).collect();
        let environment = Arc::new(Environment::new(&[], &[]));
        Program::new(&words, self.root.path().into(), environment)
    }
}

fn limits(timeout: Duration) -> Limits {
    Limits::new(timeout, 8 << 20)
}

async fn run(program: &Program, input: &[u8]) -> Run {
    program
        .run(Input::new(&[input]), limits(LONG))
        .await
        .expect("started")
}

fn text(run: &Run) -> &str {
    std::str::from_utf8(&run.stdout).expect("text")
}

#[tokio::test]
async fn what_goes_in_comes_out_whatever_its_size() {
    let place = Place::new();
    let cat = place.script("cat");
    for size in [0, 1, 65_535, 65_536, 65_537, 1 << 20, (3 << 20) + 7] {
        let input = vec![b'x'; size];
        let run = run(&cat, &input).await;
        assert_eq!(run.ending, Ending::Exited(Exit::Code(0)));
        assert!(run.stdout == input, "{size} bytes");
        assert_eq!(run.sent, size);
        assert!(!run.held_open);
    }
}

#[tokio::test]
async fn pieces_arrive_as_one_input() {
    let place = Place::new();
    let cat = place.script("cat");
    let large = vec![b'x'; 2 << 20];
    for pieces in [
        vec![&b"a"[..], b"", b"bc", b""],
        vec![b"{", &large, b"", &large, b"}"],
        vec![b""],
    ] {
        let run = cat
            .run(Input::new(&pieces), limits(LONG))
            .await
            .expect("started");
        assert!(run.stdout == pieces.concat());
        assert_eq!(run.sent, run.stdout.len());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_programs_run_at_once() {
    let place = Arc::new(Place::new());
    let cat = Arc::new(place.script("cat"));
    let runs: Vec<_> = (0..32)
        .map(|number: u32| {
            let cat = Arc::clone(&cat);
            tokio::spawn(async move { run(&cat, number.to_string().as_bytes()).await })
        })
        .collect();
    for (number, run) in (0_u32..).zip(runs) {
        assert_eq!(text(&run.await.expect("no panic")), number.to_string());
    }
}

#[tokio::test]
async fn the_end_of_a_program_is_told_as_it_was() {
    let place = Place::new();
    assert_eq!(
        run(&place.script("exit 3"), b"").await.ending,
        Ending::Exited(Exit::Code(3))
    );
    let killed = run(&place.script("kill -KILL $$"), b"").await;
    assert_eq!(killed.ending, Ending::Exited(Exit::Signal(9)));
}

#[tokio::test]
async fn a_program_sees_its_words_its_workspace_and_a_clean_environment() {
    let place = Place::new();
    place.file(
        "script",
        "#!/bin/sh\nprintf '%s|' \"$@\"; pwd; env\n",
        0o755,
    );
    let run = run(&place.program(&["./script", "a b", "", "$HOME", "*"]), b"").await;
    let root = place.root.path().canonicalize().expect("a path");
    let first = text(&run).lines().next().expect("a line").to_owned();
    assert_eq!(first, format!("a b||$HOME|*|{}", root.display()));
    assert!(text(&run).contains("HOOKCHAIN_DEPTH=1"), "{}", text(&run));
    assert!(!text(&run).contains("CARGO"), "{}", text(&run));
}

#[tokio::test]
async fn a_program_leads_a_session_of_its_own_without_a_terminal() {
    let place = Place::new();
    let run = run(
        &place.script("cut -d ' ' -f 1,5,6,7 /proc/$$/stat; cat </dev/tty || echo none"),
        b"",
    )
    .await;
    let mut lines = text(&run).lines();
    let ids: Vec<_> = lines.next().expect("a line").split(' ').collect();
    let [pid, group, session, terminal] = ids[..] else {
        panic!("{ids:?}")
    };
    assert_eq!((group, session, terminal), (pid, pid, "0"));
    assert_eq!(lines.next(), Some("none"), "{:?}", run.stderr.to_text());
}

#[tokio::test]
async fn a_program_gets_no_descriptor_but_its_three_streams() {
    // Deliberately without close-on-exec, as a careless embedder leaves it.
    let careless = fs::File::open("/dev/null").expect("a file");
    rustix::io::fcntl_setfd(&careless, rustix::io::FdFlags::empty()).expect("a flag");
    let place = Place::new();
    let run = run(&place.script("ls /proc/self/fd"), b"").await;
    // The fourth is what `ls` itself opened to look.
    assert_eq!(
        text(&run).split_whitespace().collect::<Vec<_>>(),
        ["0", "1", "2", "3"]
    );
}

#[tokio::test]
async fn a_program_that_does_not_end_is_killed_at_the_deadline_with_its_group() {
    let place = Place::new();
    let script = place.script("trap '' TERM; sleep 600 & echo $!; echo $$; echo late >&2; wait");
    let run = script
        .run(NOTHING, limits(Duration::from_millis(300)))
        .await
        .expect("started");
    assert_eq!(run.ending, Ending::TimedOut);
    assert_eq!(run.stderr.to_text().as_deref(), Some("late"));
    for pid in text(&run).lines() {
        gone(pid).await;
    }
}

/// Waits until no process of that id runs: the members of a group that was killed die on their own time.
async fn gone(pid: &str) {
    while !is_gone(pid) {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}

/// A process that was killed may still wait to be reaped by init.
fn is_gone(pid: &str) -> bool {
    fs::read_to_string(format!("/proc/{pid}/stat")).map_or(true, |stat| {
        stat.rsplit(')')
            .next()
            .is_some_and(|rest| rest.starts_with(" Z"))
    })
}

#[tokio::test]
async fn a_background_process_that_holds_the_output_open_is_killed_and_the_answer_stays() {
    let place = Place::new();
    let run = run(&place.script("sleep 600 & echo $!"), b"").await;
    assert_eq!(run.ending, Ending::Exited(Exit::Code(0)));
    assert!(run.held_open);
    gone(text(&run).trim()).await;
}

#[tokio::test]
async fn a_background_process_that_let_go_of_the_output_is_left_alone() {
    let place = Place::new();
    let run = run(&place.script("sleep 600 >/dev/null 2>&1 & echo $!"), b"").await;
    assert!(!run.held_open);
    let pid = text(&run).trim().parse().expect("a process id");
    let pid = rustix::process::Pid::from_raw(pid).expect("a process id");
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).expect("it is there");
}

#[tokio::test]
async fn output_past_the_limit_ends_the_program_at_once() {
    let place = Place::new();
    let endless = place.script("exec yes");
    let limits = Limits::new(LONG, 1000);
    let run = endless.run(NOTHING, limits).await.expect("started");
    assert_eq!(run.ending, Ending::TooMuchOutput);
    let exact = place.script("printf %1000s x");
    let run = exact.run(NOTHING, limits).await.expect("started");
    assert_eq!(
        (run.ending, run.stdout.len()),
        (Ending::Exited(Exit::Code(0)), 1000)
    );
    let over = place.script("printf %1001s x");
    let run = over.run(NOTHING, limits).await.expect("started");
    assert_eq!(run.ending, Ending::TooMuchOutput);
}

#[tokio::test]
async fn endless_errors_cost_the_deadline_and_no_memory() {
    let place = Place::new();
    let endless = place.script("exec yes >&2");
    let run = endless
        .run(NOTHING, limits(Duration::from_millis(300)))
        .await
        .expect("started");
    assert_eq!(run.ending, Ending::TimedOut);
    assert!(run.stderr.to_text().expect("text").len() < 5000);
}

#[tokio::test]
async fn dropping_a_run_leaves_no_process() {
    let place = Place::new();
    let script = place.script("echo $$ > pid; exec sleep 600");
    let path = place.root.path().join("pid");
    let pid = tokio::select! {
        biased;
        _ = script.run(NOTHING, limits(LONG)) => panic!("it does not end"),
        pid = written(&path) => pid,
    };
    assert!(
        !Path::new(&format!("/proc/{pid}")).exists(),
        "neither running nor a zombie"
    );
}

async fn written(path: &Path) -> String {
    loop {
        match fs::read_to_string(path) {
            Ok(text) if text.ends_with('\n') => return text.trim().to_owned(),
            _ => tokio::time::sleep(Duration::from_millis(5)).await,
        }
    }
}

#[tokio::test]
async fn a_program_that_is_being_written_is_waited_for() {
    let place = Place::new();
    let script = place.script("echo ready");
    fs::copy("/bin/true", place.root.path().join("native")).expect("a copy");
    let native = place.program(&["./native"]);
    let writer = fs::OpenOptions::new()
        .append(true)
        .open(place.root.path().join("native"))
        .expect("a writer");
    let error = native
        .run(NOTHING, limits(Duration::from_millis(50)))
        .await
        .expect_err("busy");
    assert!(matches!(error, StartError::Busy { .. }), "{error}");
    let (result, ()) = tokio::join!(native.run(NOTHING, limits(LONG)), async {
        tokio::task::yield_now().await;
        drop(writer);
    });
    assert_eq!(
        result.expect("started").ending,
        Ending::Exited(Exit::Code(0))
    );
    assert_eq!(text(&run(&script, b"").await), "ready\n");
}

#[tokio::test]
async fn a_start_that_fails_says_what_to_change() {
    let place = Place::new();
    place.file("plain", "echo hello\n", 0o755);
    place.file("unmarked", "#!/bin/sh\n", 0o644);
    place.file("crlf", "#!/bin/sh\r\necho hello\r\n", 0o755);
    place.file("lost", "#! /opt/none/python3 -u\n", 0o755);
    fs::create_dir(place.root.path().join("folder")).expect("a directory");
    std::os::unix::fs::symlink("nowhere", place.root.path().join("dangling")).expect("a link");
    let cases = [
        ("./absent", "there is no file <ws>/./absent"),
        (
            "./dangling",
            "there is no file <ws>/./dangling, which is a symbolic link to nowhere",
        ),
        ("./folder", "<ws>/./folder is a directory, not a program"),
        (
            "./unmarked",
            "<ws>/./unmarked is not executable (mode 0644); run `chmod +x` on it",
        ),
        (
            "./plain",
            "<ws>/./plain does not start with a `#!` line and is no program of this system; begin a script with a \
             line like `#!/bin/sh`",
        ),
        (
            "./crlf",
            "the `#!` line of <ws>/./crlf ends in a carriage return (CRLF line ends), so the system looks for \
             `/bin/sh\\r`; save the script with LF line ends",
        ),
        (
            "./lost",
            "the interpreter `/opt/none/python3` in the `#!` line of <ws>/./lost does not exist or cannot be run",
        ),
        (
            "./nul\0",
            "a word of the command holds a NUL byte, or the command is empty",
        ),
    ];
    for (word, expected) in cases {
        let error = place
            .program(&[word])
            .run(NOTHING, limits(LONG))
            .await
            .expect_err(word);
        let said = error
            .to_string()
            .replace(&place.root.path().display().to_string(), "<ws>");
        assert_eq!(said, expected);
    }
    let error = place
        .program(&[])
        .run(NOTHING, limits(LONG))
        .await
        .expect_err("nothing to run");
    assert!(
        error.to_string().contains("the command is empty"),
        "{error}"
    );
    let bare = place.program(&["no-such-program-anywhere"]);
    let error = bare.run(NOTHING, limits(LONG)).await.expect_err("absent");
    assert!(
        error
            .to_string()
            .starts_with("no program `no-such-program-anywhere` in /"),
        "{error}"
    );
}

// Without a call to make one on Apple's systems.
#[cfg(not(target_vendor = "apple"))]
#[tokio::test]
async fn a_pipe_in_a_programs_place_is_an_error_and_not_a_wait() {
    let place = Place::new();
    let pipe = place.root.path().join("pipe");
    let mode = rustix::fs::Mode::RWXU;
    rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, mode).expect("a pipe");
    let run = place.program(&["./pipe"]);
    let error = run
        .run(NOTHING, limits(LONG))
        .await
        .expect_err("no program");
    assert!(
        matches!(&error, StartError::NotAFile { path } if path.ends_with("pipe")),
        "{error}"
    );
    // One that takes the place of a program that was started and failed.
    assert!(!has_carriage_return(&pipe));
}

#[tokio::test]
async fn a_workspace_that_is_gone_is_named() {
    let place = Place::new();
    let script = place.program(&["/bin/true"]);
    let path = place.root.path().to_owned();
    drop(place);
    let error = script
        .run(NOTHING, limits(LONG))
        .await
        .expect_err("no workspace");
    assert_eq!(
        error.to_string(),
        format!(
            "the workspace {} is not a directory any more",
            path.display()
        )
    );
}
