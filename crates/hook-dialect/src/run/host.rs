//! Which variables the host has, by name.

use std::{
    cell::RefCell,
    collections::HashSet,
    ffi::{OsStr, OsString},
};

/// The names of the host's variables: those that hooks get, and those that stay.
#[derive(Debug, Default)]
pub(super) struct Host {
    handed_on: HashSet<OsString>,
    withheld: HashSet<OsString>,
}

/// The same, as it is found out.
#[derive(Debug, Default)]
pub(super) struct Noting(RefCell<Host>);

impl Noting {
    /// Notes a variable and whether it is withheld, and gives that back.
    pub(super) fn note(&self, name: &OsStr, withheld: bool) -> bool {
        let mut host = self.0.borrow_mut();
        let names = if withheld {
            &mut host.withheld
        } else {
            &mut host.handed_on
        };
        if !names.contains(name) {
            names.insert(name.to_owned());
        }
        withheld
    }

    pub(super) fn noted(self) -> Host {
        self.0.into_inner()
    }
}

impl Host {
    /// Whether hooks get a variable of this name from the host.
    pub(super) fn hands_on(&self, name: &str) -> bool {
        self.handed_on.contains(OsStr::new(name))
    }

    /// Whether the host has a variable of this name that hooks do not get.
    pub(super) fn withholds(&self, name: &str) -> bool {
        self.withheld.contains(OsStr::new(name))
    }
}
