//! Finding where commands begin and end.

use super::{Simple, Text};

/// Words in front of a command that are not its name.
const BEFORE_A_NAME: &[&str] = &[
    "!", "-p", "coproc", "do", "elif", "else", "if", "then", "time", "until", "while", "{", "}",
];

/// Words in front of a name that somebody gives to what follows in braces.
const BEFORE_A_GIVEN_NAME: &[&str] = &["coproc", "function"];

/// What one text consists of.
#[derive(Default)]
pub(super) struct Found {
    pub(super) commands: Vec<Simple>,
    /// What is in substitutions.
    pub(super) inner: Vec<Text>,
}

pub(super) struct Reader<'t> {
    text: &'t Text,
    source: &'t str,
    at: usize,
    found: Found,
    /// The command that is being read.
    words: Vec<Word>,
    word: Option<Word>,
    /// Whether the next word belongs to a redirection.
    redirected: Option<Redirection>,
    /// The ends of the documents that begin on the next line.
    documents: Vec<Document>,
}

#[derive(Default)]
struct Word {
    text: String,
    start: usize,
    end: usize,
    quoted: bool,
    expands: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Redirection {
    File,
    Document { tabs: bool },
}

struct Document {
    end: String,
    tabs: bool,
    quoted: bool,
}

impl<'t> Reader<'t> {
    pub(super) fn new(text: &'t Text) -> Self {
        let (Text::Commands(source) | Text::Quoted(source)) = text;
        Self {
            text,
            source,
            at: 0,
            found: Found::default(),
            words: Vec::new(),
            word: None,
            redirected: None,
            documents: Vec::new(),
        }
    }

    /// Everything; nothing when a quote or a substitution does not end.
    pub(super) fn read(mut self) -> Option<Found> {
        if matches!(self.text, Text::Quoted(_)) {
            self.expand(None)?;
            return Some(self.found);
        }
        while let Some(c) = self.next() {
            self.read_char(c)?;
        }
        self.end_command();
        Some(self.found)
    }

    fn read_char(&mut self, c: char) -> Option<()> {
        match c {
            '\\' => match self.next() {
                Some('\n') => {}
                escaped => {
                    let word = self.word();
                    word.quoted = true;
                    word.text.extend(escaped);
                }
            },
            '\'' => self.quote(false)?,
            '"' => {
                self.word().quoted = true;
                self.expand(Some('"'))?;
            }
            '$' | '`' => self.substitution(c)?,
            '#' if self.word.is_none() => {
                let rest = self.rest();
                self.at += rest.find('\n').unwrap_or(rest.len());
            }
            '\n' => {
                self.end_command();
                self.skip_documents();
            }
            '&' if self.rest().starts_with('>') => {
                self.end_word();
                self.at += 1;
                self.redirect('>');
            }
            ';' | '&' | '|' | '(' | ')' => self.end_command(),
            '<' | '>' => self.redirect(c),
            c if c.is_whitespace() => self.end_word(),
            c => self.word().text.push(c),
        }
        let end = self.at;
        if let Some(word) = &mut self.word {
            word.end = end;
        }
        Some(())
    }

    fn rest(&self) -> &'t str {
        self.source.get(self.at..).unwrap_or_default()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.rest().chars().next()?;
        self.at += c.len_utf8();
        Some(c)
    }

    /// The word that is being read; it began with the character before.
    fn word(&mut self) -> &mut Word {
        let before = self.source.get(..self.at).unwrap_or_default();
        let start = before.char_indices().next_back().map_or(0, |(at, _)| at);
        self.word.get_or_insert_with(|| Word {
            start,
            end: start,
            ..Word::default()
        })
    }

    /// Text between single quotes; with `escapes`, a backslash takes the meaning of the next character away.
    fn quote(&mut self, escapes: bool) -> Option<()> {
        let mut text = String::new();
        self.word().quoted = true;
        loop {
            match self.next()? {
                '\'' => break,
                '\\' if escapes => text.extend(self.next()),
                c => text.push(c),
            }
        }
        self.word().text.push_str(&text);
        Some(())
    }

    /// Text in which only substitutions have a meaning, up to `end`, or all of it.
    fn expand(&mut self, end: Option<char>) -> Option<()> {
        loop {
            match self.next() {
                None => return end.is_none().then_some(()),
                Some(c) if Some(c) == end => return Some(()),
                Some('\\') => {
                    let escaped = self.next();
                    self.word().text.extend(escaped);
                }
                Some(c @ ('$' | '`')) => self.substitution(c)?,
                Some(c) => self.word().text.push(c),
            }
        }
    }

    /// What begins with `$` or a backtick.
    fn substitution(&mut self, c: char) -> Option<()> {
        let start = self.at - c.len_utf8();
        let next = self.rest().chars().next();
        match (c, next) {
            ('`', _) => {
                let inner = self.until_backtick()?;
                self.found.inner.push(Text::Commands(inner));
            }
            (_, Some('(')) => {
                self.at += 1;
                let inner = self.balanced('(', ')')?;
                self.found.inner.push(Text::Commands(inner));
            }
            (_, Some('{')) => {
                self.at += 1;
                let inner = self.balanced('{', '}')?;
                if inner.contains(['`', '(']) {
                    self.found.inner.push(Text::Quoted(inner));
                }
            }
            (_, Some('\'')) => {
                self.at += 1;
                return self.quote(true);
            }
            (_, Some(next)) if next.is_alphanumeric() || "_@*#?$!-".contains(next) => {}
            _ => {
                self.word().text.push(c);
                return Some(());
            }
        }
        let written = self
            .source
            .get(start..self.at)
            .unwrap_or_default()
            .to_owned();
        let word = self.word();
        if word.text.is_empty() && !word.quoted {
            word.start = start;
        }
        word.text.push_str(&written);
        word.expands = true;
        Some(())
    }

