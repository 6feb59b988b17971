//! One handler: its type, and what a command says.

use std::{ops::Range, time::Duration};

use hook_source::nearest;

use super::{
    finding::{AtHome, FindingKind, Report},
    groups::wrong_type,
    handler::Handler,
    node::{Member, Node, Value},
    not_run::WhyNotRun,
    source::Ground,
};
use crate::{
    Dialect,
    dialect::{EventRow, Handlers},
};

/// Longer than anybody waits; what is written beyond it is taken for it.
const LONGEST: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// What people write for the fields of a command who come from other tools, folded: lower case without `_` and `-`.
const MEANT: &[(&str, &str)] = &[
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
const OTHER_WORDS: &[&str] = &["$comment", "comment", "comments", "id", "model", "name"];

/// One handler that is being read.
pub(super) struct Commands<'r, 't, 'g> {
    pub(super) report: &'r mut Report<'t>,
    pub(super) ground: Ground<'g>,
    pub(super) event: &'static EventRow,
    pub(super) node: &'r Node,
    /// Why it is not asked, although it can be read.
    pub(super) not_run: Option<WhyNotRun>,
    /// Fields that are meant by mistaken ones, so that they are not missing.
    meant: Vec<&'static str>,
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
            meant: Vec::new(),
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

    /// Tells of fields that are mistaken or not known.
    fn look_at_fields(&mut self) {
        let habits = self.ground.habits;
        for Member { name, span, .. } in self.node.members().unwrap_or_default() {
            if habits.fields.contains(&name.as_str()) {
                continue;
            }
            let field = name.clone();
            let (kind, at_home) = if habits.foreign.contains(&name.as_str()) {
                let owner = Dialect::CLAUDE.title;
                (FindingKind::ForeignField { field, owner }, AtHome::Nothing)
            } else if self.is_another_type() {
                // The fields of other types are not for anybody here to judge.
                continue;
            } else if let Some(intended) = meant(name, habits.fields) {
                self.meant.push(intended);
                let kind = FindingKind::MisspeltField { field, intended };
                (kind, self.without(intended))
            } else {
                (FindingKind::UnknownField { field }, AtHome::Nothing)
            };
            self.report.add(span.clone(), kind, at_home);
        }
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
        let kind = FindingKind::MissingField { field };
        if self.meant.contains(&field) {
            self.broken = true;
            self.not_run.get_or_insert(self.ground.dropped(&kind));
        } else {
            self.mistake(self.node.start(), kind);
        }
    }

    /// Remembers a mistake that makes it no handler.
    pub(super) fn mistake(&mut self, span: Range<usize>, kind: FindingKind) {
        let at_home = (self.ground.habits.on_mistake)(self.event.name);
        self.mistake_as(span, kind, at_home);
    }

    /// The same, where the agent does something else about it.
    pub(super) fn mistake_as(&mut self, span: Range<usize>, kind: FindingKind, at_home: AtHome) {
        self.broken = true;
        self.not_run.get_or_insert(self.ground.dropped(&kind));
        self.report.add(span, kind, at_home);
    }

    /// Remembers what is odd and does not matter to the agent.
    pub(super) fn odd(&mut self, span: Range<usize>, kind: FindingKind, at_home: AtHome) {
        self.report.add(span, kind, at_home);
    }

    pub(super) fn wrong_type(&mut self, node: &Node, field: &str, expected: &'static str) {
        self.broken = true;
        let at_home = (self.ground.habits.on_mistake)(self.event.name);
        let kind = wrong_type(self.report, node, field, expected, at_home);
        self.not_run.get_or_insert(self.ground.dropped(&kind));
    }

    /// A field that is there; `null` counts as absent where the agent says so.
    pub(super) fn field(&self, name: &str) -> Option<&'r Node> {
        let absent =
            |node: &&Node| !(node.value == Value::Null && self.ground.habits.null_is_absent);
        self.node.get(name).filter(absent)
    }

    pub(super) fn text(&mut self, name: &'static str) -> Option<&'r str> {
        let node = self.field(name)?;
        let text = node.text();
        if text.is_none() {
            self.wrong_type(node, name, "a string");
        }
        text
    }

    pub(super) fn flag(&mut self, name: &'static str) -> bool {
        let Some(node) = self.node.get(name) else {
            return false;
        };
        let flag = node.flag();
        if flag.is_none() {
            self.wrong_type(node, name, "a boolean");
        }
        flag.unwrap_or_default()
    }

    /// A word of a closed vocabulary; when it is `required`, its absence is a mistake.
    pub(super) fn word(
        &mut self,
        field: &'static str,
        known: &'static [&'static str],
        required: bool,
    ) -> Option<&'static str> {
        if required && self.node.get(field).is_none() {
            self.missing(field);
            return None;
        }
        let found = self.text(field)?;
        let word = known.iter().copied().find(|word| *word == found);
        if word.is_none() {
            let span = self.field(field).map_or(0..0, |node| node.span.clone());
            let kind = FindingKind::UnknownWord {
                field,
                found: found.to_owned(),
                nearest: nearest(found, known),
                known,
            };
            self.mistake(span, kind);
        }
        word
    }

    /// The command line; blank when it is and the agent takes it so.
    pub(super) fn command_line(&mut self, on_blank: AtHome) -> Option<&'r str> {
        let field = "command";
        if self.node.get(field).is_none() {
            self.missing(field);
            return None;
        }
        let text = self.text(field)?;
        let span = self.field(field).map_or(0..0, |node| node.span.clone());
        if text.trim().is_empty() {
            if on_blank == AtHome::Nothing {
                self.report.add(span, FindingKind::EmptyCommand, on_blank);
            } else {
                self.mistake_as(span, FindingKind::EmptyCommand, on_blank);
            }
        } else if text.contains('\0') {
            self.mistake_as(span, FindingKind::NulInCommand { field }, AtHome::NeverAsks);
        }
        Some(text)
    }

    /// What counts of a timeout that is written, within what the event allows.
    pub(super) fn within(&mut self, node: &Node, written: Duration) -> Duration {
        let written = written.min(LONGEST);
        match self.event.timeout.at_most {
            Some(allowed) if written > allowed => {
                let kind = FindingKind::TimeoutBeyond {
                    found: written.as_secs_f64().to_string(),
                    allowed: allowed.as_secs_f64().to_string(),
                };
                self.odd(node.span.clone(), kind, AtHome::Nothing);
                allowed
            }
            _ => written,
        }
    }
}

/// The field that is meant by one that is not known.
fn meant(name: &str, fields: &[&'static str]) -> Option<&'static str> {
    let folded: String = name
        .chars()
        .filter(|c| !matches!(c, '_' | '-' | ' '))
        .flat_map(char::to_lowercase)
        .collect();
    let is_note = name.starts_with("//") || name.starts_with('#');
    if is_note || OTHER_WORDS.contains(&folded.as_str()) {
        return None;
    }
    let habit = MEANT.iter().find(|(habit, _)| *habit == folded);
    let known = habit.and_then(|(_, meant)| fields.iter().find(|field| *field == meant));
    known.copied().or_else(|| {
        // In two letters every letter makes another word.
        let long: Vec<&'static str> = fields
            .iter()
            .copied()
            .filter(|field| field.len() > 2)
            .collect();
        nearest(name, &long)
    })
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
