//! Permissions and plugins, which guard calls beside hooks.

use std::collections::BTreeMap;

use hook_source::{Node, Value};

use crate::{
    Dialect,
    config::{
        beside::{Beside, Guarding},
        origin::{Origin, Scope},
    },
};

/// What the settings of one file say about permissions and plugins.
#[derive(Debug, Default)]
pub(super) struct Elsewhere {
    permissions: Option<(usize, usize, Origin)>,
    /// Each plugin with whether the file enables it.
    plugins: Vec<(String, bool)>,
    plugins_at: Option<Origin>,
}

impl Elsewhere {
    pub(super) fn read(settings: &Node, origin: impl Fn(&Node) -> Origin) -> Self {
        let permissions = settings.get("permissions").and_then(|node| {
            let rules = |name| node.get(name).and_then(Node::list).map_or(0, <[Node]>::len);
            let (deny, ask) = (rules("deny"), rules("ask"));
            (deny + ask > 0).then(|| (deny, ask, origin(node)))
        });
        let enabled = settings.get("enabledPlugins");
        let members = enabled.and_then(Node::members).unwrap_or_default();
        // Besides a boolean, a version or a list of versions stands there.
        let is_on = |node: &Node| !matches!(node.value, Value::Bool(false) | Value::Null);
        let of_members = members
            .iter()
            .map(|member| (member.name.clone(), is_on(&member.node)));
        let listed = enabled.and_then(Node::list).unwrap_or_default();
        let listed = listed
            .iter()
            .filter_map(|node| Some((node.text()?.to_owned(), true)));
        Self {
            permissions,
            plugins: of_members.chain(listed).collect(),
            plugins_at: enabled.map(origin),
        }
    }

    /// What the files say together, file by file; of each plugin, the file that comes first in precedence counts.
    pub(super) fn beside<'e>(
        files: impl Iterator<Item = (Scope, &'e Self)> + Clone,
    ) -> Vec<Beside> {
        let mut said: BTreeMap<&str, (bool, &Self)> = BTreeMap::new();
        // Files are listed with the organisation's first and then by rising precedence.
        let managed = files.clone().filter(|(scope, _)| *scope == Scope::Managed);
        let others = files.clone().filter(|(scope, _)| *scope != Scope::Managed);
        for (_, file) in others.chain(managed) {
            let plugins = file.plugins.iter();
            said.extend(plugins.map(|(name, on)| (&**name, (*on, file))));
        }
        let mut beside = Vec::new();
        let mut add = |origin: &Origin, what| {
            beside.push(Beside {
                dialect: Dialect::CLAUDE.name,
                origin: origin.clone(),
                what,
            });
        };
        for (_, file) in files {
            if let Some((deny, ask, origin)) = &file.permissions {
                let (deny, ask) = (*deny, *ask);
                add(origin, Guarding::Permissions { deny, ask });
            }
            let own = said
                .iter()
                .filter(|(_, (on, of))| *on && std::ptr::eq(*of, file));
            let names: Vec<String> = own.map(|(name, _)| (*name).to_owned()).collect();
            if let Some(origin) = file.plugins_at.as_ref().filter(|_| !names.is_empty()) {
                add(origin, Guarding::Plugins(names));
            }
        }
        beside
    }
}
