//! The environment of a program that a workspace must not supply.

use std::{
    env,
    ffi::{CString, OsStr, OsString},
    os::unix::ffi::OsStrExt,
    path::{self, Path},
};

use super::{Environment, put};
use crate::process::way::{came_along, leads_through};

/// Where a program finds the workspace when it does not run there.
const WORKSPACE_VARIABLE: &str = "HOOKCHAIN_WORKSPACE";

/// Lists of folders, and of files, from which interpreters and the loader take code.
const LISTS: [&str; 13] = [
    "PATH",
    "CLASSPATH",
    "DYLD_FALLBACK_LIBRARY_PATH",
    "DYLD_FRAMEWORK_PATH",
    "DYLD_LIBRARY_PATH",
    "GEM_HOME",
    "GEM_PATH",
    "LD_LIBRARY_PATH",
    "NODE_PATH",
    "PERL5LIB",
    "PERLLIB",
    "PYTHONPATH",
    "RUBYLIB",
];

/// Variables that have interpreters, shells and the loader run code that the command does not name.
const STEERING: [&str; 27] = [
    "BASH_ENV",
    "BUN_OPTIONS",
    "DENO_DIR",
    "DYLD_INSERT_LIBRARIES",
    "ENV",
    "GCONV_PATH",
    "JAVA_TOOL_OPTIONS",
    "JDK_JAVA_OPTIONS",
    "LD_AUDIT",
    "LD_PRELOAD",
    "LUA_CPATH",
    "LUA_INIT",
    "LUA_PATH",
    "NODE_OPTIONS",
    "PERL5DB",
    "PERL5OPT",
    "PHPRC",
    "PHP_INI_SCAN_DIR",
    "PYTHONBREAKPOINT",
    "PYTHONHOME",
    "PYTHONSTARTUP",
    "PYTHONUSERBASE",
    "RUBYOPT",
    "SHELLOPTS",
    "ZDOTDIR",
    "_JAVA_OPTIONS",
    "BASHOPTS",
];

/// What shells take for functions begins so.
const FUNCTIONS: &[u8] = b"BASH_FUNC_";

impl Environment {
    /// The same for a program that belongs to `directory`, and whose code the workspace must not supply.
    ///
    /// Of `PATH` and its kin, entries that are relative or lead through the workspace are left out, and variables that make
    /// interpreters run further code are as well. `HOOKCHAIN_WORKSPACE` says where the workspace is. When the workspace
    /// holds the directory itself, whatever is in it is the business of the same owner, and nothing is left out.
    pub(crate) fn apart_from(&self, workspace: &Path, directory: &Path) -> Self {
        let absolute = path::absolute(workspace).unwrap_or_else(|_| workspace.to_owned());
        let told = [(WORKSPACE_VARIABLE.into(), absolute.into())];
        let mut environment = self.plus(&told);
        let folder = came_along(workspace, directory);
        if leads_through(directory, &folder) {
            return environment;
        }
        let is_apart = |entry: &Path| entry.is_absolute() && !leads_through(entry, &folder);
        environment.search_path.retain(|entry| is_apart(entry));
        environment.variables = environment.variables.and_then(|variables| {
            variables
                .into_iter()
                .try_fold(Vec::new(), |kept, variable| {
                    narrowed(kept, variable, &is_apart)
                })
        });
        environment
    }
}

