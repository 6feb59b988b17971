use super::*;
use crate::Exit;

const LONG_ENOUGH: Limits = Limits::new(Duration::from_secs(20));

fn shell(line: &str) -> Program {
    let environment = Environment::baseline([("A", "1")]);
    Program::shell(line, Path::new("/"), &environment)
}

#[tokio::test]
async fn a_program_is_told_and_answers() {
    let run = shell("cat; echo \"$A\" >&2; exit 3")
        .run(b"hello", LONG_ENOUGH)
        .await;
    let run = run.expect("started");
    assert_eq!(run.ending, Ending::Exited(Exit::Code(3)));
    assert_eq!((&run.stdout[..], run.sent), (&b"hello"[..], 5));
    assert_eq!(run.stderr.as_deref(), Some("1"));
    assert!(!run.held_open);
}

#[tokio::test]
async fn the_same_program_runs_elsewhere_and_with_something_else() {
    let directory = tempfile::tempdir().expect("a directory");
    let place = directory.path().canonicalize().expect("a path");
    let environment = Environment::baseline([("A", "1")]).with([("A", "2"), ("B", "3")]);
    let program = shell("echo \"$A$B $(pwd -P)\"").placed(place.as_path(), &environment);
    let run = program.run(b"", LONG_ENOUGH).await.expect("started");
    let expected = format!("23 {}\n", place.display());
    assert_eq!(String::from_utf8_lossy(&run.stdout), expected);
}

#[tokio::test]
async fn the_words_of_a_program_are_not_read_by_a_shell() {
    let environment = Environment::inherited(|name, _| name == "PATH", [("A", "1")]);
    let program = Program::new(["echo", "$A  b"], Path::new("/"), &environment);
    let run = program.run(b"", LONG_ENOUGH).await.expect("started");
    assert_eq!(run.stdout, b"$A  b\n");
    let missing = Program::new(["no-such-program-here"], Path::new("/"), &environment);
    let error = missing.run(b"", LONG_ENOUGH).await.expect_err("not there");
    assert!(matches!(error, StartError::NotOnPath { .. }), "{error}");
}

#[tokio::test]
async fn what_is_printed_is_heard_before_the_end() {
    // It goes on when it is told that it was heard, and it cannot be told before.
    let directory = tempfile::tempdir().expect("a directory");
    let heard_file = directory.path().join("heard");
    let environment = Environment::baseline([("FILE", heard_file.as_os_str())]);
    let line = "echo first; until [ -e \"$FILE\" ]; do sleep 0.01; done; echo second";
    let program = Program::shell(line, Path::new("/"), &environment);
    let mut heard = |printed: &[u8]| {
        if printed.starts_with(b"first\n") {
            std::fs::write(&heard_file, "").expect("a file");
        }
    };
    let run = program.run_heard(b"", LONG_ENOUGH, &mut heard).await;
    assert_eq!(run.expect("started").stdout, b"first\nsecond\n");
}

#[tokio::test]
async fn each_limit_is_kept() {
    let late = shell("sleep 600")
        .run(b"", Limits::new(Duration::from_millis(20)))
        .await;
    assert_eq!(late.expect("started").ending, Ending::TimedOut);

    let limits = LONG_ENOUGH.with_max_output_bytes(4);
    let much = shell("echo 12345").run(b"", limits).await;
    assert_eq!(much.expect("started").ending, Ending::TooMuchOutput);

    let limits = LONG_ENOUGH.with_max_error_bytes(1);
    let errors = shell("printf 1234 >&2").run(b"", limits).await;
    let expected = "1\n[2 bytes left out]\n4";
    assert_eq!(errors.expect("started").stderr.as_deref(), Some(expected));

    let short = shell("sleep 600 & echo early").run(b"", LONG_ENOUGH).await;
    let short = short.expect("started");
    assert_eq!(
        (&short.stdout[..], short.held_open),
        (&b"early\n"[..], true)
    );

    // The child prints when the shell is long gone; with time for that, it is heard.
    let limits = LONG_ENOUGH.with_grace(Duration::from_secs(20));
    let long = shell("(sleep 0.2; echo late) & echo early")
        .run(b"", limits)
        .await;
    let long = long.expect("started");
    assert_eq!(
        (&long.stdout[..], long.held_open),
        (&b"early\nlate\n"[..], false)
    );
}
