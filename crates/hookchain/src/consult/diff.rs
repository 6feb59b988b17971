//! What a rewrite changed, line by line.

use std::time::Duration;

use hook_contract::Json;
use similar::{ChangeTag, DiffTag, TextDiff};

use super::pretty;

/// How many unchanged lines are shown around a change.
const CONTEXT: usize = 2;

/// How many characters of a line are shown, and how many of them before the first that differs.
const SHOWN_CHARS: usize = 160;
const SHOWN_BEFORE: usize = 40;

/// How long a short diff is looked for; then a longer one will do.
const PATIENCE: Duration = Duration::from_millis(500);

/// One line of a diff.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum DiffLine {
    /// In one of the two texts, or in both. Not made harmless to a terminal yet.
    Text(ChangeTag, String),
    /// Lines that are the same were left out here.
    Gap,
}

/// The lines that differ between two values, with some around them; nothing when the two look alike.
///
/// Two texts are compared as texts, anything else as JSON over several lines.
pub(crate) fn between(before: &Json, after: &Json) -> Vec<DiffLine> {
    match (text(before), text(after)) {
        (Some(before), Some(after)) => between_texts(&before, &after),
        _ => between_texts(&pretty::whole(before), &pretty::whole(after)),
    }
}

/// The text of a JSON string.
pub(super) fn text(value: &Json) -> Option<String> {
    let text = value.text();
    if !text.starts_with('"') {
        return None;
    }
    serde_json::from_str(text).ok()
}

fn between_texts(before: &str, after: &str) -> Vec<DiffLine> {
    let diff = TextDiff::configure()
        .timeout(PATIENCE)
        .diff_lines(before, after);
    let mark_ends = before.ends_with('\n') != after.ends_with('\n');
    let mut lines = Vec::new();
    for (index, group) in diff.grouped_ops(CONTEXT).iter().enumerate() {
        if index > 0 {
            lines.push(DiffLine::Gap);
        }
        for operation in group {
            let (tag, old, new) = operation.as_tag_tuple();
            let old: Vec<&str> = old.filter_map(|line| diff.old_slice(line)).collect();
            let new: Vec<&str> = new.filter_map(|line| diff.new_slice(line)).collect();
            if tag == DiffTag::Equal {
                lines.extend(
                    old.iter()
                        .map(|line| shown(ChangeTag::Equal, line, 0, false)),
                );
            } else {
                lines.extend(changed(&old, &new, mark_ends));
            }
        }
    }
    lines
}

/// Lines that were replaced by others. Long ones are shown from a little before the first character that differs.
fn changed<'a>(
    old: &'a [&str],
    new: &'a [&str],
    mark_ends: bool,
) -> impl Iterator<Item = DiffLine> + 'a {
    let from = |line: usize| match (old.get(line), new.get(line)) {
        (Some(old), Some(new)) => common_chars(old, new).saturating_sub(SHOWN_BEFORE),
        _ => 0,
    };
    let lines = move |tag, lines: &'a [&str]| {
        let lines = lines.iter().enumerate();
        lines.map(move |(number, line)| shown(tag, line, from(number), mark_ends))
    };
    lines(ChangeTag::Delete, old).chain(lines(ChangeTag::Insert, new))
}

/// A line without its end; a long one from `from` on.
fn shown(tag: ChangeTag, line: &str, from: usize, mark_end: bool) -> DiffLine {
    let (content, has_end) = match line.strip_suffix('\n') {
        Some(content) => (content, true),
        None => (line, false),
    };
    let mut text = window(content, from);
    if mark_end && !has_end {
        text.push_str(" (no line end)");
    }
    DiffLine::Text(tag, text)
}

/// As much of a line as is shown of it.
fn window(line: &str, from: usize) -> String {
    if line.chars().nth(SHOWN_CHARS).is_none() {
        return line.to_owned();
    }
    let mut rest = line.chars().skip(from);
    let mut text = String::new();
    if from > 0 {
        text.push('…');
    }
    text.extend(rest.by_ref().take(SHOWN_CHARS));
    if rest.next().is_some() {
        text.push('…');
    }
    text
}

fn common_chars(a: &str, b: &str) -> usize {
    a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(before: &str, after: &str, expected: &[&str]) {
        let parse = |text| Json::parse(text).expect("JSON");
        let lines: Vec<String> = between(&parse(before), &parse(after))
            .into_iter()
            .map(|line| match line {
                DiffLine::Text(tag, text) => format!("{tag}{text}"),
                DiffLine::Gap => "~".into(),
            })
            .collect();
        assert_eq!(lines, expected);
    }

    #[test]
    fn members_that_stay_are_not_shown_as_changed() {
        check(
            r#"{"id":123456789012345678901234567890,"command":"git push --force","cwd":"/"}"#,
            r#"{"id":123456789012345678901234567890,"command":"git push","cwd":"/"}"#,
            &[
                " {",
                r#"   "id": 123456789012345678901234567890,"#,
                r#"-  "command": "git push --force","#,
                r#"+  "command": "git push","#,
                r#"   "cwd": "/""#,
                " }",
            ],
        );
    }

    #[test]
    fn text_is_compared_as_text() {
        check(
            r#""a\nb\nc\nd\ne\nf\ng\nh\n""#,
            r#""A\nb\nc\nd\ne\nf\ng\nH\n""#,
            &["-a", "+A", " b", " c", "~", " f", " g", "-h", "+H"],
        );
    }

    #[test]
    fn a_line_end_that_goes_missing_is_seen() {
        check(r#""a\n""#, r#""a""#, &["-a", "+a (no line end)"]);
    }

    #[test]
    fn a_change_deep_in_a_long_line_is_seen() {
        let long = "x".repeat(10_000);
        check(
            &format!(r#""{long}secret{long}""#),
            &format!(r#""{long}{long}""#),
            &[
                &format!("-…{}secret{}…", "x".repeat(40), "x".repeat(114)),
                &format!("+…{}…", "x".repeat(160)),
            ],
        );
    }

    #[test]
    fn values_of_different_kinds_are_both_shown() {
        check(
            r#""a""#,
            r#"{"k":1}"#,
            &[r#"-"a""#, "+{", r#"+  "k": 1"#, "+}"],
        );
        check(r#"{"k":1.0}"#, r#"{ "k" : 1.0 }"#, &[]);
    }
}
