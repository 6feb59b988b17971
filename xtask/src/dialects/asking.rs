//! The page about asking: what each agent does with an ask and with context, from the rows that `cargo xtask e2e` asserts.

use std::{collections::BTreeSet, fmt::Write as _, fs};

use hook_dialect::Dialect;
use serde_json::{Map, Value};

use crate::{Result, command::root};

const ROWS: &str = "tests/e2e/asking.json";

/// What the hooks of the rows say as their reason.
const REASON: &str = "WHY-SO";
/// What a tool or a host says beside its no.
const REFUSED: &str = "NOT-SO";

/// The columns of the rows that are about one agent and one topic.
const COLUMNS: &str = "\
| mode | permissions | event | the call | the hook says | asked | the call then | the model reads |
|---|---|---|---|---|---|---|---|";

const HEAD: &str = "\
# Asking and telling

Look up here, for each agent and mode, whether a hook's \"ask\" stops a call, whom the agent asks, and whether the model reads a
hook's context; and tell, within a hook, in which mode the agent runs.

<!-- Written by `cargo xtask dialects` from tests/e2e/asking.json. -->

`cargo xtask e2e` plays every row with the agents themselves. The hook of a row is the agent's own: it is in the agent's settings,
without the bridge. In the rows about an ask of Claude Code the user's settings allow the call, so that the call runs when the hook
is silent. What is not here was not tried.

Permissions are those of `--permission-mode` (`manual` is `default` in the payload) and of `approval_policy`; `bypass` is
`--dangerously-bypass-approvals-and-sandbox`, and `approve-for-me` is `--approve-for-me`. Codex has the sandbox `workspace-write`
otherwise.

In short:

- **Claude Code, before a call**: an ask stopped the call in every mode. A terminal shows the question, with the reason, also where
  permissions are bypassed, in `dontAsk` and for a subagent. A no ends the turn there, and the model reads of it with the next
  prompt; in a subagent the work goes on. A host and a `--permission-prompt-tool` are asked; the tool does not get the reason. Without
  any of them the call is refused, and the model reads the bare reason. The question shows another input that stands beside the ask,
  and that input runs after a yes.
- **Claude Code, `defer`**: it ends a run of `claude -p` before the call. In a terminal it is ignored, and the call runs.
- **Codex, before a call**: an ask never stopped the call. Codex takes it for a broken hook and runs the call; a rewrite and
  a context in the same answer are lost. Where Codex asks for permission on its own account, it asks without the reason.
- **Codex, on a request for permission**: a hook that is silent, or says anything but `allow` and `deny`, leaves the question
  to the person, to the host or, with `--approve-for-me`, to a model. `codex exec` makes no such request otherwise.
- **After a call, both**: an ask has no effect. The result stays, and a context in the same answer is lost.
- **Context, Claude Code**: the model reads it beside every decision but `defer`, with exit status 2 as well, in a `system`
  message after the result. After a person's \"no\" in a terminal it is lost.
- **Context, Codex**: the model reads it in a `developer` message before the result. It is lost beside an `allow` without
  another input, and with exit status 2.
";

const MODES: &str = "
## How a hook recognises the mode

| agent | mode | started as | `permission_mode` in the payload | environment of the hook |
|---|---|---|---|---|";

const RECOGNISED: &str = "
Claude Code sets `CLAUDE_CODE_SESSION_ATTENDED` itself, also where it runs within another session that had the other value. `1` is
a terminal, and `0` is everything else. Between the modes with `0` no variable and no field of the payload differed: a host
that will ask a person cannot be told from a run that will refuse. `permission_mode` says how calls are permitted; it says nothing
about persons.

Codex says `bypassPermissions` whenever it asks for no permission: always in `codex exec`, except with `--approve-for-me`. With
`default` a person, a host or a model may approve. No variable and no field of the payload differed between the modes, but for
`TERM`, which is the terminal's and passed on.

No hook had a terminal: opening `/dev/tty` failed in every row, also where the agent itself runs in one.
";

