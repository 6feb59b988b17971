//! One row of the table.

use std::{fmt, time::Duration};

/// What was measured, what it must be, and what the peer takes for the same.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) what: String,
    pub(crate) must: String,
    pub(crate) measured: String,
    pub(crate) peer: String,
    pub(crate) holds: bool,
}

impl Row {
    /// A row whose value is a ratio that must not be larger than `most`.
    pub(crate) fn of_ratio(what: impl Into<String>, ratio: f64, most: f64, detail: &str) -> Self {
        Self {
            what: what.into(),
            must: format!("<= {most:.2} x"),
            measured: format!("{ratio:.2} x ({detail})"),
            peer: String::new(),
            holds: ratio <= most,
        }
    }

    /// A row that only tells how two times compare.
    pub(crate) fn of_comparison(what: impl Into<String>, ratio: f64, detail: &str) -> Self {
        Self {
            what: what.into(),
            must: String::new(),
            measured: format!("{ratio:.2} x ({detail})"),
            peer: String::new(),
            holds: true,
        }
    }

    /// A row whose value is how many times faster something is, at least `least`.
    pub(crate) fn of_gain(what: impl Into<String>, gain: f64, least: f64, detail: &str) -> Self {
        Self {
            what: what.into(),
            must: format!(">= {least:.0} x"),
            measured: format!("{gain:.1} x ({detail})"),
            peer: String::new(),
            holds: gain >= least,
        }
    }

    /// A row whose value is a time that must not be longer than `most`.
    pub(crate) fn of_time(what: impl Into<String>, time: Duration, most: Duration) -> Self {
        Self {
            what: what.into(),
            must: format!("<= {}", shown(most)),
            measured: shown(time),
            peer: String::new(),
            holds: time <= most,
        }
    }

    /// The same with what the peer takes.
    pub(crate) fn beside(self, peer: Option<String>) -> Self {
        Self {
            peer: peer.unwrap_or_default(),
            ..self
        }
    }
}

/// A time with a unit that suits it.
pub(crate) fn shown(time: Duration) -> String {
    match time.as_nanos() {
        nanos @ 0..1_000 => format!("{nanos} ns"),
        1_000..1_000_000 => format!("{:.2} us", time.as_secs_f64() * 1e6),
        _ => format!("{:.2} ms", time.as_secs_f64() * 1e3),
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = if self.holds { "" } else { "! " };
        write!(
            f,
            "| {} | {} | {mark}{} | {} |",
            self.what, self.must, self.measured, self.peer
        )
    }
}
