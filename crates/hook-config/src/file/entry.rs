//! Reading one entry of `hooks`.

use std::{collections::HashSet, time::Duration};

use crate::{
    CommandTransport, HookMode, HookSpec, MAX_HOOK_TIMEOUT, MAX_MAX_QUESTIONS, MAX_WORKER_TIME,
    MIN_HOOK_TIMEOUT, ProblemKind, Transport, WarningKind,
    file::{
        CommandWord, ExaminedEntry, fields,
        object::Fields,
        reader::{Reader, bound, first_byte, whole},
    },
    problem::{JsonType, Subject},
};

/// Characters that mean something in other tools' matchers and stand in no tool's name.
const PATTERN_CHARACTERS: &[char] = &[
    '*', '?', '|', '(', ')', '[', ']', '{', '}', '^', '$', '+', '\\', ',',
];

/// The entry; nothing when it is no object.
pub(super) fn read<'t>(
    reader: &mut Reader<'t>,
    index: usize,
    value: &'t str,
) -> Option<ExaminedEntry> {
    let members = reader.object(value, Subject::Entry)?;
    // Before anything else, so that every message can say whose entry it is.
    reader.hook = members
        .get("name")
        .and_then(|name| serde_json::from_str::<String>(name).ok())
        .filter(|name| !name.is_empty())
        .map(Into::into);
    let fields = Fields::read(reader, &members, fields::ENTRY, fields::mistake_in_entry);
    for field in ["name", "command"] {
        if fields.is_missing(field) {
            reader.problem(first_byte(value), ProblemKind::MissingField { field });
        }
    }
    let name = fields.get("name").and_then(|value| name(reader, value));
    let command = fields
        .get("command")
        .and_then(|value| command(reader, value));
    // As absent as in a file that does not say it; the other fields know no null.
    let written = |field| fields.get(field).filter(|value| *value != "null");
    let tools = written("tools").and_then(|value| tools(reader, value));
    let timeout = written("timeout_ms").and_then(|value| timeout(reader, value));
    let event = fields.get("event").and_then(|value| reader.word(value));
    let on_failure = fields
        .get("on_failure")
        .and_then(|value| reader.word(value));
    let mode = fields.get("mode").and_then(|value| reader.word(value));
    let is_oneshot = mode == Some(HookMode::Oneshot) || fields.is_missing("mode");
    let mut of_worker = |field, most| {
        let value = written(field)?;
        if is_oneshot {
            reader.problem(value, ProblemKind::NeedsWorker { field });
        }
        bound(reader, value, field, most)
    };
    let max_questions = of_worker("max_questions", MAX_MAX_QUESTIONS);
    let longest = milliseconds(MAX_WORKER_TIME);
    let max_age = of_worker("max_age_ms", longest).map(Duration::from_millis);
    let max_idle = of_worker("max_idle_ms", longest).map(Duration::from_millis);

    let spec = name.zip(command.as_ref()).map(|(name, command)| {
        let mut program = CommandTransport::new(command.iter().map(|word| &*word.text));
        program.mode = mode.unwrap_or(program.mode);
        program.max_questions = max_questions.unwrap_or(program.max_questions);
        program.max_age = max_age.unwrap_or(program.max_age);
        program.max_idle = max_idle.unwrap_or(program.max_idle);
        let mut hook = HookSpec::reached_by(name, Transport::Command(program));
        hook.tools = tools;
        hook.timeout = timeout.unwrap_or(hook.timeout);
        hook.event = event.unwrap_or(hook.event);
        hook.on_failure = on_failure.unwrap_or(hook.on_failure);
        hook
    });
    Some(ExaminedEntry {
        index,
        name: reader.hook.as_deref().map(str::to_owned),
        span: reader.span(value),
        command: command.unwrap_or_default(),
        spec,
    })
}

fn name(reader: &mut Reader<'_>, value: &str) -> Option<String> {
    let name = reader.string(value, Subject::Field("name"))?;
    if name.is_empty() {
        reader.problem(value, ProblemKind::EmptyName);
    }
    Some(name)
}

fn command<'t>(reader: &mut Reader<'t>, value: &'t str) -> Option<Vec<CommandWord>> {
    if JsonType::of(value) == JsonType::String {
        let text = reader.string(value, Subject::Field("command"))?;
        reader.problem(value, ProblemKind::CommandIsString { text });
        return None;
    }
    let words = reader.strings(value, "command")?;
    match words.first() {
        None => reader.problem(value, ProblemKind::EmptyCommand),
        Some((text, word)) if word.is_empty() => reader.problem(text, ProblemKind::EmptyProgram),
        Some(_) => {}
    }
    for (index, (text, word)) in words.iter().enumerate() {
        if word.contains('\0') {
            reader.problem(text, ProblemKind::NulInCommand { word: index });
        }
    }
    let words = words.into_iter();
    Some(
        words
            .map(|(text, word)| CommandWord::new(word, reader.span(text)))
            .collect(),
    )
}

fn tools<'t>(reader: &mut Reader<'t>, value: &'t str) -> Option<Vec<String>> {
    let tools = reader.strings(value, "tools")?;
    if tools.is_empty() {
        reader.warning(value, WarningKind::NeverAsked);
    }
    let mut seen = HashSet::new();
    for (text, tool) in &tools {
        let tool = tool.as_str();
        if !seen.insert(tool) {
            let tool = tool.to_owned();
            reader.warning(text, WarningKind::DuplicateTool { tool });
        } else if tool.contains(PATTERN_CHARACTERS) || tool.trim() != tool || tool.is_empty() {
            let tool = tool.to_owned();
            reader.warning(text, WarningKind::PatternInTools { tool });
        }
    }
    Some(tools.into_iter().map(|(_, tool)| tool).collect())
}

/// A whole number of milliseconds, judged as it is written: `5.0` and `5e3` are none.
fn timeout(reader: &mut Reader<'_>, value: &str) -> Option<Duration> {
    let timeout = whole(value)
        .map(Duration::from_millis)
        .filter(|timeout| (MIN_HOOK_TIMEOUT..=MAX_HOOK_TIMEOUT).contains(timeout));
    if timeout.is_none() {
        let found = value.to_owned();
        reader.problem(value, ProblemKind::TimeoutOutOfRange { found });
    }
    timeout
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
