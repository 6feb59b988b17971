//! Every hook of the page, what it is asked, and what it must say.

use std::path::Path;

use hook_contract::HookEvent;
use serde_json::{Value, json};

use crate::service::Service;

/// One question, and what the hook must say to it: the decision, for a rewrite the new value, and for words that it has for
/// the model a part of them.
pub(crate) struct Question {
    pub(crate) input: String,
    pub(crate) output: Option<String>,
    pub(crate) decision: &'static str,
    pub(crate) rewrite: Option<Value>,
    pub(crate) context: Option<&'static str>,
}

pub(crate) struct Reference {
    pub(crate) file: &'static str,
    pub(crate) arguments: Vec<String>,
    pub(crate) event: HookEvent,
    /// Whether it needs the loop of its language beside it.
    pub(crate) has_loop: bool,
    pub(crate) worker: bool,
    pub(crate) questions: Vec<Question>,
    /// Inputs that a guard must not let through because it does not understand them.
    pub(crate) unreadable: &'static [&'static str],
    /// Files that are in the workspace before it is asked.
    pub(crate) finds: Vec<(&'static str, String)>,
    /// Files in which it leaves one line for each question.
    pub(crate) leaves: Vec<&'static str>,
}

impl Question {
    pub(crate) fn call(input: &str, decision: &'static str) -> Self {
        Self {
            input: input.into(),
            output: None,
            decision,
            rewrite: None,
            context: None,
        }
    }

    fn command(text: &str, decision: &'static str) -> Self {
        Self::call(&json!({ "command": text }).to_string(), decision)
    }

    fn result(output: &str, decision: &'static str) -> Self {
        Self {
            input: r#"{"path":"a"}"#.into(),
            output: Some(output.into()),
            decision,
            rewrite: None,
            context: None,
        }
    }

    fn of(mut self, path: &str) -> Self {
        self.input = json!({ "path": path }).to_string();
        self
    }

    fn with(mut self, rewrite: Value) -> Self {
        self.rewrite = Some(rewrite);
        self
    }

    fn telling(mut self, context: &'static str) -> Self {
        self.context = Some(context);
        self
    }
}

fn is_shell(file: &str) -> bool {
    Path::new(file).extension() == Some("sh".as_ref())
}

/// A hook for a language: by the end of its name.
fn hook(file: &'static str, event: HookEvent, questions: Vec<Question>) -> Reference {
    let is_shell = is_shell(file);
    Reference {
        file,
        arguments: Vec::new(),
        event,
        has_loop: !is_shell,
        worker: !is_shell,
        questions,
        unreadable: &[],
        finds: Vec::new(),
        leaves: Vec::new(),
    }
}

impl Reference {
    fn without_loop(mut self) -> Self {
        self.has_loop = false;
        self
    }

    fn asks(mut self, arguments: Vec<String>) -> Self {
        self.arguments = arguments;
        self
    }

    fn never_lets_through(mut self, inputs: &'static [&'static str]) -> Self {
        self.unreadable = inputs;
        self
    }

    fn finds(mut self, files: Vec<(&'static str, String)>) -> Self {
        self.finds = files;
        self
    }

    fn leaves(mut self, file: &'static str) -> Self {
        self.leaves.push(file);
        self
    }
}

