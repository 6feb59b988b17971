use std::path::Path;

use super::*;

#[test]
fn thousands_are_set_apart() {
    let counts = [0, 999, 1000, 1_234_567].map(count);
    assert_eq!(
        counts,
        ["0", "999", "1\u{202f}000", "1\u{202f}234\u{202f}567"]
    );
}

fn day(date: &str) -> Day {
    let lines = format!(
        "{{\"hook_record\":1,\"type\":\"consultation\",\"at\":\"{date}T00:00:00.000000Z\",\"outcome\":\"allow\",\"duration_ms\":1.0}}\n"
    );
    let directory = tempfile::tempdir().expect("a directory");
    std::fs::write(directory.path().join("hooks-2026-01-01.0001.jsonl"), lines).expect("written");
    let summary = summary(directory.path());
    let days = summary.days();
    (*days.first().expect("a day")).clone()
}

fn summary(directory: &Path) -> Summary {
    let mut reader = hook_audit::Reader::open(directory).expect("a directory");
    let mut summary = Summary::default();
    while let Some(line) = reader.next_line().expect("a line") {
        summary.add(&line);
    }
    summary
}

#[test]
fn days_without_a_call_have_a_place_unless_they_are_most() {
    let dates = |days: &[Day]| -> Vec<String> {
        let columns = with_gaps(&days.iter().collect::<Vec<_>>());
        columns
            .iter()
            .map(|column| {
                format!(
                    "{}{}",
                    column.date,
                    if column.day.is_some() { "" } else { "?" }
                )
            })
            .collect()
    };
    assert_eq!(dates(&[]), Vec::<String>::new());
    assert_eq!(
        dates(&[day("2026-02-27"), day("2026-03-02")]),
        ["2026-02-27", "2026-02-28?", "2026-03-01?", "2026-03-02"]
    );
    // A clock that was not set.
    assert_eq!(
        dates(&[day("1970-01-01"), day("2026-03-02")]),
        ["1970-01-01", "2026-03-02"]
    );
}

#[test]
fn what_records_say_is_text_and_no_markup() {
    let name = "<script>alert(1)</script>\\u202e\\u0000\\\"'&amp;</title></svg><img src=x onerror=alert(2)>";
    let lines = format!(
        "{{\"hook_record\":1,\"type\":\"hook/invoked\",\"at\":\"2026-11-30T00:00:00.000000Z\",\"consultation\":\"c\",\
         \"point\":\"pre_tool_use\",\"dialect\":\"native\",\"handler_id\":\"<i>\",\"kind\":\"{name}\",\"name\":\"{name}\",\
         \"origin\":\"{name}\",\"tool_name\":\"t\",\"tool_call_id\":\"i\",\"agent_id\":\"a\",\
         \"input\":{{\"bytes\":2,\"sha256\":\"{}\"}}}}\n",
        "0".repeat(64)
    );
    let directory = tempfile::tempdir().expect("a directory");
    std::fs::write(directory.path().join("hooks-2026-11-30.0001.jsonl"), lines).expect("written");
    let summary = summary(directory.path());
    assert_eq!(summary.handlers().len(), 1);
    let page = page(&summary, Path::new("/var/<b>\n"));
    for forbidden in [
        "<script",
        "<img",
        "<b>",
        "\u{202e}",
        "\0",
        "onerror=alert(2)>",
    ] {
        assert!(!page.contains(forbidden), "{forbidden}");
    }
    assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
    assert!(
        ["://", "url(", "@import", "href"]
            .iter()
            .all(|way| !page.contains(way)),
        "nothing is fetched, and nothing links anywhere"
    );
}
