//! What the single hooks behind a participant said, as a person reads it.

use anstyle::Style;
use hook_runner::{Part, Step};

use super::duration;
use crate::page::{DIM, GREEN, INDENT, Page, RED, YELLOW};

impl Page {
    /// What the single hooks behind a step said.
    pub(super) fn parts(&mut self, step: &Step) {
        for part in &step.parts {
            self.part(part);
        }
        if step.in_background > 0 {
            let text = format!("{} in the background", step.in_background);
            self.line(&[(Style::new(), INDENT), (DIM, "- "), (DIM, &text)]);
        }
    }

    /// What one hook of another agent said.
    pub(crate) fn part(&mut self, part: &Part) {
        let (style, word) = said(part);
        let took = format!("  {}", duration(part.took));
        let command = format!("{}  ", part.command);
        self.line(&[
            (Style::new(), INDENT),
            (DIM, "- "),
            (Style::new(), &command),
            (style, word),
            (DIM, &took),
        ]);
        self.line(&[
            (Style::new(), INDENT),
            (Style::new(), "  "),
            (DIM, &part.origin),
        ]);
    }
}

/// What a hook of another agent said, in a word.
fn said(part: &Part) -> (Style, &'static str) {
    if part.failure.is_some() {
        return (RED, "failed");
    }
    match part.decision {
        Some(word) if part.refuses => (RED, word),
        Some(word) if part.asks => (YELLOW, word),
        Some(_) | None if part.rewrites => (YELLOW, "rewrites"),
        Some(word) => (GREEN, word),
        None => (GREEN, "no objection"),
    }
}
