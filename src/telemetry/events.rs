//! Events of what the rules refused and what they only reported.

use std::fmt;

use super::names::{FROM, RULE};
use crate::kind::Sender;
use crate::rule::RuleSet;
use crate::violation::Violation;

/// The target of every span and event, to filter by.
pub const TARGET: &str = "mcparse";

/// An event of the level `WARN`: a message from this sender was refused.
///
/// Its fields are [`RULE`], [`FROM`], `stage`, `code`, `offset` and, in a stream,
/// `line`; and `reason` and `detail` in words. Only `detail` holds what a peer
/// wrote: a few values, each cut to 64 bytes and escaped to printable ASCII. There
/// is one event for each call; a peer that sends much nonsense makes many, which
/// [`Counters`](crate::Counters) do not.
pub fn refused(from: Sender, violation: &Violation<'_>) {
    broken(from, violation, "message refused");
}

/// The same for a message that the rules refuse and that was sent on all the
/// same, as one does who only looks on. Told apart by its words,
/// `message let through`.
pub fn let_through(from: Sender, violation: &Violation<'_>) {
    broken(from, violation, "message let through");
}

fn broken(from: Sender, violation: &Violation<'_>, what: &'static str) {
    tracing::warn!(
        target: TARGET,
        {
            { RULE } = violation.rule().id(),
            { FROM } = display(from),
            stage = display(violation.rule().stage()),
            code = violation.code().get(),
            offset = violation.offset(),
            line = violation.line(),
            reason = violation.reason(),
            detail = violation.detail().map(display)
        },
        "{what}"
    );
}

/// An event of the level `DEBUG`: a message from this sender was accepted though
/// it broke these rules, whose ids stand in [`RULE`] one behind the other. None if
/// there are none.
pub fn reported(from: Sender, rules: RuleSet) {
    if !rules.is_empty() {
        tracing::debug!(
            target: TARGET,
            { { RULE } = display(Ids(rules)), { FROM } = display(from) },
            "rules broken and only reported"
        );
    }
}

struct Ids(RuleSet);

impl fmt::Display for Ids {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, rule) in self.0.iter().enumerate() {
            write!(f, "{}{rule}", if at == 0 { "" } else { " " })?;
        }
        Ok(())
    }
}
