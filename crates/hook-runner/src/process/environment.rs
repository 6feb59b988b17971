//! The environment a program is started with: a baseline, what the embedder adds, and a depth.
//!
//! It starts empty. No credential reaches a hook because it happened to stand in the parent's
//! environment (spec 04).

mod apart;

use std::{
    env,
    ffi::{CString, OsStr, OsString},
    os::unix::ffi::{OsStrExt, OsStringExt},
    path::PathBuf,
};

use super::start_error::StartError;

/// The variables that every program gets, where the host has them. Of the rest it gets none, unless the host says so.
///
/// For a host that keeps a runner: with other values of these, it would ask programs that see something else.
///
/// ```
/// use hook_runner::BASELINE;
///
/// let values = || BASELINE.map(|name| (name, std::env::var_os(name)));
/// let when_the_runner_was_built = values();
/// assert_eq!(values(), when_the_runner_was_built, "otherwise a new runner is built");
/// ```
pub const BASELINE: [&str; 10] = [
    "PATH", "HOME", "TMPDIR", "TMP", "TEMP", "LANG", "LC_ALL", "TZ", "USER", "LOGNAME",
];

/// How deep in hooks that start agents that run hooks a program is.
const DEPTH_VARIABLE: &str = "HOOKCHAIN_DEPTH";

/// The depth at which nothing is started any more.
const MAX_DEPTH: u32 = 8;

/// A program's environment, made once for all starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Environment {
    /// `NAME=value` of each variable, in the order of their names.
    variables: Result<Vec<CString>, Flaw>,
    /// The directories of the program's own `PATH` that a bare name is looked for in.
    search_path: Vec<PathBuf>,
}

/// Why nothing can be started with this environment.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Flaw {
    /// A variable the embedder added cannot be one.
    Name(String),
    /// The depth limit is reached, or the depth cannot be read.
    Depth(String),
}

impl Environment {
    /// Takes the baseline and the `inherited` variables from this process, then the `added` ones.
    pub(crate) fn new(inherited: &[OsString], added: &[(OsString, OsString)]) -> Self {
        Self::from_lookup(inherited, added, own_variable)
    }

    /// Takes what `keep` says of everything that this process has, then the `added` ones.
    pub(crate) fn inheriting(
        keep: impl Fn(&OsStr, &OsStr) -> bool,
        added: &[(OsString, OsString)],
    ) -> Self {
        let mut given = own_variables();
        given.retain(|(name, value)| keep(name, value));
        given.extend_from_slice(added);
        Self::from_lookup(&[], &given, |name| {
            // The depth is this process's own; the baseline is among what was kept, or was not to be.
            (name == DEPTH_VARIABLE).then(|| own_variable(name))?
        })
    }

    /// The same with these as well, in place of those of the same names. `PATH` and the depth stay.
    pub(crate) fn plus(&self, added: &[(OsString, OsString)]) -> Self {
        let mut environment = self.clone();
        let added = added
            .iter()
            .filter(|(name, _)| name != "PATH" && name != DEPTH_VARIABLE);
        for (name, value) in added {
            environment.variables = environment
                .variables
                .and_then(|variables| put(variables, name, value));
        }
        environment
    }

    fn from_lookup(
        inherited: &[OsString],
        added: &[(OsString, OsString)],
        lookup: impl Fn(&OsStr) -> Option<OsString>,
    ) -> Self {
        let mut pairs: Vec<(OsString, OsString)> = BASELINE
            .iter()
            .map(OsString::from)
            .chain(inherited.iter().cloned())
            .filter_map(|name| lookup(&name).map(|value| (name, value)))
            .chain(added.iter().cloned())
            .filter(|(name, _)| name != DEPTH_VARIABLE)
            .collect();
        // The last mention of a name counts; a stable sort keeps the order of mentions.
        pairs.sort_by(|(a, _), (b, _)| a.cmp(b));
        pairs.reverse();
        pairs.dedup_by(|(a, _), (b, _)| a == b);
        pairs.reverse();
        let search_path = narrow_path(&mut pairs);
        let variables =
            next_depth(lookup(OsStr::new(DEPTH_VARIABLE)).as_deref()).and_then(|depth| {
                pairs.push((DEPTH_VARIABLE.into(), depth.to_string().into()));
                pairs
                    .iter()
                    .map(|(name, value)| variable(name, value))
                    .collect()
            });
        Self {
            variables,
            search_path,
        }
    }