/// Adds the variable, or what may stay of it.
fn narrowed(
    mut kept: Vec<CString>,
    variable: CString,
    is_apart: &impl Fn(&Path) -> bool,
) -> Result<Vec<CString>, super::Flaw> {
    let text = variable.as_bytes();
    let name_end = text.iter().position(|byte| *byte == b'=');
    let (name, value) = text.split_at(name_end.unwrap_or(text.len()));
    let is = |other: &&str| other.as_bytes() == name;
    if STEERING.iter().any(&is) || name.starts_with(FUNCTIONS) {
        return Ok(kept);
    }
    if !LISTS.iter().any(is) {
        kept.push(variable);
        return Ok(kept);
    }
    let value = OsStr::from_bytes(value.get(1..).unwrap_or_default());
    let entries: Vec<_> = env::split_paths(value)
        .filter(|entry| is_apart(entry))
        .collect();
    // What was split can be joined. A list of which nothing is left is not set: an empty one may mean the working directory.
    let list = env::join_paths(entries).unwrap_or_default();
    if list.is_empty() {
        return Ok(kept);
    }
    let name = OsString::from(OsStr::from_bytes(name));
    put(kept, &name, &list)
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::symlink, path::PathBuf};

    use super::*;

    /// A workspace, a folder beside it, and the environment apart from it.
    struct Place(tempfile::TempDir);

    impl Place {
        fn new() -> Self {
            let place = Self(tempfile::tempdir().expect("a folder"));
            for folder in ["ws/bin", "own", "bin"] {
                fs::create_dir_all(place.path(folder)).expect("a folder");
            }
            place
        }

        fn path(&self, relative: &str) -> PathBuf {
            let root = fs::canonicalize(self.0.path()).expect("a folder");
            root.join(relative)
        }

        fn apart(
            &self,
            directory: &str,
            variables: &[(&str, &str)],
        ) -> (Vec<String>, Vec<PathBuf>) {
            let root = self.path("").display().to_string();
            let added: Vec<_> = variables
                .iter()
                .map(|(name, value)| {
                    let value = value.replace("@/", &root);
                    (OsString::from(name), OsString::from(value))
                })
                .collect();
            let environment = Environment::from_lookup(&[], &added, |_| None);
            let apart = environment.apart_from(&self.path("ws"), &self.path(directory));
            let shown = apart.variables().expect("usable").iter();
            let shown = shown.map(|variable| variable.to_str().expect("text").replace(&root, "@/"));
            let shown = shown.filter(|variable| !variable.starts_with("HOOKCHAIN_DEPTH"));
            (shown.collect(), apart.search_path().to_vec())
        }
    }

    #[test]
    fn no_list_leads_through_the_workspace() {
        let place = Place::new();
        symlink(place.path("ws/bin"), place.path("link")).expect("a link");
        let (variables, search_path) = place.apart(
            "own",
            &[
                ("PATH", "@/ws/bin:@/bin:@/link:@/ws/not-yet:@/bin/../ws"),
                ("PYTHONPATH", "lib:@/ws/lib:@/own/lib:"),
                ("NODE_PATH", "@/ws/node_modules"),
                ("MODE", "@/ws"),
            ],
        );
        assert_eq!(
            variables,
            [
                "MODE=@/ws",
                "PATH=@/bin",
                "PYTHONPATH=@/own/lib",
                "HOOKCHAIN_WORKSPACE=@/ws"
            ]
        );
        assert_eq!(search_path, [place.path("bin")]);
    }

    #[test]
    fn no_variable_has_an_interpreter_run_further_code() {
        let place = Place::new();
        let steering: Vec<_> = STEERING.iter().map(|name| (*name, "/opt/x")).collect();
        let functions = [("BASH_FUNC_cat%%", "() { exit 0; }")];
        let (variables, _) = place.apart("own", &[&steering[..], &functions].concat());
        assert_eq!(variables, ["HOOKCHAIN_WORKSPACE=@/ws"]);
    }

    #[test]
    fn the_owner_of_a_folder_in_the_workspace_is_the_workspaces() {
        let place = Place::new();
        let (variables, search_path) = place.apart("ws/own", &[("PATH", "@/ws/bin:@/bin")]);
        assert_eq!(
            variables,
            ["PATH=@/ws/bin:@/bin", "HOOKCHAIN_WORKSPACE=@/ws"]
        );
        assert_eq!(search_path, [place.path("ws/bin"), place.path("bin")]);
    }
}
