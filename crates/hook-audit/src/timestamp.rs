//! Moments and days in UTC, as records write them.

use std::{
    fmt,
    str::FromStr,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

const MICROS_A_SECOND: u64 = 1_000_000;
const SECONDS_A_DAY: u64 = 24 * 60 * 60;
/// The last moment with four digits of year: 9999-12-31T23:59:59.999999Z.
const LAST: u64 = 253_402_300_799 * MICROS_A_SECOND + 999_999;

/// A moment in UTC, to the microsecond, from 1970 to 9999.
///
/// ```
/// use hook_audit::Timestamp;
///
/// let at: Timestamp = "2026-11-30T13:06:00.250000Z".parse()?;
/// assert_eq!(at.date().to_string(), "2026-11-30");
/// assert_eq!(at.to_string(), "2026-11-30T13:06:00.250000Z");
/// # Ok::<(), hook_audit::TimestampError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp {
    micros: u64,
}

/// A day in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    /// Days since 1970-01-01.
    days: u32,
}

impl Timestamp {
    /// The day on which it is.
    #[must_use]
    pub fn date(self) -> Date {
        let days = self.micros / MICROS_A_SECOND / SECONDS_A_DAY;
        Date {
            days: u32::try_from(days).unwrap_or(u32::MAX),
        }
    }

    /// The moment that much earlier; 1970 when there is none.
    #[must_use]
    pub fn before(self, time: Duration) -> Self {
        let micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        Self {
            micros: self.micros.saturating_sub(micros),
        }
    }
}

/// A moment outside the years 1970 to 9999 becomes the nearest one inside.
impl From<SystemTime> for Timestamp {
    fn from(time: SystemTime) -> Self {
        let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
        let micros = u64::try_from(since.as_micros()).unwrap_or(u64::MAX);
        Self {
            micros: micros.min(LAST),
        }
    }
}

impl Date {
    /// The day so many days earlier; 1970-01-01 when there is none.
    #[must_use]
    pub fn days_before(self, days: u32) -> Self {
        Self {
            days: self.days.saturating_sub(days),
        }
    }

    /// The day after it.
    pub(crate) fn next(self) -> Self {
        Self {
            days: self.days.saturating_add(1),
        }
    }

    /// The first moment of the day.
    #[must_use]
    pub fn start(self) -> Timestamp {
        Timestamp {
            micros: u64::from(self.days) * SECONDS_A_DAY * MICROS_A_SECOND,
        }
    }

    /// The day of a year, month and day of the Gregorian calendar, where there is one.
    fn of(year: u32, month: u32, day: u32) -> Option<Self> {
        let is_there = (1970..=9999).contains(&year)
            && (1..=12).contains(&month)
            && (1..=days_of_month(year, month)).contains(&day);
        is_there.then(|| Self {
            days: days_before_year(year) + days_before_month(year, month) + day - 1,
        })
    }

    /// Year, month and day.
    fn parts(self) -> (u32, u32, u32) {
        // A year has at least 365 days, so that this is the year or a later one.
        let mut year = 1970 + self.days / 365;
        while days_before_year(year) > self.days {
            year -= 1;
        }
        let day = self.days - days_before_year(year);
        let month = (1..=12)
            .rev()
            .find(|month| days_before_month(year, *month) <= day)
            .unwrap_or(1);
        (year, month, day - days_before_month(year, month) + 1)
    }
}

fn is_leap(year: u32) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

/// Days from 1970-01-01 to the first of January of that year.
fn days_before_year(year: u32) -> u32 {
    let before = year - 1;
    // 477 leap years lie before 1970.
    365 * (year - 1970) + before / 4 - before / 100 + before / 400 - 477
}

/// Days from the first of January to the first of that month.
fn days_before_month(year: u32, month: u32) -> u32 {
    (1..month).map(|month| days_of_month(year, month)).sum()
}

fn days_of_month(year: u32, month: u32) -> u32 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = self.parts();
        write!(f, "{year:04}-{month:02}-{day:02}")
    }
}

/// RFC 3339 with six digits of fraction.
impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.micros / MICROS_A_SECOND % SECONDS_A_DAY;
        write!(
            f,
            "{}T{:02}:{:02}:{:02}.{:06}Z",
            self.date(),
            seconds / 3600,
            seconds / 60 % 60,
            seconds % 60,
            self.micros % MICROS_A_SECOND
        )
    }
}

/// A text is no moment, or no day.
///
/// Write it like `2026-11-30T13:06:00Z`, or a day like `2026-11-30`.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "`{text}` is no moment in UTC; write it like 2026-11-30T13:06:00Z, or a day like 2026-11-30"
)]
#[non_exhaustive]
pub struct TimestampError {
    /// The text.
    pub text: String,
}

