//! What guards calls at home beside hooks, and is not looked at here.

use std::fmt;

use hook_source::Shown;

use super::origin::Origin;

/// How many plugins are named in a message.
const MOST_NAMED: usize = 8;

/// Something in an agent's settings that guards calls at home beside the hooks, and is not looked at here.
///
/// Shown as what it is and that it is not looked at, without the place.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Beside {
    /// The name of the agent ([`Dialect::name`](crate::Dialect::name)).
    pub dialect: &'static str,
    /// Where it is declared.
    pub origin: Origin,
    /// What it is.
    pub what: Guarding,
}

/// What guards calls at home beside the hooks of settings.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Guarding {
    /// Rules of `permissions`: how many deny, and how many ask.
    Permissions {
        /// How many rules deny.
        deny: usize,
        /// How many rules have a person asked.
        ask: usize,
    },
    /// Plugins that are enabled, by name. They can have hooks.
    Plugins(Vec<String>),
}

impl Guarding {
    /// One word for the kind, which does not change with the message.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Permissions { .. } => "permissions",
            Self::Plugins(_) => "plugins",
        }
    }

    /// Both, where they are of one kind.
    #[must_use]
    pub fn and(&self, other: &Self) -> Option<Self> {
        Some(match (self, other) {
            (
                Self::Permissions { deny, ask },
                Self::Permissions {
                    deny: more,
                    ask: further,
                },
            ) => Self::Permissions {
                deny: deny + more,
                ask: ask + further,
            },
            (Self::Plugins(names), Self::Plugins(others)) => {
                let mut names = names.clone();
                let more = others.iter().filter(|other| !names.contains(other));
                let more: Vec<String> = more.cloned().collect();
                names.extend(more);
                Self::Plugins(names)
            }
            (Self::Permissions { .. }, Self::Plugins(_))
            | (Self::Plugins(_), Self::Permissions { .. }) => {
                return None;
            }
        })
    }
}

fn rules(count: usize) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} rule{plural}")
}

impl fmt::Display for Guarding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Permissions { deny, ask } => {
                let denying = (*deny > 0).then(|| format!("{} to deny", rules(*deny)));
                let asking = (*ask > 0).then(|| format!("{} to ask", rules(*ask)));
                let said: Vec<String> = denying.into_iter().chain(asking).collect();
                write!(
                    f,
                    "`permissions` has {}, which are not looked at: hooks alone are asked here",
                    said.join(" and ")
                )
            }
            Self::Plugins(names) => {
                let shown = names.iter().take(MOST_NAMED);
                let shown: Vec<String> = shown.map(|name| format!("`{}`", Shown(name))).collect();
                let more = match names.len().saturating_sub(MOST_NAMED) {
                    0 => String::new(),
                    more => format!(" and {more} more"),
                };
                write!(
                    f,
                    "hooks of plugins are not asked here; enabled are {}{more}: write their hooks into the settings",
                    shown.join(", ")
                )
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_looked_at_is_counted_and_named() {
        let said = |deny, ask| Guarding::Permissions { deny, ask }.to_string();
        assert!(said(1, 0).starts_with("`permissions` has 1 rule to deny, which"));
        assert!(
            said(3, 1).starts_with("`permissions` has 3 rules to deny and 1 rule to ask, which")
        );
        let plugins =
            |names: &[&str]| Guarding::Plugins(names.iter().map(ToString::to_string).collect());
        let both = plugins(&["a@x", "b"]).and(&plugins(&["b", "c\u{1b}"]));
        let said = both.expect("of one kind").to_string();
        assert!(
            said.contains("enabled are `a@x`, `b`, `c\\u{1b}`:"),
            "{said}"
        );
        let many: Vec<String> = (0..11).map(|number| number.to_string()).collect();
        assert!(
            Guarding::Plugins(many)
                .to_string()
                .contains("`7` and 3 more:")
        );
        assert_eq!(
            plugins(&[]).and(&Guarding::Permissions { deny: 1, ask: 0 }),
            None
        );
    }
}
