//! A hook with the loop in Rust that denies, while everything around it prints that the call may happen.
//!
//! `serving` waits for each answer, `serving async` awaits it.

use std::{env, process::Command};

use hook_wire::{HookRequest, HookResponse, ServeError, serve, serve_async};

fn main() -> Result<(), ServeError> {
    if env::args().nth(1).is_none() {
        return serve(|request| judge(&request));
    }
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    let hook = serve_async(async |request| judge(&request));
    runtime.expect("a runtime").block_on(hook)
}

#[expect(clippy::print_stdout, reason = "a library may do so unasked")]
fn judge(request: &HookRequest) -> HookResponse {
    const ALLOW: &str = r#"{"decision":"allow"}"#;
    println!("{ALLOW}");
    let mut shell = Command::new("/bin/sh");
    let ended = shell.args(["-c", &format!("cat; echo '{ALLOW}'")]).status();
    let well = ended.is_ok_and(|status| status.success());
    HookResponse::deny(format!("{} {well}", request.tool_call_id))
}
