//! What one participant says about a call: its decision, and words beside it.

mod members;
mod wire;

use crate::{Decision, HookOutcome, Json};

/// What one participant says about a call.
///
/// An answer is a decision, the rewrite that belongs to it, a reason, and words for the model beside it. The constructors
/// are the only way to make one, so that a `modify` always has an input and an `allow` never has one.
///
/// ```
/// use hook_contract::{Answer, Decision};
/// use serde_json::json;
///
/// let answer = Answer::ask("this deploys to production")
///     .with_context("the last deploy was two minutes ago");
/// assert_eq!(answer.decision(), Decision::Ask);
/// assert_eq!(answer.context(), ["the last deploy was two minutes ago"]);
///
/// let answer = Answer::modify(json!({"command": "git push"})).with_reason("dropped --force");
/// assert_eq!(answer.reason(), Some("dropped --force"));
/// ```
///
/// Written as JSON it is what a hook program prints; read from JSON it must be a whole answer. `hook_wire::decode_response`
/// reads what a program printed with more care: it keeps a denial whose other members are broken, and says what is wrong.
///
/// ```
/// use hook_contract::Answer;
///
/// let answer: Answer = serde_json::from_str(r#"{"decision":"deny","reason":"not here"}"#)?;
/// assert_eq!(answer, Answer::deny("not here"));
/// assert!(serde_json::from_str::<Answer>(r#"{"decision":"modify"}"#).is_err(), "no input");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    decision: Decision,
    rewrite: Option<Rewrite>,
    reason: Option<String>,
    context: Vec<String>,
}

/// What an answer puts in place of the call's input or of its result.
///
/// ```
/// use hook_contract::{Answer, Rewrite};
/// use serde_json::json;
///
/// let answer = Answer::ask("without --force?").with_rewrite(Rewrite::Input(json!({"command": "git push"}).into()));
/// assert!(matches!(answer.rewrite(), Some(Rewrite::Input(input)) if input["command"] == "git push"));
///
/// let answer = Answer::replace(json!("[redacted]"));
/// let Some(Rewrite::Output { output, is_error, .. }) = answer.rewrite() else { unreachable!() };
/// assert_eq!((output.text(), *is_error), ("\"[redacted]\"", None));
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Rewrite {
    /// The whole new input; a JSON object. Only before the call.
    Input(Json),
    /// The whole new result. Only after the call.
    #[non_exhaustive]
    Output {
        /// A JSON string for text, otherwise the value itself. `null` is a result too.
        output: Json,
        /// Whether the model is told that the tool failed; `None` leaves it as the tool left it.
        is_error: Option<bool>,
    },
}

impl Rewrite {
    /// Another result.
    #[must_use]
    pub fn output(output: impl Into<Json>, is_error: Option<bool>) -> Self {
        Self::Output {
            output: output.into(),
            is_error,
        }
    }
}

impl Answer {
    const fn new(decision: Decision, rewrite: Option<Rewrite>) -> Self {
        Self {
            decision,
            rewrite,
            reason: None,
            context: Vec::new(),
        }
    }

    /// No objection: the call, or its result, stays as it is.
    #[must_use]
    pub const fn allow() -> Self {
        Self::new(Decision::Allow, None)
    }

    /// The call does not happen; after it, its result is withheld. The reason is written for the model.
    #[must_use]
    pub fn deny(reason: impl Into<String>) -> Self {
        Self::new(Decision::Deny, None).with_reason(reason)
    }

    /// A denial that gives no reason: the model learns only which participant denied.
    #[must_use]
    pub const fn deny_without_reason() -> Self {
        Self::new(Decision::Deny, None)
    }

    /// A person has to agree. The reason is written for that person.
    #[must_use]
    pub fn ask(reason: impl Into<String>) -> Self {
        Self::new(Decision::Ask, None).with_reason(reason)
    }

    /// A request for a person's agreement that gives no reason.
    #[must_use]
    pub const fn ask_without_reason() -> Self {
        Self::new(Decision::Ask, None)
    }

