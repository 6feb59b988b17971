//! Where programs run, and with what: in the workspace, or in a folder that the workspace has no say over.

use std::{
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};

use super::{
    Inspection, Program,
    environment::Environment,
    inspect::supplied_by_workspace,
    way::{came_along, leads_through},
};

/// Where programs run, and with what.
#[derive(Debug)]
pub(crate) struct Grounds {
    workspace: Arc<Path>,
    environment: Arc<Environment>,
    /// The folder that was asked for last, and what its programs get; most often there is only one.
    apart: Mutex<Option<Ground>>,
}

type Ground = (Arc<Path>, Arc<Environment>);

impl Grounds {
    pub(crate) fn new(workspace: Arc<Path>, environment: Environment) -> Arc<Self> {
        Arc::new(Self {
            workspace,
            environment: Arc::new(environment),
            apart: Mutex::default(),
        })
    }

    pub(crate) const fn workspace(&self) -> &Arc<Path> {
        &self.workspace
    }

    /// The working directory and the environment of a program that belongs to the folder, or to the workspace.
    pub(crate) fn of(&self, directory: Option<&Path>) -> Ground {
        let Some(directory) = directory else {
            return (Arc::clone(&self.workspace), Arc::clone(&self.environment));
        };
        let mut apart = self.apart.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((last, environment)) = &*apart
            && **last == *directory
        {
            return (Arc::clone(last), Arc::clone(environment));
        }
        let environment = self.environment.apart_from(&self.workspace, directory);
        let ground = (Arc::from(directory), Arc::new(environment));
        *apart = Some((Arc::clone(&ground.0), Arc::clone(&ground.1)));
        ground
    }

    /// Looks at the program of a command that belongs to the folder, or to the workspace. Starts nothing.
    pub(crate) fn inspect(&self, command: &[String], directory: Option<&Path>) -> Inspection {
        let (place, environment) = self.of(directory);
        let mut inspection = Program::new(command, place, environment).inspect();
        if let Some(directory) = directory {
            let workspace = came_along(&self.workspace, directory);
            if !leads_through(directory, &workspace) {
                supplied_by_workspace(&mut inspection, command, directory, &workspace);
            }
        }
        inspection
    }
}
