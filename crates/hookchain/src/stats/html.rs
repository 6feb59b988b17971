//! Sums as one page for a browser: everything it needs is in it, and it asks no network for anything.

mod chart;
mod markup;
mod tables;

use std::{collections::BTreeMap, path::Path};

use hook_audit::{Date, Day, Summary};

use self::markup::Markup;
use super::human::duration;

/// Up to so many days, those without a call have a column as well.
const MOST_DAYS: usize = 400;

const STYLE: &str = include_str!("html/style.css");

/// The whole page.
pub(super) fn page(summary: &Summary, directory: &Path) -> String {
    let mut page = Markup::default();
    page.raw("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    page.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    // Whatever a record holds, nothing in this page runs or is fetched.
    page.raw(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n",
    );
    page.raw("<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"referrer\" content=\"no-referrer\">\n");
    page.raw("<title>What hooks did and what they cost</title>\n<style>\n");
    page.raw(STYLE);
    page.raw("</style>\n</head>\n<body>\n");
    body(&mut page, summary, directory);
    page.raw("</body>\n</html>\n");
    page.into_text()
}

fn body(page: &mut Markup, summary: &Summary, directory: &Path) {
    let recorded = summary.days();
    page.raw("<header>\n");
    page.element("h1", "", "What hooks did and what they cost");
    let place = directory.display();
    let period = match (recorded.first(), recorded.last()) {
        (Some(first), Some(last)) if first.date == last.date => {
            format!("{place}, {} (UTC)", first.date)
        }
        (Some(first), Some(last)) => format!("{place}, {} to {} (UTC)", first.date, last.date),
        _ => place.to_string(),
    };
    page.element("p", "place", &period);
    page.raw("</header>\n<main>\n");
    if summary.wait().count() == 0 && summary.handlers().is_empty() {
        page.element("p", "", "Nothing is recorded.");
    } else {
        tiles(page, summary, &recorded);
        let days = with_gaps(&recorded);
        chart::calls_by_day(page, &days);
        chart::wait_by_day(page, &days);
        chart::shares(page, summary);
        chart::times(page, summary);
        tables::hooks(page, summary);
        tables::days(page, &recorded);
    }
    warnings(page, summary);
    page.raw("</main>\n");
    let made_by = concat!(
        "Made by hookchain ",
        env!("CARGO_PKG_VERSION"),
        ". Percentiles are off by less than two in a hundred."
    );
    page.element("footer", "", made_by);
}

/// The numbers that are looked for first.
fn tiles(page: &mut Markup, summary: &Summary, days: &[&Day]) {
    let sum = |of: fn(&Day) -> u64| days.iter().map(|day| of(day)).sum::<u64>();
    let wait = summary.wait();
    let tiles = [
        ("calls", count(wait.count()), ""),
        ("denied", count(sum(|day| day.denials)), "denied"),
        ("asked a person", count(sum(|day| day.asks)), ""),
        ("changed", count(sum(|day| day.rewrites)), "changed"),
        ("failed answers", count(sum(|day| day.failures)), "failed"),
        ("half waited less than", duration(wait.percentile(50)), ""),
        ("95 in 100 less than", duration(wait.percentile(95)), ""),
        ("99 in 100 less than", duration(wait.percentile(99)), ""),
        ("longest wait", duration(wait.max()), ""),
        ("waited in all", duration(wait.total()), ""),
    ];
    page.raw("<dl class=\"tiles\">\n");
    for (what, number, class) in tiles {
        page.raw("<div>");
        page.element("dt", "", what);
        page.element("dd", class, &number);
        page.raw("</div>\n");
    }
    page.raw("</dl>\n");
}

/// What may be missing in the sums.
fn warnings(page: &mut Markup, summary: &Summary) {
    for (number, what) in [
        (
            summary.lost(),
            "records were lost when they were to be written.",
        ),
        (
            summary.unreadable(),
            "lines are no records that this version can read.",
        ),
    ] {
        if number > 0 {
            page.element("p", "warning", &format!("{} {what}", count(number)));
        }
    }
}

/// A column of a chart.
#[derive(Debug)]
pub(super) struct Column {
    date: Date,
    day: Option<Day>,
}

/// Each day from the first to the last, unless that would be mostly gaps.
fn with_gaps(recorded: &[&Day]) -> Vec<Column> {
    let known: BTreeMap<Date, &Day> = recorded.iter().map(|day| (day.date, *day)).collect();
    let column = |date: Date| Column {
        date,
        day: known.get(&date).map(|day| (*day).clone()),
    };
    let (Some(first), Some(last)) = (recorded.first(), recorded.last()) else {
        return Vec::new();
    };
    let back = (0_u32..).map(|days| last.date.days_before(days));
    let mut all: Vec<Column> = back
        .take_while(|date| *date >= first.date)
        .take(MOST_DAYS + 1)
        .map(column)
        .collect();
    if all.len() > MOST_DAYS {
        return known.keys().copied().map(column).collect();
    }
    all.reverse();
    all
}

/// A number as a person reads it.
fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            // Narrow, and no place for a line to end.
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests;
