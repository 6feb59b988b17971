//! The table `hooks`: events, groups and handlers.

use hook_source::{
    Diagnostic, Field, Fields, Found, Kind, Member, Node, Shown, Standing, Table, nearest,
};

use super::{
    commands::{self, Commands},
    finding::{self, AtHome, Report},
    handler::Handler,
    matchers::{self, Faulty},
    not_run::WhyNotRun,
    source::Ground,
};
use crate::{Dialect, dialect::EventRow};

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
pub(super) const GROUP: Table = Table::new(&[
    Field::new("matcher").of(Kind::String),
    Field::new("hooks").of(Kind::Array),
]);

/// The same, where `null` is as good as absent.
pub(super) const NULLABLE_GROUP: Table = Table::new(&[
    Field::new("matcher").of(Kind::String).nullable(),
    Field::new("hooks").of(Kind::Array),
]);

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
        report.at(None);
        let row = ground.dialect.event(&event.name);
        if row.is_none() {
            unknown_event(report, ground, event);
        }
        groups(report, ground, event, row, &mut declared);
    }
    report.at(None);
    declared
}

/// Tells of a field at the top of a file that is an event or nearly `hooks`; whether it is one.
pub(super) fn look_beside(
    report: &mut Report<'_>,
    dialect: &'static Dialect,
    field: &Member,
) -> bool {
    if field.name.starts_with('_') {
        return false;
    }
    let told = if let Some(row) = dialect.event(&field.name) {
        finding::misplaced_event(row.name)
    } else if field.name != "hooks" && nearest(&field.name, &["hooks"]).is_some() {
        finding::misspelt_field(&field.name, "hooks")
    } else {
        return false;
    };
    report.add(&field.span, told, AtHome::Ignores);
    true
}

pub(super) fn wrong_type(
    report: &mut Report<'_>,
    node: &Node,
    field: &str,
    expected: &'static str,
    at_home: AtHome,
) -> Diagnostic {
    let told = finding::wrong_type(field, expected, node);
    report.add(&node.span, told.clone(), at_home);
    told
}

fn unknown_event(report: &mut Report<'_>, ground: Ground<'_>, event: &Member) {
    let known: Vec<&'static str> = ground.dialect.events.iter().map(|row| row.name).collect();
    let elsewhere = Dialect::ALL
        .iter()
        .any(|other| other.event(&event.name).is_some());
    let name = Shown(&event.name);
    let meant = nearest(&event.name, &known).filter(|_| !elsewhere);
    let (told, at_home) = if finding::is_note(&event.name) {
        (finding::note(&event.name), AtHome::Nothing)
    } else if let Some(intended) = meant {
        let message = format!("unknown event `{name}`");
        let told = Diagnostic::error("misspelt_event", message);
        (
            told.with_help(format!("write `{intended}`")),
            AtHome::NeverAsks,
        )
    } else {
        let message = format!("the event `{name}` is not known, so its hooks are never asked");
        let help = "correct its name, or use a version that knows it";
        (
            finding::odd("unknown_event", &message, help),
            AtHome::Nothing,
        )
    };
    report.add(&event.span, told, at_home);
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
        report.at(Some(format!("{}[{index}]", event.name)));
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
        if self.node.members().is_none() {
            if self.row.is_some() {
                wrong_type(report, self.node, "a group", "an object", at_home);
            }
            return;
        }
        if let Some(row) = self.row
            && !self.look_at_fields(report, row)
        {
            return;
        }
        let hooks = self.node.get("hooks").and_then(Node::list);
        let hooks = hooks.unwrap_or_default();
        if hooks.is_empty() && self.row.is_some() {
            let help = "add hooks, or remove the group";
            let told = finding::odd("empty_group", "the group has no hooks", help);
            report.add(&self.node.start(), told, AtHome::Nothing);
        }
        for (index, hook) in hooks.iter().enumerate() {
            report.at(Some(format!(
                "{}[{}].hooks[{index}]",
                self.event, self.index
            )));
            declared.extend(self.handler(report, hook, index));
        }
    }

    /// Tells of fields that are wrong or do not belong there; whether there is a list of hooks, or need not be one.
    fn look_at_fields(&mut self, report: &mut Report<'_>, row: &'static EventRow) -> bool {
        let table = self.ground.habits.group;
        let mut misplaced = false;
        let fields = table.read(self.node, |found| {
            misplaced |= self.look_at(report, &found);
        });
        self.read_matcher(report, row, &fields);
        let at_home = (self.ground.habits.on_group_mistake)(self.event);
        match fields.get("hooks") {
            Some(hooks) => hooks.list().is_some(),
            None if misplaced => false,
            None if self.ground.habits.group_may_be_empty => true,
            None => {
                report.add(&self.node.start(), finding::missing("hooks"), at_home);
                false
            }
        }
    }

    /// Tells of one field; whether something of a handler was there, or a mistaken `hooks`.
    fn look_at(&mut self, report: &mut Report<'_>, found: &Found<'_>) -> bool {
        let (name, at_group) = (
            found.member.name.as_str(),
            (self.ground.habits.on_group_mistake)(self.event),
        );
        let told = match found.standing {
            Standing::Known(_) => return false,
            Standing::OfAnotherKind(name, wanted) => {
                let told = wrong_type(report, &found.member.node, name, wanted, at_group);
                if name == "matcher" {
                    self.dropped = Some(self.ground.dropped(&told));
                }
                return false;
            }
            _ if HANDLER.contains(&name) => {
                let message = format!(
                    "the field `{}` belongs to a hook and has no meaning in a group",
                    Shown(name)
                );
                Diagnostic::error("misplaced_field", message)
                    .with_help("move it into an entry of the group's `hooks`")
            }
            Standing::Meant(intended)
                if !name.starts_with('_')
                    || intended == "hooks" && self.node.get("hooks").is_none() =>
            {
                finding::misspelt_field(name, intended)
            }
            Standing::Meant(_)
            | Standing::NotUnicode(_)
            | Standing::Note
            | Standing::Unknown
            | _ => {
                report.add(
                    &found.member.span,
                    finding::unknown_field(name),
                    AtHome::Nothing,
                );
                return false;
            }
        };
        let needed = self.node.get("hooks").is_none() && !self.ground.habits.group_may_be_empty;
        let at_home = if needed { at_group } else { AtHome::Ignores };
        report.add(&found.member.span, told, at_home);
        true
    }

    fn read_matcher(
        &mut self,
        report: &mut Report<'_>,
        row: &'static EventRow,
        fields: &Fields<'_>,
    ) {
        let Some((node, pattern)) = fields
            .get("matcher")
            .and_then(|node| Some((node, node.text()?)))
        else {
            return;
        };
        self.pattern = Some(pattern.to_owned());
        let Some((told, what)) = matchers::look(self.ground.dialect, row, pattern) else {
            return;
        };
        let at_home = match what {
            Faulty::NoExpression => self.ground.habits.on_matcher,
            Faulty::Dead => AtHome::NeverAsks,
            Faulty::Otherwise => AtHome::Nothing,
        };
        if at_home == AtHome::DropsGroup {
            self.dropped = Some(self.ground.dropped(&told));
        }
        report.add(&node.span, told, at_home);
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
