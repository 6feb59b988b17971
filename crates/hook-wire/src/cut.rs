//! Texts that are cut, so that no participant floods a model or a record.

/// Ends a text that was cut.
pub(crate) const CUT_MARK: &str = "… [cut]";

/// The text in at most `most` bytes, and whether it was cut: at a character, with `… [cut]` as its end.
///
/// `most` is at least the length of that mark, which has 9 bytes.
///
/// ```
/// assert_eq!(hook_wire::cut("no".into(), 9), ("no".into(), false));
/// assert_eq!(hook_wire::cut("not on Fridays".into(), 12), ("not… [cut]".into(), true));
/// ```
#[must_use]
pub fn cut(mut text: String, most: usize) -> (String, bool) {
    if text.len() <= most {
        return (text, false);
    }
    let mut end = most.saturating_sub(CUT_MARK.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.truncate(end);
    text.push_str(CUT_MARK);
    (text, true)
}
