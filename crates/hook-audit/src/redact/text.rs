//! Masking within running text.

use std::borrow::Cow;

use serde::de::IgnoredAny;

use super::{
    MASKED, Redaction,
    argument::inside_quotes,
    assigned::{assigned, enclosed, paired, spaced, stated},
    mask_json,
    option::option,
    piped::{here_string, piped},
};

/// A secret that was found, and what stands there afterwards.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) mask: String,
}

/// A text, and the shapes that were found in it.
pub(super) struct Scan<'a> {
    pub(super) redaction: &'a Redaction,
    pub(super) text: &'a str,
    /// By the place of what each was found by.
    shapes: Vec<hook_secrets::Found>,
}

impl<'a> Scan<'a> {
    fn new(redaction: &'a Redaction, text: &'a str) -> Self {
        Self {
            redaction,
            text,
            shapes: redaction.shapes.find_all(text),
        }
    }

    /// Where what looks like a secret and begins at `start` ends; `start` when nothing does.
    pub(super) fn end_of_shape(&self, start: usize) -> usize {
        let first = self.shapes.partition_point(|shape| shape.at < start);
        let shapes = self.shapes.get(first..).unwrap_or_default();
        let here = shapes.iter().take_while(|shape| shape.at == start);
        here.map(|shape| shape.end).max().unwrap_or(start)
    }
}

/// What stands in the place of a shape.
fn mask_of(shape: &hook_secrets::Found) -> String {
    format!("{}:{}]", MASKED.trim_end_matches(']'), shape.kind)
}

/// The text with every shape in it masked; nothing when there is none.
pub(super) fn mask_shapes(redaction: &Redaction, text: &str) -> Option<String> {
    let mut shapes = redaction.shapes.find_all(text);
    shapes.sort_by_key(|shape| shape.start);
    let mut masked = String::new();
    let mut copied_to = 0;
    for shape in shapes.iter().filter(|shape| shape.start < shape.end) {
        let start = shape.start.max(copied_to);
        masked.push_str(text.get(copied_to..start)?);
        masked.push_str(&mask_of(shape));
        copied_to = shape.end.max(start);
    }
    (copied_to > 0).then(|| masked + text.get(copied_to..).unwrap_or_default())
}

/// The text with what looks like a secret masked, and how often.
pub(super) fn mask<'a>(redaction: &Redaction, text: &'a str) -> (Cow<'a, str>, u64) {
    if is_json(text) {
        return match mask_json(redaction, text) {
            Some((masked, count)) => (Cow::Owned(masked), count),
            None => (Cow::Borrowed(text), 0),
        };
    }
    let scan = Scan::new(redaction, text);
    let mut shapes = scan.shapes.iter().peekable();
    let has_names = !redaction.names.is_empty();
    let mut masked = String::new();
    // How much may be looked through for JSON that turns out to be none.
    let mut patience = 4 * text.len() + 4096;
    let mut copied_to = 0;
    let mut count = 0;
    let mut at = 0;
    loop {
        let next_shape = shapes.peek().map_or(text.len(), |shape| shape.at);
        at = next_sign(text.as_bytes(), at, next_shape);
        let Some(byte) = text.as_bytes().get(at) else {
            break;
        };
        if matches!(byte, b'{' | b'[')
            && at >= copied_to
            && let Some(end) = embedded_json(text, at, &mut patience)
        {
            let value = text.get(at..end).unwrap_or_default();
            if let Some((by, secrets)) = mask_json(redaction, value) {
                masked.push_str(text.get(copied_to..at).unwrap_or_default());
                masked.push_str(&by);
                copied_to = end;
                count += secrets;
            }
            at = end;
            continue;
        }
        let mut found = None;
        // What begins within something that was masked goes on behind it.
        while let Some(shape) = shapes.next_if(|shape| shape.at <= at) {
            let start = shape.start.max(copied_to);
            if found.is_none() && start < shape.end {
                let mask = mask_of(shape);
                let end = shape.end;
                found = Some(Found { start, end, mask });
            }
        }
        let found = found
            .or_else(|| has_names.then(|| find(&scan, at, *byte)).flatten())
            // What was masked already is not looked at again.
            .filter(|found| found.start >= copied_to && found.start < found.end);
        match found {
            Some(found) => {
                masked.push_str(text.get(copied_to..found.start).unwrap_or_default());
                masked.push_str(&found.mask);
                copied_to = found.end;
                at = found.end.max(at + 1);
                count += 1;
            }
            None => at += 1,
        }
    }
    if count == 0 {
        return (Cow::Borrowed(text), 0);
    }
    masked.push_str(text.get(copied_to..).unwrap_or_default());
    (Cow::Owned(masked), count)
}

