//! Licences, bans, sources and advisories of the dependencies; `deny.toml` says what is allowed.

use crate::{
    Result,
    command::{cargo, has_subcommand, on_build_server, output, succeed},
};

/// How cargo-deny begins to say that it has no list of advisories.
const NO_LIST: &str = "failed to fetch advisory database";

/// Whether it ran; it is no part of a Rust toolchain, so it may be absent.
pub(crate) fn run() -> Result<bool> {
    if !has_subcommand("deny") {
        println!("skipped: cargo-deny is not installed");
        return Ok(false);
    }
    succeed(cargo().args(["deny", "check", "bans", "licenses", "sources"]))?;
    match output(cargo().args(["deny", "check", "advisories"])) {
        Err(error) if error.to_string().contains(NO_LIST) && !on_build_server() => {
            println!("advisories: skipped, because their list cannot be fetched from here");
        }
        checked => drop(checked?),
    }
    Ok(true)
}
