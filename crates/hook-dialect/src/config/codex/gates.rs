//! Settings that switch hooks off.

use hook_source::Node;

use crate::config::{
    not_run::WhyNotRun,
    origin::{Origin, Scope},
    source::DialectSource,
};

/// What decides whether hooks are run at all.
#[derive(Default)]
pub(super) struct Gates {
    /// What leaves the organisation's hooks alone, and where it stands.
    managed_only: Option<Origin>,
    /// What switches hooks off, and where it stands.
    off: Option<Origin>,
    /// Whether the organisation has said whether hooks are on.
    pinned: bool,
}

impl Gates {
    /// What the settings say together, lowest precedence first but for the organisation's, which come before all.
    pub(super) fn of<'l>(settings: impl Iterator<Item = (&'l DialectSource, &'l Node)>) -> Self {
        let mut gates = Self::default();
        for (source, node) in settings {
            gates.add(source, node);
        }
        gates
    }

    fn add(&mut self, source: &DialectSource, node: &Node) {
        let origin = |node: &Node| {
            let before = source.text.get(..node.span.start).unwrap_or_default();
            let line = before.matches('\n').count() + 1;
            Origin::new(source.scope, source.path.clone(), line)
        };
        let managed = source.scope == Scope::Managed;
        if let Some(only) = node.get("allow_managed_hooks_only").filter(|_| managed) {
            // One that is malformed is an error; where errors are none, it counts as set.
            self.managed_only = only.flag().unwrap_or(true).then(|| origin(only));
        }
        let features = node.get("features");
        let feature = ["hooks", "codex_hooks"]
            .iter()
            .find_map(|name| features?.get(name));
        if let Some(feature) = feature.filter(|_| managed || !self.pinned) {
            self.pinned |= managed;
            self.off = (feature.flag() == Some(false)).then(|| origin(feature));
        }
    }

    pub(super) fn why_not(&self, scope: Scope) -> Option<WhyNotRun> {
        let own = matches!(scope, Scope::Managed | Scope::System);
        let only = self.managed_only.as_ref().filter(|_| !own);
        let off = self.off.as_ref().map(|origin| ("features.hooks", origin));
        let (switch, origin) = off.or(only.map(|origin| ("allow_managed_hooks_only", origin)))?;
        let origin = origin.clone();
        Some(WhyNotRun::SwitchedOff { switch, origin })
    }
}
