//! A declared hook that this runner cannot reach.

use hook_contract::{HookEvent, HookSpec, OnFailure, async_trait};

use crate::{Answer, HookFailure, Identity, Participant, Question};

/// Stands in the place of a declared hook that could not be built, and denies what the hook would have been asked about.
///
/// A guard that is declared and cannot be reached must never be taken for a guard that is not there, whatever its own
/// `on_failure` says.
pub(crate) struct Unbuilt {
    identity: Identity,
    spec: HookSpec,
}

impl Unbuilt {
    pub(crate) fn new(spec: HookSpec) -> Self {
        Self {
            identity: Identity::declared("hook", &spec),
            spec,
        }
    }
}

#[async_trait]
impl Participant for Unbuilt {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn applies_to(&self, event: HookEvent, tool_name: &str) -> bool {
        self.spec.applies_to(event, tool_name)
    }

    fn on_failure(&self) -> OnFailure {
        OnFailure::Deny
    }

    fn declaration(&self) -> Option<&HookSpec> {
        Some(&self.spec)
    }

    async fn ask(&self, _question: &Question) -> Answer {
        let key = self.spec.transport.key();
        HookFailure::Transport(format!(
            "is reached by the transport `{key}`, which this host does not have"
        ))
        .into()
    }
}
