//! The programs of the soak: what each is started as, what it says, and how often there is one.

use std::time::Duration;

use hook_config::HookMode;
use hook_runner::FailureKind;
use hook_wire::decode_response;
use hookchain_tests::{
    Workspace, fake_hook,
    model::{Beside, Says},
};

/// What a program that means to answer has: more than a busy machine takes.
const AMPLE: Duration = Duration::from_secs(120);

/// How many bytes an answer may have; the largest echo of the soak is smaller.
pub(crate) const MAX_ANSWER_BYTES: usize = 4 << 20;

/// One way to be a program.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) weight: u64,
    pub(crate) command: Vec<String>,
    pub(crate) timeout: Duration,
    pub(crate) mode: HookMode,
    pub(crate) says: Says,
    pub(crate) context: Vec<String>,
    pub(crate) notes: usize,
}

impl Program {
    fn new(weight: u64, command: Vec<String>, says: Says) -> Self {
        Self {
            weight,
            command,
            timeout: AMPLE,
            mode: HookMode::Oneshot,
            says,
            context: Vec::new(),
            notes: 0,
        }
    }

    /// The fake hook with these steps.
    fn fake(weight: u64, steps: &[&str], says: Says) -> Self {
        let steps = steps.iter().map(ToString::to_string);
        Self::new(
            weight,
            [fake_hook()].into_iter().chain(steps).collect(),
            says,
        )
    }

    /// A script of the workspace, or what should be one.
    fn file(weight: u64, name: &str, says: Says) -> Self {
        Self::new(weight, vec![format!("./{name}")], says)
    }

    /// The same, but it takes longer than it may.
    fn late(mut self, millis: u64) -> Self {
        self.timeout = Duration::from_millis(millis);
        let words = format!("did not finish within {millis} ms and was killed");
        self.says = Says::Breaks(FailureKind::Timeout, words);
        self
    }

    /// The same, kept: it answers line by line, whoever asks.
    fn kept(mut self) -> Self {
        self.mode = HookMode::Worker;
        self
    }

    /// The same, with words for the model beside the answer.
    fn telling(mut self, text: &str) -> Self {
        self.context = vec![text.to_owned()];
        self
    }

    /// The same, with a note: it denies without a reason, or something that it started holds its output.
    fn noted(mut self) -> Self {
        self.notes = 1;
        self
    }
}

