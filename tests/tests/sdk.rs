//! Programs written with the loops in `sdk/`, under the runner and line by line.

use std::{
    fs,
    io::Write,
    path::Path,
    process::{Command, Stdio},
    time::Duration,
};

use hook_config::{HookMode, HookSpec};
use hook_contract::{HookCall, HookEvent, HookOutcome, HookRequest, Json};
use hook_wire::{HookResponse, decode_request, decode_response};
use hookchain_tests::{Bench, Kept, Workspace, after, as_json, before, denial};

/// An interpreter, two programs for it, the loop's file, and the name it has beside a hook.
struct Language {
    interpreter: &'static str,
    hook: &'static str,
    each: &'static str,
    sdk: &'static str,
    copied: &'static str,
    /// A program that prints beside the loop, as it were by accident, what it said to the question before.
    slips: &'static str,
}

const LANGUAGES: [Language; 2] = [
    Language {
        interpreter: "python3",
        hook: "hook.py",
        each: "each.py",
        sdk: "python/src/hookchain_hook/__init__.py",
        copied: "hookchain_hook.py",
        slips: "import os
from hookchain_hook import allow, answer, deny, serve
out, last = os.dup(1), b''
def judge(request):
    global last
    os.write(out, last)
    last = answer(lambda _: allow(), request.line)
    return deny('no')
serve(judge)
",
    },
    Language {
        interpreter: "node",
        hook: "hook.mjs",
        each: "each.mjs",
        sdk: "node/hookchain-hook.mjs",
        copied: "hookchain-hook.mjs",
        slips: "import { constants, openSync, writeSync } from 'node:fs';
import { allow, answer, deny, serve } from './hookchain-hook.mjs';
const out = openSync('/dev/fd/1', constants.O_WRONLY);
let last = '';
await serve(async (request) => {
  writeSync(out, last);
  last = await answer(() => allow(), request.line);
  return deny('no');
});
",
    },
];

impl Language {
    /// A workspace with the programs, and the loop's file beside them.
    fn workspace(&self) -> Workspace {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let workspace = Workspace::new();
        for (from, to) in [
            (root.join("../sdk").join(self.sdk), self.copied),
            (root.join("fixtures/sdk").join(self.hook), self.hook),
            (root.join("fixtures/sdk").join(self.each), self.each),
        ] {
            let text = fs::read(from).expect("a file");
            workspace.write(&format!(".basis/hooks/{to}"), text, 0o644);
        }
        workspace
    }

    fn spec(&self) -> HookSpec {
        let path = format!(".basis/hooks/{}", self.hook);
        HookSpec::new("sdk", [self.interpreter.to_owned(), path])
            .with_timeout(Duration::from_secs(60))
    }

    fn command(&self, workspace: &Workspace, program: &str) -> Command {
        let mut command = Command::new(self.interpreter);
        command.arg(workspace.path().join(".basis/hooks").join(program));
        command.stderr(Stdio::null());
        command
    }

    /// What [`Self::each`] says to these lines; nothing where it refuses.
    fn passed_on(&self, lines: &[Vec<u8>]) -> Vec<Option<HookResponse>> {
        let workspace = self.workspace();
        let mut child = self
            .command(&workspace, self.each)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("started");
        let hexadecimal = lines.iter().flat_map(|line| {
            let digits = line.iter().map(|byte| format!("{byte:02x}"));
            digits.chain(["\n".to_owned()]).collect::<Vec<_>>()
        });
        let mut input = child.stdin.take().expect("a pipe");
        let all = hexadecimal.collect::<String>();
        input.write_all(all.as_bytes()).expect("it reads");
        drop(input);
        let output = child.wait_with_output().expect("a child");
        assert!(output.status.success(), "{} {}", self.each, output.status);
        let said = String::from_utf8(output.stdout).expect("UTF-8");
        said.lines()
            .map(|line| {
                let answer = || {
                    decode_response(line.as_bytes())
                        .expect("an answer")
                        .response
                };
                (line != "refused").then(answer)
            })
            .collect()
    }
}

const CALL: &str =
    r#"{"price":19.990000000000000000001,"command":"modify","id":12345678901234567890,"one":1.0}"#;

