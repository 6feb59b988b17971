//! Running a program on a text, within a number of steps.

use super::{
    Search,
    class::{contains_folded, ends_line, folded, in_word},
    program::{Program, Step},
};

/// How many steps looking may take. Each is a comparison or two, so that this is a millisecond or two.
pub(in crate::matcher) const MAX_STEPS: usize = 200_000;

/// The steps are used up.
struct Exhausted;

type Result<T> = std::result::Result<T, Exhausted>;

const UNSET: usize = usize::MAX;

/// Room for searches, so that many of them in a row need not ask for it again.
#[derive(Default)]
pub(in crate::matcher) struct Room {
    registers: Vec<usize>,
    /// Registers and what they held, for going back.
    changed: Vec<(usize, usize)>,
    /// Branches that were not taken: the step, the place, and how much was changed.
    others: Vec<(usize, usize, usize)>,
    /// Which pairs of step and place led nowhere already; a bit for each.
    tried: Vec<u64>,
    /// For each look-around and place, what was seen there; only in stateless programs.
    looked: Vec<Option<bool>>,
}

/// Looks for the program's pattern anywhere in the text.
pub(super) fn search(program: &Program, text: &[u16], budget: usize, room: &mut Room) -> Search {
    room.registers.clear();
    room.registers.resize(program.registers, UNSET);
    room.changed.clear();
    room.others.clear();
    room.tried.clear();
    room.looked.clear();
    let mut run = Run {
        program,
        text,
        left: budget,
        room,
    };
    let found = run.anywhere().ok();
    Search {
        found,
        steps: budget - run.left,
    }
}

struct Run<'a> {
    program: &'a Program,
    text: &'a [u16],
    /// How many steps are left.
    left: usize,
    room: &'a mut Room,
}

/// Where it is noted which pairs of step and place were tried.
#[derive(Clone, Copy)]
struct Tried {
    first_word: usize,
    first_step: usize,
}