/// The scripts that [`programs`] speaks of.
pub(crate) fn write_scripts(workspace: &Workspace) {
    let script = |name: &str, lines: &str| {
        workspace.write(name, format!("#!/bin/sh\n{lines}\n"), 0o755);
    };
    script("allow.sh", r#"read -r line; echo '{"decision":"allow"}'"#);
    script(
        "deny.sh",
        r#"read -r line; echo '{"decision":"deny","reason":"by a script"}'"#,
    );
    script(
        "modify.sh",
        r#"read -r line; echo '{"decision":"modify","input":{"by":"a script"}}'"#,
    );
    script(
        "log.sh",
        r#"read -r line; echo checking; echo '{"decision":"allow"}'"#,
    );
    script("false.sh", r#"echo '{"decision":"allow"}'; exit 4"#);
    script("held.sh", r#"sleep 60 & echo '{"decision":"allow"}'"#);
    script(
        "lines.sh",
        r#"while read -r line; do echo '{"decision":"allow"}'; done"#,
    );
    script("sleep.sh", r#"sleep 60; echo '{"decision":"allow"}'"#);
    workspace.write("unmarked.sh", "#!/bin/sh\n", 0o644);
    workspace.write("lost.py", "#!/opt/none/python3\n", 0o755);
}

/// Every way to be a program. Most are over in a millisecond.
pub(crate) fn programs(workspace: &Workspace) -> Vec<Program> {
    let mut all = answers();
    all.extend(workers());
    all.extend(wrong_answers());
    all.extend(endings());
    all.extend(starts(workspace));
    all.extend(slow());
    all
}

fn answers() -> Vec<Program> {
    let because = |text: &str| Some(text.to_owned());
    let modify = r#"{"by":"a program","n":1234567890123456789012}"#;
    let asks = r#"{"decision":"ask","reason":"a program asks"}"#;
    let asks_about = r#"{"decision":"ask","input":{"n":1.0}}"#;
    let tells = r#"{"decision":"allow","context":"as always"}"#;
    let replace = "[null,0.1000000000000000000000001]";
    let with_reason = r#"{"decision":"modify","input":{},"reason":"emptied"}"#;
    let flagged = r#"{"decision":"replace","output":"gone","is_error":true,"reason":"a token"}"#;
    vec![
        Program::fake(60, &["read", "allow"], Says::Allow),
        Program::file(30, "allow.sh", Says::Allow),
        Program::fake(15, &["allow"], Says::Allow),
        Program::fake(5, &["close=0", "allow"], Says::Allow),
        Program::fake(5, &["allow", "close=1", "close=2"], Says::Allow),
        Program::fake(5, &["read", "flood-err=200000", "allow"], Says::Allow),
        Program::fake(3, &["read=1", "answer-of=300000"], Says::Allow),
        Program::fake(3, &["spawn-detached=allow", "allow"], Says::Allow),
        Program::fake(
            15,
            &["read", "deny=not this"],
            Says::Deny(because("not this")),
        ),
        Program::fake(5, &["read", "deny"], Says::Deny(None)).noted(),
        Program::file(10, "deny.sh", Says::Deny(because("by a script"))),
        Program::fake(
            15,
            &["read", &format!("print={asks}")],
            Says::Ask(because("a program asks"), None),
        ),
        Program::fake(
            10,
            &["read", &format!("print={asks_about}")],
            Says::Ask(None, Some(Beside::Input(r#"{"n":1.0}"#.into()))),
        )
        .noted(),
        Program::fake(10, &["read", &format!("print={tells}")], Says::Allow).telling("as always"),
        Program::fake(25, &["read", "echo"], Says::Echo),
        Program::fake(
            15,
            &["read", &format!("modify={modify}")],
            Says::Modify(modify.into(), None),
        ),
        Program::file(
            5,
            "modify.sh",
            Says::Modify(r#"{"by":"a script"}"#.into(), None),
        ),
        Program::fake(
            10,
            &["read", &format!("print={with_reason}")],
            Says::Modify("{}".into(), because("emptied")),
        ),
        Program::fake(
            20,
            &["read", &format!("replace={replace}")],
            Says::Replace(replace.into(), None, None),
        ),
        Program::fake(
            10,
            &["read", &format!("print={flagged}")],
            Says::Replace(r#""gone""#.into(), Some(true), because("a token")),
        ),
    ]
}

/// Kept programs that do as they should: whatever one does wrong, the next question is to it another one.
fn workers() -> Vec<Program> {
    let kept = |weight, step: &str, says| {
        Program::fake(weight, &[&format!("repeat=line {step}")], says).kept()
    };
    let modify = r#"{"by":"a worker","n":1234567890123456789012}"#;
    vec![
        kept(40, "allow", Says::Allow),
        Program::file(10, "lines.sh", Says::Allow).kept(),
        kept(10, "flood-err=200000 allow", Says::Allow),
        kept(10, "allow flood-err=200000", Says::Allow),
        kept(
            10,
            "deny=by~a~worker",
            Says::Deny(Some("by a worker".into())),
        ),
        kept(
            15,
            &format!("modify={modify}").replace(' ', "~"),
            Says::Modify(modify.into(), None),
        ),
        kept(10, "replace=[1]", Says::Replace("[1]".into(), None, None)),
        kept(20, "echo", Says::Echo),
    ]
}

fn wrong_answers() -> Vec<Program> {
    let wrong = |summary: &str| {
        Says::Breaks(
            FailureKind::NotAnAnswer,
            format!("gave no answer: {summary}"),
        )
    };
    let too_large = Says::Breaks(
        FailureKind::TooLarge,
        "gave no answer: it printed more than is allowed".into(),
    );
    let perhaps = br#"{"decision":"perhaps"}"#;
    let no_decision = decode_response(perhaps).expect_err("none of them");
    vec![
        Program::fake(
            5,
            &["read", "print=yes"],
            wrong("what it printed is not JSON"),
        ),
        Program::file(3, "log.sh", wrong("what it printed is not JSON")),
        Program::fake(
            4,
            &["read", "exit=0"],
            wrong("it printed nothing, and silence is not consent"),
        ),
        Program::fake(
            4,
            &["allow", "allow"],
            wrong("it printed more than one object"),
        ),
        Program::fake(3, &["hex=7bff7d"], wrong("what it printed is not UTF-8")),
        Program::fake(
            3,
            &[r#"print={"decision":"perhaps"}"#],
            wrong(no_decision.kind().summary()),
        ),
        Program::fake(
            2,
            &[r#"print={"decision":"approve"}"#],
            wrong("it answers like a hook for Claude Code"),
        ),
        Program::fake(
            3,
            &["print=[]"],
            wrong("what it printed is not a JSON object"),
        ),
        Program::fake(
            3,
            &[r#"print={"decision":"allow","decision":"deny"}"#],
            wrong("its answer has the same key twice"),
        ),
        Program::fake(2, &["flood-out=endless"], too_large.clone()),
        Program::fake(
            1,
            &["read", &format!("answer-of={}", MAX_ANSWER_BYTES + 1)],
            too_large,
        ),
    ]
}

fn endings() -> Vec<Program> {
    let status =
        |status: u32| Says::Breaks(FailureKind::Exit, format!("ended with status {status}"));
    let signal =
        |words: &str| Says::Breaks(FailureKind::Signal, format!("ended with signal {words}"));
    vec![
        Program::fake(6, &["read", "allow", "exit=3"], status(3)),
        Program::fake(4, &["exit=1"], status(1)),
        Program::file(4, "false.sh", status(4)),
        Program::fake(4, &["read", "crash"], status(101)),
        Program::fake(4, &["allow", "signal=9"], signal("9 (SIGKILL)")),
        Program::fake(3, &["read", "signal=15"], signal("15 (SIGTERM)")),
    ]
}

fn starts(workspace: &Workspace) -> Vec<Program> {
    let path = |name: &str| format!("{}/./{name}", workspace.path().display());
    let failed =
        |words: String| Says::Breaks(FailureKind::Start, format!("could not be started: {words}"));
    let mode = "is not executable (mode 0644); run `chmod +x` on it";
    vec![
        Program::file(
            5,
            "absent",
            failed(format!("there is no file {}", path("absent"))),
        ),
        Program::file(
            3,
            "unmarked.sh",
            failed(format!("{} {mode}", path("unmarked.sh"))),
        ),
        Program::file(
            3,
            "lost.py",
            failed(format!(
                "the interpreter `/opt/none/python3` in the `#!` line of {} does not exist or cannot be run",
                path("lost.py")
            )),
        ),
    ]
}

/// Rare, because each holds a place for tens of milliseconds.
fn slow() -> Vec<Program> {
    let allow = "7b226465636973696f6e223a22616c6c6f77227d";
    vec![
        Program::fake(3, &["hang"], Says::Allow).late(25),
        Program::fake(2, &["read", "allow", "hang"], Says::Allow).late(40),
        Program::fake(2, &["stop"], Says::Allow).late(20),
        Program::fake(2, &["ignore-term", "hang"], Says::Allow).late(30),
        Program::fake(1, &["flood-err=endless"], Says::Allow).late(15),
        Program::fake(1, &["spawn-holding=hang", "hang"], Says::Allow).late(30),
        Program::fake(1, &["spawn-holding=breed", "hang"], Says::Allow).late(25),
        Program::file(2, "sleep.sh", Says::Allow).late(20),
        Program::fake(2, &["read", "spawn-holding=hang", "allow"], Says::Allow).noted(),
        Program::fake(
            1,
            &["spawn-holding=hang", "deny=no"],
            Says::Deny(Some("no".into())),
        )
        .noted(),
        Program::file(1, "held.sh", Says::Allow).noted(),
        Program::fake(2, &["read", &format!("drip={allow}")], Says::Allow),
    ]
}
