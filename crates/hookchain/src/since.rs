//! From when on records are looked at.

use std::time::{Duration, SystemTime};

use hook_audit::Timestamp;

/// A moment, a day, or how long ago: `2026-11-30T13:00:00Z`, `2026-11-30`, `90s`, `30m`, `2h`, `7d`.
pub(crate) fn parse(word: &str) -> Result<Timestamp, String> {
    if let Some(ago) = ago(word) {
        return Ok(Timestamp::from(SystemTime::now()).before(ago));
    }
    word.parse().map_err(|_no_moment| {
        "write a moment in UTC like 2026-11-30T13:00:00Z, a day like 2026-11-30, or how long ago: 90s, 30m, 2h, 7d"
            .to_owned()
    })
}

fn ago(word: &str) -> Option<Duration> {
    let unit = word.chars().last()?;
    let count: u64 = word.strip_suffix(unit)?.parse().ok()?;
    let seconds = match unit {
        's' => 1,
        'm' => 60,
        'h' => 60 * 60,
        'd' => 24 * 60 * 60,
        _ => return None,
    };
    count.checked_mul(seconds).map(Duration::from_secs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_ago_is_a_number_and_a_unit() {
        assert_eq!(ago("90s"), Some(Duration::from_secs(90)));
        assert_eq!(ago("7d"), Some(Duration::from_secs(604_800)));
        for word in ["", "d", "7", "7w", "-1d", "1.5h", "99999999999999999999d"] {
            assert_eq!(ago(word), None, "{word}");
        }
        assert!(parse("2026-11-30").is_ok() && parse("2h").is_ok());
        assert!(parse("yesterday").is_err());
    }
}
