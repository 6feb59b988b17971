//! What Claude Code did.
