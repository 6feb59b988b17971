//! The published crate basis, asked the same questions.

#[cfg(feature = "peer")]
mod basis_runner {
    use std::path::Path;

    use basis::hooks::{
        HookCall, HookOutcome, HookRequest, HookRunner, HookSpec, Interceptor, InterceptorError,
    };
    use hookchain_bench::calls::Size;

    struct Agree(String);

    #[async_trait::async_trait]
    impl Interceptor for Agree {
        fn name(&self) -> &str {
            &self.0
        }

        async fn intercept(&self, _: &HookRequest) -> Result<HookOutcome, InterceptorError> {
            Ok(HookOutcome::Allow)
        }
    }

    /// A runner of the peer, and the call it is asked about.
    pub(crate) struct Peer {
        runner: HookRunner,
        call: HookCall,
    }

    impl Peer {
        pub(crate) fn with_program(program: &Path, size: Size) -> Option<Self> {
            let program = program.display().to_string();
            let runner = HookRunner::new("/", vec![HookSpec::new("hook", vec![program])]);
            Some(Self {
                runner,
                call: call(size),
            })
        }

        pub(crate) fn with_interceptors(count: usize, size: Size) -> Option<Self> {
            let runner = (0..count).fold(HookRunner::new("/", vec![]), |runner, number| {
                runner.with_interceptor(Agree(format!("agree-{number}")))
            });
            Some(Self {
                runner,
                call: call(size),
            })
        }

        pub(crate) async fn ask(&self) {
            let outcome = self.runner.decide_async(&self.call).await;
            assert!(matches!(outcome, HookOutcome::Allow), "{outcome:?}");
        }
    }

    fn call(size: Size) -> HookCall {
        HookCall::new("agent-1", "shell", "call-1", size.input())
    }
}

#[cfg(feature = "peer")]
pub(crate) use basis_runner::Peer;

#[cfg(not(feature = "peer"))]
pub(crate) use absent::Peer;

#[cfg(not(feature = "peer"))]
mod absent {
    use std::path::Path;

    use hookchain_bench::calls::Size;

    /// Nothing: the feature `peer` is off.
    pub(crate) enum Peer {}

    impl Peer {
        pub(crate) fn with_program(_program: &Path, _size: Size) -> Option<Self> {
            None
        }

        pub(crate) fn with_interceptors(_count: usize, _size: Size) -> Option<Self> {
            None
        }

        #[expect(clippy::unused_async, reason = "as the peer's own")]
        pub(crate) async fn ask(&self) {
            match *self {}
        }
    }
}
