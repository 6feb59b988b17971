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

/// Looks for the program's pattern anywhere in the text.
pub(super) fn search(program: &Program, text: &[u16], budget: usize) -> Search {
    let mut run = Run {
        program,
        text,
        left: budget,
        registers: vec![UNSET; program.registers],
        changed: Vec::new(),
        looked: Vec::new(),
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
    registers: Vec<usize>,
    /// Registers and what they held, for going back.
    changed: Vec<(usize, usize)>,
    /// For each look-around and place, what was seen there; only in stateless programs.
    looked: Vec<Option<bool>>,
}

/// Which pairs of step and place led nowhere already; a bit for each.
struct Tried {
    bits: Vec<u64>,
    first_step: usize,
    places: usize,
}

impl Run<'_> {
    fn spend(&mut self, steps: usize) -> Result<()> {
        self.left = self.left.checked_sub(steps).ok_or(Exhausted)?;
        Ok(())
    }

    fn anywhere(&mut self) -> Result<bool> {
        let mut tried = self.nothing_tried(0, self.program.steps.len())?;
        for start in 0..=self.text.len() {
            if self.from(0, start, true, &mut tried)? {
                return Ok(true);
            }
            if matches!(
                self.program.steps.first(),
                Some(Step::Start { lines: false })
            ) {
                break;
            }
        }
        Ok(false)
    }

    /// Room to note what was tried among these steps. Making it costs, too.
    fn nothing_tried(&mut self, first_step: usize, steps: usize) -> Result<Option<Tried>> {
        if !self.program.stateless {
            return Ok(None);
        }
        let places = self.text.len() + 1;
        let words = (steps * places).div_ceil(64);
        self.spend(words / 8)?;
        Ok(Some(Tried {
            bits: vec![0; words],
            first_step,
            places,
        }))
    }

    /// Whether the steps from this one on lead to `Done` from this place.
    fn from(
        &mut self,
        step: usize,
        place: usize,
        ahead: bool,
        tried: &mut Option<Tried>,
    ) -> Result<bool> {
        let mut others = vec![(step, place, self.changed.len())];
        while let Some((step, place, changed)) = others.pop() {
            self.undo(changed);
            if self.follow((step, place), ahead, tried, &mut others)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Goes on until `Done` or to where it does not go on; branches that were not taken are kept for later.
    fn follow(
        &mut self,
        from: (usize, usize),
        ahead: bool,
        tried: &mut Option<Tried>,
        others: &mut Vec<(usize, usize, usize)>,
    ) -> Result<bool> {
        let program = self.program;
        let mut here = Some(from);
        while let Some((step, place)) = here {
            self.spend(1)?;
            here = match program.steps.get(step) {
                None => None,
                Some(Step::Done) => return Ok(true),
                Some(Step::Fork { .. } | Step::Jump(_)) if again(tried, step, place) => None,
                Some(Step::Jump(target)) => Some((*target, place)),
                Some(Step::Fork { first, second }) => {
                    others.push((*second, place, self.changed.len()));
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
        } = step
        else {
            let to = self.simple(step, place, ahead)?;
            return Ok(to.map(|place| (index + 1, place)));
        };
        let seen = self.look(*id, (index + 1, *next), place, *looks_ahead)?;
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
            Step::Moved(register) => holds(self.registers.get(*register) != Some(&place)),
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
        if let Some(held) = self.registers.get_mut(register) {
            self.changed
                .push((register, std::mem::replace(held, value)));
        }
    }

    fn undo(&mut self, to: usize) {
        while self.changed.len() > to {
            if let Some((register, value)) = self.changed.pop()
                && let Some(held) = self.registers.get_mut(register)
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
        let held = |register: usize| self.registers.get(register).copied();
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

    /// Whether what a look-around asks for is there. What a negated one, or one that fails, kept is forgotten.
    fn look(
        &mut self,
        id: usize,
        (body, next): (usize, usize),
        place: usize,
        ahead: bool,
    ) -> Result<bool> {
        let places = self.text.len() + 1;
        let index = id * places + place;
        if self.program.stateless {
            if self.looked.is_empty() {
                self.spend(self.program.looks * places / 8)?;
                self.looked = vec![None; self.program.looks * places];
            }
            if let Some(Some(seen)) = self.looked.get(index) {
                return Ok(*seen);
            }
        }
        let changed = self.changed.len();
        let mut tried = self.nothing_tried(body, next - body)?;
        let seen = self.from(body, place, ahead, &mut tried)?;
        if !seen {
            self.undo(changed);
        }
        if self.program.stateless
            && let Some(noted) = self.looked.get_mut(index)
        {
            *noted = Some(seen);
        }
        Ok(seen)
    }
}

/// Whether the pair was tried before; when nothing is noted, it was not.
fn again(tried: &mut Option<Tried>, step: usize, place: usize) -> bool {
    tried.as_mut().is_some_and(|tried| tried.again(step, place))
}

impl Tried {
    /// Notes the pair, and says whether it was there.
    fn again(&mut self, step: usize, place: usize) -> bool {
        let index = step.saturating_sub(self.first_step) * self.places + place;
        let bit = 1 << (index % 64);
        self.bits.get_mut(index / 64).is_some_and(|word| {
            let tried = *word & bit != 0;
            *word |= bit;
            tried
        })
    }
}
