//! Encoded records that wait to be written.

use crate::Record;

/// Whole lines, each with its line end.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    bytes: Vec<u8>,
    /// Where each line ends, its line end included.
    ends: Vec<usize>,
    /// How many lines, and bytes of them, are taken out already.
    out: usize,
    out_bytes: usize,
}

/// The first of the lines.
#[derive(Debug)]
pub(super) struct Chunk<'a> {
    pub(super) bytes: &'a [u8],
}

impl Lines {
    pub(crate) fn push(&mut self, record: &Record) {
        record.write(&mut self.bytes);
        self.bytes.push(b'\n');
        self.ends.push(self.bytes.len());
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len() - self.out
    }

    /// As many of the first lines as have that many bytes, and one at least.
    pub(super) fn first(&self, most_bytes: usize) -> Chunk<'_> {
        let ends = self.ends.get(self.out..).unwrap_or_default();
        let fitting = ends.partition_point(|end| end - self.out_bytes <= most_bytes);
        let end = ends.get(fitting.saturating_sub(1)).copied();
        let range = self.out_bytes..end.unwrap_or(self.out_bytes);
        Chunk {
            bytes: self.bytes.get(range).unwrap_or_default(),
        }
    }

    /// Takes out the first lines.
    pub(crate) fn take_out(&mut self, count: usize) {
        self.out = (self.out + count).min(self.ends.len());
        self.out_bytes = match self.out.checked_sub(1) {
            None => 0,
            Some(last) => self.ends.get(last).copied().unwrap_or(self.bytes.len()),
        };
        if self.is_empty() {
            // What a very large call once needed is not kept for ever.
            self.bytes.clear();
            self.bytes.shrink_to(1 << 20);
            self.ends.clear();
            (self.out, self.out_bytes) = (0, 0);
        }
    }
}

impl<'a> Chunk<'a> {
    /// The lines, each with its line end.
    pub(super) fn lines(&self) -> impl Iterator<Item = &'a [u8]> {
        self.bytes.split_inclusive(|byte| *byte == b'\n')
    }
}