    fn until_backtick(&mut self) -> Option<String> {
        let mut inner = String::new();
        loop {
            match self.next()? {
                '`' => return Some(inner),
                '\\' => inner.extend(self.next()),
                c => inner.push(c),
            }
        }
    }

    /// The text up to the bracket that closes, quotes in it left as they are.
    fn balanced(&mut self, open: char, close: char) -> Option<String> {
        let start = self.at;
        let (mut depth, mut quote) = (1_usize, None);
        loop {
            let before = self.at;
            let c = self.next()?;
            match c {
                '\\' if quote != Some('\'') => {
                    self.next();
                }
                '\'' | '"' if quote.is_none() => quote = Some(c),
                _ if quote == Some(c) => quote = None,
                _ if quote.is_some() => {}
                _ if c == open => depth += 1,
                _ if c == close && depth == 1 => {
                    return self.source.get(start..before).map(str::to_owned);
                }
                _ if c == close => depth -= 1,
                _ => {}
            }
        }
    }

    /// What begins with `<` or `>`.
    fn redirect(&mut self, first: char) {
        // A number in front belongs to it.
        let number = |word: &Word| !word.quoted && word.text.bytes().all(|b| b.is_ascii_digit());
        if self.word.as_ref().is_some_and(number) {
            self.word = None;
        }
        self.end_word();
        let operator: usize = self
            .rest()
            .chars()
            .take_while(|c| "<>&|-".contains(*c))
            .map(char::len_utf8)
            .sum();
        let written = self.rest().get(..operator).unwrap_or_default();
        // `<<<` is followed by a text.
        let document = first == '<' && written.starts_with('<') && !written.starts_with("<<");
        self.redirected = Some(if document {
            let tabs = written.ends_with('-');
            Redirection::Document { tabs }
        } else {
            Redirection::File
        });
        self.at += operator;
    }

    fn end_word(&mut self) {
        let Some(word) = self.word.take() else { return };
        match self.redirected.take() {
            None => self.words.push(word),
            Some(Redirection::File) => {}
            Some(Redirection::Document { tabs }) => self.documents.push(Document {
                end: word.text,
                tabs,
                quoted: word.quoted,
            }),
        }
    }

    fn end_command(&mut self) {
        self.end_word();
        self.redirected = None;
        let words = std::mem::take(&mut self.words);
        let mut named = match words.as_slice() {
            [before, _given, brace, rest @ ..]
                if before.is_one_of(BEFORE_A_GIVEN_NAME) && brace.is_one_of(&["{"]) =>
            {
                rest
            }
            words => words,
        };
        while let [first, rest @ ..] = named
            && !first.is_name()
        {
            named = rest;
        }
        let (Some(first), Some(last)) = (named.first(), named.last()) else {
            return;
        };
        let texts: Vec<&str> = named.iter().map(|word| word.text.as_str()).collect();
        self.found.commands.push(Simple {
            words: texts.join(" "),
            written: self
                .source
                .get(first.start..last.end)
                .unwrap_or_default()
                .to_owned(),
            name_expands: first.expands || first.is_a_list(),
        });
    }

    /// The lines of the documents that begin here are no commands; substitutions in them are.
    fn skip_documents(&mut self) {
        for document in std::mem::take(&mut self.documents) {
            let body = document.body(self.rest());
            self.at += body.len();
            if !document.quoted && body.contains(['$', '`']) {
                self.found.inner.push(Text::Quoted(body.to_owned()));
            }
        }
    }
}

impl Document {
    /// What of a text belongs to it, the line that ends it included.
    fn body<'t>(&self, text: &'t str) -> &'t str {
        let mut length = 0;
        for line in text.split_inclusive('\n') {
            length += line.len();
            let line = line.trim_end_matches('\n');
            let tabs = if self.tabs { "\t" } else { "" };
            if line.trim_start_matches(|c| tabs.contains(c)) == self.end {
                break;
            }
        }
        text.get(..length).unwrap_or(text)
    }
}

impl Word {
    /// Whether it is one of these words of the shell's own.
    fn is_one_of(&self, words: &[&str]) -> bool {
        !self.quoted && words.contains(&self.text.as_str())
    }

    /// Whether a shell with braces makes several words of it, as of `{rm,-r}`.
    fn is_a_list(&self) -> bool {
        !self.quoted && self.text.contains('{') && self.text.contains(',')
    }

    /// Whether it can be the name of a command: neither an assignment nor a word of the shell's own.
    fn is_name(&self) -> bool {
        if self.is_one_of(BEFORE_A_NAME) {
            return false;
        }
        let Some((name, _)) = self.text.split_once('=') else {
            return true;
        };
        let name = name.trim_end_matches('+');
        let letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
        name.is_empty()
            || name.starts_with(|c: char| c.is_ascii_digit())
            || !name.chars().all(letter)
    }
}
