//! The same chain put through both runners.

use std::{sync::Once, time::Duration};

use hook_contract::{HookCall, HookEvent, HookOutcome, Json, async_trait};
use hookchain_tests::Workspace;
use serde_json::Value;

use crate::chains::{Chain, Does, Part};

/// What came out of a runner.
#[derive(Clone, Debug)]
pub(crate) struct Said {
    pub(crate) kind: &'static str,
    pub(crate) value: Option<Json>,
    pub(crate) is_error: Option<bool>,
    pub(crate) reason: String,
}

impl Said {
    fn of(outcome: HookOutcome) -> Self {
        let reason = outcome.reason().unwrap_or_default().to_owned();
        let (kind, value, is_error) = match outcome {
            HookOutcome::Allow => ("allow", None, None),
            HookOutcome::Deny(_) => ("deny", None, None),
            HookOutcome::Modify { input, .. } => ("modify", Some(input), None),
            HookOutcome::Replace {
                output, is_error, ..
            } => ("replace", Some(output), Some(is_error)),
        };
        Self {
            kind,
            value,
            is_error,
            reason,
        }
    }

    /// Everything but numbers as written; a denial that is a failure need only name the same.
    pub(crate) fn says_the_same_but_for_digits(&self, other: &Self) -> bool {
        let value = |said: &Self| said.value.as_ref().map(|json| json.value().clone());
        let explicit = |said: &Self| said.kind != "deny" || said.reason.starts_with("denied by ");
        let same_reason = if explicit(self) && explicit(other) {
            // Only basis ends a sentence with an empty reason.
            self.reason == other.reason || format!("{}: ", self.reason) == other.reason
        } else {
            explicit(self) == explicit(other) && names(&self.reason) == names(&other.reason)
        };
        self.kind == other.kind
            && value(self) == value(other)
            && self.is_error == other.is_error
            && same_reason
    }

    pub(crate) fn says_the_same_as(&self, other: &Self) -> bool {
        self.says_the_same_but_for_digits(other) && self.value == other.value
    }
}

/// Who is named in a reason, in order.
fn names(reason: &str) -> Vec<&str> {
    let named = |kind| {
        move |(start, found): (usize, &str)| {
            let rest = reason.get(start + str::len(found)..)?;
            // Every name here ends in a digit, and nothing else before a quote does.
            let end = rest.match_indices('\'').find(|(at, _)| {
                rest.get(..*at)
                    .is_some_and(|name| name.ends_with(|last: char| last.is_ascii_digit()))
            });
            Some((start, kind, rest.get(..end?.0)?))
        }
    };
    let hooks = reason.match_indices("hook '").filter_map(named("hook"));
    let mut found: Vec<_> = hooks
        .chain(
            reason
                .match_indices("interceptor '")
                .filter_map(named("interceptor")),
        )
        .collect();
    found.sort_unstable();
    found.into_iter().map(|(_, _, name)| name).collect()
}

/// What the panics say that are part of a chain.
const SCRIPTED: &str = "as scripted";

/// Panics that are meant to happen say nothing.
pub(crate) fn hush() {
    static HUSHED: Once = Once::new();
    HUSHED.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            let said = panic.payload();
            let said = said
                .downcast_ref::<String>()
                .map(String::as_str)
                .or(said.downcast_ref().copied());
            if said != Some(SCRIPTED) {
                usual(panic);
            }
        }));
    });
}

/// The command of a hook; `folder` holds what the programs print.
fn command(part: &Part, folder: &str) -> Option<Vec<String>> {
    let words = |words: &[&str]| Some(words.iter().map(ToString::to_string).collect());
    let file = format!("{folder}/{}", part.index);
    match &part.does {
        Does::Answers(_)
        | Does::Echoes
        | Does::Errs
        | Does::Panics
        | Does::DeniesWhenItSees(_, false) => None,
        Does::IsAbsent => words(&["./absent"]),
        Does::Prints(printed, 0) if printed.holds && folder == "printed" => {
            words(&["/bin/sh", "-c", &format!("sleep 20 & cat {file}")])
        }
        Does::Prints(_, 0) => words(&["/bin/cat", &file]),
        Does::Prints(_, status) => words(&["/bin/sh", "-c", &format!("cat {file}; exit {status}")]),
        Does::DeniesWhenItSees(word, true) => {
            let script = format!(
                r#"case "$(cat)" in
                *{word}*) echo '{{"decision":"deny","reason":"saw it"}}' ;;
                *) echo '{{"decision":"allow"}}' ;;
                esac"#
            );
            words(&["/bin/sh", "-c", &script])
        }
    }
}

/// A hook that holds a pipe open costs a runner that waits for it all its time.
fn timeout(part: &Part) -> Duration {
    match &part.does {
        Does::Prints(printed, _) if printed.holds => Duration::from_millis(1500),
        _ => Duration::from_secs(60),
    }
}

fn call(chain: &Chain) -> HookCall {
    HookCall::new("agent-1", "shell", "call-1", chain.input.as_str())
}

/// The last field of a part's answer that there is.
fn field<'a>(answer: &'a Value, name: &str) -> Option<&'a str> {
    answer[name].as_str()
}

struct Scripted<'a>(&'a str, Does);

