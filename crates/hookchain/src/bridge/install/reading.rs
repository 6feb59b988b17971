//! Which hooks of a text are the bridge, exactly, and which are only like it.
//!
//! It knows the shape that both formats share: events, groups, hooks. What is trusted, counted or deleted is decided here,
//! once: a hook is the bridge when this program writes every field of it so, in a group that asks about everything.

use hook_dialect::bridge::Bridge;
use hook_source::{Lines, Node};

use super::{
    entry::{Entry, Field, Spot, events, is_alike},
    known::Known,
    place::Syntax,
};

/// How deep hooks stand in a file, with the words of their arguments.
pub(super) const DEPTH: usize = 8;

/// A hook that is the bridge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ours {
    pub(super) spot: Spot,
    pub(super) entry: Entry,
}

/// A hook that a person would take for the bridge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Alike {
    pub(super) event: &'static str,
    /// The line on which it begins, from 1.
    pub(super) line: usize,
}

/// What was found, in the order of the text.
#[derive(Clone, Debug, Default)]
pub(super) struct Reading {
    pub(super) ours: Vec<Ours>,
    pub(super) alike: Vec<Alike>,
}

impl Reading {
    /// Of a whole text; nothing when it is no text of this syntax.
    pub(super) fn of(
        bridge: &'static Bridge,
        known: &Known,
        syntax: Syntax,
        text: &str,
    ) -> Option<Self> {
        count(text.len());
        let root = match syntax {
            Syntax::Json => hook_source::json::read(text, DEPTH).ok()?,
            Syntax::Toml => hook_source::toml::read(text).ok()?,
        };
        Some(Self::of_root(bridge, known, text, &root))
    }

    pub(super) fn of_root(bridge: &'static Bridge, known: &Known, text: &str, root: &Node) -> Self {
        let mut reading = Self::default();
        let lines = Lines::of(text);
        let exact = |fields: &[(&str, Field)]| Entry::exact(bridge, known, fields);
        for event in events(bridge) {
            let groups = root.get("hooks").and_then(|hooks| hooks.get(event)?.list());
            for (group, node) in groups.into_iter().flatten().enumerate() {
                let spot = |index| Spot {
                    event,
                    group,
                    index,
                };
                reading.add(&lines, node, spot, exact);
            }
        }
        reading
    }

    /// What is in one group.
    fn add(
        &mut self,
        lines: &Lines<'_>,
        group: &Node,
        spot: impl Fn(usize) -> Spot,
        exact: impl Fn(&[(&str, Field)]) -> Option<Entry>,
    ) {
        let asks_about_all = group.members().is_some_and(|members| members.len() == 1);
        let handlers = group.get("hooks").and_then(Node::list);
        for (index, handler) in handlers.into_iter().flatten().enumerate() {
            let spot = spot(index);
            let fields = fields(handler).filter(|_| asks_about_all);
            if let Some(entry) = fields.and_then(|fields| exact(&fields)) {
                self.ours.push(Ours { spot, entry });
            } else if is_alike(&words(handler)) {
                let line = lines.line(handler.span.start);
                let event = spot.event;
                self.alike.push(Alike { event, line });
            }
        }
    }

    /// The entry, when it stands once at each event and nowhere else: as an installation leaves it.
    pub(super) fn whole(&self) -> Option<&Entry> {
        let first = &self.ours.first()?.entry;
        let wanted = events(first.bridge);
        let same = |(ours, event): (&Ours, &str)| ours.spot.event == event && ours.entry == *first;
        let is_whole = self.ours.len() == events(first.bridge).count()
            && self.ours.iter().zip(wanted).all(same);
        is_whole.then_some(first)
    }
}

/// The fields of a hook; nothing when one of them is of no kind that an entry has.
fn fields(handler: &Node) -> Option<Vec<(&str, Field)>> {
    let members = handler.members()?.iter();
    let field = |node: &Node| {
        if let Some(list) = node.list() {
            let words = list.iter().map(|word| word.text().map(str::to_owned));
            return words.collect::<Option<_>>().map(Field::Texts);
        }
        let text = node.text().map(|text| Field::Text(text.to_owned()));
        text.or_else(|| node.whole().map(Field::Number))
    };
    let named = members.map(|member| Some((member.name.as_str(), field(&member.node)?)));
    named.collect()
}

/// Every word that a hook is started with.
fn words(handler: &Node) -> String {
    let mut words = Vec::new();
    for name in ["command", "commandWindows", "args"] {
        let node = handler.get(name);
        words.extend(node.and_then(Node::text));
        let list = node.and_then(Node::list).into_iter().flatten();
        words.extend(list.filter_map(Node::text));
    }
    words.join(" ")
}

#[cfg(not(test))]
pub(super) const fn count(_bytes: usize) {}

#[cfg(test)]
pub(super) use self::counting::count;

/// How much was read, so that a test can tell what grows with the square of a file.
#[cfg(test)]
pub(super) mod counting {
    use std::cell::Cell;

    thread_local! {
        static BYTES: Cell<usize> = const { Cell::new(0) };
    }

    pub(in super::super) fn count(bytes: usize) {
        BYTES.set(BYTES.get() + bytes);
    }

    /// How many bytes were read since the last call.
    pub(in super::super) fn taken() -> usize {
        BYTES.take()
    }
}
