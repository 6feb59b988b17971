//! The in-process binding, and what a third-party transport implements.

use std::{error::Error, path::Path, sync::Arc, time::Duration};

use async_trait::async_trait;

use crate::{Answer, HookEvent, HookOutcome, HookRequest, HookSpec, OnFailure, Subject};

/// Why an interceptor could not answer, in words for the operator.
///
/// The chain reports it; what it means for the call is the interceptor's [`OnFailure`]. The model never reads it, because
/// such a text may hold a URL with a token or a piece of a service's answer: the model reads that no answer came.
///
/// ```
/// use hook_contract::InterceptorError;
///
/// fn limit(setting: &str) -> Result<u16, InterceptorError> {
///     if setting.is_empty() {
///         return Err("there is no limit; set one".into());
///     }
///     Ok(setting.parse()?)
/// }
///
/// assert_eq!(limit("").unwrap_err().to_string(), "there is no limit; set one");
/// assert_eq!(limit("many").unwrap_err().to_string(), "invalid digit found in string");
/// ```
pub type InterceptorError = Box<dyn Error + Send + Sync>;

/// A participant that runs inside the host's process.
///
/// A chain may ask one interceptor about any number of calls at once. An implementation must:
///
/// 1. return a name that stays the same, because denials and records name it;
/// 2. answer [`intercept`](Self::intercept) with allow, deny or modify, and
///    [`review`](Self::review) with allow, deny or replace; any other answer counts as a failure;
/// 3. return an error when it cannot decide: the chain denies then, unless [`on_failure`](Self::on_failure) says
///    otherwise, and names the participant. A panic is caught and means the same;
/// 4. expect to be dropped at any `.await`: when the turn that waits for it is cancelled, and at its
///    [`timeout`](Self::timeout);
/// 5. give the thread back while it waits. Code that blocks its thread cannot be cut: work that blocks belongs on a
///    thread of its own.
///
/// The same trait serves a transport that is not in the process at all, such as a policy service.
/// [`kind`](Self::kind) is how a denial then calls it. A method that an implementation leaves out keeps its default, so a
/// participant that was written for the first two methods alone works as it did.
///
/// ```
/// use hook_contract::{HookOutcome, HookRequest, Interceptor, InterceptorError, async_trait};
///
/// struct ReadOnly;
///
/// #[async_trait]
/// impl Interceptor for ReadOnly {
///     fn name(&self) -> &str {
///         "read-only"
///     }
///
///     async fn intercept(&self, call: &HookRequest) -> Result<HookOutcome, InterceptorError> {
///         Ok(match call.tool_name.as_str() {
///             "read_file" | "list_files" => HookOutcome::Allow,
///             tool => HookOutcome::deny(format!("{tool} could write; this session only reads")),
///         })
///     }
/// }
/// ```
#[async_trait]
pub trait Interceptor: Send + Sync {
    /// Who speaks: the name in denials, reports and records.
    fn name(&self) -> &str;

    /// What kind of participant this is, one lower-case word: a denial reads `denied by <kind> '<name>'`.
    fn kind(&self) -> &str {
        "interceptor"
    }

    /// Whether this participant is asked about calls of that subject. Called for every call, so it must cost no more than
    /// a comparison. Unless implemented: at the two tool events, about every tool.
    ///
    /// ```
    /// use hook_contract::{HookEvent, HookOutcome, HookRequest, Interceptor, InterceptorError, Subject, async_trait};
    ///
    /// struct ShellOnly;
    ///
    /// #[async_trait]
    /// impl Interceptor for ShellOnly {
    ///     fn name(&self) -> &str {
    ///         "shell-only"
    ///     }
    ///
    ///     fn applies_to(&self, subject: &Subject<'_>) -> bool {
    ///         subject.event == HookEvent::PreToolUse && subject.tool_name == "shell"
    ///     }
    ///
    ///     async fn intercept(&self, _call: &HookRequest) -> Result<HookOutcome, InterceptorError> {
    ///         Ok(HookOutcome::deny("no shell in this session"))
    ///     }
    /// }
    ///
    /// assert!(!ShellOnly.applies_to(&Subject::new(HookEvent::PreToolUse, "read_file")));
    /// ```
    fn applies_to(&self, subject: &Subject<'_>) -> bool {
        subject.event.is_tool_event()
    }

    /// What it means for the call when this participant fails: it returns an error, panics or does not answer in time.
    /// Unless implemented, the call is denied.
    fn on_failure(&self) -> OnFailure {
        OnFailure::Deny
    }

    /// How long one answer may take. `None`, unless implemented: as long as the host gives every interceptor, which is 5 s
    /// unless it says otherwise.
    ///
    /// The chain starts to count when the participant first waits, so an answer that comes at once costs no timer.
    fn timeout(&self) -> Option<Duration> {
        None
    }

    /// Decides about a call that has not run yet.
    ///
    /// # Errors
    ///
    /// When no decision could be made; what it means for the call is [`on_failure`](Self::on_failure).
    ///
    /// # Cancellation
    ///
    /// The future is dropped when the consultation is, and at the participant's timeout.
    async fn intercept(&self, call: &HookRequest) -> Result<HookOutcome, InterceptorError>;

    /// Decides what the model sees of a call that has run. Unless implemented, the result stands. A participant without it is
    /// asked about results and recorded with an allow all the same, unless [`applies_to`](Self::applies_to) says that it is not
    /// about them.
    ///
    /// # Errors
    ///
    /// When no decision could be made; what it means for the result is [`on_failure`](Self::on_failure).
    ///
    /// # Cancellation
    ///
    /// The future is dropped when the consultation is, and at the participant's timeout.
    async fn review(&self, result: &HookRequest) -> Result<HookOutcome, InterceptorError> {
        // Named so that the parameter reads well in documentation; keeping a result asks nothing of it.
        let _ = result;
        Ok(HookOutcome::Allow)
    }