impl TimestampError {
    fn of(text: &str) -> Self {
        Self {
            text: text.chars().take(64).collect(),
        }
    }
}

impl FromStr for Date {
    type Err = TimestampError;

    fn from_str(text: &str) -> Result<Self, TimestampError> {
        parse_date(text).ok_or_else(|| TimestampError::of(text))
    }
}

/// A day is its first moment.
impl FromStr for Timestamp {
    type Err = TimestampError;

    fn from_str(text: &str) -> Result<Self, TimestampError> {
        parse_moment(text).ok_or_else(|| TimestampError::of(text))
    }
}

fn parse_date(text: &str) -> Option<Date> {
    let mut parts = text.splitn(3, '-');
    let mut part = |digits| number(parts.next()?, digits);
    Date::of(part(4)?, part(2)?, part(2)?)
}

fn parse_moment(text: &str) -> Option<Timestamp> {
    let Some((date, time)) = text.split_once(['T', 't', ' ']) else {
        return parse_date(text).map(Date::start);
    };
    let time = time.strip_suffix(['Z', 'z'])?;
    let (clock, fraction) = time.split_once('.').unwrap_or((time, "0"));
    let mut parts = clock.splitn(3, ':');
    let mut part = |most| number(parts.next()?, 2).filter(|found| *found <= most);
    let (hours, minutes, seconds) = (part(23)?, part(59)?, part(60)?);
    let seconds = u64::from(hours * 3600 + minutes * 60 + seconds);
    let micros = parse_date(date)?.start().micros + seconds * MICROS_A_SECOND + micros(fraction)?;
    Some(Timestamp { micros })
}

fn number(text: &str, digits: usize) -> Option<u32> {
    let is_number = text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok()).flatten()
}

/// The digits after the point as microseconds; further ones are cut off.
fn micros(fraction: &str) -> Option<u64> {
    let is_number = !fraction.is_empty() && fraction.bytes().all(|byte| byte.is_ascii_digit());
    let digits = fraction.bytes().chain(std::iter::repeat(b'0')).take(6);
    is_number.then(|| digits.fold(0, |value, digit| value * 10 + u64::from(digit - b'0')))
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'_, str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Timestamp {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Timestamp".into()
    }

    fn json_schema(_generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({"type": "string", "format": "date-time"})
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: u64) -> String {
        Timestamp::from(UNIX_EPOCH + Duration::from_secs(seconds)).to_string()
    }

    #[test]
    fn moments_are_written_as_the_calendar_has_them() {
        assert_eq!(at(0), "1970-01-01T00:00:00.000000Z");
        assert_eq!(at(951_782_400), "2000-02-29T00:00:00.000000Z");
        assert_eq!(at(1_709_251_199), "2024-02-29T23:59:59.000000Z");
        assert_eq!(at(4_107_542_400), "2100-03-01T00:00:00.000000Z");
        assert_eq!(at(u64::MAX / 4), "9999-12-31T23:59:59.999999Z");
        assert_eq!(
            Timestamp::from(UNIX_EPOCH - Duration::from_secs(1)).to_string(),
            "1970-01-01T00:00:00.000000Z"
        );
    }

    #[test]
    fn every_day_is_read_back() {
        for days in (0..2_932_896).step_by(97) {
            let date = Date { days };
            assert_eq!(date.to_string().parse(), Ok(date));
        }
        let last: Date = "9999-12-31".parse().expect("a day");
        assert_eq!(last.to_string(), "9999-12-31");
    }

    #[test]
    fn moments_are_read_with_any_fraction_and_days_are_their_first_moment() {
        for (text, written) in [
            ("2026-11-30", "2026-11-30T00:00:00.000000Z"),
            ("2026-11-30T13:06:07Z", "2026-11-30T13:06:07.000000Z"),
            ("2026-11-30 13:06:07.5Z", "2026-11-30T13:06:07.500000Z"),
            (
                "2026-11-30t13:06:07.1234567z",
                "2026-11-30T13:06:07.123456Z",
            ),
        ] {
            let read: Timestamp = text.parse().expect("a moment");
            assert_eq!(read.to_string(), written);
        }
    }

    #[test]
    fn what_is_no_moment_is_refused() {
        for text in [
            "",
            "yesterday",
            "2026-11-31",
            "2025-02-29",
            "2026-13-01",
            "1969-12-31",
            "2026-1-1",
            "2026-11-30T24:00:00Z",
            "2026-11-30T13:06:00",
            "2026-11-30T13:06:00.Z",
            "2026-11-30T13:06:00+01:00",
        ] {
            assert!(text.parse::<Timestamp>().is_err(), "{text}");
        }
    }
}
