//! Rules about command lines.

mod line;

use self::line::{Line, Simple};
use super::glob::{Glob, Steps};

/// A pattern for commands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CommandPattern {
    /// The ways in which a command can be meant: with anything behind it, and without.
    globs: Vec<Glob>,
    /// Whether it says more than the name of a program, which a substitution may put together.
    several_words: bool,
    /// Whether letters are compared without their case.
    fold: bool,
}

impl CommandPattern {
    pub(super) fn parse(content: &str, fold: bool) -> Self {
        let content = if fold {
            content.to_lowercase()
        } else {
            content.to_owned()
        };
        let open_end = content
            .strip_suffix(" *")
            .or_else(|| content.strip_suffix(":*"));
        let (globs, fixed) = match open_end {
            // The name alone, or the name and a blank: `git *` is not about `github`.
            Some(fixed) => (
                vec![Glob::text(fixed), Glob::text(&format!("{fixed} *"))],
                fixed,
            ),
            None => (vec![Glob::text(&content)], content.as_str()),
        };
        Self {
            globs,
            several_words: fixed.trim().contains(' '),
            fold,
        }
    }

    /// Whether any command of a line is meant. A line that no shell could read is compared as it stands when `strict`, and
    /// holds otherwise.
    pub(super) fn holds(&self, line: &str, strict: bool) -> bool {
        let mut steps = Steps::default();
        match Line::read(line) {
            Line::TooLarge => true,
            Line::Broken => !strict || self.is(line.trim(), &mut steps),
            Line::Commands {
                commands,
                substitutes,
            } => {
                (substitutes && self.several_words)
                    || commands
                        .iter()
                        .any(|command| self.means(command, &mut steps))
            }
        }
    }

    fn means(&self, command: &Simple, steps: &mut Steps) -> bool {
        command.name_expands || self.is(&command.words, steps) || self.is(&command.written, steps)
    }

    fn is(&self, command: &str, steps: &mut Steps) -> bool {
        let folded = self.fold.then(|| command.to_lowercase());
        let command = folded.as_deref().unwrap_or(command);
        self.globs
            .iter()
            .any(|glob| glob.matches_within(command, steps))
    }
}
