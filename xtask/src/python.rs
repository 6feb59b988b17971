//! The schemas as a validator in another language sees them.

use crate::{
    Result,
    command::{in_root, on_build_server, target},
};

const SCRIPT: &str = "tests/schema/validate.py";

/// With this status the script says that it could not even begin.
const CANNOT_BEGIN: i32 = 77;

/// Whether it ran; it needs a Python interpreter and one package, which a machine may not have.
pub(crate) fn validate() -> Result<bool> {
    let mut script = in_root("python3");
    script
        .arg(SCRIPT)
        .arg("--venv")
        .arg(target().join("schema-venv"));
    let missing = match script.status() {
        Ok(status) if status.success() => return Ok(true),
        Ok(status) if status.code() == Some(CANNOT_BEGIN) => "the package it needs".into(),
        Ok(status) => return Err(format!("{SCRIPT} ended with {status}").into()),
        Err(error) => format!("python3 ({error})"),
    };
    let message = format!("{SCRIPT} cannot run without {missing}");
    if on_build_server() {
        return Err(message.into());
    }
    println!("skipped: {message}");
    Ok(false)
}
