//! Codes of findings that more than one place has to know.

/// A field is a note of a person to another.
pub(in crate::config) const NOTE: &str = "note";

/// A timeout looks like one in milliseconds.
pub(in crate::config) const MILLISECONDS: &str = "milliseconds";

/// A matcher names a tool of another agent.
pub(in crate::config) const FOREIGN_TOOL: &str = "foreign_tool";
