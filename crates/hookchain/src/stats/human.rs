//! Sums as a person reads them.

use std::time::Duration;

use anstyle::Style;
use hook_audit::{Day, HandlerSummary, Summary, Times};
use hook_contract::shown;

use crate::page::{BOLD, DIM, PLAIN, Page, RED, YELLOW};

/// How long a bar is for the busiest day.
const BAR: u64 = 24;

pub(super) fn report(summary: &Summary) -> Page {
    let mut page = Page::default();
    if summary.wait().count() == 0 && summary.handlers().is_empty() {
        page.line(&[(DIM, "nothing is recorded")]);
    } else {
        hooks(&mut page, summary);
        page.line(&[]);
        days(&mut page, summary);
    }
    for (count, what) in [
        (
            summary.lost(),
            "records were lost when they were to be written",
        ),
        (
            summary.unreadable(),
            "lines are no records that this version can read",
        ),
    ] {
        if count > 0 {
            page.line(&[(YELLOW, &format!("{count} {what}"))]);
        }
    }
    page
}

fn hooks(page: &mut Page, summary: &Summary) {
    let handlers = summary.handlers();
    let shows_asks = shows_asks(summary);
    let mut titles = vec!["", "calls", "denied"];
    titles.extend(shows_asks.then_some("asks"));
    titles.extend(["changed", "failed", "p50", "p95", "p99", "max", "share"]);
    let mut table = Table::new(&titles);
    for handler in &handlers {
        table.row(&hook(summary, handler, shows_asks));
    }
    let days = summary.days();
    let sum = |of: fn(&Day) -> u64| days.iter().map(|day| of(day)).sum::<u64>();
    let mut counts = vec![summary.wait().count(), sum(|day| day.denials)];
    // Several hooks may ask about one call, which is one here.
    counts.extend(shows_asks.then(|| sum(|day| day.asks)));
    counts.extend([sum(|day| day.rewrites), sum(|day| day.failures)]);
    let mut all = vec!["all calls".to_owned()];
    all.extend(counts.iter().map(u64::to_string));
    all.extend(times(summary.wait()));
    all.push(String::new());
    table.row(&all);
    table.print(page);
    let unanswered: Vec<_> = handlers
        .into_iter()
        .filter(|handler| handler.unanswered > 0)
        .map(|handler| format!("{} of {}", handler.unanswered, who(handler)))
        .collect();
    if !unanswered.is_empty() {
        let text = format!("questions without an answer: {}", unanswered.join(", "));
        page.line(&[(RED, &text)]);
    }
}

/// Most hooks never ask for a person's agreement.
fn shows_asks(summary: &Summary) -> bool {
    summary.handlers().iter().any(|handler| handler.asks > 0)
        || summary.days().iter().any(|day| day.asks > 0)
}

fn hook(summary: &Summary, handler: &HandlerSummary, shows_asks: bool) -> Vec<String> {
    let mut counts = vec![handler.calls, handler.denials];
    counts.extend(shows_asks.then_some(handler.asks));
    counts.extend([handler.rewrites, handler.failures]);
    let mut cells = vec![who(handler)];
    cells.extend(counts.iter().map(u64::to_string));
    cells.extend(times(&handler.took));
    cells.push(format!("{:.1} %", summary.share(handler) * 100.0));
    cells
}

pub(super) fn who(handler: &HandlerSummary) -> String {
    let when = if handler.point == "post_tool_use" {
        " (after)"
    } else {
        ""
    };
    shown::line(&format!("{} '{}'{when}", handler.kind, handler.name))
}

fn times(times: &Times) -> [String; 4] {
    let percentiles = [50, 95, 99].map(|percent| duration(times.percentile(percent)));
    let [median, most, nearly_all] = percentiles;
    [median, most, nearly_all, duration(times.max())]
}

fn days(page: &mut Page, summary: &Summary) {
    let shows_asks = shows_asks(summary);
    let mut titles = vec!["day (UTC)", "calls", "denied"];
    titles.extend(shows_asks.then_some("asks"));
    titles.extend(["changed", "failed", "waited", ""]);
    let mut table = Table::new(&titles);
    let days = summary.days();
    let busiest = days
        .iter()
        .map(|day| day.consultations)
        .max()
        .unwrap_or(0)
        .max(1);
    for day in days {
        let bar = (day.consultations * BAR).div_ceil(busiest);
        let bar = "#".repeat(usize::try_from(bar).unwrap_or_default());
        let mut counts = vec![day.consultations, day.denials];
        counts.extend(shows_asks.then_some(day.asks));
        counts.extend([day.rewrites, day.failures]);
        let mut cells = vec![day.date.to_string()];
        cells.extend(counts.iter().map(u64::to_string));
        cells.extend([duration(day.wait), bar]);
        table.row(&cells);
    }
    table.print(page);
}

/// Columns as wide as what is in them: the first one and bars to the left, numbers to the right.
struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    fn new(titles: &[&str]) -> Self {
        let titles = titles.iter().map(|title| (*title).to_owned());
        Self {
            rows: vec![titles.collect()],
        }
    }

    fn row(&mut self, cells: &[String]) {
        self.rows.push(cells.to_vec());
    }

    fn print(&self, page: &mut Page) {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<_> = (0..columns).map(width).collect();
        for (index, row) in self.rows.iter().enumerate() {
            let cells = row.iter().zip(&widths).enumerate();
            let padded = cells.map(|(column, (cell, width))| pad(column, cell, *width));
            let text = padded.collect::<Vec<_>>().join("  ");
            let style: Style = if index == 0 { BOLD } else { PLAIN };
            page.line(&[(style, text.trim_end())]);
        }
    }
}

fn pad(column: usize, cell: &str, width: usize) -> String {
    if column == 0 || cell.starts_with('#') {
        format!("{cell:<width$}")
    } else {
        format!("{cell:>width$}")
    }
}

/// A time as a person reads it.
pub(super) fn duration(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds < 1e-3 {
        format!("{:.0} us", seconds * 1e6)
    } else if seconds < 1.0 {
        format!("{:.1} ms", seconds * 1e3)
    } else if seconds < 120.0 {
        format!("{seconds:.2} s")
    } else if seconds < 7200.0 {
        format!("{:.1} min", seconds / 60.0)
    } else {
        format!("{:.1} h", seconds / 3600.0)
    }
}
