//! What each field must be.

use crate::{
    Decision,
    decode::Decoding,
    dialect::{AnswerField, Honours, Null, Oddity, Refused},
};

/// What a field must be.
#[derive(Clone, Copy)]
pub(super) enum Shape {
    Text,
    Flag,
    Object,
    Array,
    /// Any value but `null`, which says nothing.
    Value,
    Word(&'static [Decision]),
}

const TOP: [AnswerField; 8] = [
    AnswerField::Continue,
    AnswerField::StopReason,
    AnswerField::SuppressOutput,
    AnswerField::SystemMessage,
    AnswerField::TerminalSequence,
    AnswerField::Decision,
    AnswerField::Reason,
    AnswerField::HookSpecificOutput,
];

const FLAGS: [AnswerField; 6] = [
    AnswerField::Continue,
    AnswerField::SuppressOutput,
    AnswerField::Interrupt,
    AnswerField::Retry,
    AnswerField::ReloadSkills,
    AnswerField::SuppressOriginalPrompt,
];

const REWRITES: [AnswerField; 2] = [AnswerField::UpdatedInput, AnswerField::PermittedInput];

const VALUES: [AnswerField; 3] = [
    AnswerField::UpdatedToolOutput,
    AnswerField::UpdatedMcpToolOutput,
    AnswerField::Content,
];

const ARRAYS: [AnswerField; 2] = [AnswerField::UpdatedPermissions, AnswerField::WatchPaths];

const JUDGED: &[Decision] = &[Decision::Allow, Decision::Deny];
const ASKED: &[Decision] = &[Decision::Allow, Decision::Deny, Decision::Ask];
const DEFERRED: &[Decision] = &[
    Decision::Allow,
    Decision::Deny,
    Decision::Ask,
    Decision::Defer,
];

/// The older words. A closed answer has the one for an allow only at an event that refuses it in words of its own.
fn older_words(decoding: &Decoding<'_>) -> &'static [Decision] {
    let is_closed = decoding.profile.dialect.answers.unknown_key == Oddity::Fails;
    if is_closed && !decoding.row.refused.contains(&Refused::Approve) {
        &[Decision::Block]
    } else {
        &[Decision::Approve, Decision::Block]
    }
}

impl Shape {
    pub(super) fn of(field: AnswerField, decoding: &Decoding<'_>) -> Self {
        // Where `null` is an absent value, whether a rewrite can be used is found out when it is.
        let any_rewrite = decoding.profile.dialect.answers.null == Null::Absent;
        if FLAGS.contains(&field) {
            Self::Flag
        } else if ARRAYS.contains(&field) {
            Self::Array
        } else if VALUES.contains(&field) || REWRITES.contains(&field) && any_rewrite {
            Self::Value
        } else if REWRITES.contains(&field) || field == AnswerField::HookSpecificOutput {
            Self::Object
        } else if field == AnswerField::Decision {
            Self::Word(older_words(decoding))
        } else if field == AnswerField::Behavior {
            Self::Word(JUDGED)
        } else if field != AnswerField::PermissionDecision {
            Self::Text
        } else if decoding.honours(Honours::DEFER) {
            Self::Word(DEFERRED)
        } else {
            Self::Word(ASKED)
        }
    }

    /// What it is, with its article.
    pub(super) const fn wanted(self) -> &'static str {
        match self {
            Self::Text => "a string",
            Self::Flag => "a boolean",
            Self::Object => "an object",
            Self::Array => "an array",
            Self::Value => "a value",
            Self::Word(_) => "a word",
        }
    }
}

impl AnswerField {
    /// Whether it stands at the top of an answer.
    pub(crate) fn is_top(self) -> bool {
        TOP.contains(&self)
    }

    /// Its name where it stands.
    pub(super) fn short_name(self) -> &'static str {
        let name = self.name();
        name.rsplit('.').next().unwrap_or(name)
    }

    /// Whether it stands in a verdict on a request for permission.
    pub(super) fn in_verdict(self) -> bool {
        self.name().starts_with("decision.")
    }
}
