//! The time as logs have it: RFC 3339, in UTC, to the millisecond.

use std::fmt;
use std::time::{Duration, SystemTime};

/// A moment from 1970 on; one before is shown as the first.
pub(super) struct Moment(Duration);

impl Moment {
    pub(super) fn now() -> Self {
        Self(SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default())
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0.as_secs();
        let (year, month, day) = date(seconds / 86_400);
        let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
        let milli = self.0.subsec_millis();
        write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{milli:03}Z")
    }
}

/// The Gregorian date so many days after 1970-01-01. Years are counted from March,
/// so that the leap day is the last of its year.
const fn date(days: u64) -> (u64, u64, u64) {
    // Days since 0000-03-01, in cycles of 400 years.
    let days = days + 719_468;
    let (cycle, of_cycle) = (days / 146_097, days % 146_097);
    let of_years = of_cycle - of_cycle / 1460 + of_cycle / 36_524 - of_cycle / 146_096;
    let year = of_years / 365;
    let of_year = of_cycle - (365 * year + year / 4 - year / 100);
    // From March on months have 31, 30, 31, 30, 31 days, and so on again.
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let is_next = month >= 10;
    let month = if is_next { month - 9 } else { month + 3 };
    (400 * cycle + year + is_next as u64, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_those_of_the_calendar() {
        for (seconds, shown) in [
            (0, "1970-01-01T00:00:00.007Z"),
            (951_782_399, "2000-02-28T23:59:59.007Z"),
            (951_782_400, "2000-02-29T00:00:00.007Z"),
            (1_709_251_199, "2024-02-29T23:59:59.007Z"),
            (1_785_196_800, "2026-07-28T00:00:00.007Z"),
            (4_107_542_400, "2100-03-01T00:00:00.007Z"),
        ] {
            let moment = Moment(Duration::from_millis(seconds * 1000 + 7));
            assert_eq!(moment.to_string(), shown);
        }
    }

    #[test]
    fn day_follows_day() {
        let lengths = |year: u64| {
            let leaps =
                year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
            [31, 28 + u64::from(leaps), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        };
        let mut days = 0;
        for year in 1970..2500 {
            for (month, length) in (1..).zip(lengths(year)) {
                for day in 1..=length {
                    assert_eq!(date(days), (year, month, day));
                    days += 1;
                }
            }
        }
    }
}
