//! The traits of the types here that the page names, checked by the compiler.

use std::sync::Arc;

use hook_config::{HookConfigError, HooksConfig, HooksFile, HooksSource};
use hook_contract::{
    HookCall, HookEvent, HookOutcome, HookRequest, HookSpec, Interceptor, OnFailure,
};
use hook_runner::HookRunner;
use hook_wire::HookResponse;

/// Bounds in the words of the page.
mod bound {
    pub(super) use std::{
        clone::Clone,
        cmp::{Eq, Ord, PartialEq},
        default::Default,
        error::Error,
        fmt::{Debug, Display},
        hash::Hash,
        marker::{Copy, Sync},
    };

    pub(super) use hook_contract::Interceptor;
    pub(super) use serde::{Serialize, de::DeserializeOwned as Deserialize};
}

/// The names of the traits of each type. It compiles only when the types have them.
macro_rules! proved {
    ($($shown:literal = $type:ty: $($of:ident),+;)+) => {
        pub(crate) const PROVED: &[(&str, &[&str])] = &[$(($shown, {
            const fn holds<T: Send + bound::Sync + ?Sized $(+ bound::$of)+>() {}
            holds::<$type>();
            &[$(stringify!($of)),+]
        })),+];
    };
}

proved! {
    "HookEvent" = HookEvent: Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, Hash, Ord, Display;
    "HookCall" = HookCall: Debug, Clone, PartialEq, Eq;
    "HookRequest" = HookRequest: Debug, Clone, PartialEq, Serialize, Deserialize;
    "HookOutcome" = HookOutcome: Debug, Clone, PartialEq, Serialize;
    "HookResponse" = HookResponse: Debug, Clone, PartialEq, Serialize, Deserialize;
    "OnFailure" = OnFailure: Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, Hash, Display;
    "HookSpec" = HookSpec: Debug, Clone, PartialEq, Eq, Hash;
    "HooksFile" = HooksFile: Debug, Clone, PartialEq, Eq, Default;
    "HooksConfig" = HooksConfig: Debug, Clone, PartialEq, Eq, Default;
    "HooksSource" = HooksSource: Debug, Clone, PartialEq, Eq;
    "HookConfigError" = HookConfigError: Debug, Error;
    "HookRunner" = HookRunner: Debug, Clone;
    "Box<T>" = Box<dyn Interceptor>: Interceptor;
    "Arc<T>" = Arc<dyn Interceptor>: Interceptor;
}
