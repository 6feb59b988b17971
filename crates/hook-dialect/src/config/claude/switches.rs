//! Settings that switch hooks off.

use hook_source::{Diagnostic, Node};

use crate::config::{
    finding::{AtHome, Report},
    groups::wrong_type,
    not_run::WhyNotRun,
    origin::{Origin, Scope},
    source::Ground,
};

/// What one file, or all files together, say about switching hooks off.
#[derive(Clone, Debug, Default)]
pub(super) struct Switches {
    /// `disableAllHooks`, and where it stands.
    all: Option<(bool, Origin)>,
    /// Whether the same stands in a file of the organisation.
    managed_too: Option<(bool, Origin)>,
    /// What leaves the organisation's hooks alone: the name of the setting, and where it stands.
    managed_only: Option<(&'static str, Option<Origin>)>,
}

impl Switches {
    pub(super) fn read(report: &mut Report<'_>, ground: Ground<'_>, settings: &Node) -> Self {
        let managed = ground.scope == Scope::Managed;
        let origin = |report: &Report<'_>, node: &Node| ground.origin(report.line(node.span.start));
        // A wrong type was told with the other settings.
        let all = settings.get("disableAllHooks").and_then(|node| {
            let flag = node.flag()?;
            Some((flag, origin(report, node)))
        });
        let mut switches = Self {
            managed_too: all.clone().filter(|_| managed),
            all,
            managed_only: None,
        };
        if !managed {
            return switches;
        }
        if let Some(node) = settings.get("allowManagedHooksOnly") {
            let name = "allowManagedHooksOnly";
            // One that is malformed counts as true at home.
            if node.flag().is_none() {
                wrong_type(report, node, name, "a boolean", AtHome::Nothing);
            }
            let on = node.flag().unwrap_or(true);
            switches.managed_only = Some((name, on.then(|| origin(report, node))));
        }
        if let Some(node) = settings.get("strictPluginOnlyCustomization") {
            let parts = node.list().unwrap_or_default();
            let hooks = parts.iter().any(|part| part.text() == Some("hooks"));
            if hooks || node.flag() == Some(true) {
                let origin = Some(origin(report, node));
                switches.managed_only = Some(("strictPluginOnlyCustomization", origin));
            }
        }
        switches
    }

    /// Tells that hooks of higher ranks stay, whatever this file says.
    pub(super) fn tell_what_stays(&self, report: &mut Report<'_>, settings: &Node) {
        let node = settings.get("disableAllHooks");
        if let (Some((true, _)), Some(node)) = (&self.all, node) {
            let message = "`disableAllHooks` leaves the hooks of files that rank higher alone";
            let told = Diagnostic::warning("switch_of_a_lower_rank", message)
                .with_help("say it in your own settings to switch off your own hooks, too");
            report.add(&node.span, told, AtHome::SwitchesAllOff);
        }
    }

    /// All files together: of each switch, the value of the file that comes first in precedence.
    pub(super) fn of<'s>(files: impl Iterator<Item = &'s Self>) -> Self {
        let mut together = Self::default();
        let mut managed = None;
        // Files are listed with the organisation's first and then by rising precedence.
        for file in files {
            if let Some(said) = &file.managed_too {
                managed = Some(said.clone());
            }
            if file.all.is_some() && managed.is_none() {
                together.all.clone_from(&file.all);
            }
            if file.managed_only.is_some() {
                together.managed_only.clone_from(&file.managed_only);
            }
        }
        if managed.is_some() {
            together.all.clone_from(&managed);
        }
        together.managed_too = managed;
        together
    }

    /// Why hooks of that scope are not run.
    pub(super) fn why_not(&self, scope: Scope) -> Option<WhyNotRun> {
        let off = |switch, origin: &Origin| {
            let origin = origin.clone();
            Some(WhyNotRun::SwitchedOff { switch, origin })
        };
        let all = if scope == Scope::Managed {
            &self.managed_too
        } else {
            &self.all
        };
        if let Some((true, origin)) = all {
            return off("disableAllHooks", origin);
        }
        match &self.managed_only {
            Some((switch, Some(origin))) if scope != Scope::Managed => off(switch, origin),
            _ => None,
        }
    }
}
