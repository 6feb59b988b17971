//! The same pattern for an engine that takes linear time.

use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, Hir, Look, Repetition};

use super::{class, syntax::Node};

/// The pattern as that engine takes it; nothing for what it does not have, and for halves of surrogate pairs.
///
/// Only whether it matches is the same: which way is tried first is not kept.
pub(super) fn hir(node: &Node) -> Option<Hir> {
    Some(match node {
        Node::Empty => Hir::empty(),
        Node::Unit { unit, fold: false } => {
            let character = char::from_u32(u32::from(*unit))?;
            Hir::literal(character.to_string().into_bytes())
        }
        Node::Class { class, fold: false } => of_class(class),
        Node::Any { line_ends: true } => of_class(&class::Class::all()),
        Node::Any { line_ends: false } => of_class(&class::Class::within_lines()),
        Node::Start { lines: false } => Hir::look(Look::Start),
        Node::End { lines: false } => Hir::look(Look::End),
        Node::WordBoundary { inverted: false } => Hir::look(Look::WordAscii),
        Node::WordBoundary { inverted: true } => Hir::look(Look::WordAsciiNegate),
        Node::Capture { node, .. } => hir(node)?,
        Node::Repeat {
            node,
            min,
            max,
            greedy,
            ..
        } => Hir::repetition(Repetition {
            min: *min,
            max: *max,
            greedy: *greedy,
            sub: Box::new(hir(node)?),
        }),
        Node::Sequence(nodes) => Hir::concat(nodes.iter().map(hir).collect::<Option<_>>()?),
        Node::Choice(ways) => Hir::alternation(ways.iter().map(hir).collect::<Option<_>>()?),
        Node::Unit { fold: true, .. }
        | Node::Class { fold: true, .. }
        | Node::Start { lines: true }
        | Node::End { lines: true }
        | Node::Back { .. }
        | Node::Look { .. } => return None,
    })
}

/// The characters of the class among the first 65,536. Beyond them is nothing that the engine is asked about.
fn of_class(class: &class::Class) -> Hir {
    /// The last before and the first after the halves of surrogate pairs.
    const GAP: (u16, u16) = (0xd7ff, 0xe000);
    let range = |first: u16, last: u16| {
        let character = |unit: u16| char::from_u32(u32::from(unit));
        (first <= last)
            .then(|| character(first).zip(character(last)))
            .flatten()
            .map(|(first, last)| ClassUnicodeRange::new(first, last))
    };
    let ranges = class
        .ranges()
        .iter()
        .flat_map(|&(first, last)| [range(first, last.min(GAP.0)), range(first.max(GAP.1), last)]);
    Hir::class(Class::Unicode(ClassUnicode::new(ranges.flatten())))
}
