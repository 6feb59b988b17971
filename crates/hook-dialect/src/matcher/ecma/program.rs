//! A pattern as a list of small steps.

use super::{
    class::Class,
    syntax::{Node, Parsed},
};

/// How many steps a program may have. Counted quantifiers are written out, so that this also bounds `a{9}{9}{9}`.
pub(super) const MAX_SIZE: usize = 4096;

/// A compiled pattern.
#[derive(Clone, Debug)]
pub(super) struct Program {
    pub(super) steps: Vec<Step>,
    /// How many registers there are: two for each group, one for each loop. None without back-references.
    pub(super) registers: usize,
    /// How many look-arounds there are.
    pub(super) looks: usize,
    /// Whether what happens next depends on nothing but the step and the place, so that no pair of the two needs to be
    /// tried twice.
    pub(super) stateless: bool,
    /// Whether there is more than one way through it.
    pub(super) branches: bool,
}

/// What to do at a place of the text.
#[derive(Clone, Debug)]
pub(super) enum Step {
    Unit {
        unit: u16,
        fold: bool,
    },
    Class {
        class: Class,
        fold: bool,
    },
    Start {
        lines: bool,
    },
    End {
        lines: bool,
    },
    WordBoundary {
        inverted: bool,
    },
    /// Go on at the first; if that leads nowhere, at the second.
    Fork {
        first: usize,
        second: usize,
    },
    Jump(usize),
    /// Run what follows, which moves in this direction, up to `Done`; then go on at `next` from the same place.
    Look {
        id: usize,
        negated: bool,
        ahead: bool,
        next: usize,
        /// Whether there is more than one way through it, so that it is worth noting which were tried.
        branches: bool,
    },
    /// Keep the place in a register.
    Keep(usize),
    /// Forget registers.
    Forget {
        from: usize,
        to: usize,
    },
    /// Fail when the place is the one in the register: a round of a loop that matches nothing is no round.
    Moved(usize),
    /// What one of the groups matched; the index is that of its first register.
    Back {
        groups: Vec<usize>,
        fold: bool,
    },
    Done,
}

impl Program {
    /// The program; nothing when it would be too large.
    pub(super) fn compile(parsed: &Parsed) -> Option<Self> {
        let stateless = !refers_back(&parsed.node);
        let mut compiler = Compiler {
            steps: Vec::new(),
            registers: if stateless {
                0
            } else {
                2 * usize::from(parsed.groups)
            },
            looks: 0,
            stateless,
            ahead: true,
        };
        compiler.node(&parsed.node)?;
        compiler.push(Step::Done)?;
        Some(Self {
            branches: has_branches(&compiler.steps),
            steps: compiler.steps,
            registers: compiler.registers,
            looks: compiler.looks,
            stateless,
        })
    }
}

fn has_branches(steps: &[Step]) -> bool {
    let branch = |step: &Step| matches!(step, Step::Fork { .. } | Step::Jump(_));
    steps.iter().any(branch)
}

fn refers_back(node: &Node) -> bool {
    match node {
        Node::Back { .. } => true,
        Node::Capture { node, .. } | Node::Look { node, .. } | Node::Repeat { node, .. } => {
            refers_back(node)
        }
        Node::Sequence(nodes) | Node::Choice(nodes) => nodes.iter().any(refers_back),
        Node::Empty
        | Node::Unit { .. }
        | Node::Class { .. }
        | Node::Any { .. }
        | Node::Start { .. }
        | Node::End { .. }
        | Node::WordBoundary { .. } => false,
    }
}

struct Compiler {
    steps: Vec<Step>,
    registers: usize,
    looks: usize,
    stateless: bool,
    /// Whether the text is read forwards at this place.
    ahead: bool,
}

impl Compiler {
    fn push(&mut self, step: Step) -> Option<usize> {
        let index = self.steps.len();
        (index < MAX_SIZE).then(|| {
            self.steps.push(step);
            index
        })
    }

    /// Puts the step in where one was left open.
    fn fill(&mut self, index: usize, step: Step) {
        if let Some(place) = self.steps.get_mut(index) {
            *place = step;
        }
    }

    /// A step that is known later.
    fn open(&mut self) -> Option<usize> {
        self.push(Step::Done)
    }

