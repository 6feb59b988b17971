//! JSON Schema 2020-12 of the hooks file.

use hook_contract::schema::document;
use schemars::Schema;
use serde_json::json;

use crate::file::FileModel;

/// The schema of a hooks file.
///
/// For editors, which it helps while the file is written; what counts is what the reader says. The
/// schema cannot see a key that stands twice or a field that is misspelt, and it takes `5000.0` for
/// an integer.
///
/// ```
/// let schema = hook_config::schema::hooks_file();
/// let schema = schema.as_value();
/// assert_eq!(schema["title"], "Hooks file");
/// assert_eq!(schema["properties"]["schema"]["const"], 1);
/// ```
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
