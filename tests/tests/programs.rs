//! What a program is given, and what it may do with its streams.
#![cfg(target_os = "linux")]

use std::{collections::BTreeMap, path::Path};

use hook_contract::{HookOutcome, Json};
use hook_runner::{FailureKind, HookRunner};
use hookchain_tests::{Bench, PATIENCE, Workspace, before, denial, fake, fake_hook};
use serde_json::json;

/// What a hook that reports found.
async fn report(bench: &Bench) -> Json {
    match bench.decide("{}").await {
        HookOutcome::Modify { input, .. } => input,
        other => panic!("no report: {other:?}; {:?}", bench.reports()),
    }
}

fn variables(report: &Json) -> BTreeMap<String, String> {
    serde_json::from_value(report["environment"].clone()).expect("variables")
}

/// What of this process's own environment a program may see unasked.
const BASELINE: [&str; 10] = [
    "PATH", "HOME", "TMPDIR", "TMP", "TEMP", "LANG", "LC_ALL", "TZ", "USER", "LOGNAME",
];

fn baseline() -> BTreeMap<String, String> {
    let depth = ("HOOKCHAIN_DEPTH".to_owned(), "1".to_owned());
    let named = BASELINE
        .iter()
        .filter_map(|name| Some((name.to_string(), std::env::var(name).ok()?)));
    named.chain([depth]).collect()
}

#[tokio::test]
async fn the_environment_is_the_baseline_and_what_the_embedder_adds() {
    let workspace = Workspace::new();
    let hook = || fake("look", &["read", "report"]);
    assert!(
        std::env::var("CARGO_MANIFEST_DIR").is_ok(),
        "there is something to be kept from it"
    );
    assert_eq!(
        variables(&report(&Bench::new(&workspace, [hook()])).await),
        baseline()
    );

    let added = HookRunner::builder(workspace.path())
        .with_hooks([hook()])
        .with_env("POLICY", "strict=1")
        .with_env("LANG", "C")
        .with_env("HOOKCHAIN_DEPTH", "0")
        .inherit_env(["CARGO_MANIFEST_DIR", "NO_SUCH_VARIABLE"]);
    let mut expected = baseline();
    expected.insert("POLICY".into(), "strict=1".into());
    expected.insert("LANG".into(), "C".into());
    expected.insert(
        "CARGO_MANIFEST_DIR".into(),
        env!("CARGO_MANIFEST_DIR").into(),
    );
    assert_eq!(variables(&report(&Bench::of(added)).await), expected);
}

#[tokio::test]
async fn words_arrive_as_they_were_written_and_the_workspace_is_the_working_directory() {
    let workspace = Workspace::named("my $HOME work'space; x");
    let odd = [
        "",
        "$HOME",
        "*",
        "a  b",
        "; touch pwned",
        "$(touch pwned)",
        "it's",
        "é\n",
    ];
    let told = ["read", "report", "exit=0"];
    let hook = fake("look", &[&told[..], &odd[..]].concat());
    let expected = hook.command().expect("a program").to_vec();
    let report = report(&Bench::new(&workspace, [hook])).await;
    assert_eq!(report["words"], json!(expected));
    assert_eq!(report["directory"], json!(workspace.path()));
    assert!(!workspace.has("pwned"));
}

#[tokio::test]
async fn a_program_leads_a_process_group_and_a_session_of_its_own() {
    let workspace = Workspace::new();
    let report = report(&Bench::new(&workspace, [fake("look", &["read", "report"])])).await;
    assert_eq!(report["group"], report["process"]);
    assert_eq!(report["session"], report["process"]);
}

#[tokio::test]
async fn a_program_has_its_three_streams_and_no_other_descriptor() {
    // As a careless embedder leaves one, without close-on-exec.
    let careless = std::fs::File::open("/dev/null").expect("a file");
    rustix::io::fcntl_setfd(&careless, rustix::io::FdFlags::empty()).expect("set");
    let workspace = Workspace::new();
    let report = report(&Bench::new(&workspace, [fake("look", &["read", "report"])])).await;
    let pipes = json!({"0": "pipe", "1": "pipe", "2": "pipe"});
    assert_eq!(report["descriptors"], pipes);
}

#[tokio::test]
async fn a_program_starts_with_no_signal_ignored_and_none_blocked() {
    let workspace = Workspace::new();
    // Rust's own start changes what is ignored, so a shell looks at itself.
    let script = r#"#!/bin/sh
cat >/dev/null
while read -r name mask; do
    case $name in SigIgn:|SigBlk:) seen="$seen $mask" ;; esac
