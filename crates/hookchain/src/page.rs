//! Text with colours for a person.

use anstyle::{AnsiColor, Style};
use hook_contract::shown;

pub(crate) const PLAIN: Style = Style::new();
pub(crate) const BOLD: Style = Style::new().bold();
pub(crate) const DIM: Style = Style::new().dimmed();
pub(crate) const GREEN: Style = AnsiColor::Green.on_default();
pub(crate) const RED: Style = AnsiColor::Red.on_default();
pub(crate) const YELLOW: Style = AnsiColor::Yellow.on_default();

/// Where what belongs to a participant, or to the call, begins.
pub(crate) const INDENT: &str = "     ";

/// Grown line by line. Whatever comes from elsewhere is made harmless to a terminal on its way in.
#[derive(Debug, Default)]
pub(crate) struct Page {
    pub(crate) text: String,
}

impl Page {
    pub(crate) fn line(&mut self, parts: &[(Style, &str)]) {
        for (style, part) in parts {
            let (on, off) = (style.render(), style.render_reset());
            self.text
                .extend([on.to_string(), shown::line(part), off.to_string()]);
        }
        self.text.push('\n');
    }

    /// Text of any number of lines after `lead`, all of them after `indent`.
    pub(crate) fn paragraph(&mut self, indent: &str, lead: &[(Style, &str)], text: &str) {
        let mut lines = text.lines();
        let first = lines.next().unwrap_or_default();
        let start = [(PLAIN, indent)].into_iter().chain(lead.iter().copied());
        self.line(&start.chain([(PLAIN, first)]).collect::<Vec<_>>());
        for line in lines {
            self.line(&[(PLAIN, indent), (PLAIN, "  "), (PLAIN, line)]);
        }
    }
}
