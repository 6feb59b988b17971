//! Objects that are handed to the command: a call, or facts. Their values are never quoted: they may hold what must not be
//! in a log.

use hook_contract::{json::Position, shown};
use hook_source::{Diagnostic, Found, Kind, Node, Standing, Value, json};

/// Why nothing can be made of what was handed over.
pub(crate) type Wrong = Box<Diagnostic>;

/// How messages call an object that is handed over.
pub(crate) struct Sort {
    /// What there is not, when it cannot be read: `no call`.
    pub(crate) no: &'static str,
    /// What it is: `a call is one with …`.
    pub(crate) is: &'static str,
}

impl Sort {
    /// The object that a text holds, with its values folded.
    pub(crate) fn read(&self, text: &str) -> Result<Node, Wrong> {
        let Self { no, is } = self;
        let not_json = |said: &str| Diagnostic::error("syntax", format!("{no}: not JSON: {said}"));
        let node = json::read(text, 1).map_err(|fault| {
            let position = fault.position(text).offset;
            not_json(&fault.said).at(text, position..position)
        })?;
        match (&node.value, node.kind()) {
            (Value::NotUnicode { noticed, .. }, Kind::Object) => {
                Err(not_json("a name that is not valid Unicode")
                    .at(text, *noticed..*noticed)
                    .into())
            }
            (_, Kind::Object) => Ok(node),
            (_, other) => {
                let message = format!("{no}: {} is not a JSON object", other.in_words());
                let wrong = Diagnostic::error("wrong_type", message).with_help(*is);
                Err(wrong.at(text, node.span).into())
            }
        }
    }

    /// The text of what was handed over, without a byte order mark.
    pub(crate) fn text<'b>(&self, bytes: &'b [u8]) -> Result<&'b str, Wrong> {
        match std::str::from_utf8(bytes) {
            Ok(text) => Ok(text.strip_prefix('\u{feff}').unwrap_or(text)),
            Err(error) => {
                let valid = bytes.get(..error.valid_up_to()).unwrap_or_default();
                let before = String::from_utf8_lossy(valid);
                let message = format!("{}: the text is not UTF-8", self.no);
                let wrong = Diagnostic::error("not_utf8", message).with_help("save it as UTF-8");
                Err(wrong.at(&before, before.len()..before.len()).into())
            }
        }
    }
}

/// What is wrong with the value of a known field: it is of another type than belongs there, or no Unicode.
pub(crate) fn mistaken(found: &Found<'_>) -> Option<Diagnostic> {
    let node = &found.member.node;
    let wrong = match found.standing {
        Standing::OfAnotherKind(name, wanted) => {
            let message = format!("`{name}` is {}", node.kind().in_words());
            Diagnostic::error("wrong_type", message).with_help(format!("it must be {wanted}"))
        }
        Standing::NotUnicode(name) => {
            let message = format!("`{name}` holds an escape that stands for no character");
            Diagnostic::error("not_unicode", message)
                .with_help("write the character itself, or both halves of the pair")
        }
        Standing::Known(_) | Standing::Meant(_) | Standing::Note | Standing::Unknown | _ => {
            return None;
        }
    };
    Some(wrong)
}

/// The line of a message with its place, for a text that begins on `first_line` of `from`.
pub(crate) fn located(wrong: &Diagnostic, from: &str, first_line: usize) -> String {
    let sentence = wrong.sentence();
    match wrong.position() {
        Some(Position { line, column, .. }) => {
            format!("{from}:{}:{column}: {sentence}", first_line - 1 + line)
        }
        None => format!("{from}:{first_line}: {sentence}"),
    }
}

/// A name of another's text in a message.
pub(crate) fn quoted(name: &str) -> String {
    format!("`{}`", shown::line(name))
}
