//! The rules of the chain, once for every participant (ADR 0025 has those of ranks).
//!
//! A fold: the question as it stands, and one answer after the other. It asks no participant, waits for
//! nothing and knows no transport, so every rule in it can be tested by calling it.

mod context;

use std::{collections::BTreeMap, sync::Arc};

use hook_contract::{
    Answer, AnswerParts, Asker, Decision, HookEvent, HookOutcome, HookRequest, Json, OnFailure,
    Rewrite, ToolKnowledge,
};

use self::context::Contexts;
use crate::{Context, HookFailure, Identity, Question};

/// The call as the participants so far left it.
#[derive(Debug)]
pub(crate) struct Chain {
    question: Question,
    /// The participants that changed something, in order, with their reasons.
    rewriters: Vec<String>,
    /// The participants that ask for a person's agreement, in order.
    askers: Vec<Asker>,
    contexts: Contexts,
}

/// What one answer did to the chain.
#[derive(Debug)]
pub(crate) struct Advance {
    /// Nothing where the participant failed.
    pub(crate) decision: Option<Decision>,
    pub(crate) reason: Option<String>,
    pub(crate) failure: Option<HookFailure>,
    pub(crate) changed: Vec<String>,
    /// Whether the next participant is asked about another form than this one was.
    pub(crate) rewrote: bool,
    /// What the operator should know of what was left out.
    pub(crate) notes: Vec<String>,
    /// The outcome, when the chain ends here.
    pub(crate) end: Option<HookOutcome>,
}

impl Chain {
    pub(crate) fn new(
        request: Arc<HookRequest>,
        knowledge: Option<Arc<dyn ToolKnowledge>>,
    ) -> Self {
        Self {
            question: Question::about(request, knowledge),
            rewriters: Vec::new(),
            askers: Vec::new(),
            contexts: Contexts::default(),
        }
    }

    /// What the next participant is asked.
    pub(crate) fn question(&self) -> &Question {
        &self.question
    }

    /// The participants that ask for a person's agreement.
    pub(crate) fn askers(&self) -> &[Asker] {
        &self.askers
    }

    /// Takes one answer, or the lack of one.
    pub(crate) fn advance(
        &mut self,
        who: &Identity,
        on_failure: OnFailure,
        answer: Result<Answer, HookFailure>,
    ) -> Advance {
        let asks = matches!(&answer, Ok(answer) if answer.decision() == Decision::Ask);
        let taken = answer.and_then(|answer| self.take(who, answer));
        taken.unwrap_or_else(|failure| {
            // An ask that can be read is never turned into an allow, whatever else is wrong with it.
            let end = match on_failure {
                OnFailure::Allow if !asks => None,
                OnFailure::Allow | OnFailure::Deny => Some(HookOutcome::Deny(format!(
                    "denied, because {who} {}",
                    failure.for_model()
                ))),
            };
            Advance {
                decision: None,
                failure: Some(failure),
                end,
                ..Advance::of(Decision::Deny, None)
            }
        })
    }

    /// The outcome when no participant objected, and a person agrees where one was asked for.
    pub(crate) fn finish(&self) -> HookOutcome {
        if self.rewriters.is_empty() {
            return HookOutcome::Allow;
        }
        let reason = Some(self.rewriters.join("; "));
        let request = self.question.request();
        match &request.output {
            Some(output) if request.event == HookEvent::PostToolUse => HookOutcome::Replace {
                output: output.clone(),
                is_error: request.is_error.unwrap_or(false),
                reason,
            },
            _ => HookOutcome::Modify {
                input: request.input.clone(),
                reason,
            },
        }
    }

    /// The words for the model.
    pub(crate) fn into_contexts(self) -> Vec<Context> {
        self.contexts.into_all()
    }

    fn take(&mut self, who: &Identity, answer: Answer) -> Result<Advance, HookFailure> {
        let AnswerParts {
            decision,
            rewrite,
            reason,
            context,
            ..
        } = answer.into_parts();
        let (changed, rewrote) = match rewrite {
            None => (Vec::new(), false),
            Some(rewrite) => self.rewrite(decision, rewrite)?,
        };
        let notes = self.contexts.add(who, context).into_iter().collect();
        let mut advance = Advance {
            changed,
            rewrote,
            notes,
            ..Advance::of(decision, reason)
        };
        let reason = advance.reason.as_deref();
        match decision {
            Decision::Deny => {
                let reason = reason.filter(|reason| !reason.is_empty());
                advance.end = Some(HookOutcome::Deny(match reason {
                    Some(reason) => format!("denied by {who}: {reason}"),
                    None => format!("denied by {who}"),
                }));
            }
            Decision::Ask => self.ask(who, reason),
            Decision::Allow | Decision::Modify | Decision::Replace | _ => {}
        }
        let rewrites = matches!(decision, Decision::Modify | Decision::Replace);
        // The same form back, from a participant that is asked again, is agreement.
        let agrees = self.question.request().again && !rewrote;
        if rewrote || rewrites && !agrees {
            self.rewriters.push(match reason {
                Some(reason) if decision != Decision::Ask => format!("{who}: {reason}"),
                _ => who.to_string(),
            });
        }
        Ok(advance)
    }

