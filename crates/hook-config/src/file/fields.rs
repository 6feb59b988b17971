//! The fields of a hooks file, and what people write instead of them.

use hook_contract::{Json, json::JsonErrorKind};
use hook_source::{
    Diagnostic, Field, Fields, Found, Kind, Member, Node, Reader, Standing, Table, Value, fold,
    nearest,
};
use serde_json::value::RawValue;

use crate::{
    vocabulary::Word,
    words::{self, Of},
};

/// The fields of the file.
pub(super) const TOP: Table = Table::new(&[
    Field::new("$schema"),
    Field::new("schema"),
    Field::new("hooks").of(Kind::Array),
    Field::new("record").of(Kind::Object),
    Field::new("approver").of(Kind::Object),
])
.with_habits(TOP_HABITS, OTHER_WORDS);

/// The fields of an entry of `hooks`.
pub(super) const ENTRY: Table = Table::new(&[
    Field::new("name").required().of(Kind::String),
    Field::new("command"),
    Field::new("tools").of(Kind::Array).nullable(),
    Field::new("kinds").of(Kind::Array).nullable(),
    Field::new("facts")
        .of(Kind::Boolean)
        .wanted("true or false"),
    Field::new("event").of(Kind::String),
    Field::new("timeout_ms").nullable(),
    Field::new("on_failure").of(Kind::String),
    Field::new("mode").of(Kind::String),
    Field::new("max_questions").nullable(),
    Field::new("max_age_ms").nullable(),
    Field::new("max_idle_ms").nullable(),
])
.with_habits(ENTRY_HABITS, OTHER_WORDS);

/// The fields of `record`.
pub(super) const RECORD: Table = Table::new(&[
    Field::new("dir").required().of(Kind::String),
    Field::new("capture").of(Kind::String),
    Field::new("chain")
        .of(Kind::Boolean)
        .wanted("true or false"),
    Field::new("keep_days").nullable(),
    Field::new("keep_mib").nullable(),
])
.with_habits(RECORD_HABITS, OTHER_WORDS);

/// The fields of `approver`.
pub(super) const APPROVER: Table = Table::new(&[
    Field::new("command").required(),
    Field::new("timeout_ms").nullable(),
])
.with_habits(APPROVER_HABITS, OTHER_WORDS);

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
    ("approval", "approver"),
    ("approvers", "approver"),
    ("ask", "approver"),
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

const APPROVER_HABITS: &[(&str, &str)] = &[
    ("args", "command"),
    ("arguments", "command"),
    ("argv", "command"),
    ("cmd", "command"),
    ("commandline", "command"),
    ("exec", "command"),
    ("executable", "command"),
    ("program", "command"),
    ("run", "command"),
    ("script", "command"),
    ("shell", "command"),
    ("deadline", "timeout_ms"),
    ("timeout", "timeout_ms"),
    ("timeoutmillis", "timeout_ms"),
    ("timeoutmilliseconds", "timeout_ms"),
    ("timeoutsec", "timeout_ms"),
    ("timeoutsecs", "timeout_ms"),
    ("timeoutseconds", "timeout_ms"),
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
    ("toolkind", "kinds"),
    ("toolkinds", "kinds"),
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
    "kinds",
    "facts",
    "event",
    "timeout_ms",
    "on_failure",
    "mode",
    "max_questions",
    "max_age_ms",
    "max_idle_ms",
];

/// Whether it is an object that can be read. Objects are never read from arrays by position.
pub(super) fn is_object(reader: &mut Reader<'_>, node: &Node, of: Of<'_>) -> Option<()> {
    if node.members().is_some() {
        return Some(());
    }
    let told = if node.kind() == Kind::Object {
        words::not_unicode(of)
    } else {
        words::wrong_type(of, "an object", node.kind())
    };
    reader.tell(&node.span, told);
    None
}

