//! The rows of the bridge, and what was seen in the agents themselves: `tests/e2e/asking.json`, which `cargo xtask e2e` plays.

use std::{ffi::OsString, fs, path::Path};

use hook_dialect::bridge::{AskRow, Asks, Attendance, Bridge, BridgeRow, ContextPlace};
use serde_json::Value;

/// One thing that was tried, and what came of it.
struct Seen {
    bridge: &'static Bridge,
    /// Where the agent says that it runs.
    attendance: Attendance,
    row: Value,
}

impl Seen {
    fn text(&self, name: &str) -> &str {
        self.row[name].as_str().unwrap_or_default()
    }

    /// What the hook said, in the words of the table.
    fn says(&self, word: &str) -> bool {
        self.text("answer").split('+').any(|said| said == word)
    }

    fn event(&self) -> &'static BridgeRow {
        let row = self.bridge.row(self.text("event"));
        row.unwrap_or_else(|| panic!("no row: {}", self.row))
    }

    /// Whether it is about a call that happens without an answer of a person, a program or a model.
    fn runs_unasked(&self) -> bool {
        self.row.get("ran").is_some() && self.row.get("asked").is_none()
    }
}

/// Everything that was tried.
fn all() -> Vec<Seen> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/e2e/asking.json");
    let text = fs::read_to_string(path).expect("what was seen");
    let table: Value = serde_json::from_str(&text).expect("JSON");
    let modes = table["modes"].as_array().expect("modes");
    let rows = table["rows"].as_array().expect("rows");
    assert!(rows.len() > 150, "{}", rows.len());
    let seen = rows.iter().map(|row| {
        let is_its = |mode: &&Value| mode["agent"] == row["agent"] && mode["mode"] == row["mode"];
        let mode = modes.iter().find(is_its).expect("its mode");
        let bridge = Bridge::named(row["agent"].as_str().expect("a name")).expect("an agent");
        let environment = |name: &str| mode["environment"][name].as_str().map(OsString::from);
        Seen {
            bridge,
            attendance: bridge.attendance(environment),
            row: row.clone(),
        }
    });
    seen.collect()
}

/// Every row of the bridge about an ask, with what was tried in that mode with an ask.
fn each_ask(mut look: impl FnMut(&AskRow, &[&Seen], &str)) {
    let all = all();
    let rows = Bridge::ALL
        .into_iter()
        .flat_map(|bridge| bridge.rows.iter().map(move |row| (bridge, row)));
    let asks = rows.flat_map(|(bridge, row)| row.asks.iter().map(move |ask| (bridge, row, ask)));
    for (bridge, row, ask) in asks {
        let tried = all.iter().filter(|seen| {
            std::ptr::eq(seen.bridge, bridge)
                && seen.event().event == row.event
                && seen.attendance == ask.attendance
                && seen.text("payload") == ask.permission_mode
                && seen.says("ask")
        });
        let name = format!("{} {} {ask:?}", bridge.dialect.name, row.event);
        look(ask, &tried.collect::<Vec<_>>(), &name);
    }
}

#[test]
fn an_ask_is_handed_on_only_where_no_call_was_seen_to_run_without_an_answer() {
    let mut compared = 0;
    each_ask(|_, tried, name| {
        assert!(!tried.is_empty(), "{name} was never tried");
        compared += tried.len();
        for seen in tried {
            assert!(!seen.runs_unasked(), "{name}: {}", seen.row);
        }
    });
    assert!(compared > 60, "{compared}");
}

#[test]
fn who_is_asked_is_who_was_seen_to_be_asked() {
    each_ask(|ask, tried, name| {
        let replies = |by: &str, reply: &str| {
            tried.iter().any(|seen| {
                let shown = seen.row["shown"] == true || by == "the tool";
                seen.text("asked") == by && seen.text("reply") == reply && shown
            })
        };
        let refused =
            |seen: &&Seen| seen.row.get("asked").is_none() && seen.text("reason") == "result";
        match ask.asks {
            Asks::Person => {
                assert!(
                    tried.iter().all(|seen| seen.text("asked") == "the person"),
                    "{name}"
                );
                assert!(
                    replies("the person", "yes") && replies("the person", "no"),
                    "{name}"
                );
            }
            Asks::HostIfAny => {
                for by in ["the host", "the tool"] {
                    assert!(replies(by, "yes") && replies(by, "no"), "{name}: {by}");
                }
                // Without either, the model reads the reason.
                assert!(tried.iter().copied().any(|seen| refused(&seen)), "{name}");
            }
            other => panic!("{other:?} is not compared"),
        }
    });
}

#[test]
fn another_input_goes_with_an_ask_only_where_it_was_seen_to_run() {
    each_ask(|ask, tried, name| {
        let with_input = || tried.iter().filter(|seen| seen.says("input"));
        let ran = |seen: &&&Seen| seen.text("ran") == "changed";
        let yes = with_input().filter(|seen| seen.text("reply") == "yes");
        let all = yes.clone().all(|seen| ran(&seen));
        let any = yes.clone().any(|seen| ran(&seen));
        assert_eq!(ask.takes_input, all && any, "{name}");
        assert!(
            with_input().all(|seen| seen.text("ran") != "original"),
            "{name}"
        );
    });
}

#[test]
fn codex_was_seen_to_run_calls_that_a_hook_asks_about() {
    let ran = all().into_iter().filter(|seen| {
        std::ptr::eq(seen.bridge, Bridge::CODEX) && seen.says("ask") && seen.runs_unasked()
    });
    assert!(ran.count() > 10);
    assert!(Bridge::CODEX.rows.iter().all(|row| row.asks.is_empty()));
}

#[test]
fn words_for_the_model_are_put_where_it_was_seen_to_read_them() {
    let mut compared = 0;
    for seen in all().iter().filter(|seen| seen.says("context")) {
        // What the bridge says in that place: exit status 2 with a refusal, and no "allow" without another input.
        let refuses = seen.says("deny") || seen.says("block");
        let exit_2 = seen.says("exit 2");
        let is_ours = match seen.event().context {
            _ if seen.says("defer") || seen.says("ask") => false,
            ContextPlace::Beside => true,
            _ => refuses == exit_2 && (!seen.says("allow") || seen.says("input")),
        };
        if !is_ours {
            continue;
        }
        compared += 1;
        let read = seen.row.get("context").is_some();
        let beside = match seen.event().context {
            ContextPlace::Beside => true,
            ContextPlace::BesideUnlessRefused => !exit_2,
            _ => false,
        };
        assert_eq!(read, beside, "{}", seen.row);
    }
    assert!(compared > 12, "{compared}");
}