    /// The call happens with this input, which must be a JSON object. Only before the call.
    #[must_use]
    pub fn modify(input: impl Into<Json>) -> Self {
        Self::new(Decision::Modify, Some(Rewrite::Input(input.into())))
    }

    /// The model sees this result, which leaves it a success or a failure as it was. Only after the call.
    #[must_use]
    pub fn replace(output: impl Into<Json>) -> Self {
        Self::new(Decision::Replace, Some(Rewrite::output(output, None)))
    }

    /// Gives the reason: for the model with a deny, for the person with an ask, for the audit trail otherwise.
    #[must_use]
    pub fn with_reason(mut self, reason: impl Into<String>) -> Self {
        self.reason = Some(reason.into());
        self
    }

    /// Gives the reason; the name of the seed for [`with_reason`](Self::with_reason).
    #[must_use]
    pub fn because(self, reason: impl Into<String>) -> Self {
        self.with_reason(reason)
    }

    /// Adds words for the model, delivered beside whatever comes of the call. At most 16 KiB of them are.
    ///
    /// So "lint after write" is an allow with context, and not a denial.
    #[must_use]
    pub fn with_context(mut self, context: impl Into<String>) -> Self {
        self.context.push(context.into());
        self
    }

    /// Says whether the model is told that the tool failed. An answer without another result has no place for it and
    /// stays as it is.
    #[must_use]
    pub fn with_is_error(mut self, failed: bool) -> Self {
        if let Some(Rewrite::Output { is_error, .. }) = &mut self.rewrite {
            *is_error = Some(failed);
        }
        self
    }

    /// Puts a rewrite beside an ask: the person is asked about the call in that form. An answer of any other decision
    /// stays as it is.
    #[must_use]
    pub fn with_rewrite(mut self, rewrite: Rewrite) -> Self {
        if self.decision == Decision::Ask {
            self.rewrite = Some(rewrite);
        }
        self
    }

    /// The word of the answer.
    #[must_use]
    pub const fn decision(&self) -> Decision {
        self.decision
    }

    /// The other input or the other result; always there with a modify and a replace, perhaps with an ask.
    #[must_use]
    pub const fn rewrite(&self) -> Option<&Rewrite> {
        self.rewrite.as_ref()
    }

    /// The reason, if one was given.
    #[must_use]
    pub fn reason(&self) -> Option<&str> {
        self.reason.as_deref()
    }

    /// Words for the model beside the decision, in the order in which they were given.
    #[must_use]
    pub fn context(&self) -> &[String] {
        &self.context
    }

    /// The parts of the answer, to be acted upon.
    #[must_use]
    pub fn into_parts(self) -> AnswerParts {
        let Self {
            decision,
            rewrite,
            reason,
            context,
        } = self;
        AnswerParts {
            decision,
            rewrite,
            reason,
            context,
        }
    }

    /// The outcome for a place that knows no person and no context: an ask becomes a deny.
    ///
    /// An interceptor that implements [`answer`](crate::Interceptor::answer) writes its `intercept` with it, so that a
    /// wrapper which forwards `intercept` alone never loses an ask.
    ///
    /// ```
    /// use hook_contract::{Answer, HookOutcome};
    ///
    /// let HookOutcome::Deny(reason) = Answer::ask("deploys").without_a_person() else { unreachable!() };
    /// assert!(reason.contains("deploys"));
    /// ```
    #[must_use]
    pub fn without_a_person(self) -> HookOutcome {
        let reason = self.reason;
        match (self.decision, self.rewrite) {
            (Decision::Modify, Some(Rewrite::Input(input))) => {
                HookOutcome::Modify { input, reason }
            }
            (Decision::Replace, Some(Rewrite::Output { output, is_error })) => {
                HookOutcome::Replace {
                    output,
                    is_error: is_error.unwrap_or(false),
                    reason,
                }
            }
            (Decision::Allow, _) => HookOutcome::Allow,
            (Decision::Ask, _) => HookOutcome::Deny(match reason {
                Some(reason) => {
                    format!("a person has to agree, and none can be asked here: {reason}")
                }
                None => "a person has to agree, and none can be asked here".to_owned(),
            }),
            (Decision::Deny | Decision::Modify | Decision::Replace, _) => {
                HookOutcome::Deny(reason.unwrap_or_default())
            }
        }
    }
}

