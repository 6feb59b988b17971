//! Sums for a program (docs/records.md).

use std::time::Duration;

use hook_audit::{Day, HandlerSummary, Summary, Times};
use serde_json::{Value, json};

/// One JSON object with its line end.
pub(super) fn report(summary: &Summary) -> String {
    let handlers = summary.handlers();
    let report = json!({
        "consultations": summary.wait().count(),
        "wait_ms": times(summary.wait()),
        "lost": summary.lost(),
        "unreadable": summary.unreadable(),
        "hooks": handlers.iter().map(|handler| hook(summary, handler)).collect::<Vec<_>>(),
        "days": summary.days().into_iter().map(day).collect::<Vec<_>>(),
    });
    format!("{report}\n")
}

fn hook(summary: &Summary, handler: &HandlerSummary) -> Value {
    json!({
        "handler_id": handler.handler_id,
        "kind": handler.kind,
        "name": handler.name,
        "origin": handler.origin,
        "point": handler.point,
        "calls": handler.calls,
        "denials": handler.denials,
        "asks": handler.asks,
        "rewrites": handler.rewrites,
        "failures": handler.failures,
        "unanswered": handler.unanswered,
        "took_ms": times(&handler.took),
        "queued_ms": millis(handler.queued),
        "share": (summary.share(handler) * 1e4).round() / 1e4,
    })
}

fn day(day: &Day) -> Value {
    json!({
        "date": day.date.to_string(),
        "consultations": day.consultations,
        "denials": day.denials,
        "asks": day.asks,
        "rewrites": day.rewrites,
        "failures": day.failures,
        "wait_ms": millis(day.wait),
    })
}

fn times(times: &Times) -> Value {
    json!({
        "p50": millis(times.percentile(50)),
        "p95": millis(times.percentile(95)),
        "p99": millis(times.percentile(99)),
        "max": millis(times.max()),
        "total": millis(times.total()),
    })
}

/// Milliseconds with microseconds behind the point.
fn millis(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}
