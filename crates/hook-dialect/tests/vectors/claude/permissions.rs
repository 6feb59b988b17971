//! Claude Code's own step: whether a call may happen, in the modes that were recorded.
//!
//! In print mode nobody can be asked, so that whatever asks refuses, unless a hook of `PermissionRequest` allows it.
//!
//! | what | then |
//! |---|---|
//! | a hook denies, defers or asks | no; hooks of `PermissionRequest` are not asked |
//! | a rule denies | no |
//! | a rule asks | hooks of `PermissionRequest` are asked |
//! | a hook allows, the mode is `bypass`, or a rule allows | yes |
//! | the mode is `dontask` | no |
//! | otherwise | hooks of `PermissionRequest` are asked |
//!
//! Each mode is a rule of the user's settings (`allowed`, `denyrule`, `askrule`), an argument (`bypass`, `dontask`), or
//! nothing (`prompt`).

use std::path::Path;

use hook_contract::Json;
use hook_dialect::{IfRule, RuleBase, Verdict};
use serde_json::{Value, json};

/// What comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Runs,
    Refused,
    Asks,
}

/// The user's settings of a row, with what its mode puts there.
pub(crate) fn user_settings(row: &Value) -> Value {
    let mut settings = row.get("user_settings").cloned().unwrap_or(json!({}));
    let mut put = |list: &str, rules: &[&str]| {
        let Some(settings) = settings.as_object_mut() else {
            return;
        };
        let permissions = settings.entry("permissions").or_insert(json!({}));
        if let Some(rules_of) = permissions.as_object_mut() {
            let all = rules_of.entry(list).or_insert(json!([]));
            if let Some(all) = all.as_array_mut() {
                all.extend(rules.iter().map(|rule| json!(rule)));
            }
        }
    };
    match row["mode"].as_str().unwrap_or_default() {
        "allowed" => put("allow", &["*"]),
        "denyrule" => put("deny", &["Bash(sh *)"]),
        "askrule" => put("ask", &["Bash(sh *)"]),
        _ => {}
    }
    settings
}

/// The rules of all files that are used.
#[derive(Default)]
pub(crate) struct Rules {
    allow: Vec<String>,
    ask: Vec<String>,
    deny: Vec<String>,
}

impl Rules {
    pub(crate) fn add(&mut self, settings: &Value) {
        let of = |list: &str| {
            let rules = settings["permissions"][list]
                .as_array()
                .into_iter()
                .flatten();
            rules
                .filter_map(Value::as_str)
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        self.allow.extend(of("allow"));
        self.ask.extend(of("ask"));
        self.deny.extend(of("deny"));
    }

    pub(crate) fn step(
        &self,
        mode: &str,
        (tool, input): (&str, &Json),
        cwd: &Path,
        verdict: Verdict,
    ) -> Step {
        let any = |rules: &[String]| rules.iter().any(|rule| holds(rule, tool, input, cwd));
        if verdict > Verdict::Allow || any(&self.deny) {
            Step::Refused
        } else if any(&self.ask) {
            Step::Asks
        } else if verdict == Verdict::Allow || mode == "bypass" || any(&self.allow) {
            Step::Runs
        } else if mode == "dontask" {
            Step::Refused
        } else if matches!(tool, "Read" | "Agent") {
            // What only looks needs no permission.
            Step::Runs
        } else {
            Step::Asks
        }
    }
}

fn holds(rule: &str, tool: &str, input: &Json, cwd: &Path) -> bool {
    // A command that only says so much is not another one.
    let exact = |text: &str| input["command"].as_str() == Some(text);
    let content = rule
        .strip_prefix("Bash(")
        .and_then(|rest| rest.strip_suffix(')'));
    match content {
        _ if rule == "*" => true,
        Some(content) if !content.contains('*') => tool == "Bash" && exact(content),
        _ => {
            IfRule::parse(rule, RuleBase::default()).is_ok_and(|rule| rule.holds(tool, input, cwd))
        }
    }
}
