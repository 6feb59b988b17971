//! A diagnostic as a person reads it: the source line, a caret, what is wrong and what to write.

use std::{borrow::Cow, ops::Range};

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use hook_contract::shown;
use hook_source::{Diagnostic, Place, Severity, Subject};

use super::report::LookedFor;

/// The width that lines of source are cut to.
const WIDTH: usize = 120;

/// How much of a line is looked at before and after what is meant; more would be cut anyway.
const MARGIN: usize = 2 * WIDTH;

/// Draws a diagnostic about a file, with colours.
pub(crate) fn draw(diagnostic: &Diagnostic, file: &LookedFor) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level
        .primary_title(shown::line(&diagnostic.message))
        .id(diagnostic.code);
    let mut group = Group::with_title(title);
    if let Some(place) = &diagnostic.place {
        let path = shown::line(&file.shown_path());
        let window = Window::around(file.text(), place);
        let mut annotation = AnnotationKind::Primary.span(window.span);
        if let Some(label) = diagnostic.subject.as_ref().and_then(label) {
            annotation = annotation.label(label);
        }
        let mut snippet = Snippet::source(window.text)
            .line_start(place.position.line)
            .annotation(annotation);
        if window.is_cut {
            // The column cannot be counted in what is left of the line.
            let position = place.position;
            let origin = Origin::path(path).line(position.line);
            group = group.element(origin.char_column(position.column));
        } else {
            snippet = snippet.path(path);
        }
        group = group.element(snippet);
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(shown::line(help)));
    }
    for note in &diagnostic.notes {
        group = group.element(Level::NOTE.message(shown::line(note)));
    }
    Renderer::styled().term_width(WIDTH).render(&[group])
}

/// Whose entry it is.
fn label(subject: &Subject) -> Option<String> {
    let label = match subject {
        Subject::Entry {
            one,
            name: Some(name),
            ..
        } => format!("in {one} `{name}`"),
        Subject::Entry { list, index, .. } => format!("in {list}[{index}]"),
        Subject::Part(at) => format!("in {at}"),
        _ => return None,
    };
    Some(shown::line(&label))
}

/// The lines that a place stands on, harmless to a terminal.
struct Window<'t> {
    text: Cow<'t, str>,
    span: Range<usize>,
    /// Whether the first line lacks its beginning.
    is_cut: bool,
}

impl<'t> Window<'t> {
    fn around(text: &'t str, place: &Place) -> Self {
        let Range { start, end } = place.span;
        let line_start = before(text, start).rfind('\n').map_or(0, |end| end + 1);
        let line_end = after(text, end)
            .find('\n')
            .map_or(text.len(), |rest| end + rest);
        let from = line_start.max(boundary(text, start.saturating_sub(MARGIN)));
        let to = line_end.min(boundary(text, end.saturating_add(MARGIN)));
        let mut window = Self {
            text: Cow::Borrowed(text.get(from..to).unwrap_or_default()),
            span: start - from..end - from,
            is_cut: from > line_start,
        };
        window.make_harmless();
        window
    }

    /// Puts one mark in the place of each character that is not shown as it is. A carriage return before a line end is part
    /// of the line end.
    fn make_harmless(&mut self) {
        let harmless =
            |character| matches!(character, '\t' | '\n') || shown::is_harmless(character);
        if self.text.chars().all(harmless) {
            return;
        }
        let (mut text, mut span) = (String::new(), self.span.clone());
        let mut characters = self.text.char_indices().peekable();
        while let Some((at, character)) = characters.next() {
            if at == self.span.start {
                span.start = text.len();
            }
            if at == self.span.end {
                span.end = text.len();
            }
            let next = characters.peek().map(|(_, next)| *next);
            match character {
                '\r' if matches!(next, Some('\n') | None) => {}
                _ if harmless(character) => text.push(character),
                _ => text.push(char::REPLACEMENT_CHARACTER),
            }
        }
        if self.span.start >= self.text.len() {
            span.start = text.len();
        }
        if self.span.end >= self.text.len() {
            span.end = text.len();
        }
        self.text = Cow::Owned(text);
        self.span = span;
    }
}

fn before(text: &str, at: usize) -> &str {
    text.get(..at).unwrap_or_default()
}

fn after(text: &str, at: usize) -> &str {
    text.get(at..).unwrap_or_default()
}

/// The next place at or after `at` that is between two characters.
fn boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests;
