//! After a call: another result, or none.

use hook_contract::Json;
use hook_runner::Settled;

use super::{BETWEEN, Saying, given};
use crate::bridge::{
    answer::Answer,
    object::{Object, Specific},
    row::Replacement,
    shape,
    unsaid::Unsaid,
};

impl Saying<'_> {
    /// Why a result is withheld about which a person was to be asked; nothing where none was, or a person answered.
    pub(in crate::bridge) fn asked_after(&self) -> Option<String> {
        let asked = self.consultation.asked.as_ref()?;
        let Settled::Unanswered(why) = &asked.settled else {
            return None;
        };
        let askers: Vec<String> = asked.by.iter().map(ToString::to_string).collect();
        let (why, askers) = (why.clone(), askers.join("\n"));
        Some(Unsaid::AskedAfter { why, askers }.to_string())
    }

    /// A result that the model must not see.
    pub(in crate::bridge) fn withheld(&self, reason: &str, result: &str) -> Answer {
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
                let Some(output) = output else {
                    return self.refused(&text, &text);
                };
                let context = self.specific().additional_context;
                let object = self.refusal(&reason, Some(&output), context);
                Answer::Said {
                    stdout: object.line(),
                    otherwise: format!("{text}\n"),
                }
            }
        }
    }

    pub(in crate::bridge) fn replaced(
        &self,
        output: &Json,
        is_error: bool,
        result: &str,
    ) -> Answer {
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
        let marked = match &mark {
            None => text,
            Some(mark) => format!("[{mark}]\n{text}"),
        };
        let mut object: Object<'_> = self.object();
        let mut specific: Specific<'_> = self.specific();
        let fitted;
        match asked.row.replacement {
            Replacement::InShape => {
                fitted = original.and_then(|original| {
                    shape::fitted(asked.bridge, asked.tool_name(), &original, output)
                });
                let Some(output) = &fitted else {
                    return self.beside(agent, tool, marked);
                };
                specific.updated_tool_output = Some(output);
                let contexts: Vec<String> = mark
                    .into_iter()
                    .chain(specific.additional_context)
                    .collect();
                let context = Some(contexts.join(BETWEEN));
                specific.additional_context = context.filter(|context| !context.is_empty());
            }
            Replacement::AsReason => {
                object.decision = Some("block");
                object.reason = Some(&marked);
            }
            Replacement::Beside => return self.beside(agent, tool, marked),
        }
        Answer::Said {
            stdout: object.with(specific).line(),
            otherwise: format!("{}\n", Unsaid::ReplacementLost { agent }),
        }
    }

    /// Another result beside the one that the agent cannot take out.
    fn beside(&self, agent: &'static str, tool: String, text: String) -> Answer {
        let text = Unsaid::Beside { agent, tool, text }.to_string();
        self.refused(&text, &text)
    }
}
