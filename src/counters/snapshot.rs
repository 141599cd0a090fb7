//! What had been counted at one time: plain numbers, to be shown, compared and
//! exported in whatever form is asked for.

use std::fmt;

use super::{Side, kind_index, sender_index};
use crate::kind::{Kind, Sender};
use crate::rule::Rule;

/// What [`Counters`](crate::Counters) had counted at one time: plain data, about
/// 7 KiB, to be read as it is or written in the form of any metrics system.
///
/// As the text that Prometheus reads:
///
/// ```
/// use std::fmt::Write;
///
/// use mcparse::{Counters, Kind, Policy, Sender, Snapshot, Validator};
///
/// fn prometheus(counted: &Snapshot, out: &mut String) -> std::fmt::Result {
///     for from in [Sender::Client, Sender::Server] {
///         for (name, kind) in
///             [("request", Kind::Request), ("notification", Kind::Notification), ("result", Kind::Result), ("error", Kind::Error)]
///         {
///             let sum = counted.accepted(from, kind);
///             writeln!(out, "mcp_accepted_total{{from=\"{from}\",kind=\"{name}\"}} {sum}")?;
///         }
///         writeln!(out, "mcp_judged_bytes_total{{from=\"{from}\"}} {}", counted.bytes(from))?;
///     }
///     for (from, rule, sums) in counted.rules() {
///         for (what, sum) in [("refused", sums.refused), ("reported", sums.reported), ("let_through", sums.let_through)] {
///             writeln!(out, "mcp_{what}_total{{from=\"{from}\",rule=\"{rule}\"}} {sum}")?;
///         }
///     }
///     writeln!(out, "mcp_replaced_total {}\nmcp_dropped_total {}", counted.replaced(), counted.dropped())
/// }
///
/// let counters = Counters::new();
/// let verdict = Validator::new(Policy::strict()).check(Sender::Client, b"[]").map(drop);
/// counters.note(Sender::Client, Err(&verdict.unwrap_err()));
///
/// let mut text = String::new();
/// prometheus(&counters.snapshot(), &mut text).unwrap();
/// assert!(text.contains("mcp_refused_total{from=\"client\",rule=\"batch\"} 1\n"));
/// assert!(text.contains("mcp_judged_bytes_total{from=\"client\"} 2\n"));
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Snapshot {
    pub(super) sides: [Side<u64>; 2],
    pub(super) replaced: u64,
    pub(super) dropped: u64,
}

/// How often one rule was broken by the messages of one sender, by what became
/// of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RuleCounts {
    /// Messages refused by it.
    pub refused: u64,
    /// Messages of which it was reported.
    pub reported: u64,
    /// Messages that it refused and that were sent on all the same.
    pub let_through: u64,
}

impl RuleCounts {
    /// Whether the rule was never broken.
    #[must_use]
    pub fn is_zero(self) -> bool {
        self == Self::default()
    }
}

impl Snapshot {
    /// How many messages of this kind were accepted from this sender.
    #[must_use]
    pub const fn accepted(&self, from: Sender, kind: Kind) -> u64 {
        self.side(from).accepted[kind_index(kind)]
    }

    /// How many messages from this sender were refused, by whatever rule.
    #[must_use]
    pub fn refused(&self, from: Sender) -> u64 {
        sum(&self.side(from).refused)
    }

    /// How many messages from this sender the rules refused and were sent on all
    /// the same.
    #[must_use]
    pub fn let_through(&self, from: Sender) -> u64 {
        sum(&self.side(from).let_through)
    }

    /// How many messages from this sender were judged: accepted, refused or let
    /// through.
    ///
    /// ```
    /// use mcparse::{Counters, Policy, Sender, Validator};
    ///
    /// let counters = Counters::new();
    /// let mut validator = Validator::new(Policy::strict());
    /// counters.note(Sender::Server, validator.check(Sender::Server, b"noise").as_ref());
    /// if let Err(violation) = validator.check(Sender::Server, b"more") {
    ///     counters.let_through(Sender::Server, &violation);
    /// }
    /// let counted = counters.snapshot();
    /// assert_eq!(counted.messages(Sender::Server), 2);
    /// assert_eq!((counted.refused(Sender::Server), counted.let_through(Sender::Server)), (1, 1));
    /// ```
    #[must_use]
    pub fn messages(&self, from: Sender) -> u64 {
        let read = sum(&self.side(from).accepted).saturating_add(self.refused(from));
        read.saturating_add(self.let_through(from))
    }

