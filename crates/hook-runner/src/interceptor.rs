//! An interceptor as a participant of the chain.

use std::{
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use hook_contract::{
    Answer, HookSpec, Interceptor, InterceptorError, OnFailure, Subject, async_trait,
};

use crate::{HookFailure, Identity, Origin, Participant, Question, Reply, TimeLimit};

/// Adapts an interceptor of the host: it says itself which calls it is about and what its failure means.
pub(crate) struct InProcess<T> {
    identity: Identity,
    interceptor: T,
}

impl<T: Interceptor> InProcess<T> {
    pub(crate) fn new(interceptor: T) -> Self {
        let identity = Identity::new(
            interceptor.kind().to_owned(),
            interceptor.name(),
            Origin::Host,
        );
        Self {
            identity,
            interceptor,
        }
    }
}

impl<T: Interceptor> Participant for InProcess<T> {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn applies_to(&self, subject: &Subject<'_>) -> bool {
        self.interceptor.applies_to(subject)
    }

    fn on_failure(&self) -> OnFailure {
        self.interceptor.on_failure()
    }

    fn time_limit(&self) -> TimeLimit {
        let own = self.interceptor.timeout();
        own.map_or(TimeLimit::OfHost, TimeLimit::After)
    }

    fn ask<'life0, 'life1, 'async_trait>(
        &'life0 self,
        question: &'life1 Question,
    ) -> Pin<Box<dyn Future<Output = Reply> + Send + 'async_trait>>
    where
        'life0: 'async_trait,
        'life1: 'async_trait,
        Self: 'async_trait,
    {
        Box::pin(Answering(self.interceptor.answer(question.request())))
    }
}

/// An interceptor at work.
///
/// A future of its own: what async code keeps between two steps would be most of what a question costs.
struct Answering<'a>(Pin<Box<dyn Future<Output = Result<Answer, InterceptorError>> + Send + 'a>>);

impl Future for Answering<'_> {
    type Output = Reply;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Reply> {
        let answered = self.0.as_mut().poll(cx);
        answered.map(|answer| Reply::new(answer.map_err(HookFailure::Interceptor)))
    }
}

/// Adapts an interceptor that a transport made of a declared hook: the entry says which calls it is about, what its failure
/// means and how long it may take.
pub(crate) struct Declared {
    identity: Identity,
    spec: HookSpec,
    interceptor: Arc<dyn Interceptor>,
}

impl Declared {
    pub(crate) fn new(spec: HookSpec, interceptor: Arc<dyn Interceptor>) -> Self {
        Self {
            identity: Identity::declared(spec.transport.key().to_owned(), &spec),
            spec,
            interceptor,
        }
    }
}

#[async_trait]
impl Participant for Declared {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn applies_to(&self, subject: &Subject<'_>) -> bool {
        self.spec.concerns(subject)
    }

    fn on_failure(&self) -> OnFailure {
        self.spec.on_failure
    }

    fn time_limit(&self) -> TimeLimit {
        TimeLimit::After(self.spec.timeout())
    }

    fn wants_facts(&self) -> bool {
        self.spec.facts
    }

    fn declaration(&self) -> Option<&HookSpec> {
        Some(&self.spec)
    }

    async fn ask(&self, question: &Question) -> Reply {
        let request = if self.spec.facts {
            question.known()
        } else {
            question.request()
        };
        let answer = self.interceptor.answer(request).await;
        Reply::new(answer.map_err(HookFailure::Interceptor))
    }
}

#[cfg(test)]
mod tests;
