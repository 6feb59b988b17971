//! The beginning of what a program printed as errors.

/// How many characters of standard error a record keeps, unless set.
pub const STDERR_SUMMARY_CHARS: usize = 500;

/// What a record keeps of standard error: trimmed, and cut to so many characters with an ellipsis after them. Nothing
/// when it is blank.
///
/// ```
/// use hook_audit::stderr_summary;
///
/// assert_eq!(stderr_summary(" no such file\n", 500), Some("no such file".into()));
/// assert_eq!(stderr_summary("no such file", 2), Some("no…".into()));
/// assert_eq!(stderr_summary(" \n", 500), None);
/// ```
#[must_use]
pub fn stderr_summary(stderr: &str, max_chars: usize) -> Option<String> {
    let text = stderr.trim();
    if text.is_empty() {
        return None;
    }
    Some(match text.char_indices().nth(max_chars) {
        None => text.to_owned(),
        Some((end, _first_left_out)) => {
            let kept = text.get(..end).unwrap_or_default();
            format!("{kept}…")
        }
    })
}
