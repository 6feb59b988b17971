//! Values whose name stands in another member, in YAML and in markup: `- name: DB_PASSWORD` and `value: …` on the next line,
//! `<add key="password" value="…"/>`, and the data of a secret of Kubernetes.

use hook_secrets::is_reference;

use super::{
    text::{Found, Scan},
    value::{block, indentation, is_quote, value_at},
};

/// The members that name what another one holds.
const LABELS: [&str; 4] = ["header", "key", "name", "variable"];

/// How far around a value its name is looked for.
const NEAR: usize = 300;

/// Whether `name`, before the sign at `at`, is `value`, and a member beside it names a secret. `rest` is what stands before.
pub(super) fn is_labelled(scan: &Scan<'_>, rest: &str, name: &str, at: usize) -> bool {
    if !name.eq_ignore_ascii_case("value") {
        return false;
    }
    let from = rest.len().saturating_sub(NEAR);
    let near = (from..=rest.len()).find_map(|from| rest.get(from..));
    let near = near.unwrap_or_default();
    let (lines, line) = near.rsplit_once('\n').unwrap_or(("", near));
    if line.trim_matches([' ', '\t', '"', '\'']).is_empty() {
        let column = line.len() - line.trim_start().len();
        return is_named_above(scan, lines, column);
    }
    let opening = line.rfind(['<', '{', '}', '>']).map_or(0, |at| at + 1);
    if is_named_in(scan, line.get(opening..).unwrap_or_default()) {
        return true;
    }
    // `<add value="…" key="password"/>`
    let is_tag = line.get(..opening).is_some_and(|line| line.ends_with('<'));
    let value = is_tag.then(|| value_at(scan.text, at + 1, false)).flatten();
    let after = value.and_then(|value| scan.text.get(value.end..));
    let after = after.and_then(|after| {
        let end = after.bytes().take(NEAR).position(|byte| byte == b'>')?;
        after.get(..end)
    });
    after.is_some_and(|after| is_named_in(scan, after))
}

/// Whether a line above, of the same member of a list, names a secret.
fn is_named_above(scan: &Scan<'_>, lines: &str, column: usize) -> bool {
    const LINES: usize = 3;
    for line in lines.rsplit('\n').take(LINES) {
        let item = line.trim_start();
        let member = item.strip_prefix("- ").map_or(item, str::trim_start);
        let is_beside = line.len() - member.len() == column;
        let mut parts = member.splitn(2, [':', '=']);
        if let (true, Some(label), Some(name)) = (is_beside, parts.next(), parts.next())
            && is_label(label.trim_matches([' ', '"', '\'']))
        {
            let name = name.trim_matches(|c: char| c.is_whitespace() || c == ',' || is_quote(c));
            return scan.redaction.hides_member(name);
        }
        if member.len() < item.len() {
            break;
        }
    }
    false
}

/// Whether `key="password"` stands in a text.
fn is_named_in(scan: &Scan<'_>, text: &str) -> bool {
    text.match_indices(['=', ':']).any(|(at, _)| {
        let before = text.get(..at).unwrap_or_default().trim_end();
        let label = before
            .rsplit(|c: char| !c.is_alphanumeric())
            .find(|word| !word.is_empty());
        let value = label
            .filter(|label| is_label(label))
            .and_then(|_| value_at(text, at + 1, false));
        let name = value.and_then(|value| text.get(value.start..value.end));
        name.is_some_and(|name| scan.redaction.hides_member(name))
    })
}

fn is_label(word: &str) -> bool {
    LABELS.iter().any(|label| word.eq_ignore_ascii_case(label))
}

/// The lines below `data:` of a `kind: Secret`, where that begins at `from`. `rest` is what stands before its name.
pub(super) fn data_of_secret(text: &str, rest: &str, from: usize) -> Option<Found> {
    const NEAR: usize = 2048;
    let after = text.get(from..)?;
    let line = after.split_inclusive('\n').next()?;
    line.trim().is_empty().then_some(())?;
    let lead = rest.rsplit('\n').next().unwrap_or_default();
    lead.trim().is_empty().then_some(())?;
    let found = block(text, from + line.len(), indentation(lead))?;
    let is_value = |line: &str| {
        let value = line.split_once(':').map_or(line, |(_, value)| value);
        let value = value.trim_start_matches([' ', '"', '\'']);
        !value.is_empty() && !is_reference(value)
    };
    text.get(found.start..found.end)?
        .lines()
        .any(is_value)
        .then_some(())?;
    let start = rest.len().saturating_sub(NEAR);
    let before = (start..=rest.len()).find_map(|start| rest.get(start..))?;
    let before = before.rsplit("\n---").next().unwrap_or_default();
    let end = text.len().min(found.end + NEAR);
    let after = (found.end..=end)
        .rev()
        .find_map(|end| text.get(found.end..end))?;
    let after = after.split("\n---").next().unwrap_or_default();
    let is_kind = |line: &str| {
        let kind = line.trim().trim_start_matches("- ").strip_prefix("kind:");
        kind.is_some_and(|kind| kind.trim().trim_matches(is_quote) == "Secret")
    };
    let mut lines = before.lines().chain(after.lines());
    lines.any(is_kind).then_some(found)
}
