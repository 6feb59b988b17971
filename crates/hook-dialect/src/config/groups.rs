//! The table `hooks`: events, groups and handlers.

use super::{
    commands::{self, Commands},
    finding::{AtHome, FindingKind, Report},
    handler::Handler,
    matchers,
    node::{Member, Node, Value},
    not_run::WhyNotRun,
    source::Ground,
};
use crate::{Dialect, MatcherProblem, dialect::EventRow};
use hook_source::nearest;

/// One handler, as a file declares it.
#[derive(Debug)]
pub(super) struct Declared {
    /// The event, as it is written.
    pub(super) event: String,
    pub(super) pattern: Option<String>,
    /// The place of its group and its own in the group, from 0.
    pub(super) place: (usize, usize),
    pub(super) line: usize,
    pub(super) handler_type: String,
    pub(super) shown: String,
    pub(super) what: What,
}

#[derive(Debug)]
pub(super) enum What {
    /// A command that can be asked.
    Runs(&'static EventRow, Box<Handler>),
    /// It is not asked.
    DoesNotRun(WhyNotRun),
}

/// What belongs to a group.
const GROUP: &[&str] = &["matcher", "hooks"];

/// What belongs to a handler and has no meaning in a group.
const HANDLER: &[&str] = &[
    "additionalContextLimit",
    "args",
    "async",
    "asyncRewake",
    "command",
    "commandWindows",
    "if",
    "onFailure",
    "once",
    "prompt",
    "shell",
    "statusMessage",
    "timeout",
    "type",
    "url",
];

/// Everything that the table declares; `skip` are fields of it that are no events.
pub(super) fn read(
    report: &mut Report<'_>,
    ground: Ground<'_>,
    hooks: &Node,
    skip: &[&str],
) -> Vec<Declared> {
    let mut declared = Vec::new();
    let Some(events) = hooks.members() else {
        wrong_type(report, hooks, "hooks", "an object", AtHome::DropsFile);
        return declared;
    };
    for event in events
        .iter()
        .filter(|event| !skip.contains(&event.name.as_str()))
    {
        report.at = None;
        let row = ground.dialect.event(&event.name);
        if row.is_none() {
            unknown_event(report, ground, event);
        }
        groups(report, ground, event, row, &mut declared);
    }
    report.at = None;
    declared
}

/// Tells of a field at the top of a file that is an event or nearly `hooks`.
pub(super) fn look_beside(
    report: &mut Report<'_>,
    dialect: &'static Dialect,
    field: &Member,
) -> bool {
    let kind = if let Some(row) = dialect.event(&field.name) {
        FindingKind::MisplacedEvent { event: row.name }
    } else if nearest(&field.name, &["hooks"]).is_some() {
        FindingKind::MisspeltField {
            field: field.name.clone(),
            intended: "hooks",
        }
    } else {
        return false;
    };
    report.add(field.span.clone(), kind, AtHome::Ignores);
    true
}

pub(super) fn wrong_type(
    report: &mut Report<'_>,
    node: &Node,
    field: &str,
    expected: &'static str,
    at_home: AtHome,
) -> FindingKind {
    let kind = FindingKind::WrongType {
        field: field.to_owned(),
        expected,
        found: node.kind(),
    };
    report.add(node.span.clone(), kind.clone(), at_home);
    kind
}

fn unknown_event(report: &mut Report<'_>, ground: Ground<'_>, event: &Member) {
    let known: Vec<&'static str> = ground.dialect.events.iter().map(|row| row.name).collect();
    let elsewhere = Dialect::ALL
        .iter()
        .any(|other| other.event(&event.name).is_some());
    let meant = nearest(&event.name, &known).filter(|_| !elsewhere);
    let name = event.name.clone();
    let kind = match meant {
        Some(intended) => FindingKind::MisspeltEvent {
            event: name,
            intended,
        },
        None => FindingKind::UnknownEvent { event: name },
    };
    let at_home = if meant.is_some() {
        AtHome::NeverAsks
    } else {
        AtHome::Nothing
    };
    report.add(event.span.clone(), kind, at_home);
}

fn groups(
    report: &mut Report<'_>,
    ground: Ground<'_>,
    event: &Member,
    row: Option<&'static EventRow>,
    declared: &mut Vec<Declared>,
) {
    let at_home = (ground.habits.on_group_mistake)(&event.name);
    let Some(groups) = event.node.list() else {
        // What an event that nobody knows holds, nobody can say.
        if row.is_some() {
            wrong_type(report, &event.node, &event.name, "an array", at_home);
        }
        return;
    };
    for (index, group) in groups.iter().enumerate() {
        report.at = Some(format!("{}[{index}]", event.name));
        let mut group = Group {
            ground,
            event: &event.name,
            row,
            index,
            pattern: None,
            dropped: None,
            node: group,
        };
        group.read(report, declared);
    }
}

/// One group of handlers.
struct Group<'a> {
    ground: Ground<'a>,
    event: &'a str,
    row: Option<&'static EventRow>,
    index: usize,
    pattern: Option<String>,
    /// Why the agent leaves the whole group out.
    dropped: Option<WhyNotRun>,
    node: &'a Node,
}

