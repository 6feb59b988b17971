//! Random consultations against a model of the chain, any number of them.

use crate::{
    Result,
    command::{cargo, in_root, succeed, target},
};

/// Builds the soak and the programs it starts with optimisation, and runs it with these options.
pub(crate) fn run(options: &[&str]) -> Result {
    let mut build = cargo();
    build.args(["build", "--quiet", "--release"]);
    build.args(["--package", "hookchain-tests", "--bins"]);
    succeed(&mut build)?;
    succeed(in_root(target().join("release").join("soak")).args(options))
}
