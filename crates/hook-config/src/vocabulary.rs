//! The closed vocabularies of a hooks file.

use hook_contract::{HookEvent, HookMode, OnFailure};

use crate::RecordCapture;

/// A closed vocabulary: the words a field of a hooks file may hold.
pub(crate) trait Word: Copy + Eq + 'static {
    /// The field that holds the word.
    const FIELD: &'static str;
    /// Every word.
    const ALL: &'static [Self];
    /// What people write who come from other tools, folded as [`hook_source::fold`] does.
    const HABITS: &'static [(&'static str, Self)];

    /// The word as it is written.
    fn word(self) -> &'static str;
}

impl Word for HookEvent {
    const FIELD: &'static str = "event";
    const ALL: &'static [Self] = Self::ALL;
    const HABITS: &'static [(&'static str, Self)] = &[
        ("pre", Self::PreToolUse),
        ("before", Self::PreToolUse),
        ("beforetool", Self::PreToolUse),
        ("beforetooluse", Self::PreToolUse),
        ("beforetoolcall", Self::PreToolUse),
        ("pretool", Self::PreToolUse),
        ("pretoolcall", Self::PreToolUse),
        ("post", Self::PostToolUse),
        ("after", Self::PostToolUse),
        ("aftertool", Self::PostToolUse),
        ("aftertooluse", Self::PostToolUse),
        ("aftertoolcall", Self::PostToolUse),
        ("posttool", Self::PostToolUse),
        ("posttoolcall", Self::PostToolUse),
        ("posttoolusefailure", Self::PostToolUse),
    ];

    fn word(self) -> &'static str {
        self.as_str()
    }
}

impl Word for OnFailure {
    const FIELD: &'static str = "on_failure";
    const ALL: &'static [Self] = &Self::ALL;
    const HABITS: &'static [(&'static str, Self)] = &[
        ("abort", Self::Deny),
        ("block", Self::Deny),
        ("closed", Self::Deny),
        ("error", Self::Deny),
        ("fail", Self::Deny),
        ("failclosed", Self::Deny),
        ("reject", Self::Deny),
        ("stop", Self::Deny),
        ("continue", Self::Allow),
        ("failopen", Self::Allow),
        ("ignore", Self::Allow),
        ("open", Self::Allow),
        ("pass", Self::Allow),
        ("skip", Self::Allow),
        ("warn", Self::Allow),
    ];

    fn word(self) -> &'static str {
        self.as_str()
    }
}

impl Word for HookMode {
    const FIELD: &'static str = "mode";
    const ALL: &'static [Self] = &Self::ALL;
    const HABITS: &'static [(&'static str, Self)] = &[
        ("command", Self::Oneshot),
        ("once", Self::Oneshot),
        ("process", Self::Oneshot),
        ("single", Self::Oneshot),
        ("spawn", Self::Oneshot),
        ("daemon", Self::Worker),
        ("keepalive", Self::Worker),
        ("persistent", Self::Worker),
        ("server", Self::Worker),
        ("service", Self::Worker),
    ];

    fn word(self) -> &'static str {
        self.as_str()
    }
}

impl Word for RecordCapture {
    const FIELD: &'static str = "capture";
    const ALL: &'static [Self] = &Self::ALL;
    const HABITS: &'static [(&'static str, Self)] = &[
        ("hash", Self::Digests),
        ("hashes", Self::Digests),
        ("none", Self::Digests),
        ("sha256", Self::Digests),
        ("masked", Self::Redacted),
        ("all", Self::Full),
        ("everything", Self::Full),
        ("raw", Self::Full),
    ];

    fn word(self) -> &'static str {
        self.as_str()
    }
}

#[cfg(test)]
mod tests {
    use std::fmt;

    use super::*;
    use hook_source::fold;

    #[track_caller]
    fn check<W: Word + Default + fmt::Debug>() {
        assert_eq!(W::ALL.first(), Some(&W::default()));
        for (habit, _) in W::HABITS {
            assert_eq!(*habit, fold(habit), "listed as it is compared");
            assert!(W::ALL.iter().all(|word| fold(word.word()) != *habit));
        }
    }

    #[test]
    fn a_habit_is_never_one_of_the_words() {
        check::<HookEvent>();
        check::<OnFailure>();
        check::<HookMode>();
        check::<RecordCapture>();
    }
}
