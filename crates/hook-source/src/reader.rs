//! What is noticed while a text is read.

use std::{ops::Range, rc::Rc};

use hook_contract::json::Position;

use crate::{Diagnostic, Lines, Node, Place, Severity, Subject, json};

/// How many findings are told of one file. A person reads no more, and a file made of nothing but mistakes must not keep the
/// reader busy.
pub const MOST: usize = 100;

/// A text that is being read, and what was noticed in it.
#[derive(Debug)]
pub struct Reader<'t> {
    text: &'t str,
    lines: Lines<'t>,
    about: Option<Rc<Subject>>,
    noticed: Vec<Noticed>,
}

/// Something noticed at a place of the text, before lines and columns are asked for.
#[derive(Debug)]
struct Noticed {
    span: Range<usize>,
    diagnostic: Diagnostic,
    /// Shared: an entry with a long name may be wrong in thousands of places.
    about: Option<Rc<Subject>>,
}

impl<'t> Reader<'t> {
    /// A reader of this text, which has noticed nothing.
    #[must_use]
    pub fn new(text: &'t str) -> Self {
        Self {
            text,
            lines: Lines::of(text),
            about: None,
            noticed: Vec::new(),
        }
    }

    /// The text.
    #[must_use]
    pub const fn text(&self) -> &'t str {
        self.text
    }

    /// A value of the text, as it is written.
    #[must_use]
    pub fn raw(&self, node: &Node) -> &'t str {
        self.text.get(node.span.clone()).unwrap_or_default()
    }

    /// A value of a text in JSON that was not opened, opened down to `depth` levels.
    #[must_use]
    pub fn open(&self, node: &Node, depth: usize) -> Node {
        json::open(self.text, &node.span, depth)
    }

    /// The place that many bytes into the text.
    #[must_use]
    pub fn position(&self, offset: usize) -> Position {
        self.lines.position(offset)
    }

    /// The line on which a byte stands, from 1.
    #[must_use]
    pub fn line(&self, offset: usize) -> usize {
        self.lines.line(offset)
    }

    /// Which part of the file is read from now on.
    pub fn about(&mut self, subject: Option<Subject>) {
        self.about = subject.map(Rc::new);
    }

    /// Remembers something about these bytes.
    pub fn tell(&mut self, span: &Range<usize>, diagnostic: Diagnostic) {
        self.noticed.push(Noticed {
            span: span.clone(),
            diagnostic,
            about: self.about.clone(),
        });
    }

    /// Whether anything was noticed for which the file cannot be used.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        let mut noticed = self.noticed.iter();
        noticed.any(|noticed| noticed.diagnostic.severity == Severity::Error)
    }

    /// Everything in the order of the text: the first [`MOST`] errors, the first [`MOST`] warnings, and of each how many more.
    #[must_use]
    pub fn finish_each(self) -> Vec<Diagnostic> {
        let (errors, warnings): (Vec<_>, Vec<_>) = self
            .noticed
            .into_iter()
            .partition(|noticed| noticed.diagnostic.severity == Severity::Error);
        let errors = capped(errors, |count| {
            Diagnostic::error("more", format!("{count} more problems"))
                .with_help("correct those above first")
        });
        let warnings = capped(warnings, |count| {
            Diagnostic::warning("more", format!("{count} more warnings"))
                .with_help("look at those above first")
        });
        placed(&self.lines, self.text, errors.into_iter().chain(warnings))
    }

    /// Everything in the order of the text: [`MOST`] findings, errors before warnings, and how many more.
    #[must_use]
    pub fn finish_together(mut self) -> Vec<Diagnostic> {
        self.noticed.sort_by_key(|noticed| noticed.span.start);
        // What stands beyond the limit is counted with the errors, so that no number of warnings hides one.
        self.noticed
            .sort_by_key(|noticed| noticed.diagnostic.severity == Severity::Warning);
        let rest = self.noticed.split_off(MOST.min(self.noticed.len()));
        if let Some(first) = rest.first() {
            let message = format!("{} more findings", rest.len());
            self.noticed.push(Noticed {
                span: first.span.clone(),
                diagnostic: Diagnostic::warning("more", message)
                    .with_help("correct those above first"),
                about: None,
            });
        }
        placed(&self.lines, self.text, self.noticed)
    }
}

/// The first of them in the order of the text, and how many more.
fn capped(mut noticed: Vec<Noticed>, more: impl FnOnce(usize) -> Diagnostic) -> Vec<Noticed> {
    // A stable sort: what was noticed first about one place stays first.
    noticed.sort_by_key(|noticed| noticed.span.start);
    let rest = noticed.split_off(MOST.min(noticed.len()));
    if let Some(first) = rest.first() {
        noticed.push(Noticed {
            span: first.span.clone(),
            diagnostic: more(rest.len()),
            about: None,
        });
    }
    noticed
}

fn placed(
    lines: &Lines<'_>,
    text: &str,
    noticed: impl IntoIterator<Item = Noticed>,
) -> Vec<Diagnostic> {
    let mut noticed: Vec<_> = noticed.into_iter().collect();
    noticed.sort_by_key(|noticed| noticed.span.start);
    let place = |noticed: Noticed| {
        let start = lines.position(noticed.span.start);
        let end = Position::at(text, noticed.span.end).offset;
        Diagnostic {
            place: Some(Place::new(start.offset..end.max(start.offset), start)),
            subject: noticed.about.as_deref().cloned(),
            ..noticed.diagnostic
        }
    };
    noticed.into_iter().map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(errors: usize, warnings: usize) -> Reader<'static> {
        let mut reader = Reader::new("abc");
        reader.about(Some(Subject::Part("p".into())));
        for _ in 0..warnings {
            reader.tell(&(0..1), Diagnostic::warning("w", "w"));
        }
        for _ in 0..errors {
            reader.tell(&(1..2), Diagnostic::error("e", "e"));
        }
        reader
    }

    #[test]
    fn a_hundred_of_each_are_told_and_how_many_more() {
        let told = with(150, 101).finish_each();
        assert_eq!(told.len(), 202);
        assert_eq!(
            told[100].to_string(),
            "1:1: warning: 1 more warnings; look at those above first"
        );
        assert_eq!(
            told[201].to_string(),
            "1:2: 50 more problems; correct those above first"
        );
        assert_eq!(told[0].to_string(), "1:1: warning: p: w");
        assert_eq!(with(100, 100).finish_each().len(), 200);
    }

    #[test]
    fn of_a_hundred_together_no_warning_hides_an_error() {
        let told = with(30, 150).finish_together();
        assert_eq!(told.len(), 101);
        let errors = told.iter().filter(|told| told.severity == Severity::Error);
        assert_eq!(errors.count(), 30);
        let more = told.iter().find(|told| told.code == "more").expect("more");
        assert_eq!(more.message, "80 more findings");
    }

    #[test]
    fn what_is_told_stands_in_the_text() {
        let mut reader = Reader::new("ä");
        reader.tell(&(1..7), Diagnostic::error("e", "e"));
        let told = reader.finish_each();
        assert_eq!(
            told[0].place.as_ref().map(|place| place.span.clone()),
            Some(0..2)
        );
    }
}