    fn node(&mut self, node: &Node) -> Option<()> {
        match node {
            Node::Empty => {}
            Node::Unit { unit, fold } => {
                let (unit, fold) = (*unit, *fold);
                self.push(Step::Unit { unit, fold })?;
            }
            Node::Class { class, fold } => {
                let (class, fold) = (class.clone(), *fold);
                self.push(Step::Class { class, fold })?;
            }
            Node::Any { line_ends } => {
                let class = if *line_ends {
                    Class::all()
                } else {
                    Class::within_lines()
                };
                self.push(Step::Class { class, fold: false })?;
            }
            Node::Start { lines } => drop(self.push(Step::Start { lines: *lines })?),
            Node::End { lines } => drop(self.push(Step::End { lines: *lines })?),
            Node::WordBoundary { inverted } => {
                let inverted = *inverted;
                self.push(Step::WordBoundary { inverted })?;
            }
            Node::Capture { index, node } => self.capture(*index, node)?,
            Node::Back { groups, fold } => {
                let register = |group: &u16| 2 * (usize::from(*group) - 1);
                let groups = groups.iter().map(register).collect();
                self.push(Step::Back {
                    groups,
                    fold: *fold,
                })?;
            }
            Node::Look {
                ahead,
                negated,
                node,
            } => self.look(*ahead, *negated, node)?,
            Node::Repeat { .. } => self.repeat(node)?,
            Node::Sequence(nodes) if self.ahead => {
                nodes.iter().try_for_each(|node| self.node(node))?;
            }
            Node::Sequence(nodes) => nodes.iter().rev().try_for_each(|node| self.node(node))?,
            Node::Choice(ways) => self.choice(ways)?,
        }
        Some(())
    }

    fn capture(&mut self, index: u16, node: &Node) -> Option<()> {
        if self.stateless {
            return self.node(node);
        }
        let start = 2 * (usize::from(index) - 1);
        let (before, after) = if self.ahead {
            (start, start + 1)
        } else {
            (start + 1, start)
        };
        self.push(Step::Keep(before))?;
        self.node(node)?;
        self.push(Step::Keep(after))?;
        Some(())
    }

    fn look(&mut self, ahead: bool, negated: bool, node: &Node) -> Option<()> {
        let id = self.looks;
        self.looks += 1;
        let start = self.open()?;
        let outside = std::mem::replace(&mut self.ahead, ahead);
        self.node(node)?;
        self.ahead = outside;
        self.push(Step::Done)?;
        let next = self.steps.len();
        let branches = has_branches(self.steps.get(start + 1..).unwrap_or_default());
        self.fill(
            start,
            Step::Look {
                branches,
                id,
                negated,
                ahead,
                next,
            },
        );
        Some(())
    }

    fn choice(&mut self, ways: &[Node]) -> Option<()> {
        let mut ends = Vec::new();
        for (index, way) in ways.iter().enumerate() {
            if index + 1 == ways.len() {
                self.node(way)?;
                break;
            }
            let fork = self.open()?;
            let first = self.steps.len();
            self.node(way)?;
            ends.push(self.open()?);
            let second = self.steps.len();
            self.fill(fork, Step::Fork { first, second });
        }
        let end = self.steps.len();
        for open in ends {
            self.fill(open, Step::Jump(end));
        }
        Some(())
    }

    fn repeat(&mut self, repeat: &Node) -> Option<()> {
        let Node::Repeat {
            node,
            min,
            max,
            greedy,
            groups,
        } = repeat
        else {
            return Some(());
        };
        let mut body = |compiler: &mut Self| {
            if !compiler.stateless && !groups.is_empty() {
                let register = |group: u16| 2 * (usize::from(group) - 1);
                let (from, to) = (register(groups.start), register(groups.end));
                compiler.push(Step::Forget { from, to })?;
            }
            compiler.node(node)
        };
        for _ in 0..*min {
            let before = self.steps.len();
            body(self)?;
            if self.steps.len() == before {
                break;
            }
        }
        let Some(max) = max else {
            let again = self.open()?;
            let end = self.round(&mut body)?;
            self.fill(end, Step::Jump(again));
            self.fork(again, end + 1, *greedy);
            return Some(());
        };
        let mut forks = Vec::new();
        for _ in *min..*max {
            let fork = self.open()?;
            let end = self.round(&mut body)?;
            self.fill(end, Step::Jump(end + 1));
            forks.push(fork);
            // A round that is nothing is not worth a second one.
            if end == fork + 1 {
                break;
            }
        }
        let after = self.steps.len();
        for fork in forks {
            self.fork(fork, after, *greedy);
        }
        Some(())
    }

    /// One round of a loop, and the open step at its end.
    fn round(&mut self, body: &mut impl FnMut(&mut Self) -> Option<()>) -> Option<usize> {
        if self.stateless {
            body(self)?;
        } else {
            let register = self.registers;
            self.registers += 1;
            self.push(Step::Keep(register))?;
            body(self)?;
            self.push(Step::Moved(register))?;
        }
        self.open()
    }

    /// A fork between the round that follows it and what comes after the loop.
    fn fork(&mut self, at: usize, after: usize, greedy: bool) {
        let (first, second) = if greedy {
            (at + 1, after)
        } else {
            (after, at + 1)
        };
        self.fill(at, Step::Fork { first, second });
    }
}