    /// One participant's wish that a person decides. What it said before stays, and is not said twice.
    fn ask(&mut self, who: &Identity, reason: Option<&str>) {
        let asker = Asker::new(who.kind(), who.name());
        let asker = match reason {
            Some(reason) => asker.with_reason(reason),
            None => asker,
        };
        if !self.askers.contains(&asker) {
            self.askers.push(asker);
        }
    }

    /// Puts another form in place; gives the fields that changed, and whether it is another form at all.
    fn rewrite(
        &mut self,
        decision: Decision,
        rewrite: Rewrite,
    ) -> Result<(Vec<String>, bool), HookFailure> {
        let request = self.question.request();
        let event = request.event;
        let wrong_event = HookFailure::WrongEvent {
            decision: decision.as_str(),
            event,
        };
        match rewrite {
            Rewrite::Input(input) => {
                if event != HookEvent::PreToolUse {
                    return Err(wrong_event);
                }
                if !is_object(&input) {
                    let decision = decision.as_str();
                    return Err(HookFailure::InputNotAnObject { decision });
                }
                let input = passed_on(input, &request.input)?;
                let (changed, is_other) = difference(&request.input, &input);
                // What was made of the form is kept as long as it is written in the same way.
                if input.text() != request.input.text() {
                    self.change(|request| request.with_input(input));
                }
                Ok((changed, is_other))
            }
            Rewrite::Output {
                output, is_error, ..
            } => {
                let (HookEvent::PostToolUse, Some(before)) = (event, &request.output) else {
                    return Err(wrong_event);
                };
                let output = passed_on(output, before)?;
                let (changed, is_another) = difference(before, &output);
                let is_error = is_error.or(request.is_error).unwrap_or(false);
                let is_other = is_another || request.is_error != Some(is_error);
                if is_other || output.text() != before.text() {
                    self.change(|request| request.with_output(output, is_error));
                }
                Ok((changed, is_other))
            }
            _ => Err(wrong_event),
        }
    }

    fn change(&mut self, change: impl FnOnce(HookRequest) -> HookRequest) {
        let request = HookRequest::clone(self.question.request());
        self.question = self.question.with_request(Arc::new(change(request)));
    }

    /// Marks the question as one that is put again.
    pub(crate) fn ask_again(&mut self) {
        if !self.question.request().again {
            self.question = self.question.again();
        }
    }

    /// Lets go of what was made for participants: none is asked any more.
    pub(crate) fn rest(&mut self) {
        self.question = self.question.at_rest();
    }
}

impl Advance {
    fn of(decision: Decision, reason: Option<String>) -> Self {
        Self {
            decision: Some(decision),
            reason,
            failure: None,
            changed: Vec::new(),
            rewrote: false,
            notes: Vec::new(),
            end: None,
        }
    }
}

/// A rewrite as later participants will see it: with the digits of what it was made from, and one reading.
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

/// The members that differ between two objects, in alphabetical order, and whether the two values are different ones.
fn difference(before: &Json, after: &Json) -> (Vec<String>, bool) {
    let (Some(old), Some(new)) = (before.members(), after.members()) else {
        return (Vec::new(), before != after);
    };
    // One pass over each: a model may write an object of very many members.
    let mut pairs: BTreeMap<&str, (Option<&str>, Option<&str>)> = BTreeMap::new();
    for member in &old {
        pairs.entry(&member.name).or_default().0 = Some(member.value);
    }
    for member in &new {
        pairs.entry(&member.name).or_default().1 = Some(member.value);
    }
    let changed = pairs
        .into_iter()
        .filter(|(_, (before, after))| differ(*before, *after));
    let changed: Vec<_> = changed.map(|(name, _)| name.to_owned()).collect();
    let is_other = !changed.is_empty();
    (changed, is_other)
}

/// Whether two values are different ones; another order of members is no difference.
fn differ(before: Option<&str>, after: Option<&str>) -> bool {
    before != after && before.map(Json::parse) != after.map(Json::parse)
}

#[cfg(test)]
mod tests;
