//! Here-documents.

use std::mem;

use super::scanner::Scanner;

impl Scanner<'_> {
    /// The texts of here-documents, which begin on this line.
    pub(super) fn read_documents(&mut self, depth: usize) {
        for (end, expands) in mem::take(&mut self.documents) {
            while !self.rest().is_empty() && !self.ends_document(&end) {
                self.document_line(expands, depth);
            }
        }
    }

    /// One line of a here-document.
    fn document_line(&mut self, expands: bool, depth: usize) {
        let line = self.rest().find('\n').unwrap_or(self.rest().len());
        let (end, next) = (self.at + line, self.at + line + 1);
        if expands {
            self.expansions_until(end, depth);
        }
        self.at = self.at.max(next.min(self.text.len()));
    }

    /// Whether the line is the end of a here-document, which is left behind then.
    fn ends_document(&mut self, end: &str) -> bool {
        let line = self.rest().split('\n').next().unwrap_or_default();
        let ends = line.trim_start_matches('\t') == end;
        if ends {
            self.at += line.len();
        }
        ends
    }

    /// The substitutions up to a place, as between double quotes.
    fn expansions_until(&mut self, end: usize, depth: usize) {
        while self.at < end {
            match self.next() {
                Some('\\') => {
                    self.next();
                }
                Some('$') => {
                    self.dollar(depth);
                }
                Some('`') => self.commands(Some('`'), depth + 1),
                Some(_) => {}
                None => return,
            }
        }
    }
}
