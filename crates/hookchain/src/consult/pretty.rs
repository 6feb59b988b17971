//! JSON over several lines, with its digits and the order of its members as they were written.

use hook_contract::Json;

/// How many levels are indented; deeper ones stay on the margin of the last, so that text cannot grow without bound.
const MAX_INDENTED: usize = 20;

/// How many characters of a string are shown when they are not all wanted.
const SHOWN_CHARS: usize = 200;

/// The value over several lines.
pub(super) fn whole(value: &Json) -> String {
    print(value.text(), usize::MAX)
}

/// The same with long strings cut, and marked where they are.
pub(super) fn brief(value: &Json) -> String {
    print(value.text(), SHOWN_CHARS)
}

/// A line of plain text, cut like a string.
pub(super) fn cut(line: &str) -> String {
    // Room for the indentation and the mark that a string may have.
    match line.char_indices().nth(SHOWN_CHARS + 100) {
        Some((end, _)) => {
            let shown = line.get(..end).unwrap_or_default();
            format!("{shown}… ({} bytes)", line.len())
        }
        None => line.to_owned(),
    }
}

/// One pass over compact JSON.
fn print(text: &str, longest: usize) -> String {
    let bytes = text.as_bytes();
    let mut printed = String::new();
    let mut depth: usize = 0;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => {
                let end = end_of_string(bytes, at);
                push_string(&mut printed, text.get(at..end).unwrap_or_default(), longest);
                at = end;
                continue;
            }
            b'{' | b'[' => {
                printed.push(char::from(byte));
                if let Some(&close @ (b'}' | b']')) = bytes.get(at + 1) {
                    printed.push(char::from(close));
                    at += 1;
                } else {
                    depth += 1;
                    new_line(&mut printed, depth);
                }
            }
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                new_line(&mut printed, depth);
                printed.push(char::from(byte));
            }
            b',' => {
                printed.push(',');
                new_line(&mut printed, depth);
            }
            b':' => printed.push_str(": "),
            // Digits and the letters of true, false and null.
            _ => printed.push(char::from(byte)),
        }
        at += 1;
    }
    printed
}

fn new_line(printed: &mut String, depth: usize) {
    printed.push('\n');
    for _ in 0..depth.min(MAX_INDENTED) {
        printed.push_str("  ");
    }
}

/// Where the string that begins at `start` ends.
fn end_of_string(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

fn push_string(printed: &mut String, literal: &str, longest: usize) {
    // A string of that many bytes has no more characters.
    let cut = (literal.len() > longest)
        .then(|| literal.char_indices().nth(longest))
        .flatten();
    match cut.and_then(|(end, _)| literal.get(..end)) {
        Some(shown) => {
            printed.push_str(shown);
            let mark = format!("…\" ({} bytes)", literal.len() - 2);
            printed.push_str(&mark);
        }
        None => printed.push_str(literal),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(value: &str, expected: &str) {
        assert_eq!(whole(&Json::parse(value).expect("JSON")), expected);
    }

    #[test]
    fn order_digits_and_escapes_stay_as_they_were_written() {
        check(
            r#"{"z":[1.10,-2E+3,{}],"a":{"k":"x\"},:[\\"},"e":[],"t":[true,null]}"#,
            r#"{
  "z": [
    1.10,
    -2E+3,
    {}
  ],
  "a": {
    "k": "x\"},:[\\"
  },
  "e": [],
  "t": [
    true,
    null
  ]
}"#,
        );
        check(
            "123456789012345678901234567890",
            "123456789012345678901234567890",
        );
        check(r#""text""#, r#""text""#);
    }

    #[test]
    fn a_long_string_is_cut_between_characters_and_counted() {
        let long = "\u{e4}".repeat(300);
        let value = Json::parse(&format!(r#"{{"k":"{long}"}}"#)).expect("JSON");
        let shown = "\u{e4}".repeat(199);
        assert_eq!(
            brief(&value),
            format!("{{\n  \"k\": \"{shown}…\" (600 bytes)\n}}")
        );
        assert_eq!(whole(&value), format!("{{\n  \"k\": \"{long}\"\n}}"));
    }

    #[test]
    fn the_deepest_value_there_is_can_be_printed() {
        let deep = format!("{}1{}", "[".repeat(127), "]".repeat(127));
        let printed = whole(&Json::parse(&deep).expect("JSON"));
        assert_eq!(printed.lines().count(), 255);
        assert!(
            printed
                .lines()
                .all(|line| line.len() <= 2 * MAX_INDENTED + 1)
        );
    }
}