/// The parts of an [`Answer`].
///
/// ```
/// use hook_contract::{Answer, Decision};
///
/// let parts = Answer::deny("not here").with_context("the staging branch is open").into_parts();
/// assert_eq!(parts.decision, Decision::Deny);
/// assert_eq!(parts.reason.as_deref(), Some("not here"));
/// assert_eq!(parts.context, ["the staging branch is open"]);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct AnswerParts {
    /// The word.
    pub decision: Decision,
    /// The other input or the other result.
    pub rewrite: Option<Rewrite>,
    /// The reason.
    pub reason: Option<String>,
    /// Words for the model.
    pub context: Vec<String>,
}

/// An outcome that a participant decided on, as its answer.
impl From<HookOutcome> for Answer {
    fn from(outcome: HookOutcome) -> Self {
        match outcome {
            HookOutcome::Allow => Self::allow(),
            HookOutcome::Deny(reason) => Self::deny(reason),
            HookOutcome::Modify { input, reason } => Self {
                reason,
                ..Self::modify(input)
            },
            HookOutcome::Replace {
                output,
                is_error,
                reason,
            } => Self {
                reason,
                ..Self::replace(output).with_is_error(is_error)
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_ask_is_never_lost_where_no_person_can_be_asked() {
        for ask in [
            Answer::ask("why"),
            Answer::ask_without_reason(),
            Answer::ask("why").with_rewrite(Rewrite::Input(json!({}).into())),
        ] {
            assert!(matches!(ask.without_a_person(), HookOutcome::Deny(_)));
        }
    }

    #[test]
    fn an_outcome_is_the_same_after_a_way_through_an_answer() {
        for outcome in [
            HookOutcome::Allow,
            HookOutcome::deny("no"),
            HookOutcome::modify(json!({"a": 1})).because("b"),
            HookOutcome::replace(json!("x"), true),
        ] {
            assert_eq!(Answer::from(outcome.clone()).without_a_person(), outcome);
        }
    }

    #[test]
    fn without_a_person_an_ask_is_a_denial_that_says_why() {
        let said = |answer: Answer| answer.without_a_person();
        assert_eq!(
            said(Answer::ask("this deploys").with_context("c")),
            HookOutcome::deny("a person has to agree, and none can be asked here: this deploys")
        );
        assert_eq!(
            said(Answer::ask_without_reason()),
            HookOutcome::deny("a person has to agree, and none can be asked here")
        );
        assert_eq!(said(Answer::deny_without_reason()), HookOutcome::deny(""));
        assert_eq!(
            said(Answer::replace(json!(1)).with_context("c")),
            HookOutcome::replace(json!(1), false)
        );
    }

    #[test]
    fn the_parts_are_the_answer() {
        let answer = Answer::ask("why")
            .with_rewrite(Rewrite::output(json!("x"), Some(true)))
            .with_context("one")
            .with_context("two");
        let parts = answer.clone().into_parts();
        assert_eq!(parts.decision, Decision::Ask);
        assert_eq!(parts.rewrite.as_ref(), answer.rewrite());
        assert_eq!(parts.reason.as_deref(), Some("why"));
        assert_eq!(parts.context, ["one", "two"]);
    }

    #[test]
    fn only_another_result_takes_a_flag() {
        for answer in [Answer::allow(), Answer::modify(json!({})), Answer::ask("a")] {
            assert_eq!(answer.clone().with_is_error(true), answer);
        }
        let ask = Answer::ask("a").with_rewrite(Rewrite::output(json!("x"), None));
        assert_eq!(
            ask.with_is_error(true).rewrite(),
            Some(&Rewrite::output(json!("x"), Some(true)))
        );
    }

    #[test]
    fn only_an_ask_takes_a_rewrite_beside_it() {
        let rewrite = Rewrite::Input(json!({}).into());
        assert_eq!(
            Answer::allow().with_rewrite(rewrite.clone()),
            Answer::allow()
        );
        assert!(Answer::ask("a").with_rewrite(rewrite).rewrite().is_some());
    }
}
