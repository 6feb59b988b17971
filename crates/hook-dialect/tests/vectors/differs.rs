//! What differs by choice where the agents are not followed to the letter.
//!
//! Which rows do, by the choice that makes them differ, is in a snapshot beside this file, and how many in the ADR.

use std::{collections::BTreeMap, fmt::Write as _, fs, path::Path};

use hook_dialect::{
    Decision, Failure, Verdict,
    dialect::Refused,
    run::{Fired, HookRun},
};
use serde_json::Value;

use crate::{played::Played, stored::is_own};

/// How long output is read that something holds open. Whether that makes a difference is a matter of how quick things
/// are, so that these rows are not counted.
const HELD_OPEN: &str = "output that something holds open";

/// The rows of each group.
pub(crate) type Groups = BTreeMap<&'static str, Vec<String>>;

/// Which choice makes a session differ that was played to the letter and otherwise; nothing when there is none.
pub(crate) fn group(strict: &Played, guarded: &Played) -> Option<&'static str> {
    if guarded.invalid.is_some() {
        return Some("settings that are errors");
    }
    let pairs = strict.fired.iter().zip(&guarded.fired);
    pairs
        .filter(|((one, _), (other, _))| one == other)
        .find_map(|((_, strict), (_, guarded))| choice(strict, guarded))
}

/// What was chosen about one event.
fn choice(strict: &Fired, guarded: &Fired) -> Option<&'static str> {
    for run in &guarded.runs {
        let at_home = strict
            .runs
            .iter()
            .find(|other| other.hook.order == run.hook.order);
        match at_home {
            None if run.hook.event.first_decides => return Some("the first decision ends it"),
            None => return Some("a rule about a command that no shell can read"),
            Some(other) if run.output.refuses() && !other.output.refuses() => {
                return Some(why_refused(run, other));
            }
            Some(other) if is_too_long(run) && !is_too_long(other) => {
                return Some("an answer that is void");
            }
            Some(other) if asks(run) && !asks(other) => {
                return Some("an ask that the agent does not hear");
            }
            Some(other) if run.held_open && run.output.refuses() != other.output.refuses() => {
                return Some(HELD_OPEN);
            }
            Some(_) => {}
        }
    }
    let rewrites = guarded
        .runs
        .iter()
        .filter(|run| run.output.updated_input.is_some());
    let same = strict.outcome.updated_input == guarded.outcome.updated_input
        && strict.outcome.updated_tool_output == guarded.outcome.updated_tool_output;
    (!same && (rewrites.count() > 1 || guarded.outcome.decision < Verdict::Deny))
        .then_some("several rewrites")
}

/// Whether a hook printed more than is read.
fn is_too_long(run: &HookRun) -> bool {
    matches!(run.output.failure, Some(Failure::TooMuchOutput { .. }))
}

fn asks(run: &HookRun) -> bool {
    matches!(run.output.decision, Some(Decision::Ask | Decision::Defer))
}

fn why_refused(run: &HookRun, at_home: &HookRun) -> &'static str {
    // Its failure was taken for a denial, or it had denied in a way that is not heard at home.
    let by_failure = run.output.decision == Some(Decision::Block);
    let lone = Failure::Refused(Refused::LoneRewrite);
    let reason = run.output.reason.as_deref().unwrap_or_default();
    if reason.contains("in an answer that cannot be used, and the original would run") {
        return "a rewrite that the agent leaves out";
    }
    match &at_home.output.failure {
        Some(Failure::TimedOut) => "a hook that takes too long",
        Some(Failure::NotStarted { .. } | Failure::ExitStatus(126 | 127)) => {
            "a hook that cannot be started"
        }
        Some(Failure::Signal(_) | Failure::NoStatus) => "a hook that is killed",
        Some(failure) if *failure == lone => "a rewrite that the agent leaves out",
        Some(Failure::NoReasonOnStderr) => "exit status 2 without a reason",
        _ if by_failure => "an answer that is void",
        _ if run.exit == Some(hook_runner::Exit::Code(2)) => "exit status 2 where it means nothing",
        _ => "a denial in an envelope that the agent rejects",
    }
}

/// The rows that differ, by group; every one of them has to be in one.
pub(crate) fn grouped<'r>(
    rows: impl IntoIterator<Item = (&'r Value, &'r Played, &'r Played, &'r Vec<String>)>,
) -> Groups {
    let mut groups = Groups::new();
    for (row, strict, guarded, differences) in rows {
        if differences.is_empty() {
            continue;
        }
        let id = row["id"].as_str().expect("an id").to_owned();
        let group = group(strict, guarded);
        let group = group.unwrap_or_else(|| panic!("{id} differs by no choice: {differences:?}"));
        if group != HELD_OPEN {
            groups.entry(group).or_default().push(id);
        }
    }
    groups
}

/// Compares the groups with what is written down about the workspace's own recordings.
#[track_caller]
pub(crate) fn are_written_down(agent: &str, groups: &Groups) {
    let count: usize = groups.values().map(Vec::len).sum();
    println!("{agent}: {count} differ by choice where it is not followed to the letter");
    if !is_own() {
        return;
    }
    let mut listed = String::new();
    for (group, rows) in groups {
        writeln!(listed, "{group}: {}", rows.len()).expect("a text");
        for row in rows {
            writeln!(listed, "    {row}").expect("a text");
        }
    }
    let mut settings = insta::Settings::new();
    settings.set_snapshot_path("differs");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    let name = agent.to_lowercase().replace(' ', "-");
    settings.bind(|| insta::assert_snapshot!(name, listed));
    assert_eq!(in_record(agent), counts(groups), "the table of ADR 0017");
}

fn counts(groups: &Groups) -> BTreeMap<String, usize> {
    let counts = groups.iter();
    counts
        .map(|(group, rows)| ((*group).to_owned(), rows.len()))
        .collect()
}

/// How many rows the ADR says there are of each group, in the column of the agent.
fn in_record(agent: &str) -> BTreeMap<String, usize> {
    let path = "../../docs/adr/0017-where-we-differ-from-the-agents.md";
    let text =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).expect("an ADR");
    let lines = text
        .lines()
        .skip_while(|line| !line.starts_with("| recorded runs"));
    let mut lines = lines.map(|line| line.split('|').map(str::trim).collect::<Vec<_>>());
    let head = lines.next().expect("the table of recorded runs");
    let column = head
        .iter()
        .position(|cell| *cell == agent)
        .expect("a column");
    let rows = lines.skip(1).take_while(|cells| cells.len() == head.len());
    rows.filter_map(|cells| {
        let count: usize = cells[column].parse().expect("a number");
        (count > 0).then(|| (cells[1].to_owned(), count))
    })
    .collect()
}
