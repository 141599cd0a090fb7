//! What is said of a source, and what it comes to: the sums, and how it went.

use mcparse::Rule;

use super::Outcome;
use super::judge::Record;
use super::statistics::Statistics;

/// What is to be printed.
#[expect(clippy::large_enum_variant, reason = "nearly all are of the largest")]
pub(super) enum Said<'m> {
    Record(Record<'m>),
    /// On standard error: a broken rule with no message to tell it with.
    Finding {
        rule: Rule,
        is_refused: bool,
        note: String,
    },
    /// On standard error.
    Note(String),
    /// The same: something could not be read.
    Failure(String),
}

pub(super) struct Tally {
    pub(super) statistics: Statistics,
    pub(super) outcome: Outcome,
}

impl Tally {
    pub(super) fn new() -> Self {
        Self { statistics: Statistics::default(), outcome: Outcome::Accepted }
    }

    /// Counts what is printed, in its order.
    pub(super) fn count(&mut self, said: &Said<'_>) {
        let outcome = match said {
            Said::Record(record) => {
                self.statistics.add(record);
                if record.is_refused() { Outcome::Refused } else { Outcome::Accepted }
            }
            Said::Finding { rule, is_refused, .. } => {
                self.statistics.add_finding(*rule);
                if *is_refused { Outcome::Refused } else { Outcome::Accepted }
            }
            Said::Note(_) => Outcome::Accepted,
            Said::Failure(_) => Outcome::Failed,
        };
        self.outcome = self.outcome.max(outcome);
    }
}