/// The page.
pub(super) fn page() -> Result<String> {
    let table: Value = serde_json::from_str(&fs::read_to_string(root().join(ROWS))?)?;
    let modes = objects(&table, "modes")?;
    let rows = objects(&table, "rows")?;
    let mut page = String::from(HEAD);
    writeln!(page, "{MODES}")?;
    for mode in modes {
        let payloads = rows
            .iter()
            .filter(|row| word(row, "agent") == word(mode, "agent"))
            .filter(|row| word(row, "mode") == word(mode, "mode"))
            .map(|row| code(word(row, "payload")));
        writeln!(
            page,
            "| {} | {} | {} | {} | {} |",
            title(word(mode, "agent"))?,
            word(mode, "mode"),
            word(mode, "start"),
            listed(payloads),
            environment(mode),
        )?;
    }
    page.push_str(RECOGNISED);
    for dialect in Dialect::ALL {
        let of_agent: Vec<_> = rows
            .iter()
            .copied()
            .filter(|row| word(row, "agent") == dialect.name)
            .collect();
        writeln!(page, "\n## {} {}", dialect.title, dialect.checked_against)?;
        for topic in [Topic::Before, Topic::After, Topic::Context] {
            writeln!(page, "\n### {}\n\n{COLUMNS}", topic.title())?;
            let of_topic = of_agent.iter().copied().filter(|row| topic.holds(row));
            for (same, permissions) in merged(of_topic) {
                writeln!(page, "{}", line(same, permissions))?;
            }
        }
    }
    Ok(page)
}

#[derive(Clone, Copy, PartialEq)]
enum Topic {
    Before,
    After,
    Context,
}

impl Topic {
    fn holds(self, row: &Map<String, Value>) -> bool {
        let of = if word(row, "answer").contains("context") {
            Self::Context
        } else if word(row, "event").starts_with("Post") {
            Self::After
        } else {
            Self::Before
        };
        self == of
    }

    const fn title(self) -> &'static str {
        match self {
            Self::Before => "Before a call",
            Self::After => "After a call",
            Self::Context => "Context",
        }
    }
}

/// Rows that differ in their permissions alone, as one.
fn merged<'a>(
    rows: impl Iterator<Item = &'a Map<String, Value>>,
) -> Vec<(&'a Map<String, Value>, Vec<&'a str>)> {
    let without = |row: &Map<String, Value>| {
        let mut row = row.clone();
        for name in ["permission", "payload", "outer"] {
            row.remove(name);
        }
        row
    };
    let mut all: Vec<(&Map<String, Value>, Vec<&str>)> = Vec::new();
    for row in rows {
        let permission = word(row, "permission");
        match all
            .iter_mut()
            .find(|(same, _)| without(same) == without(row))
        {
            Some((_, permissions)) if permissions.contains(&permission) => {}
            Some((_, permissions)) => permissions.push(permission),
            None => all.push((row, vec![permission])),
        }
    }
    all
}

fn line(row: &Map<String, Value>, permissions: Vec<&str>) -> String {
    let permissions = permissions.into_iter().map(code).collect::<Vec<_>>();
    format!(
        "| {} | {} | `{}` | {} | {} | {} | {} | {} |",
        word(row, "mode"),
        permissions.join(", "),
        word(row, "event"),
        call(word(row, "call")),
        said(row),
        asked(row),
        effect(row),
        read(row),
    )
}

fn call(name: &str) -> &str {
    match name {
        "" => "the shell",
        "escalated" => "the shell, beyond the sandbox",
        "failing" => "the shell, which fails",
        "mcp" => "an MCP tool",
        "patch" => "`apply_patch`",
        "script" => "the shell, in code mode",
        "subagent" => "the shell, in a subagent",
        "write" => "`Write`",
        other => other,
    }
}

