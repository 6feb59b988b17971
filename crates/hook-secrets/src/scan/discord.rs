//! Tokens of bots of Discord: three parts, the first of which is the number of the bot in base64. No mark begins them, so that
//! they are found by their points.

use super::Found;

/// How long the second part is, and how long the others are.
const MIDDLE: usize = 6;
const FIRST: std::ops::RangeInclusive<usize> = 23..=28;
const LAST: std::ops::RangeInclusive<usize> = 27..=45;

pub(super) fn find_all(text: &str) -> impl Iterator<Item = Found> {
    let points = text.match_indices('.');
    points.filter_map(|(point, _)| find(text.as_bytes(), point))
}

/// The token whose first point is at `point`.
fn find(text: &[u8], point: usize) -> Option<Found> {
    let second = point + 1 + MIDDLE;
    (text.get(second) == Some(&b'.')).then_some(())?;
    let middle = text.get(point + 1..second)?;
    middle.iter().all(|byte| is_part(*byte)).then_some(())?;
    let before = text.get(..point)?.iter().rev().take(FIRST.end() + 3);
    let mut first = before.take_while(|byte| is_part(**byte)).count();
    // `\n` and `%3D` stand for a sign between words.
    first -= match (text.get(..point - first)?, text.get(point - first..point)?) {
        ([.., b'\\'], [b'n' | b'r' | b't', ..]) => 1,
        ([.., b'%'], [a, b, ..]) if a.is_ascii_hexdigit() && b.is_ascii_hexdigit() => 2,
        _ => 0,
    };
    let after = text.get(second + 1..)?.iter().take(LAST.end() + 1);
    let last = after.take_while(|byte| is_part(**byte)).count();
    (FIRST.contains(&first) && LAST.contains(&last)).then_some(())?;
    let (start, end) = (point - first, second + 1 + last);
    is_number(text.get(start..point)?).then(|| Found {
        at: start,
        start,
        end,
        kind: "discord-bot-token".into(),
    })
}

fn is_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

/// Whether a text in base64 is a number in digits: each three digits give four such characters.
fn is_number(encoded: &[u8]) -> bool {
    encoded.chunks_exact(4).all(|part| {
        matches!(
            part,
            [
                b'M' | b'N' | b'O',
                b'D' | b'T' | b'j' | b'z',
                b'A' | b'E' | b'I' | b'M' | b'Q' | b'U' | b'Y' | b'c' | b'g' | b'k',
                b'w'..=b'z' | b'0'..=b'5',
            ]
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_found_by_the_number_that_it_begins_with() {
        let tail = "GaBcDe.Yq3Lx8Zt5Wm1Vk7Rb2Nc9Jd4Hf6Gs0PaKeTw";
        // 123456789012345678, and 1234567890123456789.
        for number in ["MTIzNDU2Nzg5MDEyMzQ1Njc4", "MTIzNDU2Nzg5MDEyMzQ1Njc4OQ"] {
            let text = format!("Bot {number}.{tail}, x");
            let found: Vec<_> = find_all(&text).collect();
            assert_eq!(found.len(), 1, "{text}");
            assert_eq!(
                text.get(found[0].start..found[0].end),
                Some(&*format!("{number}.{tail}"))
            );
        }
        for text in [
            format!("QWxhZGRpbjpvcGVuIHNlc2Ft.{tail}"),
            format!("MTIzNDU2.{tail}"),
            "MTIzNDU2Nzg5MDEyMzQ1Njc4.GaBcDe.short".to_owned(),
            ".......".to_owned(),
        ] {
            assert_eq!(find_all(&text).count(), 0, "{text}");
        }
    }
}
