//! Licences, bans, advisories and sources of the dependencies; `deny.toml` says what is allowed.

use crate::{
    Result,
    command::{cargo, has_subcommand, succeed},
};

/// Whether it ran; it is no part of a Rust toolchain, so it may be absent.
pub(crate) fn run() -> Result<bool> {
    if !has_subcommand("deny") {
        println!("skipped: cargo-deny is not installed");
        return Ok(false);
    }
    succeed(cargo().args(["deny", "check"]))?;
    Ok(true)
}
