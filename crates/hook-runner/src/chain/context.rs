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
    /// Adds the words of a participant; gives what the operator should know when some of them are left out.
    pub(super) fn add(&mut self, who: &Identity, mut text: String) -> Option<String> {
        if text.trim().is_empty() || self.all.iter().any(|context| context.text == text) {
            return None;
        }
        let given = text.len();
        let most = MAX_CONTEXT_BYTES.min(MAX_ALL_BYTES - self.bytes);
        let mut end = most.min(given);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        text.truncate(end);
        let cut = given - end;
        if !text.is_empty() {
            self.bytes += text.len();
            self.all.push(Context::new(who.clone(), text));
        }
        (cut > 0).then(|| {
            format!(
                "said {given} bytes for the model, of which the last {cut} are left out: one hook may say \
                 {MAX_CONTEXT_BYTES}, and all together {MAX_ALL_BYTES}"
            )
        })
    }

    pub(super) fn into_all(self) -> Vec<Context> {
        self.all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Origin;

    #[test]
    fn the_same_words_are_delivered_once_and_all_are_bounded() {
        let who = Identity::new("hook", "lint", Origin::Host);
        let mut contexts = Contexts::default();
        assert_eq!(contexts.add(&who, "a".into()), None);
        assert_eq!(contexts.add(&who, "a".into()), None);
        assert_eq!(contexts.add(&who, " \n".into()), None);
        for letter in ["b", "c", "d", "e", "f"] {
            contexts.add(&who, letter.repeat(MAX_CONTEXT_BYTES));
        }
        let note = contexts
            .add(&who, "\u{e4}".repeat(MAX_CONTEXT_BYTES))
            .expect("a note");
        assert!(note.contains("are left out"), "{note}");
        let all = contexts.into_all();
        assert_eq!(all.len(), 5);
        assert_eq!(
            all.iter().map(|context| context.text.len()).sum::<usize>(),
            MAX_ALL_BYTES
        );
    }
}