macro_rules! interceptor {
    ($of:ident) => {
        #[async_trait]
        impl $of::Interceptor for Scripted<'static> {
            fn name(&self) -> &str {
                self.0
            }

            async fn intercept(
                &self,
                call: &$of::HookRequest,
            ) -> Result<$of::HookOutcome, $of::InterceptorError> {
                self.play(call)
            }

            async fn review(
                &self,
                result: &$of::HookRequest,
            ) -> Result<$of::HookOutcome, $of::InterceptorError> {
                self.play(result)
            }
        }

        impl Answers<$of::HookRequest, $of::HookOutcome> for Scripted<'static> {
            fn play(
                &self,
                request: &$of::HookRequest,
            ) -> Result<$of::HookOutcome, Box<dyn std::error::Error + Send + Sync>> {
                let shown = serde_json::to_string(request).expect("JSON");
                let answer: Value = match &self.1 {
                    Does::Answers(text) => serde_json::from_str(text).expect("JSON"),
                    Does::DeniesWhenItSees(word, _) if shown.contains(word) => {
                        serde_json::json!({"decision": "deny", "reason": "saw it"})
                    }
                    Does::Errs => return Err("out of order".into()),
                    Does::Panics => panic!("{SCRIPTED}"),
                    Does::Echoes => {
                        return Ok(match &request.output {
                            Some(output) => $of::HookOutcome::Replace {
                                output: Value::clone(output).into(),
                                is_error: request.is_error.unwrap_or(false),
                                reason: Some("echo".into()),
                            },
                            None => $of::HookOutcome::Modify {
                                input: Value::clone(&request.input).into(),
                                reason: Some("echo".into()),
                            },
                        });
                    }
                    _ => serde_json::json!({"decision": "allow"}),
                };
                let reason = field(&answer, "reason").map(str::to_owned);
                Ok(match field(&answer, "decision") {
                    Some("deny") => $of::HookOutcome::Deny(reason.unwrap_or_default()),
                    Some("modify") => $of::HookOutcome::Modify {
                        input: answer["input"].clone().into(),
                        reason,
                    },
                    Some("replace") => $of::HookOutcome::Replace {
                        output: answer["output"].clone().into(),
                        is_error: answer["is_error"] == true,
                        reason,
                    },
                    _ => $of::HookOutcome::Allow,
                })
            }
        }
    };
}

/// Tells the two runners' answers apart; everything else about them is the same.
trait Answers<Request, Outcome> {
    fn play(&self, request: &Request) -> Result<Outcome, Box<dyn std::error::Error + Send + Sync>>;
}

use basis::hooks as theirs;
use hook_contract as contract;

interceptor!(contract);
interceptor!(theirs);

/// Names live as long as the process, because an interceptor does.
fn scripted(part: &Part) -> Scripted<'static> {
    Scripted(part.name.clone().leak(), part.does.clone())
}

pub(crate) async fn ours(chain: &Chain, workspace: &Workspace) -> Said {
    let mut builder = hook_runner::HookRunner::builder(workspace.path()).with_reporter(|_| {});
    for part in &chain.parts {
        let Some(command) = command(part, "printed") else {
            builder = builder.with_interceptor(scripted(part));
            continue;
        };
        let mut hook = hook_config::HookSpec::new(&*part.name, command)
            .with_event(part.event)
            .with_timeout(timeout(part));
        if let Some(tools) = &part.tools {
            hook = hook.with_tools(tools.iter().copied());
        }
        if part.fails_open {
            hook = hook.with_on_failure(hook_config::OnFailure::Allow);
        }
        builder = builder.with_hooks([hook]);
    }
    let runner = builder.build().expect("a runner");
    let outcome = match &chain.output {
        None => runner.decide(&call(chain)).await,
        Some(output) => {
            let output = Json::parse(output).expect("JSON");
            runner.review(&call(chain), output, chain.is_error).await
        }
    };
    Said::of(outcome)
}

/// What basis says when the programs print what stands in that folder.
pub(crate) async fn basis(chain: &Chain, workspace: &Workspace, folder: &str) -> Said {
    let mut hooks = Vec::new();
    for part in &chain.parts {
        let Some(command) = command(part, folder) else {
            continue;
        };
        let mut hook = theirs::HookSpec::new(&*part.name, command)
            .with_event(event(part.event))
            .with_timeout(timeout(part));
        if let Some(tools) = &part.tools {
            hook = hook.with_tools(tools.iter().map(ToString::to_string).collect());
        }
        if part.fails_open {
            hook = hook.with_on_failure(theirs::OnFailure::Allow);
        }
        hooks.push(hook);
    }
    let mut runner = theirs::HookRunner::new(workspace.path(), hooks).with_reporter(|_| {});
    for part in &chain.parts {
        if command(part, folder).is_none() {
            runner = runner.with_interceptor(scripted(part));
        }
    }
    let asked = call(chain);
    let asked = theirs::HookCall::new(
        asked.agent_id,
        asked.tool_name,
        asked.tool_call_id,
        asked.input_json,
    );
    let outcome = match &chain.output {
        None => runner.decide_async(&asked).await,
        Some(output) => {
            let output: Value = serde_json::from_str(output).expect("JSON");
            runner.review_async(&asked, output, chain.is_error).await
        }
    };
    Said::of(translated(outcome))
}

fn event(event: HookEvent) -> theirs::HookEvent {
    if event == HookEvent::PreToolUse {
        theirs::HookEvent::PreToolUse
    } else {
        theirs::HookEvent::PostToolUse
    }
}

fn translated(outcome: theirs::HookOutcome) -> HookOutcome {
    // As written: what basis holds is what it would write. It may hold what this crate refuses to.
    let exact = |value: Value| Json::parse(&value.to_string()).unwrap_or(value.into());
    match outcome {
        theirs::HookOutcome::Allow => HookOutcome::Allow,
        theirs::HookOutcome::Deny(reason) => HookOutcome::Deny(reason),
        theirs::HookOutcome::Modify { input, reason } => HookOutcome::Modify {
            input: exact(input),
            reason,
        },
        theirs::HookOutcome::Replace {
            output,
            is_error,
            reason,
        } => HookOutcome::Replace {
            output: exact(output),
            is_error,
            reason,
        },
    }
}
