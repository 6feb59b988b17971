//! Variables of the environment.

use std::sync::LazyLock;

use crate::{
    Names, Shapes, is_digest, is_reference, looks_random, value::entropy, vocabulary::VARIABLE,
    words::Words,
};

/// How much of a value is looked at. No credential is longer, and what a shell exports as a function may be.
const LONGEST_VALUE: usize = 64 * 1024;

/// The number of a session of a desktop is no secret, as that of a web site is.
static NAMES: LazyLock<Names> = LazyLock::new(|| Names::default().without("session id"));
static SHAPES: LazyLock<Shapes> = LazyLock::new(Shapes::default);

/// Whether a variable of the environment is likely a secret: by its name, or by a value that holds one of the [`Shapes`], sets
/// a secret as `Server=db;Password=…` does, or is nothing but a long run of random characters.
///
/// ```
/// use hook_secrets::is_secret_variable;
///
/// assert!(is_secret_variable("SSHPASS", "x"));
/// assert!(is_secret_variable("STORE", "AccountName=a;AccountKey=b=="));
/// assert!(!is_secret_variable("PATH", "/usr/bin:/bin") && !is_secret_variable("XDG_SESSION_ID", "4"));
/// ```
#[must_use]
pub fn is_secret_variable(name: &str, value: &str) -> bool {
    let names = &*NAMES;
    let words = Words::of(name);
    let is_named_so = words.iter().any(|word| VARIABLE.contains(&word));
    if is_named_so || names.hides(name, value) {
        return true;
    }
    let end = (0..=LONGEST_VALUE.min(value.len()))
        .rev()
        .find(|end| value.is_char_boundary(*end));
    let value = value.get(..end.unwrap_or_default()).unwrap_or_default();
    is_key(value) || sets_secret(names, value) || SHAPES.has_any(value)
}

/// Whether a value is one long run of random characters. Digests are none.
fn is_key(value: &str) -> bool {
    const LENGTHS: std::ops::RangeInclusive<usize> = 32..=512;
    const ENTROPY: f64 = 4.0;
    let is_part =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'+' | b'/' | b'=');
    LENGTHS.contains(&value.len())
        && value.bytes().all(is_part)
        && looks_random(value)
        && !is_digest(value)
        && entropy(value) >= ENTROPY
}

/// Whether a value sets a secret by its name, as connection strings and settings do: `Password=…`, `"password": "…"`.
fn sets_secret(names: &Names, value: &str) -> bool {
    let mut signs = value.match_indices(['=', ':']);
    signs.any(|(at, sign)| {
        let (before, after) = (value.get(..at), value.get(at + 1..));
        let (Some(before), Some(after)) = (before, after) else {
            return false;
        };
        let quoted = before.trim_end_matches(['"', '\'', '\\']);
        // `/usr/pass:/bin` is a list of directories.
        let is_said = sign == "=" || quoted.len() < before.len() || after.starts_with(' ');
        is_said && names.says_secret_of_member(last_name(quoted.trim_end())) && is_set(after)
    })
}

/// The name that a text ends with. Names in connection strings have blanks (`User Id`), of which the last word says enough.
fn last_name(text: &str) -> &str {
    const LONGEST: usize = 64;
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    let mut start = text.len();
    for (at, c) in text.char_indices().rev() {
        if !is_part(c) || text.len() - at > LONGEST {
            break;
        }
        start = at;
    }
    text.get(start..).unwrap_or_default()
}

/// Whether a value follows that is one, and not where one is.
fn is_set(after: &str) -> bool {
    let value = after.trim_start_matches([' ', '"', '\'', '\\']);
    let is_empty = value.starts_with([';', ',', '&', '}']) || value.is_empty();
    !is_empty && !is_reference(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn is_secret(name: &str, value: &str, expected: bool) {
        assert_eq!(is_secret_variable(name, value), expected, "{name}={value}");
    }

    #[test]
    fn a_connection_string_is_a_secret_when_it_sets_one() {
        for value in [
            "Host=db;Username=app;Password=abc",
            "Data Source=db; User Id=app; Pwd=abc;",
            "DefaultEndpointsProtocol=https;AccountName=a;AccountKey=abc==;EndpointSuffix=core",
            "Endpoint=sb://x/;SharedAccessKeyName=n;SharedAccessKey=abc",
            "host=db user=app password='a b'",
            "https://a.blob.example/c?sv=1&sig=abc",
            r#"{"host":"db","password":"abc"}"#,
            "password: abc",
        ] {
            is_secret("STORE", value, true);
        }
        for value in [
            "Host=db;Username=app;Password=;Integrated Security=true",
            "Host=db;Password=${DB}",
            "/opt/pass:/usr/bin:/opt/token",
            "di=01;34:ln=01;36",
            "--max-old-space-size=4096",
        ] {
            is_secret("STORE", value, false);
        }
    }

    #[test]
    fn a_value_that_looks_like_a_key_is_a_secret_whatever_its_name() {
        is_secret(
            "X",
            "dop_v1_4f8a1c0e9b7d2f6a4f8a1c0e9b7d2f6a4f8a1c0e9b7d2f6a4f8a1c0e9b7d2f6b",
            true,
        );
        is_secret("X", "n4Kd0PzQ7s1vWm8YcR2uTx9LbH5jEa3G", true);
        is_secret("X", "d41d8cd98f00b204e9800998ecf8427e", false);
        is_secret("X", "123e4567-e89b-12d3-a456-426614174000", false);
        is_secret(
            "X",
            "/nix/store/0c5x4l7bb1n2k8jq3w9s6d4f5g7h8j9k-bash-5.2/bin",
            false,
        );
        is_secret("X", "x86_64-unknown-linux-gnu-release-with-debug", false);
    }

    #[test]
    fn a_long_value_is_looked_at_to_a_bound_and_in_linear_time() {
        let long = "password=;é".repeat(1 << 15);
        is_secret("X", &long, false);
    }
}
