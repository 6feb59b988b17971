//! One question as it stands for the participant at hand.

use std::sync::{Arc, OnceLock};

use hook_contract::{HookRequest, ToolKnowledge};
use hook_wire::{EncodeError, RequestLine};

/// One question: the request, and its encodings.
///
/// What costs something is made when it is first wanted, and shared by every participant that is asked until one of them
/// rewrites the request.
///
/// ```
/// use hook_contract::{HookCall, HookEvent, HookRequest};
/// use hook_runner::Question;
///
/// let call = HookCall::new("agent-1", "shell", "call-1", "{}");
/// let question = Question::new(HookRequest::from_call(HookEvent::PreToolUse, "/repo".as_ref(), &call));
/// let (first, second) = (question.encoded().unwrap(), question.encoded().unwrap());
/// assert!(std::ptr::eq(first, second), "it is encoded once, for every participant");
/// ```
pub struct Question {
    request: Arc<HookRequest>,
    knowledge: Option<Arc<dyn ToolKnowledge>>,
    known: OnceLock<Arc<HookRequest>>,
    plain: OnceLock<Result<RequestLine, EncodeError>>,
    full: OnceLock<Result<RequestLine, EncodeError>>,
}

impl Question {
    /// The question about this request, of which nothing more is known.
    ///
    /// ```
    /// use std::path::Path;
    ///
    /// use hook_contract::{HookCall, HookEvent, HookRequest};
    /// use hook_runner::Question;
    ///
    /// let call = HookCall::new("agent-1", "shell", "call-1", "{}");
    /// let question = Question::new(HookRequest::from_call(HookEvent::PreToolUse, Path::new("/repo"), &call));
    /// assert_eq!(question.request().tool_name, "shell");
    /// assert_eq!(question.known().facts, None, "a runner without tools knows no facts");
    /// ```
    #[must_use]
    pub fn new(request: impl Into<Arc<HookRequest>>) -> Self {
        Self::about(request.into(), None)
    }

    /// The question about this request, of which the host knows this.
    pub(crate) fn about(
        request: Arc<HookRequest>,
        knowledge: Option<Arc<dyn ToolKnowledge>>,
    ) -> Self {
        Self {
            request,
            knowledge,
            known: OnceLock::new(),
            plain: OnceLock::new(),
            full: OnceLock::new(),
        }
    }

    /// The same question with another request.
    pub(crate) fn with_request(&self, request: Arc<HookRequest>) -> Self {
        Self::about(request, self.knowledge.clone())
    }

    /// The same question, asked again: with the mark, and with what is known of its form already.
    pub(crate) fn again(&self) -> Self {
        let again = |request: &HookRequest| Arc::new(request.clone().asked_again());
        let question = self.with_request(again(&self.request));
        if let (Some(known), true) = (self.known.get(), self.knowledge.is_some()) {
            // Nothing of it depends on how often a participant is asked.
            question.known.get_or_init(|| again(known));
        }
        question
    }

    /// The same question without its encodings, for a wait in which no participant is asked.
    pub(crate) fn at_rest(&self) -> Self {
        self.with_request(Arc::clone(&self.request))
    }

    /// What is asked.
    #[must_use]
    pub fn request(&self) -> &HookRequest {
        &self.request
    }

    pub(crate) const fn shared(&self) -> &Arc<HookRequest> {
        &self.request
    }

    /// What is asked, with what the host knows of the tool and of the call. Made once for each form of the call.
    #[must_use]
    pub fn known(&self) -> &HookRequest {
        self.known.get_or_init(|| match &self.knowledge {
            None => Arc::clone(&self.request),
            Some(knowledge) => {
                let tool = knowledge.tool(&self.request);
                let facts = knowledge.facts(&self.request);
                Arc::new(HookRequest::clone(&self.request).with_knowledge(tool, facts))
            }
        })
    }

    /// The request as one line of JSON, as it is written to a program: with the members that every program gets.
    ///
    /// # Errors
    ///
    /// When the request has no encoding: its workspace path is not UTF-8.
    pub fn encoded(&self) -> Result<&RequestLine, &EncodeError> {
        let encoded = self.plain.get_or_init(|| RequestLine::new(&self.request));
        encoded.as_ref()
    }

    /// The request as one line of JSON with everything that is known of the call, for a program whose entry asks for it.
    ///
    /// # Errors
    ///
    /// As [`encoded`](Self::encoded).
    pub fn encoded_with_facts(&self) -> Result<&RequestLine, &EncodeError> {
        let encoded = self
            .full
            .get_or_init(|| RequestLine::with_facts(self.known()));
        encoded.as_ref()
    }
}

impl std::fmt::Debug for Question {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Question")
            .field("request", &self.request)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
