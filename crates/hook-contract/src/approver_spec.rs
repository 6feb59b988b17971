//! A program that answers for a person, as an operator declares it. Nothing here starts it.

use std::{path::PathBuf, time::Duration};

/// How long a person has to answer through a program when the declaration does not say: ten minutes.
pub const DEFAULT_APPROVER_TIMEOUT: Duration = Duration::from_secs(600);

/// The program that puts a call to a person, and how long it may take: `approver` in the operator's own hooks file.
///
/// It is plain data; `hook-runner` starts the program.
///
/// ```
/// use std::time::Duration;
///
/// use hook_contract::ApproverSpec;
///
/// let approver = ApproverSpec::new(["./ask-in-chat", "--channel", "deploys"]);
/// assert_eq!(approver.timeout, Duration::from_secs(600));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct ApproverSpec {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// How long it may take for one answer, from [`MIN_HOOK_TIMEOUT`](crate::MIN_HOOK_TIMEOUT) to
    /// [`MAX_HOOK_TIMEOUT`](crate::MAX_HOOK_TIMEOUT).
    pub timeout: Duration,
    /// Where it is started, and where a program with a slash in it is looked for: the folder of the file that declares it,
    /// as an absolute path. Without such a file it is `.`, the folder that the process is in.
    pub directory: PathBuf,
}

impl ApproverSpec {
    /// This command, with everything else at its default.
    #[must_use]
    pub fn new<S: Into<String>>(command: impl IntoIterator<Item = S>) -> Self {
        Self {
            command: command.into_iter().map(Into::into).collect(),
            timeout: DEFAULT_APPROVER_TIMEOUT,
            directory: ".".into(),
        }
    }
}
