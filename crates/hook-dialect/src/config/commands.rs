//! One handler: its type, and what a command says.

use std::{ops::Range, time::Duration};

use hook_source::{Diagnostic, Fields, Found, Node, Standing, nearest};

use super::{
    finding::{self, AtHome, Report, codes, odd},
    groups::wrong_type,
    handler::Handler,
    not_run::WhyNotRun,
    source::Ground,
};
use crate::{
    Dialect,
    dialect::{EventRow, Handlers},
};

/// Longer than anybody waits; what is written beyond it is taken for it.
const LONGEST: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// What people write for the fields of a command who come from other tools, folded.
pub(super) const MEANT: &[(&str, &str)] = &[
    ("cmd", "command"),
    ("commandline", "command"),
    ("exec", "command"),
    ("program", "command"),
    ("run", "command"),
    ("script", "command"),
    ("arguments", "args"),
    ("argv", "args"),
    ("deadline", "timeout"),
    ("timeoutmillis", "timeout"),
    ("timeoutms", "timeout"),
    ("timeoutsec", "timeout"),
    ("timeoutsecs", "timeout"),
    ("timeoutseconds", "timeout"),
    ("failclosed", "onFailure"),
    ("failopen", "onFailure"),
    ("onerror", "onFailure"),
    ("onfail", "onFailure"),
    ("condition", "if"),
    ("when", "if"),
    ("background", "async"),
    ("hooktype", "type"),
    ("kind", "type"),
];

/// Words of their own that are a few letters from a field and are not it.
pub(super) const OTHER_WORDS: &[&str] = &["$comment", "comment", "comments", "id", "model", "name"];

/// One handler that is being read.
pub(super) struct Commands<'r, 't, 'g> {
    pub(super) report: &'r mut Report<'t>,
    pub(super) ground: Ground<'g>,
    pub(super) event: &'static EventRow,
    pub(super) node: &'r Node,
    /// Why it is not asked, although it can be read.
    pub(super) not_run: Option<WhyNotRun>,
    /// The fields that it has, once they were looked at.
    fields: Option<Fields<'r>>,
    /// Whether a field was wrong in a way that makes it no handler.
    broken: bool,
}

impl<'r, 't, 'g> Commands<'r, 't, 'g> {
    pub(super) fn new(
        report: &'r mut Report<'t>,
        ground: Ground<'g>,
        event: &'static EventRow,
        node: &'r Node,
    ) -> Self {
        Self {
            report,
            ground,
            event,
            node,
            not_run: None,
            fields: None,
            broken: false,
        }
    }

    /// The handler, when it is a command that can be asked. Nothing with a reason in `not_run`, or with a finding.
    pub(super) fn read(&mut self) -> Option<Handler> {
        if self.node.members().is_none() {
            self.wrong_type(self.node, "a hook", "an object");
            return None;
        }
        self.look_at_fields();
        let types = self.ground.habits.types;
        let handler_type = self.word("type", types, true)?;
        if handler_type != "command" {
            self.not_run = Some(self.why_not(handler_type));
            return None;
        }
        let handler = (self.ground.habits.command)(self);
        handler.filter(|_| !self.broken)
    }

    fn why_not(&self, handler_type: &str) -> WhyNotRun {
        let handler_type = handler_type.to_owned();
        let allowed = match self.event.handlers {
            Handlers::All => true,
            Handlers::AllButAgent => handler_type != "agent",
            Handlers::WithoutModel => matches!(handler_type.as_str(), "http" | "mcp_tool"),
            Handlers::CommandAndMcp => handler_type == "mcp_tool",
            Handlers::Command => false,
        };
        if allowed {
            WhyNotRun::HandlerType { handler_type }
        } else {
            let agent = self.ground.dialect.title;
            WhyNotRun::TypeAtEvent {
                agent,
                handler_type,
            }
        }
    }

