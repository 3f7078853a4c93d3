//! Times as logs write them, in seconds.

use super::file_settings::Unit;
use super::spec::LogSpec;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use plymap_expression::NumberStyle;
use std::num::NonZeroI64;

/// A time that was read, in whole nanoseconds: 1.3 - 1.2 is then 0.1, which it is not in binary fractions, and a sum
/// does not depend on the order of its terms. What a log says beyond that is rounded; no clock tells it.
///
/// It is held with flipped bits, so that zero is no time, and `Option` takes no more room.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Time(NonZeroI64);

impl Time {
    /// So many nanoseconds; at most those of 292 years.
    pub(super) fn new(nanos: i64) -> Self {
        let flipped = NonZeroI64::new(nanos.min(i64::MAX - 1) ^ i64::MAX);
        Self(flipped.expect("only the bits of the largest number are gone"))
    }

    pub(super) fn nanos(self) -> i64 {
        self.0.get() ^ i64::MAX
    }

    /// The nearest number of seconds.
    pub(super) fn seconds(self) -> f64 {
        to_seconds(self.nanos())
    }
}

/// Reason why a text is not a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TimeError {
    /// It is not written as the unit asks; what it should look like.
    Unreadable(&'static str),
    /// It lies before zero.
    Negative,
}

const NUMBER: &str = "a number such as 1250 or 0.75";
const INSTANT: &str = "a date with a time such as 2026-03-01T10:00:00.250+01:00";

/// The median times between moves that people are believed to have, in seconds.
pub const PLAUSIBLE_MEDIAN: std::ops::RangeInclusive<f64> = 0.05..=120.0;

/// Style of the times of a log.
#[derive(Clone, Debug)]
pub(super) struct TimeStyle {
    pub numbers: NumberStyle,
    /// Zone of dates and times that tell none; UTC where the study names none.
    pub zone: Option<TimeZone>,
}

impl TimeStyle {
    pub(super) fn new(spec: &LogSpec) -> Self {
        let zone = spec.time_zone.as_ref().and_then(|name| TimeZone::get(name).ok());
        Self { numbers: spec.numbers(), zone }
    }
}

/// Reads `text` in `unit`.
pub(super) fn parse_time(text: &str, unit: Unit, style: &TimeStyle) -> Result<Time, TimeError> {
    let time = match unit {
        Unit::Iso8601 => parse_instant(text, style.zone.as_ref()).ok_or(TimeError::Unreadable(INSTANT))?,
        Unit::Seconds | Unit::EpochSeconds => parse_number(text, 9, &style.numbers)?,
        Unit::Milliseconds | Unit::EpochMilliseconds => parse_number(text, 6, &style.numbers)?,
        Unit::Microseconds => parse_number(text, 3, &style.numbers)?,
        Unit::Nanoseconds => parse_number(text, 0, &style.numbers)?,
    };
    if time.nanos() < 0 { Err(TimeError::Negative) } else { Ok(time) }
}

/// `true` if a date with a time says how far its clock is from UTC, or in which zone it is.
pub(super) fn has_offset(text: &str) -> bool {
    text.parse::<Timestamp>().is_ok() || text.parse::<Zoned>().is_ok()
}

/// Nanoseconds as the nearest number of seconds.
pub(super) fn to_seconds(nanos: i64) -> f64 {
    // Up to 2^53 both operands are exact, so that the quotient is rounded once.
    if nanos.unsigned_abs() < 1 << 53 {
        return nanos as f64 / 1e9;
    }
    // From 2^30 on the fraction of a second is finer than half a step between numbers by so much that rounding it first
    // changes nothing.
    let (whole, rest) = (nanos / 1_000_000_000, nanos % 1_000_000_000);
    if whole.unsigned_abs() >= 1 << 30 {
        return whole as f64 + rest as f64 / 1e9;
    }
    let sign = if nanos < 0 { "-" } else { "" };
    let (whole, rest) = (nanos.unsigned_abs() / 1_000_000_000, nanos.unsigned_abs() % 1_000_000_000);
    format!("{sign}{whole}.{rest:09}").parse().unwrap_or(nanos as f64 / 1e9)
}

