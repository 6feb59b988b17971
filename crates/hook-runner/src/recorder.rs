//! Where records of each step go.

use std::sync::Arc;

use hook_contract::HookRequest;

use crate::{Consultation, Identity, Step};

/// Is told what happens in every consultation, as it happens.
///
/// Called on the consulting task: a recorder must hand its work on and return. Nothing it does can
/// change an outcome; a panic in it is caught and dropped. `consultation` tells consultations of
/// one process apart that run at the same time; a question and its answer are paired by it, the participant and the pass.
///
/// Every call is told of, also one that concerns no participant: [`Begun`](Recorded::Begun) first, then
/// [`Invoked`](Recorded::Invoked) and [`Answered`](Recorded::Answered) by turns for each participant that is asked, and at
/// the end exactly one of [`Concluded`](Recorded::Concluded) and [`Abandoned`](Recorded::Abandoned).
///
/// ```
/// use std::sync::atomic::{AtomicUsize, Ordering};
///
/// use hook_runner::{Recorded, Recorder};
///
/// #[derive(Default)]
/// struct Count(AtomicUsize);
///
/// impl Recorder for Count {
///     fn record(&self, event: Recorded<'_>) {
///         if let Recorded::Answered { .. } = event {
///             self.0.fetch_add(1, Ordering::Relaxed);
///         }
///     }
/// }
/// ```
pub trait Recorder: Send + Sync {
    /// Takes one event.
    fn record(&self, event: Recorded<'_>);
}

impl<T: Recorder + ?Sized> Recorder for Arc<T> {
    fn record(&self, event: Recorded<'_>) {
        (**self).record(event);
    }
}

/// What happens in a consultation.
///
/// ```
/// use std::sync::{Arc, Mutex};
///
/// use hook_contract::{HookCall, HookOutcome, HookSpec};
/// use hook_runner::{HookRunner, Recorded, Recorder};
///
/// #[derive(Default)]
/// struct Log(Mutex<Vec<String>>);
///
/// impl Recorder for Log {
///     fn record(&self, event: Recorded<'_>) {
///         let line = match event {
///             Recorded::Begun { request, .. } => format!("begun: {}", request.tool_name),
///             Recorded::Answered { step, .. } => format!("{}: {}", step.who, step.word()),
///             Recorded::Concluded { result, .. } => format!("concluded: {}", result.outcome.decision()),
///             _ => return,
///         };
///         self.0.lock().unwrap().push(line);
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let log = Arc::new(Log::default());
/// let guard = HookSpec::new("guard", ["sh", "-c", r#"echo '{"decision":"deny"}'"#]);
/// let runner = HookRunner::new("/", vec![guard]).with_recorder(Arc::clone(&log));
/// let call = HookCall::new("agent-1", "shell", "call-1", "{}");
/// assert!(matches!(runner.decide(&call).await, HookOutcome::Deny(_)));
/// assert_eq!(*log.0.lock().unwrap(), ["begun: shell", "hook 'guard': deny", "concluded: deny"]);
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Recorded<'a> {
    /// A call is about to be put through the chain.
    #[non_exhaustive]
    Begun {
        /// Which consultation it is.
        consultation: u64,
        /// The call as the runtime put it.
        request: &'a Arc<HookRequest>,
    },
    /// A participant is about to be asked.
    #[non_exhaustive]
    Invoked {
        /// Which consultation it is.
        consultation: u64,
        /// The participant.
        who: &'a Identity,
        /// 1, or more when it is asked again about the form that a lower rank left.
        pass: u8,
        /// The request as it is put.
        request: &'a Arc<HookRequest>,
    },
    /// A participant answered, or failed to.
    #[non_exhaustive]
    Answered {
        /// Which consultation it is.
        consultation: u64,
        /// What came of it; its request is kept.
        step: &'a Step,
    },
    /// The chain came to an end.
    #[non_exhaustive]
    Concluded {
        /// Which consultation it is.
        consultation: u64,
        /// What came of it.
        result: &'a Consultation,
    },
    /// The consultation was dropped before the chain came to an end. A participant that was invoked last and has not
    /// answered never will.
    #[non_exhaustive]
    Abandoned {
        /// Which consultation it is.
        consultation: u64,
    },
}

#[cfg(test)]
mod tests;
