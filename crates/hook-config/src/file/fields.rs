//! The fields of a hooks file, and what people write instead of them.

use hook_source::{fold, nearest};

use crate::problem::ProblemKind;

/// The fields of the file.
pub(super) const TOP: &[&str] = &["$schema", "schema", "hooks", "record"];

/// The fields of an entry of `hooks`.
pub(super) const ENTRY: &[&str] = &[
    "name",
    "command",
    "tools",
    "event",
    "timeout_ms",
    "on_failure",
    "mode",
    "max_questions",
    "max_age_ms",
    "max_idle_ms",
];

/// The fields of `record`.
pub(super) const RECORD: &[&str] = &["dir", "capture", "chain", "keep_days", "keep_mib"];

/// What stands for a known field in other tools' files, folded as [`fold`] does. A name is listed
/// only when taking it for an unknown field would lose something the author relies on.
const TOP_HABITS: &[(&str, &str)] = &[
    ("aftertool", "hooks"),
    ("beforetool", "hooks"),
    ("hookslist", "hooks"),
    ("posttooluse", "hooks"),
    ("pretooluse", "hooks"),
    ("hookschema", "schema"),
    ("hooksschema", "schema"),
    ("schemaversion", "schema"),
    ("audit", "record"),
    ("recording", "record"),
];

const RECORD_HABITS: &[(&str, &str)] = &[
    ("directory", "dir"),
    ("folder", "dir"),
    ("path", "dir"),
    ("level", "capture"),
    ("chained", "chain"),
    ("days", "keep_days"),
    ("maxdays", "keep_days"),
    ("retention", "keep_days"),
    ("retentiondays", "keep_days"),
    ("keepbytes", "keep_mib"),
    ("maxbytes", "keep_mib"),
    ("maxmib", "keep_mib"),
];

const ENTRY_HABITS: &[(&str, &str)] = &[
    ("args", "command"),
    ("arguments", "command"),
    ("argv", "command"),
    ("bash", "command"),
    ("cmd", "command"),
    ("cmdline", "command"),
    ("commandline", "command"),
    ("exec", "command"),
    ("executable", "command"),
    ("program", "command"),
    ("run", "command"),
    ("script", "command"),
    ("shell", "command"),
    ("hooks", "command"),
    ("match", "tools"),
    ("matcher", "tools"),
    ("matchers", "tools"),
    ("toollist", "tools"),
    ("toolname", "tools"),
    ("toolnames", "tools"),
    ("hookevent", "event"),
    ("hookeventname", "event"),
    ("hook", "event"),
    ("on", "event"),
    ("phase", "event"),
    ("stage", "event"),
    ("trigger", "event"),
    ("when", "event"),
    ("deadline", "timeout_ms"),
    ("deadlinems", "timeout_ms"),
    ("timeout", "timeout_ms"),
    ("timeouts", "timeout_ms"),
    ("timeoutmillis", "timeout_ms"),
    ("timeoutmilliseconds", "timeout_ms"),
    ("timeoutsec", "timeout_ms"),
    ("timeoutsecs", "timeout_ms"),
    ("timeoutseconds", "timeout_ms"),
    ("continueonerror", "on_failure"),
    ("continueonfailure", "on_failure"),
    ("failclosed", "on_failure"),
    ("failopen", "on_failure"),
    ("failure", "on_failure"),
    ("failuremode", "on_failure"),
    ("failurepolicy", "on_failure"),
    ("ignoreerrors", "on_failure"),
    ("ignorefailure", "on_failure"),
    ("onerror", "on_failure"),
    ("onfail", "on_failure"),
    ("runmode", "mode"),
    ("maxcalls", "max_questions"),
    ("maxjobs", "max_questions"),
    ("maxrequests", "max_questions"),
    ("maxuses", "max_questions"),
    ("lifetime", "max_age_ms"),
    ("maxlifetime", "max_age_ms"),
    ("ttl", "max_age_ms"),
    ("idlems", "max_idle_ms"),
    ("idletimeout", "max_idle_ms"),
    ("idletimeoutms", "max_idle_ms"),
];

/// Words of their own that are a few letters from a known field and are not it.
const OTHER_WORDS: &[&str] = &["comment", "comments", "common", "model", "models"];

/// The fields of a hook that lose their meaning one level up. A name and a title belong to a file as
/// well.
const NOT_AT_TOP: &[&str] = &[
    "command",
    "tools",
    "event",
    "timeout_ms",
    "on_failure",
    "mode",
    "max_questions",
    "max_age_ms",
    "max_idle_ms",
];

/// What an unknown field of the file is, when it is a mistake.
pub(super) fn mistake_at_top(field: &str) -> Option<ProblemKind> {
    if let Some(intended) = intended(field, TOP, TOP_HABITS) {
        return Some(misspelt(field, intended));
    }
    let folded = fold(field);
    let of_a_hook = NOT_AT_TOP.iter().any(|known| fold(known) == folded);
    of_a_hook.then(|| ProblemKind::MisplacedField {
        field: field.to_owned(),
    })
}

/// What an unknown field of an entry is, when it is a mistake.
pub(super) fn mistake_in_entry(field: &str) -> Option<ProblemKind> {
    intended(field, ENTRY, ENTRY_HABITS).map(|intended| misspelt(field, intended))
}

/// What an unknown field of `record` is, when it is a mistake.
pub(super) fn mistake_in_record(field: &str) -> Option<ProblemKind> {
    intended(field, RECORD, RECORD_HABITS).map(|intended| misspelt(field, intended))
}

fn misspelt(field: &str, intended: &'static str) -> ProblemKind {
    ProblemKind::MisspeltField {
        field: field.to_owned(),
        intended,
    }
}

fn intended(
    field: &str,
    known: &[&'static str],
    habits: &[(&str, &'static str)],
) -> Option<&'static str> {
    let folded = fold(field);
    let is_note = field.starts_with("//") || field.starts_with('#');
    if is_note || OTHER_WORDS.contains(&folded.as_str()) {
        return None;
    }
    habits
        .iter()
        .find(|(habit, _)| *habit == folded)
        .map(|&(_, intended)| intended)
        .or_else(|| nearest(field, known))
}

#[cfg(test)]
mod tests;
