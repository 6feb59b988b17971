//! Sets of code units.

/// A set of code units, as sorted ranges that do not touch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Class(Vec<(u16, u16)>);

const DIGITS: [(u16, u16); 1] = [(0x30, 0x39)];
const WORD: [(u16, u16); 4] = [(0x30, 0x39), (0x41, 0x5a), (0x5f, 0x5f), (0x61, 0x7a)];
const SPACE: [(u16, u16); 10] = [
    (0x09, 0x0d),
    (0x20, 0x20),
    (0xa0, 0xa0),
    (0x1680, 0x1680),
    (0x2000, 0x200a),
    (0x2028, 0x2029),
    (0x202f, 0x202f),
    (0x205f, 0x205f),
    (0x3000, 0x3000),
    (0xfeff, 0xfeff),
];
const LINE_ENDS: [(u16, u16); 3] = [(0x0a, 0x0a), (0x0d, 0x0d), (0x2028, 0x2029)];

impl Class {
    /// The class behind `\d`, `\w`, `\s` and their opposites.
    pub(super) fn of_escape(letter: u16) -> Option<Self> {
        let letter = u8::try_from(letter).ok()?;
        let class = match letter.to_ascii_lowercase() {
            b'd' => Self(DIGITS.to_vec()),
            b'w' => Self(WORD.to_vec()),
            b's' => Self(SPACE.to_vec()),
            _ => return None,
        };
        Some(if letter.is_ascii_uppercase() {
            class.inverted()
        } else {
            class
        })
    }

    /// Every code unit that does not end a line.
    pub(super) fn within_lines() -> Self {
        Self(LINE_ENDS.to_vec()).inverted()
    }

    /// Every code unit.
    pub(super) fn all() -> Self {
        Self(vec![(0, u16::MAX)])
    }

    pub(super) fn add(&mut self, first: u16, last: u16) {
        self.0.push((first, last));
        self.tidy();
    }

    pub(super) fn add_all(&mut self, other: &Self) {
        self.0.extend_from_slice(&other.0);
        self.tidy();
    }

    fn tidy(&mut self) {
        self.0.sort_unstable();
        let mut kept: Vec<(u16, u16)> = Vec::with_capacity(self.0.len());
        for &(first, last) in &self.0 {
            match kept.last_mut() {
                Some((_, end)) if first <= end.saturating_add(1) => *end = last.max(*end),
                _ => kept.push((first, last)),
            }
        }
        self.0 = kept;
    }

    pub(super) fn inverted(&self) -> Self {
        let mut gaps = Vec::with_capacity(self.0.len() + 1);
        let mut next = Some(0);
        for &(first, last) in &self.0 {
            if let Some(start) = next.filter(|start| *start < first) {
                gaps.push((start, first - 1));
            }
            next = last.checked_add(1);
        }
        if let Some(start) = next {
            gaps.push((start, u16::MAX));
        }
        Self(gaps)
    }

    pub(super) fn contains(&self, unit: u16) -> bool {
        let after = self.0.partition_point(|(first, _)| *first <= unit);
        after
            .checked_sub(1)
            .and_then(|index| self.0.get(index))
            .is_some_and(|(_, last)| unit <= *last)
    }

    pub(super) fn ranges(&self) -> &[(u16, u16)] {
        &self.0
    }
}

pub(super) fn ends_line(unit: u16) -> bool {
    matches!(unit, 0x0a | 0x0d | 0x2028 | 0x2029)
}

pub(super) fn in_word(unit: u16) -> bool {
    WORD.iter()
        .any(|(first, last)| (*first..=*last).contains(&unit))
}

/// The form in which two code units are compared when case does not matter (`Canonicalize` of the standard, without
/// the flag `u`).
pub(super) fn folded(unit: u16) -> u16 {
    let Some(character) = char::from_u32(u32::from(unit)) else {
        return unit;
    };
    let mut upper = character.to_uppercase();
    let (Some(first), None) = (upper.next(), upper.next()) else {
        return unit;
    };
    match u16::try_from(u32::from(first)) {
        // What is not ASCII never becomes ASCII.
        Ok(upper) if unit < 128 || upper >= 128 => upper,
        _ => unit,
    }
}

/// Whether the class has a code unit that differs from this one at most in case.
pub(super) fn contains_folded(class: &Class, unit: u16) -> bool {
    let canonical = folded(unit);
    let lower = char::from_u32(u32::from(canonical))
        .map(char::to_lowercase)
        .and_then(|mut lower| match (lower.next(), lower.next()) {
            (Some(first), None) => u16::try_from(u32::from(first)).ok(),
            _ => None,
        })
        .filter(|lower| folded(*lower) == canonical);
    class.contains(unit) || class.contains(canonical) || lower.is_some_and(|l| class.contains(l))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn single(unit: u16) -> Class {
        Class(vec![(unit, unit)])
    }

    #[test]
    fn a_class_and_its_opposite_share_nothing_and_leave_out_nothing() {
        let mut class = single(u16::from(b'a'));
        class.add(u16::from(b'c'), u16::from(b'e'));
        class.add(0, 3);
        class.add(u16::MAX, u16::MAX);
        class.add_all(&Class::of_escape(u16::from(b'D')).expect("a class"));
        let opposite = class.inverted();
        for unit in 0..=u16::MAX {
            assert_ne!(class.contains(unit), opposite.contains(unit), "{unit}");
        }
        assert_eq!(opposite.inverted(), class);
    }

    #[test]
    fn case_is_folded_as_the_standard_says() {
        let [upper_k, kelvin, long_s] = [0x4b, 0x212a, 0x17f];
        assert_eq!(folded(u16::from(b'k')), upper_k);
        assert_eq!(folded(kelvin), kelvin);
        assert_eq!(folded(long_s), long_s);
        assert!(contains_folded(&single(u16::from(b'k')), upper_k));
        assert!(!contains_folded(&single(u16::from(b'k')), kelvin));
        assert!(contains_folded(&single(0xe9), 0xc9));
    }
}