/// Tells what is wrong with one field, or with its value.
pub(super) fn tell(reader: &mut Reader<'_>, found: &Found<'_>) {
    let Member {
        name, span, node, ..
    } = found.member;
    match found.standing {
        _ if found.first.is_some() => reader.tell(span, words::duplicate_key(name)),
        Standing::OfAnotherKind(field, wanted) => {
            let told = words::wrong_type(Of::Field(field), wanted, node.kind());
            reader.tell(&node.span, told);
        }
        Standing::NotUnicode(field) => {
            reader.tell(&node.span, words::not_unicode(Of::Field(field)));
        }
        Standing::Meant(intended) => reader.tell(span, words::misspelt_field(name, intended)),
        Standing::Note | Standing::Unknown => unknown(reader, found.member),
        Standing::Known(_) | _ => {}
    }
}

/// A field that is not known.
pub(super) fn unknown(reader: &mut Reader<'_>, member: &Member) {
    reader.tell(&member.span, words::unknown_field(&member.name));
    json(reader, &member.name, &member.node);
}

/// A value that has one reading. It may hold anything but what two readers read differently.
pub(super) fn json(reader: &mut Reader<'_>, field: &str, node: &Node) -> Option<Json> {
    let error = match Json::parse(reader.raw(node)) {
        Ok(json) => return Some(json),
        Err(error) => error,
    };
    let start = node.span.start + error.position().offset;
    let told = if let JsonErrorKind::DuplicateKey { key, .. } = error.kind() {
        words::duplicate_key(key)
    } else {
        words::unreadable(field, error.kind())
    };
    let end = start + token_length(reader.text(), start);
    reader.tell(&(start..end), told);
    None
}

/// The length of the string or number that begins there; at least one character.
fn token_length(text: &str, start: usize) -> usize {
    let rest = text.get(start..).unwrap_or_default();
    let mut stream = serde_json::Deserializer::from_str(rest).into_iter::<&RawValue>();
    match stream.next() {
        Some(Ok(value)) if !value.get().starts_with(['[', '{']) => value.get().len(),
        _ => rest.chars().next().map_or(0, char::len_utf8),
    }
}

/// The strings of an array, each with its node. Nothing when any is not one.
pub(super) fn strings<'n>(
    reader: &mut Reader<'_>,
    node: &'n Node,
    field: &str,
) -> Option<Vec<(&'n Node, &'n str)>> {
    let elements = node.list()?;
    for (index, element) in elements.iter().enumerate() {
        let of = Of::Element(field, index);
        if element.kind() != Kind::String {
            let told = words::wrong_type(of, "a string", element.kind());
            reader.tell(&element.span, told);
        } else if matches!(element.value, Value::NotUnicode { .. }) {
            reader.tell(&element.span, words::not_unicode(of));
        }
    }
    let strings = elements.iter();
    strings
        .map(|element| Some((element, element.text()?)))
        .collect()
}

/// A word of a closed vocabulary.
pub(super) fn word<W: Word>(reader: &mut Reader<'_>, fields: &Fields<'_>) -> Option<W> {
    let node = fields.get(W::FIELD)?;
    let found = node.text()?;
    if let Some(word) = W::ALL.iter().find(|word| word.word() == found) {
        return Some(*word);
    }
    let known: Vec<&'static str> = W::ALL.iter().map(|word| word.word()).collect();
    let folded = fold(found);
    let habit = W::HABITS.iter().find(|(habit, _)| *habit == folded);
    let nearest = habit
        .map(|(_, word)| word.word())
        .or_else(|| nearest(found, &known));
    let told = Diagnostic::unknown_word(W::FIELD, found, nearest, &known);
    reader.tell(&node.span, told);
    None
}

/// A bound of something: a whole number from 1.
pub(super) fn bound(reader: &mut Reader<'_>, node: &Node, field: &str, most: u64) -> Option<u64> {
    let bound = node.whole().filter(|bound| (1..=most).contains(bound));
    if bound.is_none() {
        let found = reader.raw(node);
        reader.tell(&node.span, words::bound_out_of_range(field, found));
    }
    bound
}

/// Whether a field that is not known at the top of a file is one of a hook.
pub(super) fn is_of_a_hook(field: &str) -> bool {
    let folded = fold(field);
    NOT_AT_TOP.iter().any(|known| fold(known) == folded)
}

#[cfg(test)]
mod tests;
