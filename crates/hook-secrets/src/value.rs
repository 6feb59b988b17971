//! What a value is, whatever stands before it.

/// How many characters are looked at to judge a value; more say nothing new.
const JUDGED: usize = 256;

/// Whether a value is `$PASSWORD`, `${PASSWORD}`, `$(command)`, `%PASSWORD%` or `{{ password }}`: where a secret is, and not
/// what it is.
///
/// ```
/// use hook_secrets::is_reference;
///
/// assert!(is_reference("${TOKEN}") && is_reference("{{ vault.token }}"));
/// assert!(!is_reference("$1b2c"));
/// ```
#[must_use]
pub fn is_reference(value: &str) -> bool {
    let of_shell = value.strip_prefix('$').is_some_and(|name| {
        name.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '_' | '{' | '('))
    });
    let of_windows = value.strip_prefix('%').is_some_and(|name| {
        let end = name.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        end.is_some_and(|end| end > 0 && name.get(end..).is_some_and(|rest| rest.starts_with('%')))
    });
    of_shell || of_windows || value.starts_with("{{")
}

/// Whether a value is a digest in hexadecimal digits, the identifier of a commit or a UUID. Such a value is no secret by
/// itself.
///
/// ```
/// use hook_secrets::is_digest;
///
/// assert!(is_digest("d41d8cd98f00b204e9800998ecf8427e"));
/// assert!(is_digest("123e4567-e89b-12d3-a456-426614174000"));
/// assert!(!is_digest("d41d8cd98f00b204e980"));
/// ```
#[must_use]
pub fn is_digest(value: &str) -> bool {
    const LENGTHS: [usize; 7] = [32, 40, 48, 56, 64, 96, 128];
    const DASHES: [usize; 4] = [8, 13, 18, 23];
    let is_hex = |byte: u8| byte.is_ascii_hexdigit();
    let is_uuid = value.len() == 36
        && value.bytes().enumerate().all(|(at, byte)| {
            if DASHES.contains(&at) {
                byte == b'-'
            } else {
                is_hex(byte)
            }
        });
    is_uuid || (LENGTHS.contains(&value.len()) && value.bytes().all(is_hex))
}

/// Whether a value looks as if a machine had drawn it: at least 8 characters without white space, with letters and digits
/// that do not form words, numbers or versions.
///
/// ```
/// use hook_secrets::looks_random;
///
/// assert!(looks_random("Zx81kQ0vTb7L"));
/// assert!(!looks_random("release-2024-01") && !looks_random("/usr/lib/x86_64") && !looks_random("read-only"));
/// ```
#[must_use]
pub fn looks_random(value: &str) -> bool {
    const LEAST: usize = 8;
    let judged = value.get(..JUDGED).unwrap_or(value);
    let has_letter = judged.bytes().any(|byte| byte.is_ascii_alphabetic());
    let has_digit = judged.bytes().any(|byte| byte.is_ascii_digit());
    let is_one_word = !judged.contains(|c: char| c.is_whitespace() || c.is_control());
    value.len() >= LEAST
        && is_one_word
        && has_letter
        && (has_digit || is_mixed(judged))
        && !judged.starts_with(['/', '.', '~'])
        && !judged.contains("://")
        && !is_wordy(judged)
        && entropy(judged) >= 2.5
}

/// Whether upper and lower case change as they do in no name: `aKfQzWm`.
fn is_mixed(value: &str) -> bool {
    let bytes = value.as_bytes();
    let changes = bytes.windows(2).filter(|pair| match pair {
        [a, b] => a.is_ascii_lowercase() && b.is_ascii_uppercase(),
        _ => false,
    });
    changes.count() * 5 >= bytes.len()
}

/// Whether a value is made of words, short numbers and versions: `npm_package_config_utf8`.
pub(crate) fn is_wordy(value: &str) -> bool {
    const LONGEST_WORD: usize = 20;
    const LONGEST_NUMBER: usize = 4;
    const LONGEST_VERSION: usize = 8;
    let is_word = |part: &str| {
        let letters = part.trim_end_matches(|c: char| c.is_ascii_digit());
        let rest = part.strip_prefix(|c: char| c.is_ascii_alphabetic());
        let is_one_case = letters.bytes().all(|byte| byte.is_ascii_lowercase())
            || letters.bytes().all(|byte| byte.is_ascii_uppercase())
            || rest.is_some_and(|_| {
                let mut tail = letters.bytes().skip(1);
                tail.all(|byte| byte.is_ascii_lowercase())
            });
        let digits = part.len() - letters.len();
        is_one_case
            && letters.len() <= LONGEST_WORD
            && digits <= LONGEST_NUMBER
            && (digits == 0 || part.len() <= LONGEST_VERSION)
    };
    let is_separator = |c: char| !c.is_ascii_alphanumeric();
    value.split(is_separator).all(is_word)
}

/// Bits of each character, as they are spread in the value.
pub(crate) fn entropy(value: &str) -> f64 {
    let mut counts = [0_u32; 256];
    let judged = value.as_bytes().iter().take(JUDGED);
    let mut total = 0_u32;
    for byte in judged {
        if let Some(count) = counts.get_mut(usize::from(*byte)) {
            *count += 1;
            total += 1;
        }
    }
    let share = |count: u32| f64::from(count) / f64::from(total.max(1));
    let seen = counts.into_iter().filter(|count| *count > 0);
    seen.map(|count| -share(count) * share(count).log2()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_numbers_and_paths_do_not_look_random() {
        for value in [
            "ReadOnlyMany",
            "requirepass",
            "2024-01-31",
            "v1.22.3-rc1",
            "/var/run/secrets/x9z8y7",
            "https://a8f3k2j1.example",
            "my-service-account",
            "aaaaaaaa1111",
            "a b3 c4 d5",
            "short1",
            "utf8_general_ci",
        ] {
            assert!(!looks_random(value), "{value}");
        }
        for value in ["hG7kQ2mX", "q9w8e7r6t5y4", "tr0ub4dor&3x", "aKfQzWmPbLxTnR"] {
            assert!(looks_random(value), "{value}");
        }
    }

    #[test]
    fn entropy_is_that_of_the_characters() {
        assert!(entropy("").abs() < 1e-9 && entropy("aaaa").abs() < 1e-9);
        assert!((entropy("abcd") - 2.0).abs() < 1e-9);
    }

    #[test]
    fn references_are_no_values() {
        for value in ["$A", "${A}", "$(pass x)", "%A_B%", "{{ x }}"] {
            assert!(is_reference(value), "{value}");
        }
        for value in ["", "$", "$1", "%", "%%", "%2Fx", "a$B"] {
            assert!(!is_reference(value), "{value}");
        }
    }
}
