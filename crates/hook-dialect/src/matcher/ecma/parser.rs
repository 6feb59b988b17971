//! From text to parts: the grammar of ECMAScript without the flags `u` and `v`, with what its Annex B allows.

use super::{
    class::Class,
    syntax::{Node, Parsed, SyntaxError},
};

mod atom;
mod names;

use names::Names;

/// How deep groups may be nested.
const MAX_DEPTH: usize = 100;

pub(super) enum ParseError {
    Syntax(SyntaxError),
    TooDeep,
}

type Result<T> = std::result::Result<T, ParseError>;

pub(super) fn parse(units: &[u16]) -> Result<Parsed> {
    let names = Names::scan(units);
    let mut parser = Parser {
        units,
        at: 0,
        groups: 0,
        depth: 0,
        flags: Flags::default(),
        names,
    };
    let node = parser.choice()?;
    if parser.at < units.len() {
        return parser.wrong("unmatched `)`", parser.at);
    }
    parser.names.check()?;
    Ok(Parsed {
        node,
        groups: parser.groups,
    })
}

/// What `(?ims-ims:…)` switches.
#[derive(Clone, Copy, Default)]
struct Flags {
    fold: bool,
    lines: bool,
    any: bool,
}

struct Parser<'a> {
    units: &'a [u16],
    at: usize,
    /// How many capturing groups were opened so far.
    groups: u16,
    depth: usize,
    flags: Flags,
    names: Names,
}

