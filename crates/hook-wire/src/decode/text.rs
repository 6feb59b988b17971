//! The words in an answer: for the model, for a person and for the record.

use hook_contract::json::kind_of;

use super::{DecodeNote, MAX_CONTEXT_BYTES, MAX_REASON_BYTES, Reading};
use crate::{cut, object::string};

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
        let (text, is_cut) = cut(text.into_owned(), MAX_CONTEXT_BYTES);
        if is_cut {
            self.notes.push(DecodeNote::ContextCut { bytes });
        }
        Some(text)
    }

    /// The reason, cut when it is too long.
    pub(super) fn bounded_reason(&mut self, reason: String) -> String {
        let bytes = reason.len();
        let (reason, is_cut) = cut(reason, MAX_REASON_BYTES);
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