    /// How many bytes those messages have, but for what a framer found too long to
    /// be held, and what came as no message.
    #[must_use]
    pub const fn bytes(&self, from: Sender) -> u64 {
        self.side(from).bytes
    }

    /// How often the messages of this sender broke this rule.
    #[must_use]
    pub const fn rule(&self, from: Sender, rule: Rule) -> RuleCounts {
        let side = self.side(from);
        RuleCounts {
            refused: side.refused[rule as usize],
            reported: side.reported[rule as usize],
            let_through: side.let_through[rule as usize],
        }
    }

    /// The rules that were broken, and how often: those of the client's messages
    /// in the order of judgement, then those of the server's. Which those are is
    /// bounded by [`Rule::ALL`].
    pub fn rules(&self) -> impl Iterator<Item = (Sender, Rule, RuleCounts)> {
        let of = |from| Rule::ALL.iter().map(move |&rule| (from, rule, self.rule(from, rule)));
        let all = of(Sender::Client).chain(of(Sender::Server));
        all.filter(|(_, _, counts)| !counts.is_zero())
    }

    /// How many refused answers were replaced by what their client was told
    /// instead.
    #[must_use]
    pub const fn replaced(&self) -> u64 {
        self.replaced
    }

    /// How many messages were not sent on, without a word to anybody.
    #[must_use]
    pub const fn dropped(&self) -> u64 {
        self.dropped
    }

    /// What was counted between `earlier` and this. A count that is smaller now,
    /// since the two are of different [`Counters`](crate::Counters), gives 0.
    ///
    /// ```
    /// use mcparse::Counters;
    ///
    /// let counters = Counters::new();
    /// counters.dropped();
    /// let earlier = counters.snapshot();
    /// counters.dropped();
    /// assert_eq!(counters.snapshot().since(&earlier), earlier);
    /// ```
    #[must_use]
    pub fn since(&self, earlier: &Self) -> Self {
        self.zip(earlier, u64::saturating_sub)
    }

    /// Both together, where several [`Counters`](crate::Counters) count.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        self.zip(other, u64::saturating_add)
    }

    const fn side(&self, from: Sender) -> &Side<u64> {
        &self.sides[sender_index(from)]
    }

    fn zip(&self, other: &Self, each: impl Fn(u64, u64) -> u64 + Copy) -> Self {
        let [client, server] = &self.sides;
        let [other_client, other_server] = &other.sides;
        Self {
            sides: [client.zip(other_client, each), server.zip(other_server, each)],
            replaced: each(self.replaced, other.replaced),
            dropped: each(self.dropped, other.dropped),
        }
    }
}

fn sum(counts: &[u64]) -> u64 {
    counts.iter().fold(0, |sum, &count| sum.saturating_add(count))
}

/// The sums, and of the rules those that were broken.
impl fmt::Debug for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rules = self.rules().map(|(from, rule, counts)| ((from, rule.id()), counts));
        let rules: Vec<_> = rules.collect();
        f.debug_struct("Snapshot")
            .field("client", &self.side(Sender::Client).accepted)
            .field("server", &self.side(Sender::Server).accepted)
            .field("rules", &rules)
            .field("replaced", &self.replaced)
            .field("dropped", &self.dropped)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counters::Counters;

    #[test]
    fn sums_and_differences_stop_at_their_ends() {
        let mut most = Counters::new().snapshot();
        most.dropped = u64::MAX;
        most.sides[0].accepted = [u64::MAX; 4];
        most.sides[0].refused[0] = 1;
        most.sides[0].let_through[0] = 1;
        assert_eq!(most.messages(Sender::Client), u64::MAX);
        assert_eq!(most.plus(&most).dropped(), u64::MAX);
        assert_eq!(most.plus(&most).refused(Sender::Client), 2);
        assert_eq!(Counters::new().snapshot().since(&most), Counters::new().snapshot());
    }
}
