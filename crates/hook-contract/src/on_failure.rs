//! What the failure of a participant means for the call.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What it means when a hook cannot answer: it is missing, it crashes, it is too slow, or it says something that is
/// no answer.
///
/// ```
/// use hook_contract::OnFailure;
///
/// assert_eq!(OnFailure::default(), OnFailure::Deny);
/// assert_eq!(OnFailure::Allow.to_string(), "allow");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[expect(
    clippy::exhaustive_enums,
    reason = "code that runs hooks must act on each"
)]
pub enum OnFailure {
    /// The call is refused, as if the hook had denied it. A guard that could not speak has cleared nothing.
    #[default]
    Deny,
    /// The hook is passed over, as if it had allowed the call. For observers, which have no say.
    Allow,
}

impl OnFailure {
    /// Every policy.
    pub const ALL: [Self; 2] = [Self::Deny, Self::Allow];

    /// The word in the hooks file.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Deny => "deny",
            Self::Allow => "allow",
        }
    }
}

impl fmt::Display for OnFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_policy_is_written_as_it_is_read() {
        for policy in OnFailure::ALL {
            let written = serde_json::to_value(policy).expect("a word");
            assert_eq!(written, policy.to_string());
            assert_eq!(
                serde_json::from_value::<OnFailure>(written).ok(),
                Some(policy)
            );
        }
    }
}
