//! The rules of the chain, once for every participant (spec 04).
//!
//! A fold: the question as it stands, and one answer after the other. It asks nobody, waits for
//! nothing and knows no transport, so every rule in it can be tested by calling it.

use std::collections::BTreeMap;

use hook_contract::{HookEvent, HookOutcome, HookRequest, Json, OnFailure};
use hook_wire::HookResponse;

use crate::{Decision, HookFailure, Identity, participant::Question};

/// The call as the participants so far left it.
#[derive(Debug)]
pub(crate) struct Chain {
    question: Question,
    /// Who changed something, in order, with their reasons.
    hands: Vec<String>,
}

/// What one answer did to the chain.
#[derive(Debug)]
pub(crate) struct Advance {
    pub(crate) decision: Decision,
    pub(crate) reason: Option<String>,
    pub(crate) failure: Option<HookFailure>,
    pub(crate) changed: Vec<String>,
    /// The outcome, when the chain ends here.
    pub(crate) end: Option<HookOutcome>,
}

impl Chain {
    pub(crate) fn new(request: HookRequest) -> Self {
        Self {
            question: Question::new(request),
            hands: Vec::new(),
        }
    }

    /// What the next participant is asked.
    pub(crate) fn question(&self) -> &Question {
        &self.question
    }

    /// Takes one answer, or the lack of one.
    pub(crate) fn advance(
        &mut self,
        who: &Identity,
        on_failure: OnFailure,
        response: Result<HookResponse, HookFailure>,
    ) -> Advance {
        let taken = response.and_then(|response| self.take(who, response));
        taken.unwrap_or_else(|failure| {
            let end = match on_failure {
                OnFailure::Allow => None,
                OnFailure::Deny => Some(HookOutcome::Deny(format!(
                    "denied, because {who} {}",
                    failure.for_model()
                ))),
            };
            Advance {
                failure: Some(failure),
                end,
                ..Advance::of(Decision::Failed, None)
            }
        })
    }

    /// The outcome when nobody objected.
    pub(crate) fn finish(self) -> HookOutcome {
        if self.hands.is_empty() {
            return HookOutcome::Allow;
        }
        let reason = Some(self.hands.join("; "));
        let request = self.question.into_request();
        match request.output {
            Some(output) if request.event == HookEvent::PostToolUse => HookOutcome::Replace {
                output,
                is_error: request.is_error.unwrap_or(false),
                reason,
            },
            _ => HookOutcome::Modify {
                input: request.input,
                reason,
            },
        }
    }

    fn take(&mut self, who: &Identity, response: HookResponse) -> Result<Advance, HookFailure> {
        let request = self.question.request();
        let event = request.event;
        match response {
            HookResponse::Allow { reason } => Ok(Advance::of(Decision::Allow, reason)),
            HookResponse::Deny { reason } => {
                let reason = reason.filter(|reason| !reason.is_empty());
                let words = match &reason {
                    Some(reason) => format!("denied by {who}: {reason}"),
                    None => format!("denied by {who}"),
                };
                Ok(Advance {
                    end: Some(HookOutcome::Deny(words)),
                    ..Advance::of(Decision::Deny, reason)
                })
            }
            HookResponse::Modify { input, reason } => {
                if event != HookEvent::PreToolUse {
                    return Err(HookFailure::WrongEvent {
                        decision: "modify",
                        event,
                    });
                }
                if !is_object(&input) {
                    return Err(HookFailure::InputNotAnObject);
                }
                let input = passed_on(input, &request.input)?;
                let changed = changed_fields(&request.input, &input);
                self.rewrite(|request| request.with_input(input));
                Ok(self.rewritten(who, Decision::Modify, reason, changed))
            }
            HookResponse::Replace {
                output,
                is_error,
                reason,
            } => {
                let (HookEvent::PostToolUse, Some(before)) = (event, &request.output) else {
                    return Err(HookFailure::WrongEvent {
                        decision: "replace",
                        event,
                    });
                };
                let output = passed_on(output, before)?;
                let changed = changed_fields(before, &output);
                let is_error = is_error.or(request.is_error).unwrap_or(false);
                self.rewrite(|request| request.with_output(output, is_error));
                Ok(self.rewritten(who, Decision::Replace, reason, changed))
            }
        }
    }

    fn rewrite(&mut self, change: impl FnOnce(HookRequest) -> HookRequest) {
        self.question = Question::new(change(self.question.request().clone()));
    }

    fn rewritten(
        &mut self,
        who: &Identity,
        decision: Decision,
        reason: Option<String>,
        changed: Vec<String>,
    ) -> Advance {
        self.hands.push(match &reason {
            Some(reason) => format!("{who}: {reason}"),
            None => who.to_string(),
        });
        Advance {
            changed,
            ..Advance::of(decision, reason)
        }
    }
}

impl Advance {
    fn of(decision: Decision, reason: Option<String>) -> Self {
        Self {
            decision,
            reason,
            failure: None,
            changed: Vec::new(),
            end: None,
        }
    }
}

/// A rewrite as the others will see it: with the digits of what it was made from, and one reading.
fn passed_on(rewrite: Json, original: &Json) -> Result<Json, HookFailure> {
    let rewrite = rewrite
        .with_digits_of(original)
        .map_err(HookFailure::DigitsLost)?;
    if !rewrite.is_exact() {
        Json::parse(rewrite.text()).map_err(HookFailure::RewriteUnreadable)?;
    }
    Ok(rewrite)
}

/// Whether the value is an object, without making a `Value` of it for that.
fn is_object(value: &Json) -> bool {
    if value.is_exact() {
        value.text().starts_with('{')
    } else {
        value.is_object()
    }
}

/// The members that differ between two objects, in alphabetical order.
fn changed_fields(before: &Json, after: &Json) -> Vec<String> {
    let (Some(before), Some(after)) = (before.members(), after.members()) else {
        return Vec::new();
    };
    // One pass over each: a model may write an object of very many members.
    let mut pairs: BTreeMap<&str, (Option<&str>, Option<&str>)> = BTreeMap::new();
    for member in &before {
        pairs.entry(&member.name).or_default().0 = Some(member.value);
    }
    for member in &after {
        pairs.entry(&member.name).or_default().1 = Some(member.value);
    }
    let changed = pairs
        .into_iter()
        .filter(|(_, (before, after))| differ(*before, *after));
    changed.map(|(name, _)| name.to_owned()).collect()
}

/// Whether two values are different ones; another order of members is no difference.
fn differ(before: Option<&str>, after: Option<&str>) -> bool {
    before != after && before.map(Json::parse) != after.map(Json::parse)
}

#[cfg(test)]
mod tests;