/// `true` if a text is a date with a time as [`Unit::Iso8601`] asks for it.
pub fn is_instant(text: &str) -> bool {
    parse_instant(text, None).is_some()
}

/// Such a text in seconds since 1970, without an offset as of UTC.
pub fn instant_seconds(text: &str) -> Option<f64> {
    parse_instant(text, None).map(Time::seconds)
}

/// An instant, such as `2026-03-01T10:00:00+01:00`, `2026-03-01 10:00:00[Europe/Berlin]`, or without an offset one of
/// `zone`.
fn parse_instant(text: &str, zone: Option<&TimeZone>) -> Option<Time> {
    // A date alone would silently become midnight.
    if !text.contains(['T', 't', ' ']) {
        return None;
    }
    let zoned = || text.parse::<Zoned>().ok().map(|zoned| zoned.timestamp());
    let local = || zone.unwrap_or(&TimeZone::UTC).to_timestamp(text.parse::<DateTime>().ok()?).ok();
    let instant = text.parse::<Timestamp>().ok().or_else(zoned).or_else(local)?;
    let nanos = i64::try_from(instant.as_nanosecond()).ok()?;
    Some(Time::new(nanos))
}

/// Reads a decimal number whose unit is 10^`digits` nanoseconds.
fn parse_number(text: &str, digits: u32, numbers: &NumberStyle) -> Result<Time, TimeError> {
    let unreadable = TimeError::Unreadable(NUMBER);
    let Some(text) = numbers.plain(text) else { return Err(unreadable) };
    if let Some(nanos) = exact_nanos(&text, digits) {
        return Ok(Time::new(nanos));
    }
    let value: f64 = text.parse().map_err(|_| unreadable.clone())?;
    if !value.is_finite() {
        return Err(unreadable);
    }
    if value < 0.0 {
        return Err(TimeError::Negative);
    }
    rounded_nanos(value, digits).map(Time::new).ok_or(unreadable)
}

/// The digits of `text` moved by `digits` places, rounded half up; nothing where it has a minus or an exponent.
fn exact_nanos(text: &str, digits: u32) -> Option<i64> {
    let text = text.strip_prefix('+').unwrap_or(text);
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let mut nanos: i64 = 0;
    let kept = fraction.bytes().chain(std::iter::repeat(b'0')).take(digits as usize);
    for digit in whole.bytes().chain(kept) {
        let digit = digit.is_ascii_digit().then(|| i64::from(digit - b'0'))?;
        nanos = nanos.checked_mul(10)?.checked_add(digit)?;
    }
    let dropped = fraction.as_bytes().get(digits as usize..).unwrap_or_default();
    if !dropped.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let up = i64::from(dropped.first().is_some_and(|&digit| digit >= b'5'));
    nanos.checked_add(up)
}