    /// Tells of fields that are mistaken, not known, or of another type than they must be.
    fn look_at_fields(&mut self) {
        let table = self.ground.habits.fields;
        // The fields of other types are not for anybody here to judge.
        let judged = !self.is_another_type();
        let node = self.node;
        self.fields = Some(table.read(node, |found| self.look_at(&found, judged)));
    }

    fn look_at(&mut self, found: &Found<'_>, judged: bool) {
        let member = found.member;
        let name = member.name.as_str();
        let (told, at_home) = match found.standing {
            Standing::Meant(_) | Standing::Note | Standing::Unknown
                if self.ground.habits.foreign.contains(&name) =>
            {
                let owner = Dialect::CLAUDE.title;
                let message =
                    format!("the field `{name}` is one of {owner} and has no effect here");
                (odd("foreign_field", &message, "remove it"), AtHome::Nothing)
            }
            Standing::Meant(intended) if judged && self.is_switched_off(name, intended) => {
                (finding::note(name), AtHome::Nothing)
            }
            Standing::Meant(intended) if judged => (
                finding::misspelt_field(name, intended),
                self.without(intended),
            ),
            Standing::Note | Standing::Unknown if judged => {
                (finding::unknown_field(name), AtHome::Nothing)
            }
            Standing::OfAnotherKind(name, wanted) if judged => {
                self.wrong_type(&member.node, name, wanted);
                return;
            }
            Standing::Known(_)
            | Standing::OfAnotherKind(..)
            | Standing::NotUnicode(_)
            | Standing::Meant(_)
            | Standing::Note
            | Standing::Unknown
            | _ => return,
        };
        self.report.add(&member.span, told, at_home);
    }

    /// Whether a field is one that its author has put aside (`_timeout`), without which it is a hook all the same.
    fn is_switched_off(&self, name: &str, intended: &str) -> bool {
        let needed = matches!(intended, "type" | "command");
        name.starts_with('_') && (!needed || self.node.get(intended).is_some())
    }

    /// Whether it is of a type that is known and no command.
    fn is_another_type(&self) -> bool {
        let written = self.node.get("type").and_then(Node::text);
        written.is_some_and(|written| {
            written != "command" && self.ground.habits.types.contains(&written)
        })
    }

    /// What the agent does when it takes a field for absent.
    fn without(&self, field: &str) -> AtHome {
        if matches!(field, "type" | "command") && self.node.get(field).is_none() {
            (self.ground.habits.on_mistake)(self.event.name)
        } else {
            AtHome::Ignores
        }
    }

    /// A field is not there; it was told already where a mistaken one means it.
    fn missing(&mut self, field: &'static str) {
        let told = finding::missing(field);
        if self.node.get(field).is_none()
            && self
                .fields
                .as_ref()
                .is_some_and(|fields| !fields.is_missing(field))
        {
            self.broken = true;
            self.not_run.get_or_insert(self.ground.dropped(&told));
        } else {
            self.mistake(&self.node.start(), told);
        }
    }

    /// Remembers a mistake that makes it no handler.
    pub(super) fn mistake(&mut self, span: &Range<usize>, told: Diagnostic) {
        let at_home = (self.ground.habits.on_mistake)(self.event.name);
        self.mistake_as(span, told, at_home);
    }

    /// The same, where the agent does something else about it.
    pub(super) fn mistake_as(&mut self, span: &Range<usize>, told: Diagnostic, at_home: AtHome) {
        self.broken = true;
        self.not_run.get_or_insert(self.ground.dropped(&told));
        self.report.add(span, told, at_home);
    }

    /// Remembers that a field is odd, which does not matter to the agent.
    pub(super) fn odd(&mut self, node: &Node, code: &'static str, message: &str, help: &str) {
        self.report
            .add(&node.span, odd(code, message, help), AtHome::Nothing);
    }

    pub(super) fn wrong_type(&mut self, node: &Node, field: &str, expected: &'static str) {
        self.broken = true;
        let at_home = (self.ground.habits.on_mistake)(self.event.name);
        let told = wrong_type(self.report, node, field, expected, at_home);
        self.not_run.get_or_insert(self.ground.dropped(&told));
    }

