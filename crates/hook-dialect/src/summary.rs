//! A few characters of what a program printed.

/// What a program printed on standard error, cut to so many UTF-16 units with `…` after them; nothing when it printed
/// nothing but white space.
///
/// A character of two units is never cut in half: it is left out.
///
/// ```
/// use hook_dialect::stderr_summary;
///
/// assert_eq!(stderr_summary("  no space left \n", 8).as_deref(), Some("no space…"));
/// assert_eq!(stderr_summary(" \n", 8), None);
/// ```
#[must_use]
pub fn stderr_summary(stderr: &str, max_chars: usize) -> Option<String> {
    let white = |c: char| c == '\u{feff}' || c.is_whitespace() && c != '\u{85}';
    let text = stderr.trim_matches(white);
    let mut left = max_chars;
    let end = text.char_indices().find_map(|(at, character)| {
        let units = character.len_utf16();
        left.checked_sub(units).map_or(Some(at), |rest| {
            left = rest;
            None
        })
    });
    match end {
        _ if text.is_empty() => None,
        None => Some(text.to_owned()),
        Some(end) => Some(format!("{}…", text.get(..end).unwrap_or_default())),
    }
}
