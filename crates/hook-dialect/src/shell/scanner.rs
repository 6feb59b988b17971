//! Commands, words, quotes and substitutions of a text for a shell.

use std::mem;

use super::{DEEPEST, Named, Odd};

/// A text for a shell that a command is given as an argument.
pub(super) struct Inner {
    pub(super) text: String,
    /// Whether a POSIX shell reads it.
    pub(super) is_posix: bool,
}

/// A word of a command.
#[derive(Default)]
pub(super) struct Word {
    /// Without quotes; a substitution in it is `$`.
    pub(super) text: String,
    /// Whether it is one text in single quotes.
    pub(super) is_literal: bool,
}

pub(super) struct Scanner<'t> {
    pub(super) text: &'t str,
    pub(super) at: usize,
    pub(super) named: Named,
    pub(super) inner: Vec<Inner>,
    /// The words of the command that is being read.
    pub(super) words: Vec<Word>,
    /// Ends of here-documents whose text begins on the next line, and whether anything is expanded in it.
    pub(super) documents: Vec<(String, bool)>,
}

/// Words before which a command begins.
const BEFORE_COMMANDS: [&str; 10] = [
    "if", "then", "else", "elif", "do", "while", "until", "!", "{", "time",
];

impl<'t> Scanner<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self {
            text,
            at: 0,
            named: Named::default(),
            inner: Vec::new(),
            words: Vec::new(),
            documents: Vec::new(),
        }
    }

    pub(super) fn found(self) -> (Named, Vec<Inner>) {
        (self.named, self.inner)
    }

    pub(super) fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    /// Goes on behind a text that stands here; whether it does.
    pub(super) fn skip(&mut self, text: &str) -> bool {
        let stands = self.rest().starts_with(text);
        if stands {
            self.at += text.len();
        }
        stands
    }

    /// Commands up to a closing character, or to the end.
    pub(super) fn commands(&mut self, closing: Option<char>, depth: usize) {
        if depth > DEEPEST {
            self.at = self.text.len();
            return;
        }
        let outer = mem::take(&mut self.words);
        while let Some(c) = self.peek() {
            if Some(c) == closing {
                self.next();
                break;
            }
            match c {
                ' ' | '\t' => {
                    self.next();
                }
                '\n' => {
                    self.next();
                    self.end_command();
                    self.read_documents(depth);
                }
                '#' => {
                    let line = self.rest().find('\n').unwrap_or(self.rest().len());
                    self.at += line;
                }
                '<' | '>' => self.redirection(depth),
                ';' | '&' | '|' => self.operator(depth),
                '(' => self.parenthesis(depth),
                ')' => {
                    self.next();
                    self.end_command();
                }
                _ => {
                    let word = self.word(closing, depth);
                    self.words.push(word);
                }
            }
        }
        self.end_command();
        self.words = outer;
    }

    fn operator(&mut self, depth: usize) {
        if self.skip("&>") {
            self.named.odd.insert(Odd::AmpersandRedirect);
            self.skip(">");
            self.target(depth);
        } else if self.skip("|&") {
            self.named.odd.insert(Odd::AmpersandPipe);
            self.end_command();
        } else {
            self.next();
            self.end_command();
        }
    }

    fn parenthesis(&mut self, depth: usize) {
        let begins_command = self.words.iter().all(|word| is_before_command(&word.text));
        if self.rest().starts_with("((") && begins_command {
            self.named.odd.insert(Odd::DoubleParenthesis);
        }
        self.next();
        self.commands(Some(')'), depth + 1);
    }

    fn redirection(&mut self, depth: usize) {
        self.drop_number();
        if self.skip("<<<") {
            self.named.odd.insert(Odd::HereString);
            self.target(depth);
        } else if self.skip("<<") {
            self.skip("-");
            let start = self.at;
            let end = self.target(depth);
            let written = self.text.get(start..self.at).unwrap_or_default();
            self.documents
                .push((end.text, !written.contains(['\'', '"', '\\'])));
        } else if self.skip("<(") || self.skip(">(") {
            self.named.odd.insert(Odd::ProcessSubstitution);
            self.commands(Some(')'), depth + 1);
        } else {
            self.next();
            while self.peek().is_some_and(|c| matches!(c, '&' | '>' | '|')) {
                self.next();
            }
            // `< <(…)`: what follows is read as it stands.
            if !self
                .rest()
                .trim_start_matches([' ', '\t'])
                .starts_with(['<', '>'])
            {
                self.target(depth);
            }
        }
    }

    /// The number of a file descriptor, which stands right before its redirection, is no word of the command.
    fn drop_number(&mut self) {
        let before = self.text.get(..self.at).unwrap_or_default();
        let is_number = |word: &Word| {
            !word.text.is_empty()
                && before.ends_with(&word.text)
                && word.text.bytes().all(|byte| byte.is_ascii_digit())
        };
        if self.words.last().is_some_and(is_number) {
            self.words.pop();
        }
    }

    /// The word behind a redirection, which is none of the command.
    fn target(&mut self, depth: usize) -> Word {
        while self.peek().is_some_and(|c| matches!(c, ' ' | '\t')) {
            self.next();
        }
        self.word(None, depth)
    }
}

/// The name of a variable at the beginning of a text, and what follows it.
pub(super) fn name_of(text: &str) -> Option<(&str, &str)> {
    let in_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let end = text.find(|c| !in_name(c)).unwrap_or(text.len());
    let (name, rest) = text.split_at_checked(end)?;
    let begins = name.chars().next()?;
    (!begins.is_ascii_digit()).then_some((name, rest))
}

/// The variable that a word assigns to.
pub(super) fn assignment(word: &str) -> Option<&str> {
    let (name, rest) = name_of(word)?;
    let rest = rest.strip_prefix('+').unwrap_or(rest);
    rest.starts_with('=').then_some(name)
}

/// Whether a word assigns a variable its own value: `X="$X"`.
pub(super) fn assigns_itself(word: &str) -> bool {
    let (name, value) = word.split_once('=').unwrap_or_default();
    value.strip_prefix('$') == Some(name)
}

pub(super) fn is_before_command(word: &str) -> bool {
    BEFORE_COMMANDS.contains(&word) || assignment(word).is_some()
}