    /// `NAME=value` of each variable.
    pub(super) fn variables(&self) -> Result<&[CString], StartError> {
        match &self.variables {
            Ok(variables) => Ok(variables),
            Err(Flaw::Name(name)) => Err(StartError::Unusable {
                what: format!("the environment variable {name:?} holds a `=` or a NUL byte"),
            }),
            Err(Flaw::Depth(depth)) => Err(StartError::Recursion {
                depth: depth.clone(),
                limit: MAX_DEPTH,
            }),
        }
    }

    /// Where a bare name is looked for.
    pub(super) fn search_path(&self) -> &[PathBuf] {
        &self.search_path
    }
}

/// Leaves the absolute entries of `PATH`, and says which they are.
///
/// An empty or relative entry means the working directory, which is the workspace: a repository could plant a program
/// there. Taking them out of the variable as well keeps what the program itself looks up safe, such as the
/// interpreter behind `#!/usr/bin/env`. A `PATH` of which nothing is left is not set, because an empty one means the
/// working directory too.
fn narrow_path(pairs: &mut Vec<(OsString, OsString)>) -> Vec<PathBuf> {
    let Some(index) = pairs.iter().position(|(name, _)| name == "PATH") else {
        return Vec::new();
    };
    let (name, path) = pairs.remove(index);
    let kept: Vec<_> = env::split_paths(&path)
        .filter(|directory| directory.is_absolute())
        .collect();
    // What was split can be joined.
    if let Some(path) = env::join_paths(&kept).ok().filter(|path| !path.is_empty()) {
        pairs.insert(index, (name, path));
    }
    kept
}

fn variable(name: &OsStr, value: &OsStr) -> Result<CString, Flaw> {
    let flaw = || Flaw::Name(name.to_string_lossy().into_owned());
    if name.is_empty() || name.as_bytes().contains(&b'=') {
        return Err(flaw());
    }
    let mut text = name.to_owned().into_vec();
    text.push(b'=');
    text.extend_from_slice(value.as_bytes());
    CString::new(text).map_err(|_nul| flaw())
}

/// Puts a variable among the others, in place of one of the same name.
fn put(mut variables: Vec<CString>, name: &OsStr, value: &OsStr) -> Result<Vec<CString>, Flaw> {
    let given = variable(name, value)?;
    let is_same = |old: &CString| {
        let rest = old.as_bytes().strip_prefix(name.as_bytes());
        rest.is_some_and(|rest| rest.starts_with(b"="))
    };
    variables.retain(|old| !is_same(old));
    variables.push(given);
    Ok(variables)
}

/// The depth a program started here has; this process's own stands in its environment.
fn next_depth(own: Option<&OsStr>) -> Result<u32, Flaw> {
    let Some(own) = own else {
        return Ok(1);
    };
    let own = own.to_string_lossy();
    match own.parse::<u32>() {
        Ok(depth) if depth < MAX_DEPTH => Ok(depth + 1),
        _ => Err(Flaw::Depth(own.into_owned())),
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the one place that reads the host's environment for programs"
)]
fn own_variable(name: &OsStr) -> Option<OsString> {
    // A name with `=` or NUL is no variable; asking for one panics on some systems.
    let bytes = name.as_bytes();
    if bytes.is_empty() || bytes.contains(&b'=') || bytes.contains(&0) {
        return None;
    }
    env::var_os(name)
}