pub(crate) fn references(service: &Service) -> Vec<Reference> {
    let mut all = guards();
    all.extend(redactors());
    let [before, after] = [HookEvent::PreToolUse, HookEvent::PostToolUse];
    for file in ["pin-ref.sh", "pin-ref.py", "pin-ref.mjs"] {
        all.push(hook(file, before, refs(file)).never_lets_through(&[
            r#"{"repo":"https://example.org/tools.git"}"#,
            r#"{"repo":"https://example.org/tools.git","ref":["v2"]}"#,
            r#""https://example.org/tools.git v2""#,
            "git fetch https://example.org/tools.git v2",
            "[]",
        ]));
    }
    for file in [
        "note-generated.sh",
        "note-generated.py",
        "note-generated.mjs",
    ] {
        all.push(hook(file, after, notes()));
    }
    for file in ["log-calls.sh", "log-calls.py", "log-calls.mjs"] {
        all.push(hook(file, before, calls()).leaves(".basis/calls.log"));
    }
    for (file, arguments) in [
        ("ask-service.sh", service.words()),
        ("ask-service.py", service.url()),
        ("ask-service.mjs", service.url()),
    ] {
        let questions = vec![
            Question::command("git push", "allow"),
            Question::command("git push --force", "deny"),
            Question::command(&"é ".repeat(100_000), "allow"),
        ];
        all.push(hook(file, before, questions).asks(arguments));
    }
    for file in ["ask-to-deploy.sh", "ask-to-deploy.py", "ask-to-deploy.mjs"] {
        all.push(hook(file, before, deploys(file)).never_lets_through(&[
            r#"{"command":["make","deploy"]}"#,
            r#""make deploy""#,
            "make deploy",
        ]));
    }
    for file in ["lint-after-write.py", "lint-after-write.mjs"] {
        all.push(hook(file, after, writes(file)).finds(written()));
    }
    // bash cannot tell which file was written, and looks at every script.
    let scripts = |text: &str| vec![("a.sh", text.to_owned()), ("b.txt", "if".into())];
    let wrote = || Question::result(r#""ok""#, "allow").of("a.sh");
    let wrong = wrote().telling("./a.sh: line 2: syntax error");
    all.push(hook("lint-after-write.sh", after, vec![wrong]).finds(scripts("if \"a\\b\"; then\n")));
    all.push(hook("lint-after-write.sh", after, vec![wrote()]).finds(scripts("true\n")));
    all
}

fn deploys(file: &str) -> Vec<Question> {
    // A text may spell it with an escape, which only a parser of JSON takes for the letter that it is.
    let spelt = r#"{"command":"make t\u0065st"}"#;
    let of_escape = if is_shell(file) { "ask" } else { "allow" };
    vec![
        Question::call(spelt, of_escape),
        Question::call(r#"{"command":"make d\u0065ploy"}"#, "ask"),
        Question::command("make test", "allow"),
        Question::command("kubectl get pods", "allow"),
        Question::command("make deployment-notes", "allow"),
        Question::command("make deploy", "ask"),
        Question::command("cd infra && terraform  apply -auto-approve", "ask"),
        Question::command("kube\"ctl\" dele\\\nte ns é", "ask"),
    ]
}

/// Files as a tool left them.
fn written() -> Vec<(&'static str, String)> {
    vec![
        ("good.json", r#"{"a":[1,2]}"#.into()),
        ("bad.json", "{\"a\":1\n\"b\":2}".into()),
        ("good.py", "import os\n".into()),
        ("bad.py", "def f(:\n".into()),
        ("good.mjs", "import os from \"node:os\";\n".into()),
        ("bad.mjs", "let x = ;\n".into()),
        ("deep.json", "[".repeat(200_000)),
        ("large.json", "{".repeat(2 << 20)),
        ("notes.txt", "{".into()),
    ]
}

fn writes(file: &str) -> Vec<Question> {
    let wrote = |path: &str| Question::result(r#""ok""#, "allow").of(path);
    let of_language = if file.ends_with("py") {
        [
            wrote("bad.json").telling("bad.json cannot be parsed: Expecting ',' delimiter: line 2"),
            wrote("bad.py").telling("bad.py cannot be parsed: "),
            wrote("bad.mjs"),
        ]
    } else {
        [
            wrote("bad.json").telling("bad.json cannot be parsed: "),
            wrote("bad.mjs").telling("SyntaxError: Unexpected token ';'"),
            wrote("bad.py"),
        ]
    };
    let mut questions = Vec::from(of_language);
    questions.extend([
        wrote("good.json"),
        wrote("good.py"),
        wrote("good.mjs"),
        wrote("deep.json").telling("deep.json cannot be parsed: "),
        wrote("large.json"),
        wrote("notes.txt"),
        wrote("not/there.json"),
    ]);
    questions
}

fn guards() -> Vec<Reference> {
    let pushes = || {
        vec![
            Question::command("ls -l", "allow"),
            Question::command("git push origin main", "allow"),
            Question::command("git push --force", "deny"),
            Question::command("cd a && git push -f origin main", "deny"),
            Question::command("git push origin +main", "deny"),
            Question::command("git pu\"s\"h --fo\\\nrce", "deny"),
            Question::command("git push --force-with-lease", "deny"),
            Question::command("git commit -m 'é 🚫'", "allow"),
        ]
    };
    ["no-force-push.sh", "no-force-push.py", "no-force-push.mjs"]
        .map(|file| {
            hook(file, HookEvent::PreToolUse, pushes())
                .without_loop()
                .never_lets_through(&[r#"{"command":["git","push","--force"]}"#])
        })
        .into()
}

const TOKEN: &str = "ghp_0123456789abcdefghijklmnopqrstuvwxyzAB";

fn redactors() -> Vec<Reference> {
    let text = |text: String| Value::from(text).to_string();
    let key = "-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----";
    let harmless = || {
        vec![
            Question::result(r#""nothing of note\n""#, "allow"),
            Question::result(r#""C:\\users\\new \u001b[0m a\\u0041""#, "allow"),
            Question::result(r#"{"urls":["https://a/b","c:d@e"],"n":1.50}"#, "allow"),
            Question::result("null", "allow"),
        ]
    };
    let hidden = TOKEN.replace("gh", r"\u0067h");
    // The output, and what is left of it.
    let found = [
        (
            text(format!("token {TOKEN}\n")),
            json!("token [redacted]\n"),
        ),
        (
            format!(r#"{{"lines":["é","{TOKEN}"],"n":1.5}}"#),
            json!({"lines": ["é", "[redacted]"], "n": 1.5}),
        ),
        (format!(r#""{hidden}""#), json!("[redacted]")),
        (text(format!("a\n{key}\nb")), json!("a\n[redacted]\nb")),
        (
            text("a\nAKIA0123456789ABCDEF\nb".into()),
            json!("a\n[redacted]\nb"),
        ),
        (
            r#""https:\/\/me:hunter2@example.org\/""#.into(),
            json!("https://[redacted]@example.org/"),
        ),
    ];
    let redacting = || {
        let rewrites = found
            .clone()
            .map(|(output, rewrite)| Question::result(&output, "replace").with(rewrite));
        harmless().into_iter().chain(rewrites).collect::<Vec<_>>()
    };
    let mut withholding = harmless();
    withholding.extend(
        found
            .clone()
            .map(|(output, _)| Question::result(&output, "deny")),
    );
    let after = HookEvent::PostToolUse;
    vec![
        hook("redact-tokens.sh", after, withholding),
        hook("redact-tokens.py", after, redacting()).without_loop(),
        hook("redact-tokens.mjs", after, redacting()),
    ]
}

fn refs(file: &str) -> Vec<Question> {
    let commit = "3f1c0a9be5d7f2846c1b0e9d8a7f6c5b4a392817";
    let repo = "https://example.org/tools.git";
    let pinned = json!({"repo": repo, "ref": commit});
    let plain = [
        (format!(r#"{{"repo":"{repo}","ref":"v2"}}"#), pinned.clone()),
        (format!(r#"{{"ref":"v2","repo":"{repo}"}}"#), pinned),
    ];
    // With an escape, or with more than it needs: only who parses JSON can take these.
    let parsed = [
        (
            r#"{"repo":"https:\/\/example.org\/tools.git","ref":"\u0076\u0032"}"#.into(),
            json!({"repo": repo, "ref": commit}),
        ),
        (
            format!(r#"{{"repo":"{repo}","ref":"v2","input":{{"repo":"a","ref":"b"}},"depth":1}}"#),
            json!({"repo": repo, "ref": commit, "input": {"repo": "a", "ref": "b"}, "depth": 1}),
        ),
    ];
    let rewritten =
        |(input, rewrite): (String, Value)| Question::call(&input, "modify").with(rewrite);
    let mut questions: Vec<_> = plain.into_iter().map(rewritten).collect();
    questions.extend(parsed.into_iter().map(|(input, rewrite)| {
        if is_shell(file) {
            Question::call(&input, "deny")
        } else {
            rewritten((input, rewrite))
        }
    }));
    questions.extend([
        Question::call(&json!({"repo": repo, "ref": commit}).to_string(), "allow"),
        Question::call(&json!({"repo": repo, "ref": "v3"}).to_string(), "deny"),
        Question::call(
            &json!({"repo": "https://example.org/a", "ref": "v2"}).to_string(),
            "deny",
        ),
        Question::call(
            &json!({"repo": repo, "ref": format!("{commit}\n")}).to_string(),
            "deny",
        ),
        Question::call(
            &json!({"repo": repo, "ref": "v2\",\"ref\":\"x"}).to_string(),
            "deny",
        ),
    ]);
    questions
}

fn notes() -> Vec<Question> {
    let note = "\n[This file is generated. Change schema/ and run `make generate` instead.]\n";
    let noted = |text: &str| {
        Question::result(&Value::from(text).to_string(), "replace")
            .of("generated/a.rs")
            .with(json!(format!("{text}{note}")))
    };
    vec![
        noted("struct A;\n"),
        noted(""),
        noted(r#"{"a":1,"output":"b","is_error":true}"#),
        noted(&"\"é\\\n".repeat(50_000)),
        Question::result(r#""struct A;\n""#, "allow").of("src/a.rs"),
        Question::result(r#"{"a":{"x":1,"output":"b"},"c":"d"}"#, "allow").of("generated/a.rs"),
        Question::result(r#"["a","b"]"#, "allow").of("generated/a.rs"),
        Question::result("null", "allow").of("generated/a.rs"),
        Question {
            input: r#"{"path":"generated/a","b":{"a":1,"output":"c","is_error":true}}"#.into(),
            ..noted("struct A;")
        },
    ]
}

fn calls() -> Vec<Question> {
    ["ls -l", "echo 'é\n🚫'", "git push --force"]
        .map(|text| Question::command(text, "allow"))
        .into()
}
