//! Programs that take a secret where no name says so.

mod table;

use self::table::{COMMANDS, Command, How};

impl Command {
    /// The secret in the option itself.
    fn attached(&self, option: &str, is_joined: bool) -> Option<Taken> {
        let is_longer = |name: &&&str| option.len() > name.len() || is_joined && option == **name;
        let is_it = |name: &&&str| option.starts_with(**name) && !option.starts_with("--");
        let name = self
            .options
            .iter()
            .find(|name| is_longer(name) && is_it(name));
        name.map(|name| Taken::Attached(name.len()))
    }

    /// The login of the last of some short options that stand together: `-sSu user:secret`, `-sSuuser:secret`.
    fn clustered(&self, option: &str) -> Option<Taken> {
        /// The options of curl that take no value.
        const BARE: &str = "#012346BGIJLMNORSVZafgijklnpqsv";
        let letters = option.strip_prefix('-')?;
        let rest = letters.trim_start_matches(|c| BARE.contains(c));
        let is_it = |name: &&str| {
            name.strip_prefix('-')
                .is_some_and(|it| rest.starts_with(it))
        };
        self.options.iter().any(is_it).then_some(())?;
        Some(match option.len() - rest.len() + 1 {
            end if end == option.len() => Taken::Login,
            end => Taken::LoginAt(end),
        })
    }
}

/// How a secret is taken by an option that stands here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Taken {
    /// It is the next word.
    Next,
    /// It follows so many bytes of the same word.
    Attached(usize),
    /// It is the password of the next word, a login.
    Login,
    /// It is the password of a login that follows so many bytes of the same word.
    LoginAt(usize),
    /// It is what the next word assigns to a name.
    Assigned,
    /// It is the next word, if that looks random or the command says so.
    Stored,
}

/// Which rows of the table the words of a command line speak of.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Seen {
    programs: u64,
    whole: u64,
}

impl Seen {
    /// The words of a command line that stand before `at`: as far back as a line of people goes.
    pub(super) fn before(text: &str, at: usize) -> Self {
        let mut seen = Self::default();
        let line = line_before(text, at);
        for word in line.split([' ', '\t', '"', '\'', '(', '`', '=', '\\']) {
            seen.see(word);
        }
        seen
    }

    /// One more word.
    pub(super) fn see(&mut self, word: &str) {
        if word.is_empty() || word.starts_with('-') {
            return;
        }
        let name = word.rsplit('/').next().unwrap_or(word);
        for (index, command) in COMMANDS.iter().enumerate() {
            let bit = 1_u64 << index;
            if self.programs & bit != 0 && command.word == word {
                self.whole |= bit;
            }
            if command.programs.contains(&name) {
                self.programs |= bit;
                self.whole |= bit * u64::from(command.word.is_empty());
            }
        }
    }

    /// Whether any word of the command that looks random is a secret.
    pub(super) fn takes_any(self) -> bool {
        self.takes(How::Any)
    }

    /// Whether what any word of the command assigns to a name is a secret.
    pub(super) fn takes_set(self) -> bool {
        self.takes(How::Set)
    }

    /// Whether a word `user/password` of the command is a login.
    pub(super) fn takes_slashed(self) -> bool {
        self.takes(How::Slashed)
    }

    fn takes(self, how: How) -> bool {
        let mut rows = COMMANDS.iter().enumerate();
        rows.any(|(index, command)| command.taken == how && self.whole & (1 << index) != 0)
    }

    /// How that option of the command takes a secret, if it does. `is_joined` when a text in quotes follows at once.
    pub(super) fn taken_by(self, option: &str, is_joined: bool) -> Option<Taken> {
        let rows = COMMANDS.iter().enumerate();
        let mut rows = rows.filter(|(index, _)| self.whole & (1 << index) != 0);
        rows.find_map(|(_, command)| {
            let is_named = command.options.contains(&option);
            match command.taken {
                How::Next => (is_named && !is_joined).then_some(Taken::Next),
                How::Login => is_named.then_some(Taken::Login),
                How::Assigned => is_named.then_some(Taken::Assigned),
                How::Stored => (is_named && !is_joined).then_some(Taken::Stored),
                How::Any | How::Slashed | How::Set => None,
                How::Clustered => command.clustered(option),
                How::Attached => command.attached(option, is_joined),
            }
        })
    }
}

/// How far back the beginning of a command is looked for.
const LONGEST_COMMAND: usize = 400;

/// What stands before `at` in the same command.
pub(super) fn line_before(text: &str, at: usize) -> &str {
    let from = at.saturating_sub(LONGEST_COMMAND);
    let bytes = text.as_bytes().get(from..at).unwrap_or_default();
    let is_end = |byte: &u8| matches!(byte, b'\n' | b';' | b'|' | b'&');
    // A line that goes on after a backslash is one command.
    let mut start = bytes.len();
    while start > 0 {
        let byte = bytes.get(start - 1);
        let goes_on = byte == Some(&b'\n') && start > 1 && bytes.get(start - 2) == Some(&b'\\');
        if byte.is_some_and(is_end) && !goes_on {
            break;
        }
        start -= 1;
    }
    let from = (from + start..=at).find(|from| text.is_char_boundary(*from));
    text.get(from.unwrap_or(at)..at).unwrap_or_default()
}