#[expect(
    clippy::disallowed_methods,
    reason = "the one place that reads the host's environment for programs"
)]
fn own_variables() -> Vec<(OsString, OsString)> {
    env::vars_os().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn host(pairs: &'static [(&str, &str)]) -> impl Fn(&OsStr) -> Option<OsString> {
        move |name| {
            let found = pairs.iter().find(|(have, _)| *have == name);
            found.map(|(_, value)| OsString::from(value))
        }
    }

    fn shown(environment: &Environment) -> Vec<&str> {
        let variables = environment.variables().expect("usable");
        variables
            .iter()
            .map(|variable| variable.to_str().expect("text"))
            .collect()
    }

    #[test]
    fn only_the_baseline_what_is_inherited_and_what_is_added_gets_through() {
        let environment = Environment::from_lookup(
            &["SSH_AUTH_SOCK".into(), "ABSENT".into()],
            &[("LANG".into(), "C".into()), ("MODE".into(), "x=y".into())],
            host(&[
                ("PATH", "/usr/bin"),
                ("LANG", "de_DE"),
                ("SSH_AUTH_SOCK", "/s"),
                ("AWS_SECRET_ACCESS_KEY", "hunter2"),
            ]),
        );
        assert_eq!(
            shown(&environment),
            [
                "LANG=C",
                "MODE=x=y",
                "PATH=/usr/bin",
                "SSH_AUTH_SOCK=/s",
                "HOOKCHAIN_DEPTH=1"
            ]
        );
    }

    #[test]
    fn a_bare_name_is_never_looked_for_in_the_working_directory() {
        let environment =
            Environment::from_lookup(&[], &[], host(&[("PATH", ":/usr/bin:.:bin::/bin:")]));
        let expected = [PathBuf::from("/usr/bin"), PathBuf::from("/bin")];
        assert_eq!(environment.search_path(), expected);
    }

    #[test]
    fn a_program_cannot_look_in_the_working_directory_either() {
        let given = |path| {
            let added = [("PATH".into(), OsString::from(path))];
            let environment = Environment::from_lookup(&[], &added, host(&[("LANG", "C")]));
            shown(&environment).join(" ")
        };
        let mixed = given(":/usr/bin:.:bin::/opt/a b:");
        assert_eq!(mixed, "LANG=C PATH=/usr/bin:/opt/a b HOOKCHAIN_DEPTH=1");
        for nothing_left in ["", ".", "::", "bin:../bin"] {
            assert_eq!(given(nothing_left), "LANG=C HOOKCHAIN_DEPTH=1");
        }
    }

    #[test]
    fn each_level_of_hooks_inside_hooks_is_counted_and_the_eighth_starts_nothing() {
        let depth = |own| next_depth(Some(OsStr::new(own)));
        assert_eq!(next_depth(None), Ok(1));
        assert_eq!(depth("7"), Ok(8));
        for over in ["8", "9", "-1", "", "many"] {
            assert_eq!(depth(over), Err(Flaw::Depth(over.into())));
        }
        let nested = Environment::from_lookup(&[], &[], host(&[("HOOKCHAIN_DEPTH", "8")]));
        let error = nested.variables().expect_err("too deep");
        assert!(error.to_string().contains("recursion"), "{error}");
    }

    #[test]
    fn the_depth_cannot_be_reset_by_what_the_embedder_adds() {
        let added = [(DEPTH_VARIABLE.into(), "0".into())];
        let environment = Environment::from_lookup(
            &[DEPTH_VARIABLE.into()],
            &added,
            host(&[("HOOKCHAIN_DEPTH", "3")]),
        );
        assert_eq!(shown(&environment), ["HOOKCHAIN_DEPTH=4"]);
    }

    #[test]
    fn of_everything_the_host_has_only_what_is_wanted_gets_through() {
        let environment = Environment::inheriting(
            |name, value| name == "PATH" && !value.is_empty(),
            &[("MODE".into(), "x".into())],
        );
        let shown = shown(&environment);
        let names: Vec<_> = shown
            .iter()
            .filter_map(|variable| variable.split('=').next())
            .collect();
        assert_eq!(names, ["MODE", "PATH", "HOOKCHAIN_DEPTH"]);
    }

    #[test]
    fn what_is_put_on_top_takes_the_place_of_what_was_there() {
        let environment =
            Environment::from_lookup(&[], &[("A".into(), "1".into())], host(&[("PATH", "/bin")]));
        let more = environment.plus(&[
            ("A".into(), "2".into()),
            ("AB".into(), "3".into()),
            ("PATH".into(), "/elsewhere".into()),
            (DEPTH_VARIABLE.into(), "0".into()),
        ]);
        assert_eq!(
            shown(&more),
            ["PATH=/bin", "HOOKCHAIN_DEPTH=1", "A=2", "AB=3"]
        );
        let unusable = more.plus(&[("A=B".into(), "x".into())]);
        assert!(unusable.variables().is_err());
    }

    #[test]
    fn a_name_that_cannot_be_one_starts_nothing() {
        for name in ["A=B", "", "A\0"] {
            let environment =
                Environment::from_lookup(&[], &[(name.into(), "x".into())], host(&[]));
            assert!(environment.variables().is_err(), "{name:?}");
        }
    }
}
