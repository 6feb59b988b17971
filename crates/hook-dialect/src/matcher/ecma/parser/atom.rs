//! Escapes, classes and names.

use super::{Class, Node, Parser, Result};

/// One member of a class.
enum Member {
    Unit(u16),
    Class(Class),
}

impl Parser<'_> {
    /// What follows a backslash, and whether it may be repeated.
    pub(super) fn escape(&mut self, start: usize) -> Result<(Node, bool)> {
        let Some(unit) = self.peek() else {
            return self.wrong("`\\` at the end", start);
        };
        let letter = u8::try_from(unit).unwrap_or_default();
        let fold = self.flags.fold;
        if let b'b' | b'B' = letter {
            self.at += 1;
            let inverted = letter == b'B';
            return Ok((Node::WordBoundary { inverted }, false));
        }
        if let Some(class) = Class::of_escape(unit) {
            self.at += 1;
            return Ok((self.of_class(class), true));
        }
        if letter == b'k' && self.names.any() {
            self.at += 1;
            if !self.eat(b'<') {
                return self.wrong("invalid reference to a named group", start);
            }
            let name = self.name(start)?;
            let groups = self.names.refer(&name, start);
            return Ok((Node::Back { groups, fold }, true));
        }
        if let Some(group) = self.number_of_group() {
            let groups = vec![group];
            return Ok((Node::Back { groups, fold }, true));
        }
        let unit = self.character_escape(false);
        Ok((self.unit(unit), true))
    }

    /// A decimal number that is the number of a group.
    fn number_of_group(&mut self) -> Option<u16> {
        let digits = self.units.get(self.at..).unwrap_or_default();
        let length = digits
            .iter()
            .take_while(|unit| (0x30..=0x39).contains(*unit))
            .count();
        let digits = digits.get(..length).unwrap_or_default();
        if digits.first().is_none_or(|first| *first == 0x30) {
            return None;
        }
        let mut number = 0_u32;
        for digit in digits {
            number = number
                .saturating_mul(10)
                .saturating_add(u32::from(digit - 0x30));
        }
        let number = u16::try_from(number).ok()?;
        (usize::from(number) <= self.names.total()).then(|| {
            self.at += length;
            number
        })
    }

    /// The code unit that an escape stands for. There is always one: Annex B has a meaning for every letter.
    fn character_escape(&mut self, in_class: bool) -> u16 {
        let unit = self.peek().unwrap_or_default();
        let start = self.at;
        self.at += 1;
        match u8::try_from(unit).unwrap_or_default() {
            b'f' => 0x0c,
            b'n' => 0x0a,
            b'r' => 0x0d,
            b't' => 0x09,
            b'v' => 0x0b,
            b'c' => {
                let letter = self.peek().and_then(|unit| u8::try_from(unit).ok());
                let control = letter.filter(|letter| {
                    letter.is_ascii_alphabetic()
                        || in_class && (letter.is_ascii_digit() || *letter == b'_')
                });
                if let Some(letter) = control {
                    self.at += 1;
                    u16::from(letter % 32)
                } else {
                    // The backslash stands for itself and the `c` comes next.
                    self.at = start;
                    u16::from(b'\\')
                }
            }
            b'x' => self.hexadecimal(2).unwrap_or(unit),
            b'u' => self.hexadecimal(4).unwrap_or(unit),
            b'0'..=b'7' => {
                self.at = start;
                self.octal()
            }
            _ => unit,
        }
    }

    fn hexadecimal(&mut self, length: usize) -> Option<u16> {
        let digits = self.units.get(self.at..self.at + length)?;
        let mut value = 0_u16;
        for unit in digits {
            let digit = char::from_u32(u32::from(*unit))?.to_digit(16)?;
            value = value.wrapping_mul(16) | u16::try_from(digit).ok()?;
        }
        self.at += length;
        Some(value)
    }

    /// Up to three octal digits, at most 255.
    fn octal(&mut self) -> u16 {
        let mut value = 0_u16;
        for _ in 0..3 {
            let Some(digit) = self.peek().filter(|unit| (0x30..=0x37).contains(unit)) else {
                break;
            };
            let next = value * 8 + (digit - 0x30);
            if next > 255 {
                break;
            }
            value = next;
            self.at += 1;
        }
        value
    }

    pub(super) fn class(&mut self, start: usize) -> Result<Node> {
        let inverted = self.eat(b'^');
        let mut class = Class::default();
        while !self.eat(b']') {
            let member = self.member(start)?;
            let from = self.at;
            // A `-` before the closing bracket stands for itself.
            if self.eat(b'-') && self.peek() != Some(u16::from(b']')) {
                let last = self.member(start)?;
                self.range(&mut class, (&member, &last), from)?;
            } else {
                self.at = from;
                add(&mut class, &member);
            }
        }
        if !inverted {
            return Ok(self.of_class(class));
        }
        // With case folded, what a class leaves out is what no member of it is a form of.
        Ok(if self.flags.fold {
            let node = Box::new(self.of_class(class));
            Node::Sequence(vec![
                Node::Look {
                    ahead: true,
                    negated: true,
                    node,
                },
                Node::Any { line_ends: true },
            ])
        } else {
            self.of_class(class.inverted())
        })
    }

    /// The members from one to another. A class at either end makes the `-` a member.
    fn range(
        &mut self,
        class: &mut Class,
        (first, last): (&Member, &Member),
        at: usize,
    ) -> Result<()> {
        match (first, last) {
            (Member::Unit(first), Member::Unit(last)) if first > last => {
                self.wrong("range out of order in a class", at)
            }
            (Member::Unit(first), Member::Unit(last)) => {
                class.add(*first, *last);
                Ok(())
            }
            (first, last) => {
                class.add(u16::from(b'-'), u16::from(b'-'));
                add(class, first);
                add(class, last);
                Ok(())
            }
        }
    }

    fn member(&mut self, start: usize) -> Result<Member> {
        let Some(unit) = self.peek() else {
            return self.wrong("unterminated class", start);
        };
        if unit != u16::from(b'\\') {
            self.at += 1;
            return Ok(Member::Unit(unit));
        }
        self.at += 1;
        let Some(unit) = self.peek() else {
            return self.wrong("`\\` at the end", start);
        };
        if let Some(class) = Class::of_escape(unit) {
            self.at += 1;
            return Ok(Member::Class(class));
        }
        if unit == u16::from(b'b') {
            self.at += 1;
            return Ok(Member::Unit(0x08));
        }
        Ok(Member::Unit(self.character_escape(true)))
    }

    /// The name of a group up to `>`.
    pub(super) fn name(&mut self, start: usize) -> Result<Vec<u16>> {
        let rest = self.units.get(self.at..).unwrap_or_default();
        let end = rest.iter().position(|unit| *unit == u16::from(b'>'));
        let name = end.and_then(|end| rest.get(..end)).unwrap_or_default();
        if !is_name(name) {
            return self.wrong("invalid name of a group", start);
        }
        self.at += name.len() + 1;
        Ok(name.to_vec())
    }
}

/// An identifier. Escapes in names, which nobody writes into a matcher, are not read.
fn is_name(units: &[u16]) -> bool {
    let mut characters = char::decode_utf16(units.iter().copied());
    let start = |c: char| c == '$' || c == '_' || c.is_alphabetic();
    characters
        .next()
        .is_some_and(|first| first.is_ok_and(start))
        && characters.all(|c| c.is_ok_and(|c| start(c) || c.is_alphanumeric()))
}

fn add(class: &mut Class, member: &Member) {
    match member {
        Member::Unit(unit) => class.add(*unit, *unit),
        Member::Class(members) => class.add_all(members),
    }
}
