//! Arguments in the source text of a program: `["mysql", "--password", "…"]`.

use super::{
    text::{Found, Scan},
    value::{is_quote, value_at},
};

/// The text in quotes after the option in quotes whose first quote is at `at`.
pub(super) fn inside_quotes(scan: &Scan<'_>, at: usize) -> Option<Found> {
    const LONGEST: usize = 64;
    let text = scan.text;
    let option = text.get(at + 1..)?.strip_prefix('-')?;
    let name = option.trim_start_matches('-').len();
    let start = text.len() - name;
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let bytes = text.as_bytes().get(start..)?;
    let length = bytes
        .iter()
        .take(LONGEST)
        .take_while(|byte| is_part(byte))
        .count();
    let end = start + length;
    let after = text.get(end..)?.strip_prefix(is_quote)?;
    let value = after.trim_start_matches([' ', ',']);
    let is_next = value.len() < after.len() && value.starts_with(is_quote);
    let is_hidden = is_next && scan.redaction.hides_member(text.get(start..end)?);
    is_hidden.then(|| value_at(text, text.len() - value.len(), false))?
}
