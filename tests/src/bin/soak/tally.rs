//! What came of how many consultations.

use std::{collections::BTreeMap, fmt};

use hook_contract::HookOutcome;
use hookchain_tests::model::{Asked, Told};

/// How many failures are shown in full; the others can be looked at one by one.
const SHOWN: usize = 5;

/// How often what happened.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    outcomes: BTreeMap<&'static str, u64>,
    asked: BTreeMap<&'static str, u64>,
    decisions: BTreeMap<&'static str, u64>,
    /// What was decided by those that were asked again.
    again: BTreeMap<&'static str, u64>,
    failures: BTreeMap<&'static str, u64>,
    /// What became of those about which a person was to be asked.
    settled: BTreeMap<&'static str, u64>,
    /// Consultations that a recorder must have been told the end of.
    pub(crate) concluded: u64,
    /// Steps that a recorder must have been told of, at least.
    pub(crate) steps: u64,
    pub(crate) passed: u64,
    pub(crate) failed: Vec<u64>,
    pub(crate) details: Vec<String>,
}

impl Tally {
    pub(crate) fn dropped(&mut self) {
        *self.outcomes.entry("dropped").or_default() += 1;
        self.passed += 1;
    }

    pub(crate) fn passed(&mut self, told: &Told) {
        let word = match told.outcome {
            HookOutcome::Allow => "allow",
            HookOutcome::Deny(_) => "deny",
            HookOutcome::Modify { .. } => "modify",
            HookOutcome::Replace { .. } => "replace",
        };
        *self.outcomes.entry(word).or_default() += 1;
        if let Some((_, settled)) = &told.asked {
            *self.settled.entry(settled).or_default() += 1;
        }
        for Asked {
            who,
            pass,
            decision,
            failure,
            ..
        } in &told.trail
        {
            if *pass > 1 {
                *self.again.entry(decision).or_default() += 1;
            }
            let is_hook = who.starts_with("hook ");
            let kind = if is_hook { "programs" } else { "interceptors" };
            *self.asked.entry(kind).or_default() += 1;
            *self.decisions.entry(decision).or_default() += 1;
            self.steps += 1;
            if let Some(failure) = failure {
                *self.failures.entry(failure.as_str()).or_default() += 1;
            }
        }
        self.concluded += 1;
        self.passed += 1;
    }

    pub(crate) fn fail(&mut self, number: u64, details: String) {
        self.failed.push(number);
        self.details.push(details);
    }

    pub(crate) fn add(&mut self, other: Self) {
        let sums = [
            (&mut self.outcomes, other.outcomes),
            (&mut self.asked, other.asked),
            (&mut self.decisions, other.decisions),
            (&mut self.again, other.again),
            (&mut self.settled, other.settled),
            (&mut self.failures, other.failures),
        ];
        for (sum, more) in sums {
            for (word, count) in more {
                *sum.entry(word).or_default() += count;
            }
        }
        self.concluded += other.concluded;
        self.steps += other.steps;
        self.passed += other.passed;
        self.failed.extend(other.failed);
        let room = SHOWN.saturating_sub(self.details.len());
        self.details.extend(other.details.into_iter().take(room));
    }
}

/// The counts, one line for each.
impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts = [
            ("outcomes", &self.outcomes),
            ("asked", &self.asked),
            ("answers", &self.decisions),
            ("again", &self.again),
            ("people", &self.settled),
            ("failures", &self.failures),
        ];
        for (name, counts) in counts {
            write!(f, "{name:<12}")?;
            for (word, count) in counts {
                write!(f, " {word} {count}")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