#[tokio::test]
async fn each_of_the_four_answers_reaches_the_runtime() {
    for language in LANGUAGES {
        let workspace = language.workspace();
        let decide = async |input: &str| {
            let bench = Bench::new(&workspace, [language.spec()]);
            let outcome = bench.decide(input).await;
            assert_eq!(bench.reports(), [""; 0], "{}", language.hook);
            as_json(&outcome).text().to_owned()
        };
        assert_eq!(
            decide(r#"{"command":"ls"}"#).await,
            r#"{"outcome":"allow"}"#
        );
        assert_eq!(
            decide(r#"{"command":"deny"}"#).await,
            r#"{"outcome":"deny","reason":"denied by hook 'sdk': no"}"#
        );
        let input = CALL.replace("modify", "ls");
        assert_eq!(
            decide(CALL).await,
            format!(r#"{{"outcome":"modify","input":{input},"reason":"hook 'sdk': a rule"}}"#)
        );

        let reviewer = language.spec().with_event(HookEvent::PostToolUse);
        let output = r#"{"long":123456789012345678901234567890,"text":"a\u2028b"}"#;
        let bench = Bench::new(&workspace, [reviewer]);
        let outcome = bench.consult(after(&workspace, output, true)).await.outcome;
        let expected = format!(
            r#"{{"outcome":"replace","output":[{output}],"is_error":false,"reason":"hook 'sdk': wrapped"}}"#
        );
        assert_eq!(as_json(&outcome), Json::parse(&expected).expect("JSON"));
        assert_eq!(bench.reports(), [""; 0], "{}", language.hook);
    }
}

#[tokio::test]
async fn a_hook_that_fails_denies_and_its_traceback_is_reported() {
    for language in LANGUAGES {
        let workspace = language.workspace();
        for (input, words) in [
            (r#"{"command":"fail"}"#, "on purpose"),
            (
                r#"{"command":"unfit"}"#,
                "replace is no answer before the call",
            ),
            (r#"{"command":["ls"]}"#, "the input has no text `command`"),
            ("ls -l", "the new input"),
        ] {
            let bench = Bench::new(&workspace, [language.spec()]);
            let outcome = bench.decide(input).await;
            assert_eq!(
                denial(&outcome),
                "denied, because hook 'sdk' ended with status 1",
                "{} {input}",
                language.hook
            );
            let reports = bench.reports().concat();
            assert!(reports.contains(words), "{} {reports}", language.hook);
        }
    }
}

#[tokio::test]
async fn megabytes_go_through() {
    for language in LANGUAGES {
        let workspace = language.workspace();
        let text = "é\"\\\n".repeat((1 << 20) - 16);
        let call = serde_json::json!({"command": "modify", "text": text}).to_string();
        let bench = Bench::new(&workspace, [language.spec()]);
        let outcome = bench.consult(before(&workspace, &call)).await.outcome;
        let HookOutcome::Modify { input, .. } = outcome else {
            panic!("{outcome:?} {:?}", bench.reports());
        };
        assert_eq!(
            input.value(),
            &serde_json::json!({"command": "ls", "text": text})
        );
    }
}

#[tokio::test]
async fn one_word_in_the_file_makes_a_worker_of_it() {
    for language in LANGUAGES {
        let workspace = language.workspace();
        let worker = language.spec().with_mode(HookMode::Worker);
        let bench = Bench::new(&workspace, [worker]);
        let input = CALL.replace("modify", "ls");
        let modified =
            format!(r#"{{"outcome":"modify","input":{input},"reason":"worker 'sdk': a rule"}}"#);
        let denied = r#"{"outcome":"deny","reason":"denied by worker 'sdk': no"}"#;
        let questions = [
            (r#"{"command":"ls"}"#, r#"{"outcome":"allow"}"#),
            (r#"{"command":"deny"}"#, denied),
            (CALL, &*modified),
        ];
        for (asked, (input, outcome)) in (1..=60).zip(questions.iter().cycle()) {
            let consultation = bench.consult(before(&workspace, input)).await;
            assert_eq!(as_json(&consultation.outcome).text(), *outcome);
            let life = consultation.trail[0].worker.as_ref().expect("a worker");
            assert_eq!(life.answered, asked, "one process answers all");
        }
        assert_eq!(bench.reports(), [""; 0], "{}", language.hook);
    }
}

#[tokio::test]
async fn an_answer_to_another_question_is_noticed_by_the_call_that_it_names() {
    for language in LANGUAGES {
        let workspace = language.workspace();
        workspace.write(
            &format!(".basis/hooks/{}", language.hook),
            language.slips,
            0o644,
        );
        let bench = Bench::new(&workspace, [language.spec().with_mode(HookMode::Worker)]);
        let ask = async |id: &str| {
            let call = HookCall::new("agent-1", "shell", id, "{}");
            let event = HookEvent::PreToolUse;
            let request = HookRequest::from_call(event, workspace.path(), &call);
            denial(&bench.consult(request).await.outcome).to_owned()
        };
        assert_eq!(ask("call-1").await, "denied by worker 'sdk': no");
        let other = "denied, because worker 'sdk' answered another call than it was asked about";
        assert_eq!(ask("call-2").await, other, "{}", language.hook);
        assert_eq!(ask("call-3").await, "denied by worker 'sdk': no");
        let said = "worker 'sdk' answered another call than it was asked about: its `tool_call_id` is `\"call-1\"`, and \
                    the question's is \"call-2\"; answer each question before the next one is read; the call was denied";
        assert_eq!(bench.reports(), [said]);
    }
}

#[tokio::test]
async fn nothing_around_the_loop_in_rust_answers_for_it() {
    for mode in [HookMode::Oneshot, HookMode::Worker] {
        denies_itself(mode, &[]).await;
        denies_itself(mode, &["async"]).await;
    }
}

async fn denies_itself(mode: HookMode, arguments: &[&str]) {
    let workspace = Workspace::new();
    let words = [env!("CARGO_BIN_EXE_serving")].into_iter();
    let spec = HookSpec::new("sdk", words.chain(arguments.iter().copied()));
    let spec = spec.with_timeout(Duration::from_secs(60)).with_mode(mode);
    let bench = Bench::new(&workspace, [spec]);
    for id in ["call-1", "call-2", "call-3"] {
        let call = HookCall::new("agent-1", "shell", id, "{}");
        let request = HookRequest::from_call(HookEvent::PreToolUse, workspace.path(), &call);
        let outcome = bench.consult(request).await.outcome;
        let said = denial(&outcome);
        assert!(said.ends_with(&format!("'sdk': {id} true")), "{said}");
    }
    assert!(bench.reports().is_empty(), "{:?}", bench.reports());
}

#[test]
fn the_same_program_is_kept_and_asked_again_and_again() {
    for language in LANGUAGES {
        let workspace = language.workspace();
        let mut kept = Kept::start(&mut language.command(&workspace, language.hook));
        for _ in 0..50 {
            let mut ask = |command: &str| {
                let input = format!(r#"{{"command":"{command}"}}"#);
                kept.ask(&before(&workspace, &input))
            };
            assert_eq!(ask("ls"), HookResponse::allow().because("as it is"));
            assert_eq!(ask("deny"), HookResponse::deny("no"));
            let rewrite = Json::parse(r#"{"command":"ls"}"#).expect("JSON");
            assert_eq!(
                ask("modify"),
                HookResponse::modify(rewrite).because("a rule")
            );
        }
        kept.end();
    }
}

#[test]
fn what_is_a_request_and_what_it_says_is_the_same_in_every_language() {
    let head = r#"{"hook_schema":1,"event":"pre_tool_use","workspace":"/w","agent_id":"a","tool_call_id":"c","tool_name":"t","input":"#;
    let inputs = [
        r#"{"a":[1,1.0,-0,1e2,1E+2,0.1,12345678901234567890,19.990000000000000000001,1e-400]}"#,
        r#"{"a":"\u00e9\ud83d\ude00\u2028\u0000\/","é":"\"\\"}"#,
        r#"{"__proto__":{"a":1},"constructor":null,"":true}"#,
        r#"{"a":1,"a":1}"#,
        r#"{"b":{"a":1,"\u0061":1}}"#,
        r#"{"a":"\ud800"}"#,
        r#"{"\udc00\ud800":1}"#,
        r#"{"a":1e309}"#,
        r#"{"a":-1e400}"#,
        r#"{"a":01}"#,
        r#"{"a":.5}"#,
        r#"{"a":1.}"#,
        r#"{"a":NaN}"#,
        r#"{"a":Infinity}"#,
        r#"{"a":1,}"#,
        r#"{"a":[1,]}"#,
        r"{'a':1}",
        "{\"a\":\"\t\"}",
        "{\"a\":\"\u{7f}\u{feff}\"}",
        "{\"a\":\u{a0}1}",
        "{\"a\"\r:\t1 }",
        r#"{"a":"\x"}"#,
        "{\"a\":1",
    ];
    let mut lines: Vec<Vec<u8>> = inputs
        .iter()
        .map(|input| format!("{head}{input}}}\n").into_bytes())
        .collect();
    let whole = format!("{head}{{}}}}");
    lines.extend([
        format!("\u{feff}{whole}\r\n").into_bytes(),
        format!("\u{feff}\u{feff}{whole}\n").into_bytes(),
        format!("{whole} \t").into_bytes(),
        format!("{whole}{whole}\n").into_bytes(),
        format!("{whole}x\n").into_bytes(),
        whole.replace("\"/w\"", "null").into_bytes(),
        whole
            .replace("\"hook_schema\":1", "\"hook_schema\":2")
            .into_bytes(),
        whole
            .replace("\"hook_schema\":1", "\"hook_schema\":true")
            .into_bytes(),
        whole.replace("pre_tool_use", "Pre_tool_use").into_bytes(),
        whole.replace("{}}", "{},\"newer\":{\"a\":1}}").into_bytes(),
        whole.replace("{}}", "{},\"is_error\":true}").into_bytes(),
        whole.replace("{}}", "{},\"output\":1}").into_bytes(),
        b"[]\n".to_vec(),
        b"\xff\n".to_vec(),
        [whole.as_bytes(), b"\xc3"].concat(),
    ]);
    for language in LANGUAGES {
        let said = language.passed_on(&lines);
        assert_eq!(said.len(), lines.len(), "{}", language.each);
        for (line, said) in lines.iter().zip(said) {
            let expected = decode_request(line)
                .ok()
                .map(|request| HookResponse::modify(request.input));
            assert_eq!(
                said,
                expected,
                "{} {}",
                language.each,
                String::from_utf8_lossy(line)
            );
        }
    }
}