fn rounded_nanos(value: f64, digits: u32) -> Option<i64> {
    let nanos = (value * 10f64.powi(digits as i32)).round();
    (nanos.abs() < i64::MAX as f64).then_some(nanos as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, unit: Unit) -> Result<(f64, i64), TimeError> {
        parse_time(text, unit, &TimeStyle { numbers: NumberStyle::default(), zone: None })
            .map(|time| (time.seconds(), time.nanos()))
    }

    #[test]
    fn every_unit_is_read_to_the_nanosecond() {
        assert_eq!(read("2783.0", Unit::Milliseconds), Ok((2.783, 2_783_000_000)));
        assert_eq!(read(".5", Unit::Seconds), Ok((0.5, 500_000_000)));
        assert_eq!(read("1e3", Unit::Microseconds), Ok((0.001, 1_000_000)));
        assert_eq!(read("7", Unit::Nanoseconds), Ok((7e-9, 7)));
        assert_eq!(read("0.0000000005", Unit::Seconds), Ok((1e-9, 1)), "what is finer is rounded");
        assert_eq!(read("1700000000123", Unit::EpochMilliseconds), Ok((1_700_000_000.123, 1_700_000_000_123_000_000)));
        let written =
            |decimal_comma, thousands| TimeStyle { numbers: NumberStyle { decimal_comma, thousands }, zone: None };
        let comma = written(true, None);
        assert_eq!(parse_time("2,5", Unit::Seconds, &comma).map(Time::nanos), Ok(2_500_000_000));
        let milliseconds = |text, style: &TimeStyle| parse_time(text, Unit::Milliseconds, style).map(Time::seconds);
        assert_eq!(milliseconds("1,393", &written(false, Some(','))), Ok(1.393));
        assert_eq!(milliseconds("1.444,5", &written(true, Some('.'))), Ok(1.4445));
        assert_eq!(milliseconds("1,39", &written(false, Some(','))), Err(TimeError::Unreadable(NUMBER)));
    }

    #[test]
    fn instants_with_and_without_an_offset() {
        let noon = Ok((1_767_268_800.25, 1_767_268_800_250_000_000));
        assert_eq!(read("2026-01-01T12:00:00.250Z", Unit::Iso8601), noon);
        assert_eq!(read("2026-01-01T13:00:00.250+01:00", Unit::Iso8601), noon);
        assert_eq!(read("2026-01-01 12:00:00.25", Unit::Iso8601), noon);
        assert_eq!(read("2026-01-01 07:00:00.25[US/Eastern]", Unit::Iso8601), noon);
        let berlin = TimeStyle { numbers: NumberStyle::default(), zone: TimeZone::get("Europe/Berlin").ok() };
        let of_berlin = |text| parse_time(text, Unit::Iso8601, &berlin).map(|time| (time.seconds(), time.nanos()));
        assert_eq!(of_berlin("2026-01-01 13:00:00.25"), noon);
        assert_eq!(of_berlin("2026-01-01 12:00:00.25Z"), noon, "what the text says counts");
        assert!(has_offset("2026-01-01T12:00:00Z") && !has_offset("2026-01-01 12:00:00.25"));
        assert_eq!(read("2026-01-01", Unit::Iso8601), Err(TimeError::Unreadable(INSTANT)));
    }

    #[test]
    fn seconds_are_the_number_that_is_nearest() {
        let mut nanos: i64 = 1;
        for step in 0..200_000_i64 {
            // All magnitudes, and fractions of all kinds.
            nanos = nanos.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            for number in [nanos >> (step % 40), 1_767_268_800_000_000_000 + (nanos >> 34)] {
                let (whole, rest) = (number.unsigned_abs() / 1_000_000_000, number.unsigned_abs() % 1_000_000_000);
                let sign = if number < 0 { "-" } else { "" };
                let nearest: f64 = format!("{sign}{whole}.{rest:09}").parse().unwrap();
                assert_eq!(to_seconds(number), nearest, "of {number} ns");
            }
        }
    }

    #[test]
    fn what_is_no_time_is_refused() {
        for text in
            ["", ".", "+", "+.", "-", "++1", "+-1", "12 s", "1,5", "1.2.3", "NaN", "inf", "0x10", "--1", "1e300"]
        {
            assert_eq!(read(text, Unit::Seconds), Err(TimeError::Unreadable(NUMBER)), "{text:?}");
        }
        for text in ["-0.5", "-0.0000000001", "-1e-3"] {
            assert_eq!(read(text, Unit::Seconds), Err(TimeError::Negative), "{text:?}");
        }
        for text in ["0", "-0", "-0.0", "0.", "+.0", "0e5"] {
            assert_eq!(read(text, Unit::Seconds), Ok((0.0, 0)), "{text:?}");
        }
    }
}
