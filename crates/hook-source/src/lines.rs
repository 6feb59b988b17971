//! The lines of a text.

use std::cell::Cell;

use hook_contract::json::Position;

/// Where each line of a text begins, so that places are told without counting from its start each time.
///
/// ```
/// use hook_source::Lines;
///
/// let lines = Lines::of("a\nbä\n");
/// assert_eq!(lines.line(3), 2);
/// let position = lines.position(5);
/// assert_eq!((position.line, position.column), (2, 3));
/// ```
#[derive(Clone, Debug)]
pub struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
    /// The place that was asked for last. Thousands of places may stand on one line, and are asked for in order.
    last: Cell<Position>,
}

impl<'t> Lines<'t> {
    /// The lines of `text`.
    #[must_use]
    pub fn of(text: &'t str) -> Self {
        let starts = text.match_indices('\n').map(|(at, _)| at + 1);
        Self {
            text,
            starts: std::iter::once(0).chain(starts).collect(),
            last: Cell::new(Position::at(text, 0)),
        }
    }

    /// The line on which a byte stands, from 1.
    #[must_use]
    pub fn line(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset)
    }

    /// The place that many bytes into the text; an offset inside a character or past the end is moved back.
    #[must_use]
    pub fn position(&self, offset: usize) -> Position {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.line(offset);
        let last = self.last.get();
        let near = last.line == line && last.offset <= offset;
        let mut position = last;
        position.line = line;
        position.offset = offset;
        let (from, before) = if near {
            (last.offset, last.column)
        } else {
            (self.starts.get(line - 1).copied().unwrap_or(0), 1)
        };
        let between = self.text.get(from..offset).unwrap_or_default();
        position.column = before + between.chars().count();
        self.last.set(position);
        position
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_position_is_the_one_that_counting_from_the_start_gives(
            text in "[aä\r\n]{0,40}",
            offsets in prop::collection::vec(0_usize..60, 0..8),
        ) {
            let lines = Lines::of(&text);
            for offset in offsets {
                prop_assert_eq!(lines.position(offset), Position::at(&text, offset));
            }
        }
    }
}
