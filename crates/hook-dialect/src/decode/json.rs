//! JSON as the agents read it: the last of several keys counts, and half a surrogate pair is a character.

use serde::de::IgnoredAny;

/// Whether a text is one JSON value.
pub(super) fn is_value(text: &str) -> bool {
    serde_json::from_str::<IgnoredAny>(text).is_ok()
}

/// The content of a string; each half of a surrogate pair is a replacement character.
pub(super) fn string(literal: &str) -> Option<String> {
    let content = literal.strip_prefix('"')?.strip_suffix('"')?;
    if !content.contains('\\') {
        return Some(content.to_owned());
    }
    if let Ok(string) = serde_json::from_str(literal) {
        return Some(string);
    }
    let mut units: Vec<u16> = Vec::with_capacity(content.len());
    let mut characters = content.chars();
    while let Some(character) = characters.next() {
        let unit = match character {
            '\\' => match characters.next()? {
                'b' => 0x08,
                'f' => 0x0c,
                'n' => 0x0a,
                'r' => 0x0d,
                't' => 0x09,
                'u' => {
                    let digits: String = characters.by_ref().take(4).collect();
                    u16::from_str_radix(&digits, 16).ok()?
                }
                escaped => u16::try_from(u32::from(escaped)).ok()?,
            },
            plain => {
                units.extend_from_slice(plain.encode_utf16(&mut [0; 2]));
                continue;
            }
        };
        units.push(unit);
    }
    Some(String::from_utf16_lossy(&units))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_a_surrogate_pair_is_a_replacement_character() {
        for (literal, text) in [
            (r#""a\ud83d\ude00b""#, "a😀b"),
            (r#""a\ud83db\n""#, "a\u{fffd}b\n"),
            (r#""\ude00\"\\\/é😀""#, "\u{fffd}\"\\/é😀"),
        ] {
            assert_eq!(string(literal).as_deref(), Some(text));
        }
    }
}