    /// A field that is there, whatever its type.
    pub(super) fn field(&self, name: &str) -> Option<&'r Node> {
        self.fields.as_ref()?.get(name)
    }

    /// The text of a field; of one with another type, it was told.
    pub(super) fn text(&self, name: &str) -> Option<&'r str> {
        self.field(name)?.text()
    }

    pub(super) fn flag(&self, name: &str) -> bool {
        self.field(name).and_then(Node::flag).unwrap_or_default()
    }

    /// A word of a closed vocabulary; when it is `required`, its absence is a mistake.
    pub(super) fn word(
        &mut self,
        field: &'static str,
        known: &'static [&'static str],
        required: bool,
    ) -> Option<&'static str> {
        let Some(node) = self.field(field) else {
            if required {
                self.missing(field);
            }
            return None;
        };
        let found = node.text()?;
        let word = known.iter().copied().find(|word| *word == found);
        if word.is_none() {
            let told = Diagnostic::unknown_word(field, found, nearest(found, known), known);
            self.mistake(&node.span, told);
        }
        word
    }

    /// The command line; blank when it is and the agent takes it so.
    pub(super) fn command_line(&mut self, on_blank: AtHome) -> Option<&'r str> {
        let field = "command";
        let Some(node) = self.field(field) else {
            self.missing(field);
            return None;
        };
        let text = node.text()?;
        if text.trim().is_empty() {
            let told = Diagnostic::error("empty_command", "the command is empty")
                .with_help("write the command, or remove the hook");
            if on_blank == AtHome::Nothing {
                self.report.add(&node.span, told, on_blank);
            } else {
                self.mistake_as(&node.span, told, on_blank);
            }
        } else if text.contains('\0') {
            self.mistake_as(&node.span, finding::nul(field), AtHome::NeverAsks);
        }
        Some(text)
    }

    /// What counts of a timeout that is written, within what the event allows.
    pub(super) fn within(&mut self, node: &Node, written: Duration) -> Duration {
        let written = written.min(LONGEST);
        let is_within = self
            .event
            .timeout
            .at_most
            .is_none_or(|most| written <= most);
        if is_within && looks_like_milliseconds(written) {
            let seconds = written.as_secs();
            let (minutes, meant) = (seconds / 60, written.as_secs_f64() / 1000.0);
            let message = format!("the timeout is {seconds} s, which are {minutes} minutes");
            let help = format!("write {meant} if {seconds} ms are meant: timeouts are in seconds");
            self.odd(node, codes::MILLISECONDS, &message, &help);
        }
        match self.event.timeout.at_most {
            Some(allowed) if written > allowed => {
                let (found, most) = (written.as_secs_f64(), allowed.as_secs_f64());
                let message = format!("the timeout is {found} s and the event allows {most} s");
                self.odd(
                    node,
                    "timeout_beyond",
                    &message,
                    &format!("write at most {most}"),
                );
                allowed
            }
            _ => written,
        }
    }
}

/// Whether a number of seconds is one that people write for milliseconds: a round thousand, or more than any command takes.
fn looks_like_milliseconds(timeout: Duration) -> bool {
    let seconds = timeout.as_secs();
    timeout.subsec_nanos() == 0
        && (seconds >= 1000 && seconds.is_multiple_of(500)
            || seconds >= 10_000 && !seconds.is_multiple_of(60))
}

/// What a handler would run or ask, on one line.
pub(super) fn shown(node: &Node) -> String {
    let field = |name| node.get(name).and_then(Node::text);
    let text = match (field("server"), field("tool")) {
        (Some(server), Some(tool)) => format!("{server} {tool}"),
        _ => ["command", "url", "prompt"]
            .into_iter()
            .find_map(field)
            .unwrap_or_default()
            .to_owned(),
    };
    let args = node.get("args").and_then(Node::list).unwrap_or_default();
    let words = std::iter::once(text.as_str()).chain(args.iter().filter_map(Node::text));
    hook_contract::shown::line(&words.collect::<Vec<_>>().join(" "))
}
