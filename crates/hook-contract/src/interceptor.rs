//! The in-process binding, and what a third-party transport implements.

use std::{error::Error, sync::Arc};

use async_trait::async_trait;

use crate::{HookOutcome, HookRequest};

/// Why an interceptor could not answer. The chain reports it and denies.
pub type InterceptorError = Box<dyn Error + Send + Sync>;

/// A participant that runs inside the host's process.
///
/// A chain may ask one interceptor about any number of calls at once. An implementation must:
///
/// 1. return a name that stays the same, because denials and records name it;
/// 2. answer [`intercept`](Self::intercept) with allow, deny or modify, and
///    [`review`](Self::review) with allow, deny or replace; any other answer counts as a failure;
/// 3. return an error when it cannot decide: the chain denies then, and says who failed. A panic is
///    caught and means the same;
/// 4. expect to be dropped at any `.await`, when the turn that waits for it is cancelled.
///
/// The same trait serves a transport that is not in the process at all, such as a policy service.
/// [`kind`](Self::kind) is how a denial then calls it.
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

    /// Decides about a call that has not run yet.
    ///
    /// # Errors
    ///
    /// When no decision could be made; the chain denies the call.
    ///
    /// # Cancellation
    ///
    /// The future is dropped when the consultation is.
    async fn intercept(&self, call: &HookRequest) -> Result<HookOutcome, InterceptorError>;

    /// Decides what the model sees of a call that has run. Unless implemented, the result stands.
    ///
    /// # Errors
    ///
    /// When no decision could be made; the chain withholds the result.
    ///
    /// # Cancellation
    ///
    /// The future is dropped when the consultation is.
    async fn review(&self, result: &HookRequest) -> Result<HookOutcome, InterceptorError> {
        // Named so that the parameter reads well in documentation; keeping a result asks nothing of it.
        let _ = result;
        Ok(HookOutcome::Allow)
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

            async fn intercept(&self, call: &HookRequest) -> Result<HookOutcome, InterceptorError> {
                (**self).intercept(call).await
            }

            async fn review(&self, result: &HookRequest) -> Result<HookOutcome, InterceptorError> {
                (**self).review(result).await
            }
        }
    )+};
}

forward_interceptor!(Box, Arc);

#[cfg(test)]
mod tests;
