//! A call as the chain is told of it.

use std::{
    fmt,
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, absolute},
    sync::Arc,
};

use hook_contract::HookCall;

/// The host's callback that adds what it knows of a call.
type Describe = dyn Fn(HookCall) -> HookCall + Send + Sync;

/// What the host adds to each call; nothing unless it says how.
#[derive(Clone, Default)]
pub(crate) struct Details(Option<Arc<Describe>>);

impl Details {
    pub(crate) fn by(describe: impl Fn(HookCall) -> HookCall + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(describe)))
    }

    /// The call with what the host adds. What mentra says of it stays as it is.
    pub(crate) fn add_to(&self, mut call: HookCall) -> Result<HookCall, Undescribed> {
        let Some(describe) = &self.0 else {
            return Ok(call);
        };
        let told = catch_unwind(AssertUnwindSafe(|| describe(call.clone())));
        let told = told.map_err(|_panic| Undescribed)?;
        call.cwd = told.cwd;
        call.session_id = told.session_id;
        call.extensions = told.extensions;
        Ok(call)
    }
}

impl fmt::Debug for Details {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Some(_) => "by the host",
            None => "none",
        })
    }
}

/// The host's callback panicked. The text goes on from "denied before any hook was asked: ".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Undescribed;

impl fmt::Display for Undescribed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the host's code that describes calls to hooks panicked")
    }
}

/// The call with the agent's directory, where that has an absolute form that is text.
pub(crate) fn in_directory(call: HookCall, directory: &Path) -> HookCall {
    match absolute(directory).ok().as_deref().and_then(Path::to_str) {
        Some(directory) => call.with_cwd(directory),
        None => call,
    }
}

#[cfg(test)]
mod tests {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt};

    use serde_json::json;

    use super::*;

    fn call() -> HookCall {
        HookCall::new("agent-1", "shell", "call-1", r#"{"command":"ls"}"#)
    }

    #[test]
    fn the_host_adds_details_and_changes_nothing_that_mentra_says() {
        let details = Details::by(|call| {
            let session = format!("session of {}", call.agent_id);
            let mut call = call.with_session_id(session);
            call.tool_name = "another".into();
            call.input_json = "{}".into();
            call.with_extensions(json!({"ticket": 7}))
        });
        let told = details.add_to(in_directory(call(), Path::new("/repo")));
        let expected = call()
            .with_cwd("/repo")
            .with_session_id("session of agent-1")
            .with_extensions(json!({"ticket": 7}));
        assert_eq!(told, Ok(expected));
        assert_eq!(Details::default().add_to(call()), Ok(call()));
    }

    #[test]
    fn a_directory_is_told_in_full_or_not_at_all() {
        let told = in_directory(call(), Path::new("below")).cwd;
        assert!(told.is_some_and(|cwd| cwd.starts_with('/') && cwd.ends_with("/below")));
        for untold in [OsStr::from_bytes(b"/\xff"), OsStr::new("")] {
            assert_eq!(in_directory(call(), Path::new(untold)).cwd, None);
        }
    }
}
