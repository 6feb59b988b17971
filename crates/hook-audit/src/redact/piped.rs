//! What is piped to a program that reads a secret: `echo secret | gh auth login --with-token`.

use hook_secrets::is_reference;

use super::{
    MASKED, Redaction,
    commands::line_before,
    text::{Found, Scan},
    value::masked_value,
};

/// How far a command is looked through for what it reads.
const LONGEST_COMMAND: usize = 400;

/// Programs that read one, and a word that must stand after each, if one must.
const READERS: [(&str, &str); 13] = [
    ("chpasswd", ""),
    ("cryptsetup", ""),
    ("docker", "secret"),
    ("fly", "secrets"),
    ("flyctl", "secrets"),
    ("gcloud", "secrets"),
    ("gh", "secret"),
    ("pass", "insert"),
    ("passwd", ""),
    ("podman", "secret"),
    ("secret-tool", "store"),
    ("sudo", "-S"),
    ("wrangler", "secret"),
];

/// The words of `echo` and `printf` before the sign `|` at `at`.
pub(super) fn piped(scan: &Scan<'_>, at: usize) -> Option<Found> {
    let text = scan.text;
    let reader = text.get(at + 1..)?;
    // `||` joins two commands, and hands nothing on.
    let is_pipe = !reader.starts_with('|') && !text.get(..at)?.ends_with('|');
    let line = line_before(text, at).trim_end();
    let said = line.trim_start_matches([' ', '\t', '(', '$', '`', '"', '\'']);
    let words = said
        .strip_prefix("echo ")
        .or_else(|| said.strip_prefix("printf "))
        .filter(|_| is_pipe)?;
    reads_secret(scan.redaction, first_command(reader)).then_some(())?;
    let end = text.get(..at)?.trim_end().len();
    let mut start = end - words.len();
    // Options of `echo` and the format of `printf` say nothing.
    for word in words.split_inclusive(' ') {
        let bare = word.trim().trim_matches(['"', '\'']);
        let is_form = bare.is_empty() || word.starts_with('-') || bare.starts_with('%');
        if !is_form {
            break;
        }
        start += word.len();
    }
    let secret = text.get(start..end)?;
    let quote = secret.chars().next().filter(|c| matches!(c, '"' | '\''));
    let is_quoted = quote.is_some_and(|quote| secret.len() > 2 && secret.ends_with(quote));
    let (start, end) = if is_quoted {
        (start + 1, end - 1)
    } else {
        (start, end)
    };
    let secret = text.get(start..end)?;
    (!secret.is_empty() && !is_reference(secret)).then(|| Found {
        start,
        end,
        mask: MASKED.to_owned(),
    })
}

/// The word after the sign `<<<` at `at`.
pub(super) fn here_string(scan: &Scan<'_>, at: usize) -> Option<Found> {
    scan.text.get(at..)?.starts_with("<<<").then_some(())?;
    let is_read = reads_secret(scan.redaction, line_before(scan.text, at));
    is_read.then(|| masked_value(scan, at + 3, false))?
}

/// Whether a command reads a secret from its input.
fn reads_secret(redaction: &Redaction, command: &str) -> bool {
    if !redaction.hides_logins() {
        return false;
    }
    let mut words = command.split_whitespace();
    let by_option = |word: &str| {
        let name = word.trim_start_matches('-');
        let is_about_input =
            name.ends_with("-stdin") || name.ends_with("-fd") || name.starts_with("with-");
        name.len() < word.len() && is_about_input && redaction.hides(name)
    };
    words.any(|word| {
        let name = word.rsplit('/').next().unwrap_or(word);
        let mut readers = READERS.iter();
        by_option(word)
            || readers.any(|(program, then)| {
                *program == name
                    && (then.is_empty() || command.split_whitespace().any(|word| word == *then))
            })
    })
}

/// A text up to the end of the first command in it.
pub(super) fn first_command(text: &str) -> &str {
    let bytes = text
        .as_bytes()
        .get(..LONGEST_COMMAND.min(text.len()))
        .unwrap_or_default();
    let ends = |byte: &u8| matches!(byte, b'\n' | b';' | b'|' | b'&');
    let end = bytes.iter().position(ends).unwrap_or(bytes.len());
    let end = (0..=end).rev().find(|end| text.is_char_boundary(*end));
    text.get(..end.unwrap_or_default()).unwrap_or_default()
}
