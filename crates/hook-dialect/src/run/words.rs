//! The words of a command for a shell, where they are plain.

/// What a shell runs itself, without a program.
const OF_THE_SHELL: &[&str] = &[
    "!", ".", ":", "[", "alias", "bg", "break", "builtin", "case", "cd", "command", "continue",
    "declare", "do", "done", "echo", "elif", "else", "esac", "eval", "exec", "exit", "export",
    "false", "fg", "fi", "for", "function", "getopts", "hash", "if", "in", "jobs", "kill", "let",
    "local", "printf", "pwd", "read", "readonly", "return", "select", "set", "shift", "source",
    "test", "then", "time", "times", "trap", "true", "type", "typeset", "ulimit", "umask",
    "unalias", "unset", "until", "wait", "while", "{", "}",
];

/// The words of a line that is one program with its arguments, in which nothing expands but variables that hold the project.
/// Nothing for any other line: what that does is the shell's to say.
///
/// A path with blanks outside quotes becomes several words, as in a shell.
pub(super) fn plain(line: &str, variables: &[&str], project: &str) -> Option<Vec<String>> {
    let mut words = Words::default();
    let mut rest = line.trim();
    let mut quote = None;
    while let Some(c) = rest.chars().next() {
        let after = rest.get(c.len_utf8()..).unwrap_or_default();
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            (None, '"' | '\'') => {
                quote = Some(c);
                words.open();
            }
            (None | Some('"'), '$') => {
                let name = variables.iter().find_map(|name| named(after, name));
                words.value(project, quote.is_none());
                rest = name?;
                continue;
            }
            (Some('"'), '`' | '\\') => return None,
            (Some(_), _) => words.character(c),
            (None, ' ' | '\t') => words.end(),
            (None, _) if is_plain(c) => words.character(c),
            (None, _) => return None,
        }
        rest = after;
    }
    words.end();
    let words = words.done;
    let program = words.first().filter(|_| quote.is_none())?;
    let is_a_program = program.contains('/') || !OF_THE_SHELL.contains(&&**program);
    let assigns = program
        .split('/')
        .next()
        .is_some_and(|start| start.contains('='));
    (is_a_program && !assigns && !program.is_empty()).then_some(words)
}

/// What follows the name of a variable, with or without braces.
fn named<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    if let Some(inside) = text.strip_prefix('{') {
        return inside.strip_prefix(name)?.strip_prefix('}');
    }
    let rest = text.strip_prefix(name)?;
    let goes_on = |c: char| c.is_ascii_alphanumeric() || c == '_';
    (!rest.starts_with(goes_on)).then_some(rest)
}

/// Whether a character outside quotes stands for itself wherever it is.
fn is_plain(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '/' | '.' | '-' | '_' | ',' | ':' | '@' | '%' | '+' | '=')
}

/// Words as they are put together.
#[derive(Default)]
struct Words {
    done: Vec<String>,
    word: Option<String>,
}

impl Words {
    /// Begins a word, or goes on with one.
    fn open(&mut self) -> &mut String {
        self.word.get_or_insert_default()
    }

    fn character(&mut self, c: char) {
        self.open().push(c);
    }

    /// The value of a variable, which outside quotes is taken apart at its blanks.
    fn value(&mut self, value: &str, splits: bool) {
        for c in value.chars() {
            if splits && matches!(c, ' ' | '\t' | '\n') {
                self.end();
            } else {
                self.character(c);
            }
        }
    }

    fn end(&mut self) {
        self.done.extend(self.word.take());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(line: &str) -> Option<Vec<String>> {
        plain(line, &["PROJECT"], "/a b")
    }

    #[test]
    fn a_line_of_one_program_has_words() {
        for (line, expected) in [
            ("\"$PROJECT\"/x.sh", vec!["/a b/x.sh"]),
            (
                "  \"${PROJECT}/x.sh\" --now 'a b' ",
                vec!["/a b/x.sh", "--now", "a b"],
            ),
            ("python3 $PROJECT/x.py", vec!["python3", "/a", "b/x.py"]),
            ("./x '' k=v", vec!["./x", "", "k=v"]),
            ("'./$PROJECT'", vec!["./$PROJECT"]),
            ("/bin/echo", vec!["/bin/echo"]),
        ] {
            assert_eq!(of(line).expect(line), expected);
        }
    }

    #[test]
    fn any_other_line_is_the_shells_to_read() {
        for line in [
            "",
            "exit 2",
            "echo hi",
            "a; b",
            "a | b",
            "a && b",
            "a > b",
            "a &",
            "A=1 ./x",
            "\"$HOME\"/x",
            "$PROJECTS/x",
            "${PROJECT:-x}/y",
            "~/x",
            "./x *",
            "a\nb",
            "a \\ b",
            "$(a)",
            "\"`a`\"",
            "\"open",
            "'open",
            "\"\" x",
            "# x",
            "[ -e x ]",
            "{ a",
            "x(y)",
        ] {
            assert_eq!(of(line), None, "{line}");
        }
    }
}
