//! JSON Schema 2020-12 of the hooks file.

use hook_contract::schema::document;
use schemars::Schema;
use serde_json::json;

use crate::file::FileModel;

/// The schema of a hooks file.
///
/// It accepts every file that loads, except that it cannot see keys written twice; and like the
/// reader it lets unknown fields pass, but it does not know which of them are misspellings.
#[must_use]
pub fn hooks_file() -> Schema {
    let example = json!({
        "schema": 1,
        "hooks": [
            {
                "name": "no-force-push",
                "command": ["./.basis/hooks/no-force-push.sh"],
                "tools": ["spawn"],
                "event": "pre_tool_use",
                "timeout_ms": 5000,
                "on_failure": "deny"
            },
            {
                "name": "no-secrets",
                "command": ["python3", ".basis/hooks/no_secrets.py"],
                "event": "post_tool_use",
                "mode": "worker"
            }
        ]
    });
    document::<FileModel<'static>>("hooks-file.v1", "Hooks file", vec![example])
}
