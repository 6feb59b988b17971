//! Text of a page. What comes from records gets in by [`Markup::text`] alone.

use std::fmt::Display;

use hook_contract::shown;

/// Grown piece by piece.
#[derive(Debug, Default)]
pub(super) struct Markup(String);

impl Markup {
    pub(super) fn into_text(self) -> String {
        self.0
    }

    /// Markup of this program's own.
    pub(super) fn raw(&mut self, markup: &str) {
        self.0.push_str(markup);
    }

    /// Text of others: nothing of it is markup, hides its neighbours or changes their direction.
    pub(super) fn text(&mut self, text: &str) {
        for character in text.chars() {
            match character {
                '&' => self.0.push_str("&amp;"),
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                '"' => self.0.push_str("&quot;"),
                '\'' => self.0.push_str("&#39;"),
                // Of this program's own, between digits.
                '\u{202f}' => self.0.push(character),
                _ => self.0.extend(shown::escape(character)),
            }
        }
    }

    /// An element with text in it. Whatever is in it has its own direction of writing.
    pub(super) fn element(&mut self, name: &str, class: &str, text: &str) {
        self.open(name, class);
        self.raw("<bdi>");
        self.text(text);
        self.raw("</bdi></");
        self.raw(name);
        self.raw(">");
        if matches!(name, "h1" | "h2" | "p" | "footer") {
            self.raw("\n");
        }
    }

    pub(super) fn open(&mut self, name: &str, class: &str) {
        self.raw("<");
        self.raw(name);
        if !class.is_empty() {
            self.raw(" class=\"");
            self.raw(class);
            self.raw("\"");
        }
        self.raw(">");
    }

    /// A rectangle of a chart; nothing when it would not be seen.
    pub(super) fn rectangle(&mut self, class: &str, [x, y, width, height]: [f64; 4]) {
        if width > 0.0 && height > 0.0 {
            self.raw(&format!(
                "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/>",
                x = short(x),
                y = short(y),
                width = short(width),
                height = short(height)
            ));
        }
    }
}

/// A length with no more digits than anybody sees.
fn short(length: f64) -> impl Display {
    (length * 100.0).round() / 100.0
}
