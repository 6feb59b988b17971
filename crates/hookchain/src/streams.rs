//! Standard output for results, standard error for what the operator must know.

use std::io::{self, Write};

use anstream::AutoStream;
use hook_contract::shown;

use crate::cli::Color;

/// Where results go.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Output {
    color: anstream::ColorChoice,
}

impl Output {
    pub(crate) fn new(color: Color) -> Self {
        let color = match color {
            // A terminal gets colours, unless NO_COLOR or TERM say otherwise.
            Color::Auto => anstream::ColorChoice::Auto,
            Color::Always => anstream::ColorChoice::Always,
            Color::Never => anstream::ColorChoice::Never,
        };
        Self { color }
    }

    /// Writes text for a program to read, and makes sure that it has left this process.
    pub(crate) fn raw(text: &str) -> io::Result<()> {
        let mut stdout = io::stdout().lock();
        stdout.write_all(text.as_bytes())?;
        stdout.flush()
    }

    /// Writes text for a person to read; its colours are dropped where they are not wanted.
    pub(crate) fn styled(self, text: &str) -> io::Result<()> {
        let mut stdout = AutoStream::new(io::stdout().lock(), self.color);
        stdout.write_all(text.as_bytes())?;
        stdout.flush()
    }

    /// Tells the operator, on standard error, in text with colours, which are dropped where they are not wanted.
    pub(crate) fn diagnose_styled(self, text: &str) {
        let mut stderr = AutoStream::new(io::stderr().lock(), self.color);
        // As in `diagnose`.
        let _nobody_reads = stderr.write_all(text.as_bytes());
    }
}

/// Tells the operator, on standard error, line by line.
pub(crate) fn diagnose(message: &str) {
    let mut text = String::new();
    for line in message.lines() {
        text.push_str(&shown::line(line));
        text.push('\n');
    }
    // A closed standard error leaves nobody to tell, and must not change what is decided.
    let _nobody_reads = io::stderr().write_all(text.as_bytes());
}