/// The end of the object or the list in JSON that begins at `at`, as lines of a log have them, and messages after some words.
fn embedded_json(text: &str, at: usize, patience: &mut usize) -> Option<usize> {
    let inside = text.get(at + 1..)?.trim_ascii_start();
    let begins = inside.starts_with(['"', '{', '[', ']', '}', '-'])
        || inside.starts_with(|c: char| c.is_ascii_digit());
    begins.then_some(())?;
    let rest = text.as_bytes().get(at..)?;
    let length = end_of_brackets(rest.get(..(*patience).min(rest.len()))?);
    *patience = patience.saturating_sub(length.unwrap_or(rest.len()));
    let end = at + length?;
    is_json(text.get(at..end)?).then_some(end)
}

/// How long the text is up to the bracket that closes the one it begins with.
fn end_of_brackets(bytes: &[u8]) -> Option<usize> {
    let (mut depth, mut is_string, mut is_escaped) = (0_usize, false, false);
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_string => is_escaped = true,
            b'"' => is_string = !is_string,
            b'{' | b'[' if !is_string => depth += 1,
            b'}' | b']' if !is_string => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// Whether a text is JSON, and more than one word.
fn is_json(text: &str) -> bool {
    text.trim_ascii_start().starts_with(['{', '['])
        && serde_json::from_str::<IgnoredAny>(text).is_ok()
}

/// The first place from `at` on where something may be found; not after `to`.
fn next_sign(text: &[u8], at: usize, to: usize) -> usize {
    let to = to.min(text.len());
    let rest = text.get(at..to).unwrap_or_default();
    let next = rest
        .iter()
        .enumerate()
        .position(|(index, byte)| match byte {
            b'=' | b':' | b'%' | 0xEF | b'-' | b'>' | b'|' | b',' | b'\'' | b'"' | b'<' | b'{'
            | b'[' => true,
            b' ' | b'\t' => may_end_name(text, at + index),
            _ => false,
        });
    next.map_or(at.max(to), |next| at + next)
}

/// Whether a value may follow the space at `at`: a long word, or any after `password`.
fn may_end_name(text: &[u8], at: usize) -> bool {
    const SHORTEST: usize = 8;
    let word = text.get(at + 1..at + 1 + SHORTEST);
    let is_long = word.is_some_and(|word| !word.iter().any(u8::is_ascii_whitespace));
    is_long || text.get(..at).is_some_and(|before| before.ends_with(b"d"))
}

/// What a name, an option or a program says of what stands around `at`.
fn find(scan: &Scan<'_>, at: usize, byte: u8) -> Option<Found> {
    match byte {
        b'=' | b':' | b'%' | 0xEF => assigned(scan, at),
        b'-' => option(scan, at),
        b'>' => enclosed(scan, at),
        b'<' => here_string(scan, at),
        b'|' => piped(scan, at),
        b',' => paired(scan, at),
        b'\'' | b'"' => stated(scan, at).or_else(|| inside_quotes(scan, at)),
        b' ' | b'\t' => spaced(scan, at),
        _ => None,
    }
}