impl Run<'_> {
    fn spend(&mut self, steps: usize) -> Result<()> {
        self.left = self.left.checked_sub(steps).ok_or(Exhausted)?;
        Ok(())
    }

    fn anywhere(&mut self) -> Result<bool> {
        let tried = if self.program.branches {
            self.nothing_tried(0, self.program.steps.len())?
        } else {
            None
        };
        let first = self.program.steps.first();
        let anchored = matches!(first, Some(Step::Start { lines: false }));
        let last_start = if anchored { 0 } else { self.text.len() };
        for start in 0..=last_start {
            if self.from(0, start, true, tried)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Room to note what was tried among these steps, where that is known from the step and the place. Making it
    /// costs, too.
    fn nothing_tried(&mut self, first_step: usize, steps: usize) -> Result<Option<Tried>> {
        if !self.program.stateless {
            return Ok(None);
        }
        let words = (steps * self.places()).div_ceil(64);
        self.spend(words / 8)?;
        let first_word = self.room.tried.len();
        self.room.tried.resize(first_word + words, 0);
        Ok(Some(Tried {
            first_word,
            first_step,
        }))
    }

    fn places(&self) -> usize {
        self.text.len() + 1
    }

    /// Whether the pair was tried before; when nothing is noted, it was not.
    fn again(&mut self, tried: Option<Tried>, step: usize, place: usize) -> bool {
        let Some(tried) = tried else {
            return false;
        };
        let index = step.saturating_sub(tried.first_step) * self.places() + place;
        let bit = 1 << (index % 64);
        let word = self.room.tried.get_mut(tried.first_word + index / 64);
        word.is_some_and(|word| {
            let again = *word & bit != 0;
            *word |= bit;
            again
        })
    }

    /// Whether the steps from this one on lead to `Done` from this place.
    fn from(
        &mut self,
        step: usize,
        place: usize,
        ahead: bool,
        tried: Option<Tried>,
    ) -> Result<bool> {
        let below = self.room.others.len();
        self.room
            .others
            .push((step, place, self.room.changed.len()));
        while self.room.others.len() > below {
            let Some((step, place, changed)) = self.room.others.pop() else {
                break;
            };
            self.undo(changed);
            if self.follow((step, place), ahead, tried)? {
                self.room.others.truncate(below);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Goes on until `Done` or to where it does not go on; branches that were not taken are kept for later.
    fn follow(&mut self, from: (usize, usize), ahead: bool, tried: Option<Tried>) -> Result<bool> {
        let program = self.program;
        let mut here = Some(from);
        while let Some((step, place)) = here {
            self.spend(1)?;
            here = match program.steps.get(step) {
                None => None,
                Some(Step::Done) => return Ok(true),
                Some(Step::Fork { .. } | Step::Jump(_)) if self.again(tried, step, place) => None,
                Some(Step::Jump(target)) => Some((*target, place)),
                Some(Step::Fork { first, second }) => {
                    let changed = self.room.changed.len();
                    self.room.others.push((*second, place, changed));
                    Some((*first, place))
                }
                Some(what) => self.on(step, what, place, ahead)?,
            };
        }
        Ok(false)
    }

    /// Where a step that is no branch leads.
    fn on(
        &mut self,
        index: usize,
        step: &Step,
        place: usize,
        ahead: bool,
    ) -> Result<Option<(usize, usize)>> {
        let Step::Look {
            id,
            negated,
            ahead: looks_ahead,
            next,
            branches,
        } = step
        else {
            let to = self.simple(step, place, ahead)?;
            return Ok(to.map(|place| (index + 1, place)));
        };
        let body = (index + 1, *next);
        let seen = if *branches {
            self.look(*id, body, place, *looks_ahead)?
        } else {
            self.look_straight(body.0, place, *looks_ahead)?
        };
        Ok((seen != *negated).then_some((*next, place)))
    }

    /// A step that goes on at the next one: the place after it, when it holds.
    fn simple(&mut self, step: &Step, place: usize, ahead: bool) -> Result<Option<usize>> {
        let holds = |holds: bool| Ok(holds.then_some(place));
        match step {
            Step::Unit { unit, fold } => {
                let same = |found: u16| found == *unit || *fold && folded(found) == folded(*unit);
                Ok(self.over(place, ahead, same))
            }
            Step::Class { class, fold: false } => {
                Ok(self.over(place, ahead, |found| class.contains(found)))
            }
            Step::Class { class, fold: true } => {
                Ok(self.over(place, ahead, |found| contains_folded(class, found)))
            }
            Step::Start { lines } => {
                let before = self.before(place);
                holds(before.is_none_or(|unit| *lines && ends_line(unit)))
            }
            Step::End { lines } => {
                let after = self.text.get(place).copied();
                holds(after.is_none_or(|unit| *lines && ends_line(unit)))
            }
            Step::WordBoundary { inverted } => {
                let before = self.before(place).is_some_and(in_word);
                let after = self.text.get(place).copied().is_some_and(in_word);
                holds((before != after) != *inverted)
            }
            Step::Keep(register) => {
                self.set(*register, place);
                holds(true)
            }
            Step::Forget { from, to } => {
                self.spend(to - from)?;
                for register in *from..*to {
                    self.set(register, UNSET);
                }
                holds(true)
            }
            Step::Moved(register) => holds(self.room.registers.get(*register) != Some(&place)),
            Step::Back { groups, fold } => self.back(groups, *fold, place, ahead),
            Step::Fork { .. } | Step::Jump(_) | Step::Look { .. } | Step::Done => Ok(None),
        }
    }

    fn before(&self, place: usize) -> Option<u16> {
        place
            .checked_sub(1)
            .and_then(|index| self.text.get(index))
            .copied()
    }

    /// The place after one code unit that fits.
    fn over(&self, place: usize, ahead: bool, fits: impl Fn(u16) -> bool) -> Option<usize> {
        if ahead {
            let unit = self.text.get(place)?;
            fits(*unit).then_some(place + 1)
        } else {
            fits(self.before(place)?).then_some(place - 1)
        }
    }

    fn set(&mut self, register: usize, value: usize) {
        if let Some(held) = self.room.registers.get_mut(register) {
            self.room
                .changed
                .push((register, std::mem::replace(held, value)));
        }
    }

    fn undo(&mut self, to: usize) {
        while self.room.changed.len() > to {
            if let Some((register, value)) = self.room.changed.pop()
                && let Some(held) = self.room.registers.get_mut(register)
            {
                *held = value;
            }
        }
    }

    /// The text of a group once more; a group without one matches nothing, which always fits.
    fn back(
        &mut self,
        groups: &[usize],
        fold: bool,
        place: usize,
        ahead: bool,
    ) -> Result<Option<usize>> {
        let text = self.text;
        let held = |register: usize| self.room.registers.get(register).copied();
        let range = groups.iter().find_map(|group| {
            let (start, end) = (held(*group)?, held(group + 1)?);
            (start != UNSET && end != UNSET).then(|| text.get(start..end))?
        });
        let Some(wanted) = range else {
            return Ok(Some(place));
        };
        self.spend(wanted.len())?;
        let (from, to, after) = if ahead {
            let end = place + wanted.len();
            (place, end, end)
        } else {
            let Some(start) = place.checked_sub(wanted.len()) else {
                return Ok(None);
            };
            (start, place, start)
        };
        let same = |(a, b): (&u16, &u16)| a == b || fold && folded(*a) == folded(*b);
        let fits = text
            .get(from..to)
            .is_some_and(|found| found.iter().zip(wanted).all(same));
        Ok(fits.then_some(after))
    }

    /// Whether what a look-around asks for is there. What one that fails kept is forgotten.
    fn look_straight(&mut self, body: usize, place: usize, ahead: bool) -> Result<bool> {
        let changed = self.room.changed.len();
        let seen = self.from(body, place, ahead, None)?;
        if !seen {
            self.undo(changed);
        }
        Ok(seen)
    }

    /// The same, with notes of what was tried, and of what was seen at which place.
    fn look(
        &mut self,
        id: usize,
        (body, next): (usize, usize),
        place: usize,
        ahead: bool,
    ) -> Result<bool> {
        let index = id * self.places() + place;
        if self.program.stateless && self.room.looked.is_empty() {
            let looked = self.program.looks * self.places();
            self.spend(looked / 8)?;
            self.room.looked.resize(looked, None);
        }
        if let Some(Some(seen)) = self.room.looked.get(index) {
            return Ok(*seen);
        }
        let changed = self.room.changed.len();
        let words = self.room.tried.len();
        let tried = self.nothing_tried(body, next - body)?;
        let seen = self.from(body, place, ahead, tried)?;
        self.room.tried.truncate(words);
        if !seen {
            self.undo(changed);
        }
        if let Some(noted) = self.room.looked.get_mut(index) {
            *noted = Some(seen);
        }
        Ok(seen)
    }
}