done </proc/$$/status
printf '{"decision":"deny","reason":"%s"}\n' "$seen"
"#;
    workspace.write("look", script, 0o755);
    let hook = hook_config::HookSpec::new("look", ["./look"]);
    let outcome = Bench::new(&workspace, [hook]).decide("{}").await;
    let masks = denial(&outcome)
        .strip_prefix("denied by hook 'look':")
        .expect("two masks");
    let masks: Vec<_> = masks
        .split_whitespace()
        // Signals 32 and 33 are the C library's own, and out of reach for `posix_spawn`.
        .map(|mask| u64::from_str_radix(mask, 16).expect("a mask") & !0x1_8000_0000)
        .collect();
    assert_eq!(masks, [0, 0], "blocked and ignored");
}

#[tokio::test]
async fn the_input_stands_neither_in_the_environment_nor_in_the_words() {
    let workspace = Workspace::new();
    let bench = Bench::new(&workspace, [fake("look", &["read", "report"])]);
    let HookOutcome::Modify { input, .. } = bench.decide(r#"{"token":"s3cr3t-7f3a"}"#).await else {
        panic!("a report")
    };
    assert!(!input.text().contains("s3cr3t-7f3a"), "{input}");
}

#[tokio::test]
async fn a_payload_and_an_answer_of_any_size_cannot_deadlock() {
    let workspace = Workspace::new();
    let echo = ["read", "flood-err=1048576", "echo"];
    let others: [&[&str]; 2] = [
        // The answer is printed while most of the question has not been read.
        &["read=1", "flood-err=300000", "answer-of=1000000", "read"],
        &["answer-of=2000000", "read", "flood-err=1000000"],
    ];
    for size in [1, 4096, 65_535, 65_536, 65_537, 200_000, 3 << 20] {
        let text = "x".repeat(size);
        let input = format!(r#"{{"text":"{text}"}}"#);
        for steps in others {
            let bench = Bench::new(&workspace, [fake("big", steps)]);
            let outcome = bench.decide(&input).await;
            assert_eq!(
                outcome,
                HookOutcome::Allow,
                "{steps:?} {:?}",
                bench.reports()
            );
        }
        let bench = Bench::new(&workspace, [fake("big", &echo)]);
        let HookOutcome::Modify { input: saw, .. } = bench.decide(&input).await else {
            panic!("it echoes; {:?}", bench.reports())
        };
        assert!(saw["saw"]["input"]["text"] == *text, "{size} bytes");
    }
}

#[tokio::test]
async fn a_program_that_never_reads_its_input_may_answer() {
    let workspace = Workspace::new();
    for size in [10, 3 << 20] {
        let input = format!(r#"{{"text":"{}"}}"#, "x".repeat(size));
        for steps in [
            &["allow"] as &[&str],
            &["close=0", "allow"],
            &["read=5", "close=0", "allow"],
        ] {
            let bench = Bench::new(&workspace, [fake("deaf", steps)]);
            assert_eq!(bench.decide(&input).await, HookOutcome::Allow, "{steps:?}");
            assert_eq!(bench.reports(), Vec::<String>::new());
        }
    }
}

#[tokio::test]
async fn a_program_that_reads_to_the_end_of_its_input_finds_one() {
    let workspace = Workspace::new();
    let bench = Bench::new(&workspace, [fake("look", &["read", "echo"])]);
    let HookOutcome::Modify { input, .. } = bench.decide(r#"{"command":"ls"}"#).await else {
        panic!("it echoes")
    };
    let expected = json!({
        "hook_schema": 1,
        "event": "pre_tool_use",
        "workspace": workspace.path(),
        "agent_id": "agent-1",
        "tool_call_id": "call-1",
        "tool_name": "shell",
        "input": {"command": "ls"},
    });
    assert_eq!(input["saw"], expected);
}

#[tokio::test]
async fn an_answer_may_arrive_one_byte_at_a_time() {
    let workspace = Workspace::new();
    let text = r#"{"decision":"deny","reason":"café 🚫 closed"}"#;
    let digits: Vec<_> = text.bytes().map(|byte| format!("{byte:02x}")).collect();
    let bench = Bench::new(
        &workspace,
        [fake(
            "slow",
            &["read", &format!("drip={}", digits.concat())],
        )],
    );
    assert_eq!(
        bench.decide("{}").await,
        HookOutcome::deny("denied by hook 'slow': café 🚫 closed")
    );
}

/// Every way to close some of the three streams, in every order.
fn closings() -> Vec<Vec<&'static str>> {
    let streams = ["close=0", "close=1", "close=2"];
    let mut all: Vec<Vec<&str>> = vec![vec![]];
    for length in 0..streams.len() {
        let shorter = all
            .clone()
            .into_iter()
            .filter(|closed: &Vec<_>| closed.len() == length);
        for closed in shorter {
            let open = streams
                .into_iter()
                .filter(|stream| !closed.contains(stream));
            all.extend(open.map(|stream| [closed.as_slice(), &[stream]].concat()));
        }
    }
    assert_eq!(all.len(), 16);
    all
}

#[tokio::test]
async fn streams_may_be_let_go_of_in_any_order() {
    let workspace = Workspace::new();
    let big = format!(r#"{{"text":"{}"}}"#, "x".repeat(300_000));
    for closing in closings() {
        let answers = [&["allow"], closing.as_slice()].concat();
        let bench = Bench::new(&workspace, [fake("tidy", &answers)]);
        assert_eq!(bench.decide(&big).await, HookOutcome::Allow, "{closing:?}");

        // Closed streams are no end: the program's own end is.
        let hangs = [answers.as_slice(), &["mark=closed", "hang"]].concat();
        let hook = fake("stuck", &hangs).with_timeout(std::time::Duration::from_millis(100));
        let consultation = Bench::new(&workspace, [hook])
            .consult(before(&workspace, &big))
            .await;
        let failure = consultation.trail[0].failure.as_ref().expect("a failure");
        assert_eq!(failure.kind(), FailureKind::Timeout, "{closing:?}");
    }
    for id in workspace.lines("closed") {
        hookchain_tests::census::assert_gone(&id);
    }
}

#[tokio::test]
async fn an_answer_is_limited_to_what_the_embedder_says() {
    let workspace = Workspace::new();
    let sized = |bytes: usize| {
        let hook = fake("guard", &["read", &format!("answer-of={bytes}")]);
        HookRunner::builder(workspace.path())
            .with_hooks([hook])
            .with_max_answer_bytes(1000)
    };
    assert_eq!(
        Bench::of(sized(1000)).decide("{}").await,
        HookOutcome::Allow
    );
    let outcome = Bench::of(sized(1001)).decide("{}").await;
    let said = "denied, because hook 'guard' gave no answer: it printed more than is allowed";
    assert_eq!(denial(&outcome), said);
}

#[tokio::test]
async fn of_many_errors_the_first_and_the_last_are_kept() {
    let workspace = Workspace::new();
    let steps = [
        "read",
        "error=first words",
        "flood-err=5000000",
        "error=last words",
        "exit=1",
    ];
    let bench = Bench::new(&workspace, [fake("noisy", &steps)]);
    let consultation = bench.consult(before(&workspace, "{}")).await;
    let stderr = consultation.trail[0].stderr.as_deref().expect("errors");
    assert!(
        stderr.starts_with("first words") && stderr.ends_with("last words"),
        "{stderr}"
    );
    assert!(
        stderr.len() < 5000 && stderr.contains("bytes left out]"),
        "{stderr}"
    );
    assert!(bench.reports()[0].contains(stderr));
    let denied = denial(&consultation.outcome);
    assert_eq!(denied, "denied, because hook 'noisy' ended with status 1");
}

/// Asks a hook of this command and gives why it could not be started.
async fn start_failure(workspace: &Workspace, command: &[&str]) -> String {
    let hook = hook_config::HookSpec::new("guard", command.iter().copied());
    let bench = Bench::new(workspace, [hook]);
    let consultation = bench.consult(before(workspace, "{}")).await;
    let failure = consultation.trail[0].failure.as_ref().expect("a failure");
    assert_eq!(failure.kind(), FailureKind::Start, "{failure}");
    let reason = denial(&consultation.outcome);
    assert_eq!(
        bench.reports(),
        [format!("hook 'guard' {failure}; the call was denied")]
    );
    let said = reason.strip_prefix("denied, because hook 'guard' could not be started: ");
    let said = said.expect("a failed start");
    let told = failure.to_string();
    assert!(!said.contains("; "), "advice is not for the model: {said}");
    assert!(!said.contains("/bin, "), "nor is the PATH: {said}");
    let told = told.strip_prefix("could not be started: ");
    told.expect("a failed start")
        .replace(&workspace.path().display().to_string(), "<ws>")
}

#[tokio::test]
async fn a_start_that_fails_is_explained() {
    let workspace = Workspace::new();
    workspace.write("plain", "echo\n", 0o755);
    workspace.write("unmarked", "#!/bin/sh\n", 0o644);
    workspace.write("crlf", "#!/bin/sh\r\necho\r\n", 0o755);
    workspace.write("lost", "#! /opt/none/python3 -u\n", 0o755);
    workspace.write("folder/file", "", 0o644);
    let cases = [
        ("./absent", "there is no file <ws>/./absent"),
        ("./folder", "<ws>/./folder is a directory, not a program"),
        (
            "./unmarked",
            "<ws>/./unmarked is not executable (mode 0644); run `chmod +x` on it",
        ),
        (
            "./plain",
            "<ws>/./plain does not start with a `#!` line and is no program of this system; begin a script with a line \
             like `#!/bin/sh`",
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
    ];
    for (word, said) in cases {
        assert_eq!(start_failure(&workspace, &[word]).await, said);
    }
    let said = start_failure(&workspace, &["no-such-guard"]).await;
    assert!(
        said.starts_with("no program `no-such-guard` in /"),
        "{said}"
    );
    assert!(
        said.ends_with("written with a slash, like `./no-such-guard`"),
        "{said}"
    );
    assert_eq!(
        start_failure(&workspace, &["./absent", "a\0b"]).await,
        "a word of the command holds a NUL byte, or the command is empty"
    );
}

#[tokio::test]
async fn a_bare_name_is_never_found_in_the_workspace() {
    let workspace = Workspace::new();
    let planted = "#!/bin/sh\n: > hijacked\necho '{\"decision\":\"allow\"}'\n";
    workspace.write("guard-tool", planted, 0o755);
    workspace.write("bin/guard-tool", planted, 0o755);
    for path in ["", ":", ".:/usr/bin", "/usr/bin:", "bin:/usr/bin", "./bin"] {
        let hook = hook_config::HookSpec::new("guard", ["guard-tool"]);
        let builder = HookRunner::builder(workspace.path())
            .with_hooks([hook])
            .with_env("PATH", path);
        let outcome = Bench::of(builder).decide("{}").await;
        assert!(
            denial(&outcome).contains("no program `guard-tool`"),
            "{path}: {outcome:?}"
        );
    }
    assert!(!workspace.has("hijacked"));
}

#[tokio::test]
async fn a_bare_name_is_looked_up_in_the_path_the_hook_is_given() {
    let workspace = Workspace::new();
    let tools = workspace.above().join("tools");
    std::fs::create_dir(&tools).expect("a directory");
    std::os::unix::fs::symlink(fake_hook(), tools.join("guard-tool")).expect("a link");
    let hook = hook_config::HookSpec::new("guard", ["guard-tool", "deny=found"]);
    let builder = HookRunner::builder(workspace.path())
        .with_hooks([hook])
        .with_env("PATH", &tools);
    assert_eq!(
        Bench::of(builder).decide("{}").await,
        HookOutcome::deny("denied by hook 'guard': found")
    );
}

#[tokio::test]
async fn a_workspace_that_is_gone_denies() {
    let workspace = Workspace::new();
    let bench = Bench::new(&workspace, [fake("guard", &["allow"])]);
    let path = workspace.path().to_owned();
    drop(workspace);
    let outcome = bench.decide("{}").await;
    let said = format!(
        "could not be started: the workspace {} is not a directory any more",
        path.display()
    );
    assert_eq!(
        denial(&outcome),
        format!("denied, because hook 'guard' {said}")
    );
    assert!(!Path::new(&path).exists());
}

#[tokio::test]
async fn a_program_that_is_still_being_written_is_waited_for() {
    let workspace = Workspace::new();
    let path = workspace.path().join("guard");
    std::fs::copy(fake_hook(), &path).expect("a copy");
    let writer = std::fs::OpenOptions::new()
        .append(true)
        .open(&path)
        .expect("a writer");
    let hook =
        |timeout| hook_config::HookSpec::new("guard", ["./guard", "allow"]).with_timeout(timeout);
    let impatient = Bench::new(&workspace, [hook(std::time::Duration::from_millis(50))]);
    let outcome = impatient.decide("{}").await;
    assert!(
        denial(&outcome).ends_with("guard is being written by another process"),
        "{outcome:?}"
    );

    let patient = Bench::new(&workspace, [hook(PATIENCE)]);
    let (outcome, ()) = tokio::join!(patient.decide("{}"), async {
        tokio::task::yield_now().await;
        drop(writer);
    });
    assert_eq!(outcome, HookOutcome::Allow);
}
