//! What Codex did.
