//! Charts, drawn as SVG. Their words are outside the drawings, which are stretched to any width.

use std::time::Duration;

use hook_audit::{Day, HandlerSummary, Summary};

use super::{Column, count, markup::Markup};
use crate::stats::human::{duration, who};

/// How many participants have a bar of their own.
const MOST_BARS: usize = 20;

/// How high columns are, in units of the drawing.
const HEIGHT: f64 = 100.0;

/// What became of the calls of each day.
pub(super) fn calls_by_day(page: &mut Markup, days: &[Column]) {
    let most = most(days, |day| day.consultations);
    figure(page, "Calls by day");
    legend(
        page,
        &[
            ("allowed", "as they were"),
            ("changed", "changed"),
            ("denied", "denied"),
        ],
    );
    let title = |day: &Day| {
        format!(
            "{} calls, {} changed, {} denied, {} failed answers",
            count(day.consultations),
            count(day.rewrites),
            count(day.denials),
            count(day.failures)
        )
    };
    columns(page, days, &count(most), title, |page, x, day| {
        let height = |number: u64| part(number, most) * HEIGHT;
        let untouched = day.consultations.saturating_sub(day.denials + day.rewrites);
        let mut top = HEIGHT;
        for (class, number) in [
            ("allowed", untouched),
            ("changed", day.rewrites),
            ("denied", day.denials),
        ] {
            top -= height(number);
            page.rectangle(class, [x + 0.1, top, 0.8, height(number)]);
        }
    });
    page.raw("</figure>\n");
}

/// How long runtimes waited on each day.
pub(super) fn wait_by_day(page: &mut Markup, days: &[Column]) {
    let micros = |day: &Day| u64::try_from(day.wait.as_micros()).unwrap_or(u64::MAX);
    let most = most(days, micros);
    figure(page, "Waiting by day, all calls together");
    let title = |day: &Day| format!("waited {}", duration(day.wait));
    columns(
        page,
        days,
        &duration(Duration::from_micros(most)),
        title,
        |page, x, day| {
            let height = part(micros(day), most) * HEIGHT;
            page.rectangle("wait", [x + 0.1, HEIGHT - height, 0.8, height]);
        },
    );
    page.raw("</figure>\n");
}

fn most(days: &[Column], of: impl Fn(&Day) -> u64) -> u64 {
    let numbers = days
        .iter()
        .filter_map(|column| column.day.as_ref().map(&of));
    numbers.max().unwrap_or(0)
}

/// A column for each day, and below them the days at both ends and in the middle.
fn columns(
    page: &mut Markup,
    days: &[Column],
    most: &str,
    title: impl Fn(&Day) -> String,
    draw: impl Fn(&mut Markup, f64, &Day),
) {
    page.element("div", "most", most);
    // A few days would otherwise be a few walls.
    let width = days.len().max(14);
    page.raw(&format!(
        "<svg class=\"columns\" viewBox=\"0 0 {width} {HEIGHT}\" preserveAspectRatio=\"none\" aria-hidden=\"true\">"
    ));
    for (x, column) in (0_u32..).zip(days) {
        let Some(day) = &column.day else {
            continue;
        };
        page.raw("<g><title>");
        page.text(&format!("{}: {}", column.date, title(day)));
        page.raw("</title>");
        draw(page, f64::from(x), day);
        page.raw("</g>");
    }
    page.raw("</svg>\n");
    page.raw("<div class=\"days\">");
    match days {
        [] => {}
        [only] => page.element("span", "", &only.date.to_string()),
        [first, .., last] if days.len() < width => {
            page.element("span", "", &format!("{} to {}", first.date, last.date));
        }
        [first, .., last] => {
            let middle = days.get(days.len() / 2).unwrap_or(first);
            for column in [first, middle, last] {
                page.element("span", "", &column.date.to_string());
            }
        }
    }
    page.raw("</div>\n");
}

/// Which part of all waiting was for whom.
pub(super) fn shares(page: &mut Markup, summary: &Summary) {
    figure(page, "Share of the whole wait");
    let handlers = summary.handlers();
    let mut rest = 1.0;
    for handler in handlers.iter().take(MOST_BARS) {
        let share = summary.share(handler);
        rest -= share;
        let counts = format!("{} calls", count(handler.calls));
        bar(page, &who(handler), &counts, share, "share");
    }
    let others = handlers.len().saturating_sub(MOST_BARS);
    if others > 0 {
        let shares = handlers
            .iter()
            .skip(MOST_BARS)
            .map(|handler| summary.share(handler));
        let share: f64 = shares.sum();
        rest -= share;
        bar(
            page,
            &format!("{} others", count(others as u64)),
            "",
            share,
            "share",
        );
    }
    bar(
        page,
        "everything else",
        "between the questions",
        rest.max(0.0),
        "rest",
    );
    page.raw("</figure>\n");
}