impl Parser<'_> {
    fn peek(&self) -> Option<u16> {
        self.units.get(self.at).copied()
    }

    /// The next code unit when it is this ASCII character.
    fn eat(&mut self, wanted: u8) -> bool {
        let found = self.peek() == Some(u16::from(wanted));
        self.at += usize::from(found);
        found
    }

    fn eat_all(&mut self, wanted: &str) -> bool {
        let end = self.at + wanted.len();
        let found = self
            .units
            .get(self.at..end)
            .is_some_and(|units| units.iter().copied().eq(wanted.encode_utf16()));
        if found {
            self.at = end;
        }
        found
    }

    #[expect(
        clippy::unused_self,
        reason = "it reads as a sentence where it is used"
    )]
    fn wrong<T>(&self, what: &'static str, at: usize) -> Result<T> {
        Err(ParseError::Syntax(SyntaxError { what, at }))
    }

    fn choice(&mut self) -> Result<Node> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(ParseError::TooDeep);
        }
        let disjunction = self.names.enter();
        let mut ways = vec![self.sequence()?];
        while self.eat(b'|') {
            self.names.next_way();
            ways.push(self.sequence()?);
        }
        self.names.leave(disjunction);
        self.depth -= 1;
        Ok(match ways.len() {
            1 => ways.pop().unwrap_or(Node::Empty),
            _ => Node::Choice(ways),
        })
    }

    fn sequence(&mut self) -> Result<Node> {
        let mut parts = Vec::new();
        while let Some(unit) = self.peek() {
            if unit == u16::from(b'|') || unit == u16::from(b')') {
                break;
            }
            parts.push(self.term()?);
        }
        Ok(match parts.len() {
            0 => Node::Empty,
            1 => parts.pop().unwrap_or(Node::Empty),
            _ => Node::Sequence(parts),
        })
    }

    fn term(&mut self) -> Result<Node> {
        let before = self.groups;
        let start = self.at;
        let (node, repeatable) = self.unquantified()?;
        let Some((min, max)) = self.quantifier()? else {
            return Ok(node);
        };
        if !repeatable {
            return self.wrong("nothing to repeat", start);
        }
        let greedy = !self.eat(b'?');
        Ok(Node::Repeat {
            node: Box::new(node),
            min,
            max,
            greedy,
            groups: before + 1..self.groups + 1,
        })
    }

    /// The part before a quantifier, and whether one may follow.
    fn unquantified(&mut self) -> Result<(Node, bool)> {
        let start = self.at;
        let unit = self.peek().unwrap_or_default();
        self.at += 1;
        let Flags { fold, lines, any } = self.flags;
        Ok(match u8::try_from(unit).unwrap_or_default() {
            b'^' => (Node::Start { lines }, false),
            b'$' => (Node::End { lines }, false),
            b'.' => (Node::Any { line_ends: any }, true),
            b'(' => return self.group(start),
            b'[' => (self.class(start)?, true),
            b'\\' => return self.escape(start),
            b'*' | b'+' | b'?' => return self.wrong("nothing to repeat", start),
            b'{' if self.braces_at(start).is_some() => {
                return self.wrong("nothing to repeat", start);
            }
            _ => (Node::Unit { unit, fold }, true),
        })
    }

    fn group(&mut self, start: usize) -> Result<(Node, bool)> {
        let look = |ahead, negated| Some((ahead, negated));
        let kind = if self.eat_all("?=") {
            look(true, false)
        } else if self.eat_all("?!") {
            look(true, true)
        } else if self.eat_all("?<=") {
            look(false, false)
        } else if self.eat_all("?<!") {
            look(false, true)
        } else {
            None
        };
        if let Some((ahead, negated)) = kind {
            let node = Box::new(self.rest_of_group(start)?);
            // Annex B lets what looks ahead be repeated.
            return Ok((
                Node::Look {
                    ahead,
                    negated,
                    node,
                },
                ahead,
            ));
        }
        let outside = self.flags;
        let capture = if self.eat_all("?<") {
            let name = self.name(start)?;
            self.groups += 1;
            self.names.add(name, start);
            Some(self.groups)
        } else if self.eat(b'?') {
            self.modifiers(start)?;
            None
        } else {
            if self.groups == u16::MAX - 1 {
                return Err(ParseError::TooDeep);
            }
            self.groups += 1;
            Some(self.groups)
        };
        let node = self.rest_of_group(start)?;
        self.flags = outside;
        Ok((
            match capture {
                Some(index) => Node::Capture {
                    index,
                    node: Box::new(node),
                },
                None => node,
            },
            true,
        ))
    }

    fn rest_of_group(&mut self, start: usize) -> Result<Node> {
        let node = self.choice()?;
        if self.eat(b')') {
            Ok(node)
        } else {
            self.wrong("unterminated group", start)
        }
    }

    /// `ims-ims:` after `(?`; nothing of it is `(?:`.
    fn modifiers(&mut self, start: usize) -> Result<()> {
        let mut seen = Vec::new();
        let mut switch_on = true;
        let mut named = 0;
        loop {
            let unit = self.peek().and_then(|unit| u8::try_from(unit).ok());
            self.at += 1;
            match unit {
                Some(b':') if switch_on || named > 0 => return Ok(()),
                Some(b'-') if switch_on => switch_on = false,
                Some(letter @ (b'i' | b'm' | b's')) if !seen.contains(&letter) => {
                    seen.push(letter);
                    named += 1;
                    match letter {
                        b'i' => self.flags.fold = switch_on,
                        b'm' => self.flags.lines = switch_on,
                        _ => self.flags.any = switch_on,
                    }
                }
                _ => return self.wrong("invalid group", start),
            }
        }
    }

    fn quantifier(&mut self) -> Result<Option<(u32, Option<u32>)>> {
        if self.eat(b'*') {
            return Ok(Some((0, None)));
        }
        if self.eat(b'+') {
            return Ok(Some((1, None)));
        }
        if self.eat(b'?') {
            return Ok(Some((0, Some(1))));
        }
        let Some((min, max, end)) = self.braces_at(self.at) else {
            return Ok(None);
        };
        if max.is_some_and(|max| max < min) {
            return self.wrong("numbers out of order in a quantifier", self.at);
        }
        self.at = end;
        Ok(Some((min, max)))
    }

    /// `{n}`, `{n,}` or `{n,m}` at a place, and where it ends.
    fn braces_at(&self, start: usize) -> Option<(u32, Option<u32>, usize)> {
        let is = |at: usize, wanted: u8| self.units.get(at) == Some(&u16::from(wanted));
        let digits = |from: usize| {
            let mut at = from;
            let mut value = 0_u32;
            while let Some(unit) = self.units.get(at).filter(|u| (0x30..=0x39).contains(*u)) {
                value = value
                    .saturating_mul(10)
                    .saturating_add(u32::from(unit - 0x30));
                at += 1;
            }
            (at > from).then_some((value, at))
        };
        if !is(start, b'{') {
            return None;
        }
        let (min, at) = digits(start + 1)?;
        if is(at, b'}') {
            return Some((min, Some(min), at + 1));
        }
        if !is(at, b',') {
            return None;
        }
        if is(at + 1, b'}') {
            return Some((min, None, at + 2));
        }
        let (max, at) = digits(at + 1)?;
        is(at, b'}').then_some((min, Some(max), at + 1))
    }

    fn unit(&self, unit: u16) -> Node {
        Node::Unit {
            unit,
            fold: self.flags.fold,
        }
    }

    fn of_class(&self, class: Class) -> Node {
        Node::Class {
            class,
            fold: self.flags.fold,
        }
    }
}
