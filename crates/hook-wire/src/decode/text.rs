//! The words in an answer: for the model, for a person and for the record.

use super::{DecodeNote, MAX_CONTEXT_BYTES, MAX_REASON_BYTES, Reading};
use crate::object::{kind_of, string};

/// Ends a text that was cut.
pub(super) const CUT_MARK: &str = "… [cut]";

impl Reading<'_> {
    /// Words for the model.
    pub(super) fn context(&mut self) -> Option<String> {
        let value = self.object.get("context")?.value;
        let Some(text) = string(value) else {
            if value != "null" {
                let found = what_is_no_text(value);
                self.notes.push(DecodeNote::ContextNotText { found });
            }
            return None;
        };
        if text.trim().is_empty() {
            return None;
        }
        let bytes = text.len();
        let (text, is_cut) = bounded(text.into_owned(), MAX_CONTEXT_BYTES);
        if is_cut {
            self.notes.push(DecodeNote::ContextCut { bytes });
        }
        Some(text)
    }

    /// The reason, cut when it is too long.
    pub(super) fn bounded_reason(&mut self, reason: String) -> String {
        let bytes = reason.len();
        let (reason, is_cut) = bounded(reason, MAX_REASON_BYTES);
        if is_cut {
            self.notes.push(DecodeNote::ReasonCut { bytes });
        }
        reason
    }
}

/// What a value is that is no string of characters, with its article.
pub(super) fn what_is_no_text(value: &str) -> &'static str {
    match kind_of(value) {
        "a string" => "not valid Unicode",
        found => found,
    }
}

/// The text cut to that many bytes, at a character, with a mark; and whether it was cut.
fn bounded(mut text: String, most: usize) -> (String, bool) {
    if text.len() <= most {
        return (text, false);
    }
    let mut end = most - CUT_MARK.len();
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.truncate(end);
    text.push_str(CUT_MARK);
    (text, true)
}