fn bar(page: &mut Markup, name: &str, beside: &str, share: f64, class: &str) {
    page.raw("<div class=\"bar\">");
    page.element("span", "name", name);
    page.element("span", "beside", beside);
    page.element("span", "number", &format!("{:.1} %", share * 100.0));
    page.raw("<svg viewBox=\"0 0 100 1\" preserveAspectRatio=\"none\" aria-hidden=\"true\">");
    page.rectangle("track", [0.0, 0.0, 100.0, 1.0]);
    page.rectangle(class, [0.0, 0.0, share.min(1.0) * 100.0, 1.0]);
    page.raw("</svg></div>\n");
}

/// How long each took, on a scale where each step is ten times the one before.
pub(super) fn times(page: &mut Markup, summary: &Summary) {
    let handlers = summary.handlers();
    let shown: Vec<_> = handlers
        .iter()
        .filter(|handler| handler.took.count() > 0)
        .take(MOST_BARS)
        .collect();
    if shown.is_empty() {
        return;
    }
    let (first, last) = scale(&shown);
    let (low, high) = (f64::from(first), f64::from(last));
    figure(
        page,
        "Time to an answer: half, 95 in 100, 99 in 100, the longest",
    );
    legend(
        page,
        &[
            ("most", "half to 95 in 100"),
            ("nearly", "to 99 in 100"),
            ("longest", "the longest"),
        ],
    );
    for handler in &shown {
        let at = |time: Duration| ((power(time) - low) / (high - low)).clamp(0.0, 1.0) * 100.0;
        let took = &handler.took;
        let [half, most, nearly] = [50, 95, 99].map(|percent| took.percentile(percent));
        page.raw("<div class=\"bar long\">");
        page.element("span", "name", &who(handler));
        let times = format!(
            "{} · {} · {} · {}",
            duration(half),
            duration(most),
            duration(nearly),
            duration(took.max())
        );
        page.element("span", "number", &times);
        page.raw("<svg viewBox=\"0 0 100 4\" preserveAspectRatio=\"none\" aria-hidden=\"true\">");
        page.rectangle("track", [0.0, 1.5, 100.0, 1.0]);
        let width = |from: Duration, to: Duration| (at(to) - at(from)).max(0.8);
        page.rectangle("nearly", [at(half), 1.0, width(half, nearly), 2.0]);
        page.rectangle("most", [at(half), 0.5, width(half, most), 3.0]);
        page.rectangle("longest", [(at(took.max()) - 0.8).max(0.0), 0.0, 0.8, 4.0]);
        page.raw("</svg></div>\n");
    }
    let left_out = handlers.len() - shown.len();
    if left_out > 0 {
        page.element(
            "p",
            "beside",
            &format!("{} more are in the table.", count(left_out as u64)),
        );
    }
    page.raw("<div class=\"days scale\">");
    let steps = usize::from(first)..=usize::from(last);
    for label in STEPS.get(steps).unwrap_or_default() {
        page.element("span", "", label);
    }
    page.raw("</div>\n</figure>\n");
}

/// The steps of the scale, each ten times the one before.
const STEPS: [&str; 12] = [
    "1 us", "10 us", "100 us", "1 ms", "10 ms", "100 ms", "1 s", "10 s", "100 s", "1000 s",
    "10000 s", "100000 s",
];

/// The last step that has one after it; what takes longer is shown as if it did not.
const LAST_STEP: u8 = 10;

/// The steps between which all times are.
fn scale(handlers: &[&&HandlerSummary]) -> (u8, u8) {
    let step = |time: Duration| {
        let below = time.as_micros().max(1).ilog10();
        u8::try_from(below).unwrap_or(u8::MAX).min(LAST_STEP)
    };
    let lows = handlers
        .iter()
        .map(|handler| step(handler.took.percentile(50)));
    let highs = handlers.iter().map(|handler| step(handler.took.max()) + 1);
    (lows.min().unwrap_or(0), highs.max().unwrap_or(1))
}

/// The power of ten that a time is, in microseconds.
fn power(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).max(1.0).log10()
}

/// A part of a whole, from 0 to 1.
#[expect(
    clippy::cast_precision_loss,
    reason = "nobody sees the difference in a drawing"
)]
fn part(number: u64, whole: u64) -> f64 {
    number as f64 / whole.max(1) as f64
}

fn figure(page: &mut Markup, title: &str) {
    page.raw("<figure>\n");
    page.element("h2", "", title);
}

fn legend(page: &mut Markup, entries: &[(&str, &str)]) {
    page.raw("<ul class=\"legend\">");
    for (class, words) in entries {
        page.raw("<li><svg viewBox=\"0 0 1 1\" aria-hidden=\"true\">");
        page.rectangle(class, [0.0, 0.0, 1.0, 1.0]);
        page.raw("</svg> ");
        page.text(words);
        page.raw("</li>");
    }
    page.raw("</ul>\n");
}
