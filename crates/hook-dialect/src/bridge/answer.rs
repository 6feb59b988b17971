//! From an outcome of the chain to what has that effect in an agent.

use hook_contract::{HookOutcome, Json};
use serde::Serialize;

use super::{
    reading::Asked,
    row::{Refusal, Replacement, Rewrite},
    shape,
    unsaid::Unsaid,
};

/// What is handed to the agent, and how.
///
/// Texts end with a line end.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "whoever answers must act on each")]
pub enum Answer {
    /// There is nothing to say to the call: exit status 0.
    Nothing {
        /// For the user, on standard output; mostly empty. Nothing depends on its arrival.
        stdout: String,
    },
    /// Something that has an effect: on standard output, with exit status 0. When it cannot be written there, or not
    /// whole, the call must not go on as it was: then this is refused.
    Said {
        /// The object.
        stdout: String,
        /// The refusal in its place: on standard error, with exit status 2.
        otherwise: String,
    },
    /// A refusal: the reason on standard error and the object on standard output, with exit status 2. When standard
    /// error cannot be written, the object alone says it, with exit status 0.
    Refused {
        /// The object.
        stdout: String,
        /// The reason.
        stderr: String,
    },
}

/// What agents read. What is absent is not written: an unknown key, or a `null`, may cost the whole answer.
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Object<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    system_message: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    decision: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hook_specific_output: Option<Specific<'a>>,
}

#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Specific<'a> {
    hook_event_name: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    permission_decision: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    permission_decision_reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    decision: Option<Behavior<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    updated_input: Option<&'a Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    updated_tool_output: Option<&'a Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    additional_context: Option<String>,
}

#[derive(Serialize)]
struct Behavior<'a> {
    behavior: &'static str,
    message: &'a str,
}

impl Asked {
    /// What has the effect of this outcome in the agent. `told` is for its user: one text for each participant that
    /// broke and was passed over.
    #[must_use]
    pub fn answer(&self, outcome: &HookOutcome, told: &[String]) -> Answer {
        let saying = Saying { asked: self, told };
        match (outcome, &self.result) {
            (HookOutcome::Allow, _) => saying.nothing(),
            (HookOutcome::Deny(reason), None) => saying.refused(reason, reason),
            (HookOutcome::Deny(reason), Some(result)) => saying.withheld(reason, result),
            (HookOutcome::Modify { input, .. }, None) => saying.rewritten(input),
            (
                HookOutcome::Replace {
                    output, is_error, ..
                },
                Some(result),
            ) => saying.replaced(output, *is_error, result),
            (HookOutcome::Modify { .. }, Some(result)) => {
                saying.withheld(&saying.other_moment(), result)
            }
            (HookOutcome::Replace { .. }, None) => {
                let reason = saying.other_moment();
                saying.refused(&reason, &reason)
            }
        }
    }
}

/// An outcome on its way.
struct Saying<'a> {
    asked: &'a Asked,
    told: &'a [String],
}

