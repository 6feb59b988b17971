//! A hook that agrees to everything, one question or many.

use hook_wire::{HookRequest, HookResponse, ServeError, serve};

fn main() -> Result<(), ServeError> {
    serve(|request: HookRequest| {
        HookResponse::allow().because(format!("{} is fine", request.tool_name))
    })
}
