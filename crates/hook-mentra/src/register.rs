//! Putting a chain on a runtime.

use std::sync::Arc;

use mentra::{
    Runtime, RuntimeBuilder, ToolAudience,
    runtime::{
        ExecutionHookParticipant, ExecutionHookRegistration, SharedExecutionHookRegistration,
        SharedHookRegistrationConflict,
    },
};

use crate::MentraHooks;

/// Where a chain stands among others: those put on with the builder come first, then live ones in the order in which they
/// were put on, whether for everybody or for one audience. So put the host's own guards on with the builder, and those of a
/// workspace when it is opened.
impl MentraHooks {
    /// Guards every agent of the runtime for as long as there is one.
    ///
    /// The one way that cannot be taken back by accident, and the only one that also holds for an agent nobody gave an
    /// audience.
    #[must_use]
    pub fn install(&self, builder: RuntimeBuilder) -> RuntimeBuilder {
        builder.with_execution_hooks([self.participant()])
    }

    /// Guards every agent of the runtime, those that exist included, until the registration is dropped.
    ///
    /// A call that has begun keeps its chain to the end.
    pub fn register(&self, runtime: &Runtime) -> ExecutionHookRegistration {
        runtime.register_execution_hooks([self.participant()])
    }

    /// Guards the agents of one audience until the registration is dropped: with one audience for each workspace, several
    /// workspaces share a runtime, each with its own chain.
    ///
    /// An agent spawned by one of them belongs to the same audience. An agent without an audience is not guarded by this.
    pub fn register_for(
        &self,
        runtime: &Runtime,
        audience: impl Into<ToolAudience>,
    ) -> ExecutionHookRegistration {
        runtime.register_execution_hooks_for_audience(audience.into(), [self.participant()])
    }

    /// Like [`register_for`](Self::register_for), once for all who ask for it: the chain is asked once for each call, and
    /// comes off when the last registration is dropped. For a workspace that is opened more than once.
    ///
    /// # Errors
    ///
    /// When the audience is guarded by another chain of the same name. Clone the first, or give the other another name.
    pub fn share_for(
        &self,
        runtime: &Runtime,
        audience: impl Into<ToolAudience>,
    ) -> Result<SharedExecutionHookRegistration, SharedHookRegistrationConflict> {
        let audience = audience.into();
        let key = format!("{}: {audience}", self.chain.name);
        runtime.register_execution_hooks_shared_for_audience(key, audience, [self.participant()])
    }

    /// The same allocation for every clone: by it, mentra knows that a shared chain is the same.
    fn participant(&self) -> Arc<dyn ExecutionHookParticipant> {
        Arc::clone(&self.chain) as Arc<dyn ExecutionHookParticipant>
    }
}
