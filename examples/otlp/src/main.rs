//! Puts a call through the hooks of `examples/demo`, and sends the spans to a collector.
//!
//!     cargo run --manifest-path examples/otlp/Cargo.toml -- http://localhost:4318/v1/traces

use std::{env, error::Error, path::Path};

use hook_config::HooksConfig;
use hook_contract::HookCall;
use hook_runner::HookRunner;
use hookchain_otlp::{provider, subscriber, turn};

const LOCAL: &str = "http://localhost:4318/v1/traces";

fn main() -> Result<(), Box<dyn Error>> {
    let endpoint = env::args().nth(1).unwrap_or_else(|| LOCAL.into());
    let provider = provider(&endpoint)?;
    tracing::subscriber::set_global_default(subscriber(&provider))?;

    let demo = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../demo"));
    let loaded = hook_config::load(demo, &HooksConfig::new())?;
    let runner = HookRunner::new(demo, loaded.hooks);
    let call = HookCall::new(
        "agent-1",
        "shell",
        "call-1",
        r#"{"command":"git push --force"}"#,
    );
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let outcome = runtime.block_on(turn(&runner, &call));
    println!("{outcome:?}");
    // Sends what is still waiting.
    provider.shutdown()?;
    Ok(())
}