impl Saying<'_> {
    fn nothing(&self) -> Answer {
        let object = self.object();
        let stdout = match &object.system_message {
            None => String::new(),
            Some(_) => line(&object),
        };
        Answer::Nothing { stdout }
    }

    fn agent(&self) -> &'static str {
        self.asked.bridge.dialect.title
    }

    fn tool(&self) -> String {
        hook_contract::shown::line(&self.asked.call.tool_name)
    }

    fn other_moment(&self) -> String {
        let event = self.asked.row.event;
        Unsaid::OtherMoment { event }.to_string()
    }

    fn object(&self) -> Object<'static> {
        let told = self.told.join("\n");
        Object {
            system_message: Some(told).filter(|told| !told.trim().is_empty()),
            ..Object::default()
        }
    }

    fn specific(&self) -> Specific<'static> {
        Specific {
            hook_event_name: self.asked.row.event,
            ..Specific::default()
        }
    }

    /// A refusal, in every way in which the agent hears one.
    fn refused(&self, reason: &str, on_stderr: &str) -> Answer {
        let reason = given(reason);
        let object = self.refusal(&reason, None);
        let mut stderr = given(on_stderr);
        stderr.push('\n');
        Answer::Refused {
            stdout: line(&object),
            stderr,
        }
    }

    fn refusal<'r>(&self, reason: &'r str, output: Option<&'r Json>) -> Object<'r> {
        let mut object: Object<'r> = self.object();
        let mut specific: Specific<'r> = self.specific();
        specific.updated_tool_output = output;
        match self.asked.row.refusal {
            Refusal::Permission => {
                specific.permission_decision = Some("deny");
                specific.permission_decision_reason = Some(reason);
            }
            Refusal::Behavior => {
                specific.decision = Some(Behavior {
                    behavior: "deny",
                    message: reason,
                });
            }
            Refusal::Block => {
                object.decision = Some("block");
                object.reason = Some(reason);
                if output.is_none() {
                    return object;
                }
            }
        }
        object.hook_specific_output = Some(specific);
        object
    }

    /// A result that the model must not see.
    fn withheld(&self, reason: &str, result: &str) -> Answer {
        let reason = given(reason);
        let seen = || {
            let (agent, tool) = (self.agent(), self.tool());
            let reason = reason.clone();
            Unsaid::Seen {
                agent,
                tool,
                reason,
            }
            .to_string()
        };
        match self.asked.row.replacement {
            // The reason takes the place of the result.
            Replacement::AsReason => self.refused(&reason, &reason),
            Replacement::Beside => {
                let text = seen();
                self.refused(&text, &text)
            }
            Replacement::InShape => {
                let note = Unsaid::Withheld {
                    reason: reason.clone(),
                }
                .to_string();
                let original = Json::parse(result).ok();
                let output = original.and_then(|original| {
                    shape::with_text(self.asked.bridge, self.asked.tool_name(), &original, &note)
                });
                let text = seen();
                match output {
                    None => self.refused(&text, &text),
                    Some(output) => Answer::Said {
                        stdout: line(&self.refusal(&reason, Some(&output))),
                        otherwise: format!("{text}\n"),
                    },
                }
            }
        }
    }

    fn rewritten(&self, input: &Json) -> Answer {
        let (agent, event) = (self.agent(), self.asked.row.event);
        let refused = |unsaid: &Unsaid| {
            let reason = unsaid.to_string();
            self.refused(&reason, &reason)
        };
        let change = match self.change(input) {
            Err(unsaid) => return refused(&unsaid),
            Ok(change) => change,
        };
        let allow = match self.asked.row.rewrite {
            Rewrite::Unsaid if change == Change::None => return self.nothing(),
            Rewrite::Unsaid => return refused(&Unsaid::Rewrite { agent, event }),
            Rewrite::Alone => None,
            Rewrite::WithAllow => Some("allow"),
        };
        let mut specific: Specific<'_> = self.specific();
        specific.permission_decision = allow;
        specific.updated_input = Some(input);
        let mut object: Object<'_> = self.object();
        object.hook_specific_output = Some(specific);
        Answer::Said {
            stdout: line(&object),
            otherwise: format!("{}\n", Unsaid::RewriteLost { agent }),
        }
    }

    /// What the agent would take of another input; an error when it would leave out a part.
    fn change(&self, input: &Json) -> Result<Change, Unsaid> {
        let asked = self.asked;
        let original = Json::parse(&asked.call.input_json).ok();
        let same = original.as_ref() == Some(input);
        let change = |same| if same { Change::None } else { Change::Some };
        if !asked.bridge.by_command.contains(&asked.tool_name()) {
            return Ok(change(same));
        }
        let Some(command) = input.get("command").filter(|command| command.is_string()) else {
            return Err(Unsaid::RewriteWithoutCommand);
        };
        let old = |name: &str| original.as_ref().and_then(|original| original.get(name));
        let members = input.members().into_iter().flatten();
        for member in members.filter(|member| member.name != "command") {
            if old(&member.name) != input.get(member.name.as_ref()) {
                return Err(Unsaid::RewriteInPart {
                    agent: self.agent(),
                    member: hook_contract::shown::line(&member.name),
                });
            }
        }
        Ok(change(old("command") == Some(command)))
    }

    fn replaced(&self, output: &Json, is_error: bool, result: &str) -> Answer {
        let asked = self.asked;
        let (agent, tool) = (self.agent(), self.tool());
        let original = Json::parse(result).ok();
        let was_error = asked.row.outcome.is_some_and(|outcome| outcome.is_error);
        let mark = match (was_error, is_error) {
            (false, true) => Some(Unsaid::MarkedFailed.to_string()),
            (true, false) => Some(Unsaid::MarkedSucceeded.to_string()),
            (true, true) | (false, false) => None,
        };
        if mark.is_none() && original.as_ref() == Some(output) {
            return self.nothing();
        }
        let mut text = shape::text_of(output);
        if text.trim().is_empty() {
            text = Unsaid::EmptyResult.to_string();
        }
        let otherwise = format!("{}\n", Unsaid::ReplacementLost { agent });
        let mut object: Object<'_> = self.object();
        let fitted;
        let marked = match &mark {
            None => text.clone(),
            Some(mark) => format!("[{mark}]\n{text}"),
        };
        match asked.row.replacement {
            Replacement::InShape => {
                fitted = original.and_then(|original| {
                    shape::fitted(asked.bridge, asked.tool_name(), &original, output)
                });
                let Some(output) = &fitted else {
                    return self.beside(agent, tool, marked);
                };
                let mut specific: Specific<'_> = self.specific();
                specific.updated_tool_output = Some(output);
                specific.additional_context = mark;
                object.hook_specific_output = Some(specific);
            }
            Replacement::AsReason => {
                object.decision = Some("block");
                object.reason = Some(&marked);
            }
            Replacement::Beside => return self.beside(agent, tool, marked),
        }
        Answer::Said {
            stdout: line(&object),
            otherwise,
        }
    }

    /// Another result beside the one that the agent cannot take out.
    fn beside(&self, agent: &'static str, tool: String, text: String) -> Answer {
        let text = Unsaid::Beside { agent, tool, text }.to_string();
        self.refused(&text, &text)
    }
}

/// Whether an input is another one, as far as the agent takes it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Change {
    None,
    Some,
}

/// The reason, or what stands for one: agents run a call that is refused without a reason.
fn given(reason: &str) -> String {
    if reason.trim().is_empty() {
        return Unsaid::NoReason.to_string();
    }
    reason.to_owned()
}

fn line(object: &Object<'_>) -> String {
    // Texts and values that are JSON already: there is nothing that could not be written.
    let mut line = serde_json::to_string(object).unwrap_or_default();
    line.push('\n');
    line
}