/// What the hook says, in the words of the event.
fn said(row: &Map<String, Value>) -> String {
    let field = match word(row, "event") {
        "PreToolUse" => "permissionDecision",
        "PermissionRequest" => "behavior",
        _ => "decision",
    };
    let words = word(row, "answer").split('+').map(|word| match word {
        "silent" => "nothing".to_owned(),
        "permissionDecision" => "`permissionDecision: ask`".to_owned(),
        "allow" | "ask" | "block" | "defer" | "deny" => format!("`{field}: {word}`"),
        "input" => "another input".to_owned(),
        "output" => "another output".to_owned(),
        "exit 2" => "exit status 2".to_owned(),
        other => other.to_owned(),
    });
    words.collect::<Vec<_>>().join(", ")
}

fn asked(row: &Map<String, Value>) -> String {
    let by = word(row, "asked");
    if by.is_empty() {
        return "no".to_owned();
    }
    let shown = row.get("shown").and_then(Value::as_bool) == Some(true);
    let reason = if shown { "with" } else { "without" };
    format!("{by}, {reason} the reason, says {}", word(row, "reply"))
}

fn effect(row: &Map<String, Value>) -> &'static str {
    match word(row, "ran") {
        "original" => "runs",
        "changed" => "runs with the other input",
        _ => "does not run",
    }
}

/// What the model reads after the call.
fn read(row: &Map<String, Value>) -> String {
    let result = word(row, "result");
    let (reason, context) = (word(row, "reason"), word(row, "context"));
    if result.is_empty() {
        return "nothing more: the run ends".to_owned();
    }
    let ran = !word(row, "ran").is_empty();
    let mut parts = vec![match (result, ran) {
        (REASON, _) => "the reason alone".to_owned(),
        (REFUSED, _) => "what the tool or the host said".to_owned(),
        ("out-changed", _) if word(row, "answer").contains("output") => {
            "the other output".to_owned()
        }
        (_, true) => "the result".to_owned(),
        (text, false) if text.contains(REASON) => code(&text.replace(REASON, "REASON")),
        (text, false) if reason == "result" => format!("`…{text}…`, with the reason"),
        (text, false) => format!("`…{text}…`"),
    }];
    if !reason.is_empty() && reason != "result" {
        parts.push(format!("the reason (`{reason}`)"));
    }
    if !context.is_empty() {
        parts.push(format!("the context (`{context}`)"));
    } else if word(row, "answer").contains("context") {
        parts.push("**not** the context".to_owned());
    }
    parts.join(", ")
}

fn environment(mode: &Map<String, Value>) -> String {
    let variables = mode.get("environment").and_then(Value::as_object);
    let variables = variables.into_iter().flatten();
    let variables =
        variables.map(|(name, value)| format!("`{name}={}`", value.as_str().unwrap_or_default()));
    let all = listed(variables);
    if all.is_empty() {
        "nothing that tells".to_owned()
    } else {
        all
    }
}

fn title(agent: &str) -> Result<&'static str> {
    let dialect = Dialect::ALL.iter().find(|dialect| dialect.name == agent);
    let dialect = dialect.ok_or_else(|| format!("{ROWS} names the unknown agent `{agent}`"))?;
    Ok(dialect.title)
}

fn listed(words: impl Iterator<Item = String>) -> String {
    let words: BTreeSet<String> = words.collect();
    words.into_iter().collect::<Vec<_>>().join(", ")
}

fn code(word: &str) -> String {
    format!("`{word}`")
}

/// A text of a row, which is empty where the row has none.
fn word<'a>(row: &'a Map<String, Value>, name: &str) -> &'a str {
    row.get(name).and_then(Value::as_str).unwrap_or_default()
}

fn objects<'a>(table: &'a Value, name: &str) -> Result<Vec<&'a Map<String, Value>>> {
    let list = table.get(name).and_then(Value::as_array);
    let list = list.ok_or_else(|| format!("{ROWS} has no list `{name}`"))?;
    let objects = list.iter().map(Value::as_object);
    let objects: Option<Vec<_>> = objects.collect();
    objects.ok_or_else(|| format!("{ROWS}: `{name}` is a list of objects").into())
}
