//! A declared hook that this runner cannot reach.

use hook_contract::{HookSpec, Subject, async_trait};

use crate::{BuildProblem, HookFailure, Identity, Participant, Question, Reply};

/// Stands in the place of a declared hook that could not be built, and denies what the hook would have been asked about.
///
/// A guard that is declared and cannot be reached must never be taken for a guard that is not there, whatever its own
/// `on_failure` says.
pub(crate) struct Unbuilt {
    identity: Identity,
    spec: HookSpec,
    why: String,
}

impl Unbuilt {
    pub(crate) fn new(problem: &BuildProblem) -> Self {
        let spec = HookSpec::clone(&problem.hook);
        Self {
            identity: Identity::declared("hook", &spec),
            why: problem.kind.to_string(),
            spec,
        }
    }
}

#[async_trait]
impl Participant for Unbuilt {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    /// Without the kinds of tools, a hook that names kinds could be about any of them.
    fn applies_to(&self, subject: &Subject<'_>) -> bool {
        let of_any_tool = self.spec.kinds.is_some() && self.spec.event == subject.event;
        of_any_tool || self.spec.concerns(subject)
    }

    fn declaration(&self) -> Option<&HookSpec> {
        Some(&self.spec)
    }

    async fn ask(&self, _question: &Question) -> Reply {
        HookFailure::Unbuilt(self.why.clone()).into()
    }
}
