//! [`Counters`]: what has been judged, counted, for whoever watches over it.
//!
//! How many messages of each sender and kind were accepted, by which rules
//! others were refused, reported or let through, and what was done instead of
//! sending on. Nothing is judged here, and no verdict asks it. How many numbers
//! there are is fixed by the protocol and the table of rules, whatever peers
//! write: no method, name or id is a key. What was counted is read as a
//! [`Snapshot`], in `counters/snapshot.rs`.

mod snapshot;

use std::array;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

pub use snapshot::{RuleCounts, Snapshot};

use crate::kind::{Kind, Sender};
use crate::message::Message;
use crate::rule::{Rule, RuleSet};
use crate::violation::Violation;

/// Counts what has been judged, for all threads: share it by
/// [`Arc`](std::sync::Arc), or make it a `static`.
///
/// Whoever judges says what became of each message, by one of [`note`](Self::note)
/// and [`let_through`](Self::let_through). Every count only grows; what was counted is
/// read by [`snapshot`](Self::snapshot).
///
/// # Bounds
///
/// About 7 KiB, never growing: three numbers for each sender and rule, and a dozen more.
/// Counting is a few additions to atomics, allocates nothing and waits for nobody.
/// Where many threads count at once, one `Counters` for each, added up by
/// [`Snapshot::plus`], keeps them apart. A count starts again at 0 after 2⁶⁴ - 1,
/// which takes centuries.
///
/// ```
/// use mcparse::{Counters, Kind, Policy, Rule, Sender, Validator};
///
/// static COUNTERS: Counters = Counters::new();
///
/// let mut validator = Validator::new(Policy::strict());
/// for message in [
///     &br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#[..],
///     br#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
/// ] {
///     let verdict = validator.check(Sender::Client, message);
///     COUNTERS.note(Sender::Client, verdict.as_ref());
/// }
///
/// let counted = COUNTERS.snapshot();
/// assert_eq!(counted.accepted(Sender::Client, Kind::Request), 1);
/// assert_eq!(counted.rule(Sender::Client, Rule::IdNull).refused, 1);
/// ```
pub struct Counters {
    /// Of what the client sent, and of what the server did.
    sides: [Side<AtomicU64>; 2],
    replaced: AtomicU64,
    dropped: AtomicU64,
}

/// What is counted of the messages of one sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Side<N> {
    /// By [`kind_index`].
    accepted: [N; KINDS],
    /// These three by rule.
    refused: [N; RULES],
    reported: [N; RULES],
    let_through: [N; RULES],
    bytes: N,
}

const KINDS: usize = 4;
const RULES: usize = Rule::ALL.len();

impl Counters {
    /// Counters that have counted nothing.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            sides: [const { Side::new() }; 2],
            replaced: AtomicU64::new(0),
            dropped: AtomicU64::new(0),
        }
    }

    /// Counts a verdict, and the bytes that were judged: an accepted message by its sender
    /// and kind, and each of its findings as reported by its rule; a refused one by
    /// its sender and rule. Say each verdict once.
    ///
    /// What a [`Validator`](crate::Validator) gives goes in by `as_ref`. Of a violation that a framer found,
    /// or that there was no message to (`stream-without-answer`), no bytes are counted.
    pub fn note(&self, from: Sender, verdict: Result<&Message<'_>, &Violation<'_>>) {
        let side = self.side(from);
        match verdict {
            Ok(message) => {
                add(&side.accepted[kind_index(message.kind())], 1);
                add(&side.bytes, message.bytes().len() as u64);
                self.reported(from, message.findings());
            }
            Err(violation) => side.count(violation, &side.refused),
        }
    }

    /// Counts a message that the rules refused and that was sent on all the same,
    /// as one does who only looks on: by its sender and rule, in place of
    /// [`note`](Self::note).
    pub fn let_through(&self, from: Sender, violation: &Violation<'_>) {
        let side = self.side(from);
        side.count(violation, &side.let_through);
    }

    /// Counts rules that are only reported and that no verdict has among its
    /// findings: what an [`Exchange`](crate::Exchange) or a
    /// [`Session`](crate::Session) noticed about a message from this sender.
    pub fn reported(&self, from: Sender, rules: RuleSet) {
        let side = self.side(from);
        for rule in rules {
            add(&side.reported[rule as usize], 1);
        }
    }

    /// Counts an answer that was refused, and in whose place its client was told
    /// of the failure ([`Summary::write_failure`](crate::Summary::write_failure)).
    pub fn replaced(&self) {
        add(&self.replaced, 1);
    }

    /// Counts a message that was not sent on, and that nobody was told of: a
    /// refused notification, say, or what a server sent behind its answer.
    pub fn dropped(&self) {
        add(&self.dropped, 1);
    }

    /// What has been counted by now. While others count it is no single moment:
    /// each number is right, and of a message that is counted meanwhile some may
    /// be there and others not yet.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        let load = |count: &AtomicU64| count.load(Ordering::Relaxed);
        Snapshot {
            sides: self.sides.each_ref().map(|side| side.map(load)),
            replaced: load(&self.replaced),
            dropped: load(&self.dropped),
        }
    }

    const fn side(&self, from: Sender) -> &Side<AtomicU64> {
        &self.sides[sender_index(from)]
    }
}

impl Default for Counters {
    fn default() -> Self {
        Self::new()
    }
}

/// What has been counted by now.
impl fmt::Debug for Counters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Counters").field(&self.snapshot()).finish()
    }
}

impl Side<AtomicU64> {
    const fn new() -> Self {
        Self {
            accepted: [const { AtomicU64::new(0) }; KINDS],
            refused: [const { AtomicU64::new(0) }; RULES],
            reported: [const { AtomicU64::new(0) }; RULES],
            let_through: [const { AtomicU64::new(0) }; RULES],
            bytes: AtomicU64::new(0),
        }
    }

    fn count(&self, violation: &Violation<'_>, rules: &[AtomicU64; RULES]) {
        add(&rules[violation.rule() as usize], 1);
        add(&self.bytes, violation.message().len() as u64);
    }
}

impl<N> Side<N> {
    fn map<M>(&self, each: impl Fn(&N) -> M + Copy) -> Side<M> {
        Side {
            accepted: self.accepted.each_ref().map(each),
            refused: self.refused.each_ref().map(each),
            reported: self.reported.each_ref().map(each),
            let_through: self.let_through.each_ref().map(each),
            bytes: each(&self.bytes),
        }
    }
}

impl Side<u64> {
    /// Number by number.
    fn zip(&self, other: &Self, each: impl Fn(u64, u64) -> u64 + Copy) -> Self {
        let rules = |own: &[u64; RULES], other: &[u64; RULES]| {
            array::from_fn(|at| each(own[at], other[at]))
        };
        Self {
            accepted: array::from_fn(|at| each(self.accepted[at], other.accepted[at])),
            refused: rules(&self.refused, &other.refused),
            reported: rules(&self.reported, &other.reported),
            let_through: rules(&self.let_through, &other.let_through),
            bytes: each(self.bytes, other.bytes),
        }
    }
}

/// Relaxed: no other memory hangs on a count.
fn add(count: &AtomicU64, more: u64) {
    count.fetch_add(more, Ordering::Relaxed);
}

const fn sender_index(from: Sender) -> usize {
    match from {
        Sender::Client => 0,
        Sender::Server => 1,
    }
}

const fn kind_index(kind: Kind) -> usize {
    match kind {
        Kind::Request => 0,
        Kind::Notification => 1,
        Kind::Result => 2,
        Kind::Error => 3,
    }
}
