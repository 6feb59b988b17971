//! The same in numbers.

use hook_audit::{Day, HandlerSummary, Summary};

use super::{count, markup::Markup};
use crate::stats::human::{duration, who};

const HOOKS: [&str; 12] = [
    "hook",
    "calls",
    "denied",
    "asks",
    "changed",
    "failed",
    "no answer",
    "half",
    "95 in 100",
    "99 in 100",
    "longest",
    "share",
];

pub(super) fn hooks(page: &mut Markup, summary: &Summary) {
    page.raw("<section>\n");
    page.element("h2", "", "Hooks");
    head(page, &HOOKS);
    for handler in summary.handlers() {
        page.raw("<tr><th scope=\"row\"><bdi>");
        page.text(&who(handler));
        page.raw("</bdi>");
        page.element(
            "small",
            "",
            &format!("{} {}", handler.origin, handler.handler_id),
        );
        page.raw("</th>");
        let cells = numbers(summary, handler);
        for (title, cell) in HOOKS.iter().skip(1).zip(&cells) {
            number(page, title, cell);
        }
        page.raw("</tr>\n");
    }
    page.raw("</tbody></table>\n</section>\n");
}

fn numbers(summary: &Summary, handler: &HandlerSummary) -> Vec<String> {
    let counts = [
        handler.calls,
        handler.denials,
        handler.asks,
        handler.rewrites,
        handler.failures,
        handler.unanswered,
    ];
    let mut cells: Vec<_> = counts.into_iter().map(count).collect();
    cells.extend([50, 95, 99].map(|percent| duration(handler.took.percentile(percent))));
    cells.push(duration(handler.took.max()));
    cells.push(format!("{:.1} %", summary.share(handler) * 100.0));
    cells
}

const DAYS: [&str; 7] = [
    "day (UTC)",
    "calls",
    "denied",
    "asks",
    "changed",
    "failed",
    "waited",
];

pub(super) fn days(page: &mut Markup, days: &[&Day]) {
    page.raw("<section>\n");
    page.element("h2", "", "Days");
    head(page, &DAYS);
    for day in days {
        page.raw("<tr><th scope=\"row\">");
        page.text(&day.date.to_string());
        page.raw("</th>");
        let counts = [
            day.consultations,
            day.denials,
            day.asks,
            day.rewrites,
            day.failures,
        ];
        let mut cells: Vec<_> = counts.into_iter().map(count).collect();
        cells.push(duration(day.wait));
        for (title, cell) in DAYS.iter().skip(1).zip(&cells) {
            number(page, title, cell);
        }
        page.raw("</tr>\n");
    }
    page.raw("</tbody></table>\n</section>\n");
}

fn head(page: &mut Markup, titles: &[&str]) {
    page.raw("<table><thead><tr>");
    for title in titles {
        page.raw("<th scope=\"col\">");
        page.text(title);
        page.raw("</th>");
    }
    page.raw("</tr></thead><tbody>\n");
}

/// A cell that names its column where a narrow page shows no heads.
fn number(page: &mut Markup, title: &str, cell: &str) {
    page.raw("<td data-title=\"");
    page.text(title);
    page.raw(if cell == "0" {
        "\" class=\"none\">"
    } else {
        "\">"
    });
    page.text(cell);
    page.raw("</td>");
}
