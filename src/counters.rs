//! What was judged, counted: who sent it, what it was, and which rules it broke.
//!
//! Its size is fixed: no count depends on what a peer wrote.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::kind::{Kind, Sender};
use crate::message::Message;
use crate::rule::Rule;
use crate::violation::Violation;

/// Counts of what was judged, for all threads: share it as `Arc<Counters>`. Some ten
/// kilobytes, and no lock.
///
/// ```
/// use mcparse::{Counters, Kind, Policy, Rule, Sender, Validator};
///
/// let counters = Counters::new();
/// let mut validator = Validator::new(Policy::strict());
/// for message in [&br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#[..], b"[]"] {
///     let verdict = validator.check(Sender::Client, message);
///     counters.note(Sender::Client, verdict.as_ref());
/// }
///
/// let counted = counters.snapshot();
/// assert_eq!(counted.accepted(Sender::Client, Kind::Request), 1);
/// assert_eq!(counted.rule(Rule::Batch).refused, 1);
///
/// // As Prometheus has it:
/// let mut text = String::new();
/// for (rule, counts) in counted.rules() {
///     for (action, count) in counts.by_action() {
///         text += &format!("mcp_rule_total{{rule=\"{rule}\",action=\"{action}\"}} {count}\n");
///     }
/// }
/// assert!(text.contains("mcp_rule_total{rule=\"batch\",action=\"refused\"} 1\n"));
/// ```
pub struct Counters {
    /// By sender and kind.
    accepted: [[AtomicU64; KINDS.len()]; 2],
    /// Of the accepted messages.
    bytes: [AtomicU64; 2],
    refused: [AtomicU64; RULES],
    reported: [AtomicU64; RULES],
    let_through: [AtomicU64; RULES],
    replaced: AtomicU64,
    dropped: AtomicU64,
}

const RULES: usize = Rule::ALL.len();
const KINDS: [Kind; 4] = [Kind::Request, Kind::Notification, Kind::Result, Kind::Error];
const SENDERS: [Sender; 2] = [Sender::Client, Sender::Server];

impl Counters {
    /// Nothing counted yet.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            accepted: [const { [const { AtomicU64::new(0) }; KINDS.len()] }; 2],
            bytes: [const { AtomicU64::new(0) }; 2],
            refused: [const { AtomicU64::new(0) }; RULES],
            reported: [const { AtomicU64::new(0) }; RULES],
            let_through: [const { AtomicU64::new(0) }; RULES],
            replaced: AtomicU64::new(0),
            dropped: AtomicU64::new(0),
        }
    }

    /// Counts a message by its verdict: what was accepted by its kind and its findings,
    /// what was refused by its rule.
    pub fn note(&self, from: Sender, verdict: Result<&Message<'_>, &Violation<'_>>) {
        match verdict {
            Ok(message) => {
                add(&self.accepted[from as usize][place(message.kind())], 1);
                add(&self.bytes[from as usize], message.bytes().len() as u64);
                for rule in message.findings().iter() {
                    add(&self.reported[rule as usize], 1);
                }
            }
            Err(violation) => add(&self.refused[violation.rule() as usize], 1),
        }
    }

    /// Counts a message that would have been refused, and went on all the same, because
    /// somebody only observes.
    pub fn note_let_through(&self, violation: &Violation<'_>) {
        add(&self.let_through[violation.rule() as usize], 1);
    }

    /// Counts an answer of which its client got an error in its place, besides what
    /// [`note`](Self::note) counts of it.
    pub fn note_replaced(&self) {
        add(&self.replaced, 1);
    }

    /// Counts a message of the server's that was left out, besides what
    /// [`note`](Self::note) counts of it.
    pub fn note_dropped(&self) {
        add(&self.dropped, 1);
    }

    /// What has been counted by now. While others count, each count is right by itself.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        let get = |count: &AtomicU64| count.load(Ordering::Relaxed);
        Snapshot {
            accepted: self.accepted.each_ref().map(|kinds| kinds.each_ref().map(get)),
            bytes: self.bytes.each_ref().map(get),
            rules: std::array::from_fn(|rule| RuleCounts {
                refused: get(&self.refused[rule]),
                reported: get(&self.reported[rule]),
                let_through: get(&self.let_through[rule]),
            }),
            replaced: get(&self.replaced),
            dropped: get(&self.dropped),
        }
    }
}

/// Wraps around after 2^64.
fn add(count: &AtomicU64, more: u64) {
    count.fetch_add(more, Ordering::Relaxed);
}

/// Where a kind stands in [`KINDS`].
const fn place(kind: Kind) -> usize {
    kind as usize
}

impl Default for Counters {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Counters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.snapshot().fmt(f)
    }
}

/// What [`Counters`] had counted at one moment: plain numbers, for any crate of metrics.
#[derive(Clone, PartialEq, Eq)]
pub struct Snapshot {
    accepted: [[u64; KINDS.len()]; 2],
    bytes: [u64; 2],
    rules: [RuleCounts; RULES],
    replaced: u64,
    dropped: u64,
}

