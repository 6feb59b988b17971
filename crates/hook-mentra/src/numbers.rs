//! Which numbers mentra changes.
//!
//! mentra reads a rewritten input into a `serde_json::Value`, which holds a number in 64 bits unless some crate of the
//! program asked for more. What comes of a number there is found out by doing the same, so it is right in every build.

use std::fmt;

use serde_json::Value;

/// A number that does not stay what it is. The text goes on from "denied: ".
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Lost<'a> {
    written: &'a str,
    held: String,
}

impl fmt::Display for Lost<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { written, held } = self;
        write!(
            f,
            "the input now has the number {written}, which the tool would get as {held}; a string keeps its digits"
        )
    }
}

/// The first number of a JSON text that has another value once mentra has read it.
pub(crate) fn first_lost(json: &str) -> Option<Lost<'_>> {
    numbers(json).find_map(|written| {
        if is_short_integer(written) {
            return None;
        }
        let held = match serde_json::from_str::<Value>(written) {
            Ok(value) => value.to_string(),
            Err(_out_of_range) => "nothing".to_owned(),
        };
        let kept = held == written || Decimal::of(&held) == Decimal::of(written);
        (!kept).then_some(Lost { written, held })
    })
}

/// Fifteen digits fit into anything that holds numbers.
fn is_short_integer(number: &str) -> bool {
    number.len() <= 15 && number.bytes().all(|byte| byte.is_ascii_digit())
}

/// The numbers of a text that is JSON, as they were written.
fn numbers(json: &str) -> impl Iterator<Item = &str> {
    let mut rest = json;
    std::iter::from_fn(move || {
        loop {
            let start = rest.find(|c: char| c == '"' || c == '-' || c.is_ascii_digit())?;
            let (_, from) = rest.split_at_checked(start)?;
            if let Some(string) = from.strip_prefix('"') {
                rest = after_string(string);
                continue;
            }
            let end = from
                .find(|c: char| !matches!(c, '0'..='9' | '-' | '+' | '.' | 'e' | 'E'))
                .unwrap_or(from.len());
            let (number, after) = from.split_at_checked(end)?;
            rest = after;
            return Some(number);
        }
    })
}

/// What follows the end of a string whose opening quote is gone.
fn after_string(text: &str) -> &str {
    let mut escaped = false;
    let end = text.find(|c: char| {
        let closes = c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        closes
    });
    end.and_then(|end| text.get(end + 1..)).unwrap_or_default()
}

/// A number as its significant digits and the power of ten of the last one, so that two ways to write it are equal.
#[derive(PartialEq, Eq)]
struct Decimal {
    negative: bool,
    digits: String,
    exponent: i64,
}

impl Decimal {
    /// Nothing when it is no number, or its exponent is beyond what anybody could mean.
    fn of(number: &str) -> Option<Self> {
        let (negative, number) = match number.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, number),
        };
        let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all = [whole, fraction].concat();
        let significant = all.trim_end_matches('0');
        let dropped = i64::try_from(all.len() - significant.len()).ok()?;
        let digits = significant.trim_start_matches('0').to_owned();
        if digits.is_empty() {
            return Some(Self {
                negative: false,
                digits,
                exponent: 0,
            });
        }
        let exponent: i64 = exponent.parse().ok()?;
        let behind_the_point = i64::try_from(fraction.len()).ok()?;
        Some(Self {
            negative,
            digits,
            exponent: exponent
                .checked_sub(behind_the_point)?
                .checked_add(dropped)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a crate of this build asked for numbers of any length.
    fn any_length() -> bool {
        let long = "12345678901234567890123";
        serde_json::from_str::<Value>(long).is_ok_and(|value| format!("{value}") == long)
    }

    #[test]
    fn numbers_are_found_outside_strings_only() {
        let json = r#"{"1\"2":[3,-4.5e+6,"7\\",8],"9":{"a":0}}"#;
        assert_eq!(
            numbers(json).collect::<Vec<_>>(),
            ["3", "-4.5e+6", "8", "0"]
        );
        assert_eq!(numbers("-12").collect::<Vec<_>>(), ["-12"]);
        assert_eq!(numbers(r#""12"#).count(), 0);
    }

    #[test]
    fn what_64_bits_hold_is_kept_however_it_is_written() {
        for number in [
            "0",
            "-0",
            "-0.0",
            "0e999999999999999999999",
            "18446744073709551615",
            "-9223372036854775808",
            "0.1",
            "1.50",
            "1e2",
            "100.0",
            "1E-7",
            "1e23",
            "12300000000000000000000",
            "1.7976931348623157e308",
        ] {
            assert_eq!(first_lost(number), None);
        }
    }

    #[test]
    fn what_more_digits_are_needed_for_is_lost() {
        for number in [
            "12345678901234567890123",
            "18446744073709551616",
            "-9223372036854775809",
            "0.1000000000000000055511151231257827",
            "1e-400",
        ] {
            let json = format!(r#"{{"a":["99999999999999999999",1],"b":{number}}}"#);
            let lost = first_lost(&json).map(|lost| lost.written);
            assert_eq!(lost, (!any_length()).then_some(number));
        }
    }

    #[test]
    fn a_number_is_reported_exactly_when_another_value_would_run() {
        // Shortest texts of floats: the parser may miss the last bit of some, unless a crate asked it not to.
        let mut float = 0.123_456_789_012_345_67_f64;
        for _ in 0..2000 {
            float = (float * 997.0).fract() + f64::EPSILON;
            let written = format!("{float:?}");
            let value: Value = serde_json::from_str(&written).expect("a number");
            let same = value.to_string().parse() == Ok(float);
            assert_eq!(first_lost(&written).is_none(), same, "{written}");
        }
    }
}
