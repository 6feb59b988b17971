//! The words for the model that participants say beside their decisions.

use hook_wire::MAX_CONTEXT_BYTES;

use crate::{Context, Identity};

/// How many bytes of them one consultation delivers.
const MAX_ALL_BYTES: usize = 64 * 1024;

/// Words in the order in which they were said, each once.
#[derive(Debug, Default)]
pub(super) struct Contexts {
    all: Vec<Context>,
    bytes: usize,
}

impl Contexts {
    /// Adds the words of one answer; gives what the operator should know when some of them are left out.
    pub(super) fn add(&mut self, who: &Identity, texts: Vec<String>) -> Option<String> {
        let given: usize = texts.iter().map(String::len).sum();
        let (mut own, mut left_out) = (MAX_CONTEXT_BYTES, 0);
        for mut text in texts {
            left_out += cut(&mut text, own);
            own -= text.len();
            // Looked for as it would have been said before: what was cut there is cut here.
            if text.trim().is_empty() || self.all.iter().any(|context| context.text == text) {
                continue;
            }
            left_out += cut(&mut text, MAX_ALL_BYTES - self.bytes);
            if !text.is_empty() {
                self.bytes += text.len();
                self.all.push(Context::new(who.clone(), text));
            }
        }
        (left_out > 0).then(|| {
            format!(
                "said {given} bytes for the model, of which {left_out} are left out: one answer may say \
                 {MAX_CONTEXT_BYTES}, and all together {MAX_ALL_BYTES}"
            )
        })
    }

    pub(super) fn into_all(self) -> Vec<Context> {
        self.all
    }
}

/// Cuts the text to that many bytes, at a character; gives how many were cut off.
fn cut(text: &mut String, most: usize) -> usize {
    let given = text.len();
    let mut end = most.min(given);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.truncate(end);
    given - end
}

#[cfg(test)]
mod tests;