impl Group<'_> {
    fn read(&mut self, report: &mut Report<'_>, declared: &mut Vec<Declared>) {
        let at_home = (self.ground.habits.on_group_mistake)(self.event);
        let Some(fields) = self.node.members() else {
            if self.row.is_some() {
                wrong_type(report, self.node, "a group", "an object", at_home);
            }
            return;
        };
        let misplaced = self.row.is_some() && self.look_at_fields(report, fields);
        self.read_matcher(report);
        let hooks = match self.node.get("hooks") {
            Some(Node {
                value: Value::List(hooks),
                ..
            }) => hooks.as_slice(),
            _ if self.row.is_none() => return,
            Some(other) => {
                wrong_type(report, other, "hooks", "an array", at_home);
                return;
            }
            None if misplaced => return,
            None if !self.ground.habits.group_may_be_empty => {
                let kind = FindingKind::MissingField { field: "hooks" };
                report.add(self.node.start(), kind, at_home);
                return;
            }
            None => &[],
        };
        if hooks.is_empty() && self.row.is_some() {
            report.add(self.node.start(), FindingKind::EmptyGroup, AtHome::Nothing);
        }
        for (index, hook) in hooks.iter().enumerate() {
            report.at = Some(format!("{}[{}].hooks[{index}]", self.event, self.index));
            declared.extend(self.handler(report, hook, index));
        }
    }

    /// Tells of fields that do not belong there; whether something of a handler was among them, or a mistaken `hooks`.
    fn look_at_fields(&self, report: &mut Report<'_>, fields: &[Member]) -> bool {
        let mut told = false;
        for field in fields
            .iter()
            .filter(|field| !GROUP.contains(&field.name.as_str()))
        {
            let name = field.name.clone();
            let (kind, at_home) = if HANDLER.contains(&name.as_str()) {
                (FindingKind::MisplacedField { field: name }, AtHome::Ignores)
            } else if let Some(intended) = nearest(&name, GROUP) {
                let kind = FindingKind::MisspeltField {
                    field: name,
                    intended,
                };
                (kind, AtHome::Ignores)
            } else {
                (FindingKind::UnknownField { field: name }, AtHome::Nothing)
            };
            let mistaken = !matches!(kind, FindingKind::UnknownField { .. });
            let without_hooks = self.node.get("hooks").is_none();
            let at_home = if mistaken && without_hooks && !self.ground.habits.group_may_be_empty {
                (self.ground.habits.on_group_mistake)(self.event)
            } else {
                at_home
            };
            told |= mistaken;
            report.add(field.span.clone(), kind, at_home);
        }
        told
    }

    fn read_matcher(&mut self, report: &mut Report<'_>) {
        let Some(node) = self.node.get("matcher") else {
            return;
        };
        let absent = node.value == Value::Null && self.ground.habits.null_is_absent;
        let Some(row) = self.row.filter(|_| !absent) else {
            return;
        };
        let Some(pattern) = node.text() else {
            let at_home = (self.ground.habits.on_group_mistake)(self.event);
            let kind = wrong_type(report, node, "matcher", "a string", at_home);
            self.dropped = Some(self.ground.dropped(&kind));
            return;
        };
        self.pattern = Some(pattern.to_owned());
        let Some(finding) = matchers::look(self.ground.dialect, row, pattern) else {
            return;
        };
        let too_large = MatcherProblem::TooLarge;
        let at_home = if matches!(&finding, FindingKind::Matcher { problem, .. } if *problem != too_large)
        {
            self.ground.habits.on_matcher
        } else if matches!(finding, FindingKind::DeadMatcher { .. }) {
            AtHome::NeverAsks
        } else {
            AtHome::Nothing
        };
        if at_home == AtHome::DropsGroup {
            self.dropped = Some(self.ground.dropped(&finding));
        }
        report.add(node.span.clone(), finding, at_home);
    }

    fn handler(&self, report: &mut Report<'_>, node: &Node, index: usize) -> Option<Declared> {
        let ground = self.ground;
        let mut declared = Declared {
            event: self.event.to_owned(),
            pattern: self.pattern.clone(),
            place: (self.index, index),
            line: report.line(node.span.start),
            handler_type: node
                .get("type")
                .and_then(Node::text)
                .unwrap_or_default()
                .to_owned(),
            shown: commands::shown(node),
            what: What::DoesNotRun(WhyNotRun::UnknownEvent {
                agent: ground.dialect.title,
                checked_against: ground.dialect.checked_against,
            }),
        };
        let Some(row) = self.row else {
            return Some(declared);
        };
        let mut reading = Commands::new(report, ground, row, node);
        let handler = reading.read();
        let why = reading.not_run.take();
        declared.what = match (self.dropped.clone().or(why), handler) {
            (Some(why), _) => What::DoesNotRun(why),
            (None, Some(handler)) => What::Runs(row, Box::new(handler)),
            (None, None) => return None,
        };
        Some(declared)
    }
}