/// How often a rule was broken, by what was done then.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RuleCounts {
    /// The message was refused.
    pub refused: u64,
    /// It was accepted, and the rule is among its findings.
    pub reported: u64,
    /// It would have been refused, and went on.
    pub let_through: u64,
}

impl RuleCounts {
    /// The counts with their names: `refused`, `reported` and `let_through`.
    pub fn by_action(&self) -> impl Iterator<Item = (&'static str, u64)> + use<> {
        let Self { refused, reported, let_through } = *self;
        [("refused", refused), ("reported", reported), ("let_through", let_through)].into_iter()
    }
}

impl Snapshot {
    /// How many messages of this kind were accepted from this side.
    #[must_use]
    pub const fn accepted(&self, from: Sender, kind: Kind) -> u64 {
        self.accepted[from as usize][place(kind)]
    }

    /// All of these: who sent them, of what kind they are, and how many there were.
    pub fn messages(&self) -> impl Iterator<Item = (Sender, Kind, u64)> + '_ {
        let kinds = |from| KINDS.into_iter().map(move |kind| (from, kind));
        let all = SENDERS.into_iter().flat_map(kinds);
        all.map(|(from, kind)| (from, kind, self.accepted(from, kind)))
    }

    /// How many bytes the accepted messages of this side have.
    #[must_use]
    pub const fn bytes(&self, from: Sender) -> u64 {
        self.bytes[from as usize]
    }

    /// How often this rule was broken.
    #[must_use]
    pub const fn rule(&self, rule: Rule) -> RuleCounts {
        self.rules[rule as usize]
    }

    /// Those of the rules that were ever broken, in the order of judgement.
    pub fn rules(&self) -> impl Iterator<Item = (Rule, RuleCounts)> + '_ {
        let all = Rule::ALL.iter().map(|&rule| (rule, self.rule(rule)));
        all.filter(|(_, counts)| *counts != RuleCounts::default())
    }

    /// How many answers their clients got an error for.
    #[must_use]
    pub const fn replaced(&self) -> u64 {
        self.replaced
    }

    /// How many messages of servers were left out.
    #[must_use]
    pub const fn dropped(&self) -> u64 {
        self.dropped
    }
}

/// What is not zero.
impl fmt::Debug for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut map = f.debug_map();
        for (from, kind, count) in self.messages().filter(|&(.., count)| count > 0) {
            map.entry(&format_args!("{from} {kind:?}"), &count);
        }
        for (rule, counts) in self.rules() {
            map.entry(&format_args!("{rule}"), &counts);
        }
        map.entry(&"replaced", &self.replaced).entry(&"dropped", &self.dropped).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::Policy;
    use crate::validator::Validator;

    #[test]
    fn kinds_and_senders_stand_where_they_are_counted() {
        for (at, kind) in KINDS.into_iter().enumerate() {
            assert_eq!(place(kind), at);
        }
        for (at, from) in SENDERS.into_iter().enumerate() {
            assert_eq!(from as usize, at);
        }
    }

    #[test]
    fn each_message_is_counted_once_by_what_was_said_of_it() {
        let counters = Counters::new();
        let mut validator = Validator::new(Policy::strict());
        let mut check = |from, text: &'static str| {
            let verdict = validator.check(from, text.as_bytes());
            counters.note(from, verdict.as_ref());
            if let Err(violation) = &verdict {
                counters.note_let_through(violation);
            }
        };
        check(Sender::Client, r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#);
        check(Sender::Client, r#"{"jsonrpc":"2.0","id":1,"method":"ping","x":1}"#);
        check(Sender::Client, r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        check(Sender::Server, r#"{"jsonrpc":"2.0","id":1,"result":{}}"#);
        check(Sender::Server, r#"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":""}}"#);
        check(Sender::Server, "{");
        check(Sender::Client, "{");
        counters.note_replaced();

        let counted = counters.snapshot();
        let messages: Vec<_> = counted.messages().filter(|&(.., count)| count > 0).collect();
        assert_eq!(
            messages,
            [
                (Sender::Client, Kind::Request, 2),
                (Sender::Client, Kind::Notification, 1),
                (Sender::Server, Kind::Result, 1),
                (Sender::Server, Kind::Error, 1),
            ]
        );
        assert_eq!(counted.bytes(Sender::Client), 40 + 46 + 54);
        let rules: Vec<_> = counted.rules().collect();
        let (refused, reported) = (RuleCounts::default(), RuleCounts::default());
        assert_eq!(
            rules,
            [
                (Rule::NotJson, RuleCounts { refused: 2, let_through: 2, ..refused }),
                (Rule::UnknownMember, RuleCounts { reported: 1, ..reported }),
            ]
        );
        assert_eq!((counted.replaced(), counted.dropped()), (1, 0));
    }

    #[test]
    fn threads_count_together() {
        let counters = Counters::new();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    let mut validator = Validator::new(Policy::strict());
                    for _ in 0..1000 {
                        let verdict = validator.check(Sender::Client, b"[]");
                        counters.note(Sender::Client, verdict.as_ref());
                    }
                });
            }
        });
        assert_eq!(counters.snapshot().rule(Rule::Batch).refused, 4000);
    }
}
