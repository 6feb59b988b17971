//! The keys of a call, and what else people write for them.

use std::fmt;

/// A key of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    Event,
    AgentId,
    ToolCallId,
    ToolName,
    Input,
    Output,
    IsError,
}

/// How each is written; the first spelling of a key is the one to recommend.
const SPELLINGS: [(&str, Key); 8] = [
    ("event", Key::Event),
    ("agent_id", Key::AgentId),
    ("tool_call_id", Key::ToolCallId),
    ("tool_name", Key::ToolName),
    ("tool", Key::ToolName),
    ("input", Key::Input),
    ("output", Key::Output),
    ("is_error", Key::IsError),
];

/// What other tools call the same thing, in the form that [`plain`] gives.
const HABITS: [(&str, Key); 14] = [
    ("hookevent", Key::Event),
    ("hookeventname", Key::Event),
    ("agent", Key::AgentId),
    ("callid", Key::ToolCallId),
    ("tooluseid", Key::ToolCallId),
    ("args", Key::Input),
    ("arguments", Key::Input),
    ("inputjson", Key::Input),
    ("parameters", Key::Input),
    ("params", Key::Input),
    ("toolinput", Key::Input),
    ("result", Key::Output),
    ("tooloutput", Key::Output),
    ("toolresponse", Key::Output),
];

impl Key {
    /// The key of exactly this spelling.
    pub(crate) fn of(name: &str) -> Option<Self> {
        SPELLINGS
            .iter()
            .find(|(spelling, _)| *spelling == name)
            .map(|(_, key)| *key)
    }

    /// The key that was probably meant by another spelling. An optional key that is mistyped would otherwise be a key
    /// that is not there.
    pub(crate) fn meant_by(name: &str) -> Option<Self> {
        // A long name is nobody's slip, and comparing it would cost.
        if name.len() > 40 {
            return None;
        }
        let written = plain(name);
        let habit = HABITS.iter().find(|(habit, _)| *habit == written);
        let near = || {
            SPELLINGS
                .iter()
                .find(|(spelling, _)| is_near(&written, &plain(spelling)))
        };
        habit.or_else(near).map(|(_, key)| *key)
    }

    const fn as_str(self) -> &'static str {
        match self {
            Self::Event => "event",
            Self::AgentId => "agent_id",
            Self::ToolCallId => "tool_call_id",
            Self::ToolName => "tool_name",
            Self::Input => "input",
            Self::Output => "output",
            Self::IsError => "is_error",
        }
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

fn is_near(written: &str, spelling: &str) -> bool {
    let slips = if spelling.len() > 5 { 2 } else { 1 };
    strsim::damerau_levenshtein(written, spelling) <= slips
}

/// Without case and separators, which differ most between habits.
fn plain(name: &str) -> String {
    name.chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|character| character.to_ascii_lowercase())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_or_a_habit_is_recognised_and_anything_else_is_not() {
        let meant = |name| Key::meant_by(name).map(Key::as_str);
        for (name, expected) in [
            ("isError", Some("is_error")),
            ("is-error", Some("is_error")),
            ("toolName", Some("tool_name")),
            ("tol_name", Some("tool_name")),
            ("agnet_id", Some("agent_id")),
            ("Event", Some("event")),
            ("evnt", Some("event")),
            ("tool_input", Some("input")),
            ("ouput", Some("output")),
            ("tool_response", Some("output")),
            ("hook_schema", None),
            ("workspace", None),
            ("timestamp", None),
            ("session_id", None),
            ("\u{fc}", None),
        ] {
            assert_eq!(meant(name), expected, "{name}");
        }
    }
}