    /// Says what the participant has to say, with everything that an outcome has no place for: an ask, and words for the
    /// model. Unless implemented, it is what [`intercept`](Self::intercept) or [`review`](Self::review) decides.
    ///
    /// A participant that implements it writes
    /// `self.answer(call).await.map(Answer::without_a_person)` as its `intercept` (and its `review`, if it is asked after
    /// calls): a wrapper of an older contract then turns an ask into a denial and never loses it.
    ///
    /// ```
    /// use hook_contract::{Answer, HookOutcome, HookRequest, Interceptor, InterceptorError, async_trait};
    ///
    /// struct AskBeforeDeploy;
    ///
    /// #[async_trait]
    /// impl Interceptor for AskBeforeDeploy {
    ///     fn name(&self) -> &str {
    ///         "deploys"
    ///     }
    ///
    ///     async fn intercept(&self, call: &HookRequest) -> Result<HookOutcome, InterceptorError> {
    ///         self.answer(call).await.map(Answer::without_a_person)
    ///     }
    ///
    ///     async fn answer(&self, call: &HookRequest) -> Result<Answer, InterceptorError> {
    ///         let command = call.input["command"].as_str().unwrap_or_default();
    ///         Ok(if command.starts_with("make deploy") {
    ///             Answer::ask("this deploys to production")
    ///         } else {
    ///             Answer::allow()
    ///         })
    ///     }
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// When no decision could be made; what it means is [`on_failure`](Self::on_failure).
    ///
    /// # Cancellation
    ///
    /// The future is dropped when the consultation is, and at the participant's timeout.
    async fn answer(&self, call: &HookRequest) -> Result<Answer, InterceptorError> {
        let outcome = match call.event {
            HookEvent::PreToolUse => self.intercept(call).await,
            HookEvent::PostToolUse => self.review(call).await,
        };
        outcome.map(Answer::from)
    }
}

/// Forwards every method: a wrapper that left one to its default would silence a participant.
macro_rules! forward_interceptor {
    ($($pointer:ident),+) => {$(
        #[async_trait]
        impl<T: Interceptor + ?Sized> Interceptor for $pointer<T> {
            fn name(&self) -> &str {
                (**self).name()
            }

            fn kind(&self) -> &str {
                (**self).kind()
            }

            fn applies_to(&self, subject: &Subject<'_>) -> bool {
                (**self).applies_to(subject)
            }

            fn on_failure(&self) -> OnFailure {
                (**self).on_failure()
            }

            fn timeout(&self) -> Option<Duration> {
                (**self).timeout()
            }

            async fn intercept(&self, call: &HookRequest) -> Result<HookOutcome, InterceptorError> {
                (**self).intercept(call).await
            }

            async fn review(&self, result: &HookRequest) -> Result<HookOutcome, InterceptorError> {
                (**self).review(result).await
            }

            async fn answer(&self, call: &HookRequest) -> Result<Answer, InterceptorError> {
                (**self).answer(call).await
            }
        }
    )+};
}

forward_interceptor!(Box, Arc);

/// Makes a participant of an entry of a hooks file, for a transport that a host registers under a key.
///
/// The entry says which tools it is about, what its failure means and how long it may take; the chain sees to all three.
/// The factory reads the transport's own settings ([`HookSpec::config`]) and connects nothing yet: it runs while a runner
/// is built.
///
/// A function with these parameters is one:
///
/// ```
/// use std::{path::Path, sync::Arc};
///
/// use hook_contract::{
///     HookOutcome, HookRequest, HookSpec, Interceptor, InterceptorError, TransportFactory, async_trait,
/// };
/// use serde_json::json;
///
/// struct Always(String);
///
/// #[async_trait]
/// impl Interceptor for Always {
///     fn name(&self) -> &str {
///         &self.0
///     }
///
///     async fn intercept(&self, _call: &HookRequest) -> Result<HookOutcome, InterceptorError> {
///         Ok(HookOutcome::deny("always"))
///     }
/// }
///
/// fn always(spec: &HookSpec, _workspace: &Path) -> Result<Arc<dyn Interceptor>, InterceptorError> {
///     Ok(Arc::new(Always(spec.name.clone())))
/// }
///
/// let spec = HookSpec::over("no", "always", json!({}));
/// assert_eq!(always.connect(&spec, Path::new("/repo"))?.name(), "no");
/// # Ok::<(), InterceptorError>(())
/// ```
pub trait TransportFactory: Send + Sync {
    /// The participant that the entry declares. `workspace` is the absolute root of the runner.
    ///
    /// # Errors
    ///
    /// When the entry's settings are wrong; the text says what to write instead. The runner is not built then.
    fn connect(
        &self,
        spec: &HookSpec,
        workspace: &Path,
    ) -> Result<Arc<dyn Interceptor>, InterceptorError>;
}

impl<F> TransportFactory for F
where
    F: Fn(&HookSpec, &Path) -> Result<Arc<dyn Interceptor>, InterceptorError> + Send + Sync,
{
    fn connect(
        &self,
        spec: &HookSpec,
        workspace: &Path,
    ) -> Result<Arc<dyn Interceptor>, InterceptorError> {
        self(spec, workspace)
    }
}

#[cfg(test)]
mod tests;
