//! The first and the last bytes of a stream of any length.

use std::collections::VecDeque;

/// How many bytes are kept of the beginning, and as many of the end, unless somebody wants more.
pub(crate) const KEPT: usize = 2 * 1024;

/// What is kept of a standard error stream: its beginning and its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Excerpt {
    /// How many bytes are kept of each.
    kept: usize,
    head: Vec<u8>,
    tail: VecDeque<u8>,
    total: u64,
}

impl Default for Excerpt {
    fn default() -> Self {
        Self::keeping(KEPT)
    }
}

impl Excerpt {
    /// Keeps as many bytes of the beginning, and of the end.
    pub(super) const fn keeping(kept: usize) -> Self {
        Self {
            kept,
            head: Vec::new(),
            tail: VecDeque::new(),
            total: 0,
        }
    }

    pub(super) fn push(&mut self, bytes: &[u8]) {
        let kept = self.kept;
        self.total += bytes.len() as u64;
        let (head, rest) = bytes.split_at(bytes.len().min(kept - self.head.len()));
        self.head.extend_from_slice(head);
        let rest = rest.split_at(rest.len().saturating_sub(kept)).1;
        let excess = (self.tail.len() + rest.len()).saturating_sub(kept);
        self.tail.drain(..excess);
        self.tail.extend(rest);
    }

    /// The text, trimmed, with a mark where bytes were left out; nothing when it is blank.
    ///
    /// It is for people, so bytes that are not UTF-8 are shown as replacement characters.
    pub(crate) fn to_text(&self) -> Option<String> {
        let left_out = self.total - (self.head.len() + self.tail.len()) as u64;
        let tail: Vec<u8> = self.tail.iter().copied().collect();
        let text = if left_out == 0 {
            String::from_utf8_lossy(&[self.head.as_slice(), &tail].concat()).into_owned()
        } else {
            let (head, tail) = (
                String::from_utf8_lossy(&self.head),
                String::from_utf8_lossy(&tail),
            );
            format!("{head}\n[{left_out} bytes left out]\n{tail}")
        };
        let text = text.trim();
        (!text.is_empty()).then(|| text.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(chunks: &[&[u8]]) -> Option<String> {
        let mut excerpt = Excerpt::default();
        for chunk in chunks {
            excerpt.push(chunk);
        }
        excerpt.to_text()
    }

    #[test]
    fn a_short_stream_is_kept_whole_however_it_arrives() {
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[b" \n"]), None);
        assert_eq!(of(&[b"a\xc3", b"\xa4b\n"]), Some("a\u{e4}b".into()));
        let long = [b'x'; 4096];
        assert_eq!(of(&[&long]), Some("x".repeat(4096)));
        assert_eq!(of(&[&long[..3000], &long[..1096]]), Some("x".repeat(4096)));
    }

    #[test]
    fn as_much_is_kept_as_is_wanted() {
        let mut excerpt = Excerpt::keeping(2);
        excerpt.push(b"abcdef");
        let text = excerpt.to_text();
        assert_eq!(text.as_deref(), Some("ab\n[2 bytes left out]\nef"));
    }

    #[test]
    fn of_a_long_stream_both_ends_are_kept_and_the_gap_is_counted() {
        let middle = vec![b'm'; 10_000];
        let expected = Some(format!(
            "{}\n[7952 bytes left out]\n{}{}",
            "a".repeat(2048),
            "m".repeat(2048 - 3),
            "end"
        ));
        let first = vec![b'a'; 2048];
        assert_eq!(of(&[&first, &middle[..9_997], b"end"]), expected.clone());
        let mut pieces: Vec<&[u8]> = vec![&first];
        pieces.extend(middle[..9_997].chunks(7));
        pieces.push(b"end");
        assert_eq!(of(&pieces), expected);
    }
}
