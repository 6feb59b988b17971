//! Asking many at once, and comparing what comes with what the model says.

use std::{
    io::{IsTerminal, stderr},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use tokio::{runtime::Runtime, task::JoinSet};

use crate::{
    cast::Cast,
    question::{Came, Question},
    tally::Tally,
};

/// Between two lines that say how far it is.
const BETWEEN_LINES: Duration = Duration::from_secs(2);

/// Both flavours of the runtime, in use at the same time.
#[derive(Debug)]
pub(crate) struct Runtimes {
    pub(crate) current: Runtime,
    pub(crate) threads: Runtime,
}

/// What all consultations have in common.
#[derive(Clone, Debug)]
pub(crate) struct Soak {
    pub(crate) cast: Arc<Cast>,
    pub(crate) seed: u64,
    pub(crate) at_once: usize,
    pub(crate) consults: u64,
    pub(crate) done: Arc<AtomicU64>,
}

impl Soak {
    /// Consults with these numbers: the even ones on one flavour of the runtime, the odd ones on
    /// the other.
    pub(crate) fn run(&self, runtimes: &Runtimes, numbers: std::ops::Range<u64>) -> Tally {
        let of = |remainder| {
            numbers
                .clone()
                .filter(move |number| number % 2 == remainder)
        };
        std::thread::scope(|scope| {
            let even = scope.spawn(|| runtimes.threads.block_on(self.drive(of(0))));
            let mut tally = runtimes.current.block_on(self.drive(of(1)));
            tally.add(even.join().expect("no panic"));
            tally
        })
    }

    async fn drive(&self, mut numbers: impl Iterator<Item = u64>) -> Tally {
        let mut tally = Tally::default();
        let mut running = JoinSet::new();
        let mut line = Line::new();
        loop {
            let room = self.at_once.div_ceil(2) - running.len();
            for number in numbers.by_ref().take(room) {
                running.spawn(self.clone().consult(number));
            }
            let Some(one) = running.join_next().await else {
                return tally;
            };
            tally.add(one.expect("what panics in a consultation is caught there"));
            line.show(self.done.fetch_add(1, Ordering::Relaxed) + 1, self.consults);
        }
    }

    async fn consult(self, number: u64) -> Tally {
        let question = Question::new(&self.cast, self.seed, number);
        let prediction = question.prediction();
        let came = question.ask().await;
        let mut tally = Tally::default();
        if Question::is_as_predicted(&came, &prediction) {
            tally.count(&came, &prediction);
        } else {
            let voices = &question.chain.voices;
            tally.fail(
                number,
                format!("of {voices:#?}\ncame {came:#?}\nand not {prediction:#?}"),
            );
        }
        tally
    }

    /// Shows one consultation in full.
    pub(crate) fn show(&self, runtimes: &Runtimes, number: u64) -> (String, Tally) {
        let question = Question::new(&self.cast, self.seed, number);
        let prediction = question.prediction();
        let tally = self.run(runtimes, number..number + 1);
        (format!("{question:#?}\n{prediction:#?}\n"), tally)
    }
}

impl Tally {
    fn count(&mut self, came: &Came, prediction: &hookchain_tests::model::Told) {
        match came {
            Came::Dropped | Came::Stuck => self.dropped(),
            Came::Whole(_) | Came::Outcome(_) => self.passed(prediction),
        }
    }
}

/// A line for whoever watches.
struct Line {
    watched: bool,
    since: Instant,
}

impl Line {
    fn new() -> Self {
        Self {
            watched: stderr().is_terminal(),
            since: Instant::now(),
        }
    }

    fn show(&mut self, done: u64, all: u64) {
        if self.watched && self.since.elapsed() > BETWEEN_LINES {
            self.since = Instant::now();
            eprintln!("{done} of {all}");
        }
    }
}
