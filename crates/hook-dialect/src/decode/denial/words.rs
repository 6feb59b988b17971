//! The words in which hooks decide, of the agents that are read here and of others.

/// What decides, and how it says it. Names and words are in lower case, without what people vary.
#[derive(Debug)]
pub(in super::super) struct Words {
    /// The fields whose text decides.
    fields: &'static [&'static str],
    /// What such a text says.
    said: &'static [&'static str],
    /// Fields that decide by true or false.
    flags: &'static [(&'static str, bool)],
    /// Fields that say it by holding anything but `null`.
    holding: &'static [&'static str],
}

/// The fields of the agents that are read here.
const OWN: &[&str] = &["decision", "permissiondecision", "behavior"];

/// No.
pub(in super::super) const REFUSES: &Words = &Words {
    fields: OWN,
    said: &["deny", "block"],
    flags: &[],
    holding: &[],
};

/// That a person is to decide.
pub(in super::super) const ASKS: &Words = &Words {
    fields: OWN,
    said: &["ask", "defer"],
    flags: &[],
    holding: &[],
};

/// Yes.
pub(in super::super) const ALLOWS: &Words = &Words {
    fields: OWN,
    said: &["allow", "approve"],
    flags: &[],
    holding: &[],
};

/// No, as it is said to other agents and by other guards: one script is often written for several of them.
pub(in super::super) const REFUSES_ELSEWHERE: &Words = &Words {
    fields: &[
        "decision",
        "permissiondecision",
        "behavior",
        "permission",
        "action",
        "status",
        "verdict",
        "result",
        "outcome",
    ],
    said: &[
        "deny",
        "denied",
        "block",
        "blocked",
        "reject",
        "rejected",
        "refuse",
        "refused",
        "cancel",
        "cancelled",
        "canceled",
        "forbid",
        "forbidden",
        "disallow",
        "disallowed",
        "abort",
        "veto",
    ],
    flags: &[
        ("allow", false),
        ("allowed", false),
        ("approve", false),
        ("approved", false),
        ("ok", false),
        ("permit", false),
        ("permitted", false),
        ("proceed", false),
        ("block", true),
        ("blocked", true),
        ("deny", true),
        ("denied", true),
        ("cancel", true),
        ("cancelled", true),
        ("canceled", true),
        ("reject", true),
        ("rejected", true),
    ],
    holding: &[],
};

/// Another input for the tool.
pub(in super::super) const REWRITES: &Words = &Words {
    fields: &[],
    said: &[],
    flags: &[],
    holding: &["updatedinput"],
};

impl Words {
    /// Whether a text in that field says one of these.
    pub(super) fn are_said(&self, field: &str, text: &str) -> bool {
        self.fields.contains(&field) && self.said.contains(&text)
    }

    /// Whether that field says so by holding something.
    pub(super) fn are_held(&self, field: &str) -> bool {
        self.holding.contains(&field)
    }

    /// Whether true or false in that field says so.
    pub(super) fn are_meant(&self, field: &str, flag: bool) -> bool {
        self.flags.contains(&(field, flag))
    }
}
