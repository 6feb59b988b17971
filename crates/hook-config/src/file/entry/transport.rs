//! How the hook of an entry is reached: by one transport, under its key.

use std::time::Duration;

use hook_contract::COMMAND_KEY as COMMAND;
use hook_source::{Diagnostic, Fields, Found, Kind, Member, Node, Reader, Standing, nearest};

use crate::{
    CommandTransport, HookMode, MAX_MAX_QUESTIONS, MAX_WORKER_TIME, Transport,
    file::{
        CommandWord,
        command::command,
        fields::{self, bound, word},
    },
    words,
};

/// What other hosts, and versions to come, may call a transport. An entry that has one of these and is asked in another way,
/// or not at all, would be a guard that is not the one its author wrote.
const ELSEWHERE: &[&str] = &[
    "container",
    "docker",
    "endpoint",
    "grpc",
    "http",
    "https",
    "mcp",
    "socket",
    "tcp",
    "unix",
    "url",
    "wasm",
    "webhook",
    "websocket",
    "ws",
];

/// How one entry says that its hook is reached.
pub(super) struct Reached<'k, 'n> {
    keys: &'k [String],
    /// The host's own keys that the entry has.
    own: Vec<&'n Member>,
    /// Whether one of them is meant by a mistaken one, of which was told.
    is_meant: bool,
    /// Fields that look like transports of other hosts.
    foreign: Vec<&'n Member>,
}

impl<'k, 'n> Reached<'k, 'n> {
    /// With nothing looked at yet; `keys` are those of the host's own transports.
    pub(super) const fn by(keys: &'k [String]) -> Self {
        Self {
            keys,
            own: Vec::new(),
            is_meant: false,
            foreign: Vec::new(),
        }
    }

    /// Looks at one field of the entry, and tells what is wrong with it.
    pub(super) fn look(&mut self, reader: &mut Reader<'_>, found: &Found<'n>) {
        let member = found.member;
        let is_new = found.first.is_none()
            && matches!(
                found.standing,
                Standing::Meant(_) | Standing::Note | Standing::Unknown
            );
        if !is_new {
            fields::tell(reader, found);
        } else if self.keys.contains(&member.name) {
            self.own.push(member);
        } else if found.standing != Standing::Unknown {
            fields::tell(reader, found);
        } else if let Some(intended) = nearest(&member.name, &self.own_keys()) {
            self.is_meant = true;
            reader.tell(&member.span, words::misspelt_field(&member.name, intended));
        } else if is_certain(member) || member.node.kind() == Kind::Object {
            self.foreign.push(member);
        } else {
            fields::tell(reader, found);
        }
    }

    fn own_keys(&self) -> Vec<&'k str> {
        self.keys.iter().map(String::as_str).collect()
    }

    /// The one transport of the entry, and the words of its command. Tells of two, and of none.
    pub(super) fn transport(
        self,
        reader: &mut Reader<'_>,
        entry: &Node,
        fields: &Fields<'_>,
    ) -> (Option<Transport>, Vec<CommandWord>) {
        let command = fields.member(COMMAND);
        let mut all: Vec<&Member> = command
            .into_iter()
            .chain(self.own.iter().copied())
            .collect();
        all.sort_by_key(|member| member.span.start);
        let is_missing = all.is_empty() && fields.is_missing(COMMAND) && !self.is_meant;
        if let [first, second, ..] = *all {
            reader.tell(
                &second.span,
                words::two_transports(&first.name, &second.name),
            );
        }
        self.tell_of_foreign(reader, is_missing);
        if is_missing && self.foreign.is_empty() {
            reader.tell(&entry.start(), self.missing());
        }
        let [member] = *all else {
            // Of two, the program can be looked at all the same.
            let words = command.and_then(|member| self::command(reader, &member.node));
            return (None, words.unwrap_or_default());
        };
        if member.name == COMMAND {
            return program(reader, &member.node, fields);
        }
        for field in ["mode", "max_questions", "max_age_ms", "max_idle_ms"] {
            if let Some(setting) = fields.member(field) {
                reader.tell(&setting.span, words::needs_command(field, &member.name));
            }
        }
        let config = fields::json(reader, &member.name, &member.node);
        let key = member.name.as_str();
        (
            config.map(|config| Transport::other(key, config)),
            Vec::new(),
        )
    }

    /// A field that looks like a transport is one where its name leaves no doubt, or where there is no other.
    fn tell_of_foreign(&self, reader: &mut Reader<'_>, is_missing: bool) {
        let known: Vec<&str> = std::iter::once(COMMAND).chain(self.own_keys()).collect();
        let mut is_needed = is_missing && !self.foreign.iter().any(|member| is_certain(member));
        for member in &self.foreign {
            if is_certain(member) || std::mem::take(&mut is_needed) {
                let told = words::unknown_transport(&member.name, &known);
                reader.tell(&member.span, told);
            } else {
                fields::unknown(reader, member);
            }
        }
    }

    fn missing(&self) -> Diagnostic {
        let missing = words::missing_field(COMMAND);
        if self.keys.is_empty() {
            return missing;
        }
        let keys: Vec<String> = self.keys.iter().map(|key| format!("`{key}`")).collect();
        let help = missing.help.clone().unwrap_or_default();
        missing.with_help(format!("{help}, or write {}", keys.join(" or ")))
    }
}

/// Whether the name of a field leaves no doubt that it is a transport.
fn is_certain(member: &Member) -> bool {
    ELSEWHERE.contains(&member.name.as_str())
}

/// A program, with how it is run.
fn program(
    reader: &mut Reader<'_>,
    node: &Node,
    fields: &Fields<'_>,
) -> (Option<Transport>, Vec<CommandWord>) {
    let command = command(reader, node);
    let mode: Option<HookMode> = word(reader, fields);
    let is_oneshot = mode == Some(HookMode::Oneshot) || fields.is_missing("mode");
    let mut of_worker = |field, most| {
        let node = fields.get(field)?;
        if is_oneshot {
            reader.tell(&node.span, words::needs_worker(field));
        }
        bound(reader, node, field, most)
    };
    let longest = u64::try_from(MAX_WORKER_TIME.as_millis()).unwrap_or(u64::MAX);
    let max_questions = of_worker("max_questions", MAX_MAX_QUESTIONS);
    let max_age = of_worker("max_age_ms", longest).map(Duration::from_millis);
    let max_idle = of_worker("max_idle_ms", longest).map(Duration::from_millis);
    let Some(command) = command else {
        return (None, Vec::new());
    };
    let mut program = CommandTransport::new(command.iter().map(|word| &*word.text));
    program.mode = mode.unwrap_or(program.mode);
    program.max_questions = max_questions.unwrap_or(program.max_questions);
    program.max_age = max_age.unwrap_or(program.max_age);
    program.max_idle = max_idle.unwrap_or(program.max_idle);
    (Some(Transport::Command(program)), command)
}

#[cfg(test)]
mod tests;
