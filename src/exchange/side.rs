//! The requests of one party: which wait for their answers, and which are over.
//!
//! ```text
//!  sent ──▶ waiting ──answer──▶ answered ◀──────────────┐
//!             │                    ▲ └─answer: answer-twice
//!             │                    │
//!             ├──cancel──▶ cancelled ─answer: answer-after-cancel
//!             └──closed by the server──▶ closed ─answer──┘
//! ```
//!
//! What is over is remembered for a while. A request that was cancelled and not
//! answered keeps its id: whoever gave it to another one could not tell their
//! answers apart.

use super::limits::ExchangeLimits;
use super::progress::Tokens;
use super::table::{Slot, Table};
use crate::id::Id;
use crate::rule::{Rule, RuleSet};
use crate::summary::{Summary, fingerprint};

/// A request that waits.
#[derive(Clone, Copy)]
pub(super) struct Waiting {
    pub(super) summary: Summary,
    /// The fingerprints of its id, of its method with what that is called on, and
    /// of these with the cursor.
    pub(super) id: u64,
    pub(super) call: u64,
    pub(super) page: u64,
    pub(super) is_modern: bool,
    /// Whether it asks for log messages.
    pub(super) wants_log: bool,
    /// Its stream, if it opened one that is tracked.
    pub(super) subscription: Option<Slot>,
}

/// How a request ended.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Answered,
    /// Its sender has given it up.
    Cancelled,
    /// The server has torn its stream down; it may say so in an answer too.
    Closed,
}

/// A request that is over.
#[derive(Clone, Copy)]
struct Over {
    summary: Summary,
    end: End,
}

/// What an id names.
pub(super) enum Named<'s> {
    Waiting(Slot, &'s Waiting),
    Over(End, &'s Summary),
    /// Perhaps a request that was not tracked.
    Untracked,
    Unknown,
}

pub(super) struct Side {
    waiting: Table<Waiting>,
    over: Table<Over>,
    pub(super) tokens: Tokens,
    /// How many requests went by that were not tracked and not answered since.
    /// As long as there is one, an id that is not known may be its.
    untracked: usize,
    /// The fingerprint of the id of the last of them, until something may have
    /// answered it.
    last_untracked: Option<u64>,
    /// How many of those that wait ask for log messages.
    loggers: usize,
    /// Whether a notification is the last that was sent.
    notified: bool,
}

impl Side {
    pub(super) const fn new(limits: &ExchangeLimits) -> Self {
        Self {
            waiting: Table::new(limits.in_flight),
            over: Table::new(limits.remembered),
            tokens: Tokens::new(limits),
            untracked: 0,
            last_untracked: None,
            loggers: 0,
            notified: false,
        }
    }

    pub(super) fn clear(&mut self) {
        self.waiting.clear();
        self.over.clear();
        self.tokens.clear();
        (self.untracked, self.last_untracked) = (0, None);
        (self.loggers, self.notified) = (0, false);
    }

    pub(super) fn waiting(&self) -> impl Iterator<Item = &Summary> {
        self.waiting.iter().map(|waiting| &waiting.summary)
    }

    pub(super) fn get(&self, slot: Slot) -> Option<&Waiting> {
        self.waiting.get(slot)
    }

    pub(super) fn is_full(&self) -> bool {
        self.waiting.is_full()
    }

    /// Whether a request went by untracked, and so nothing that is not known can
    /// be called wrong.
    pub(super) const fn misses_some(&self) -> bool {
        self.untracked > 0
    }

    /// Whether a request that waits asks for log messages.
    pub(super) const fn wants_log(&self) -> bool {
        self.loggers > 0 || self.untracked > 0
    }

    /// What `id` names.
    pub(super) fn named(&self, id: Id<'_>) -> Named<'_> {
        let key = fingerprint(id);
        let waiting = self.waiting.all(key).find(|(_, waiting)| waiting.summary.has_id(id));
        if let Some((slot, waiting)) = waiting {
            return Named::Waiting(slot, waiting);
        }
        match self.over.all(key).find(|(_, over)| over.summary.has_id(id)) {
            Some((_, over)) => Named::Over(over.end, &over.summary),
            None if self.untracked > 0 => Named::Untracked,
            None => Named::Unknown,
        }
    }

    /// Notes a notification.
    pub(super) const fn notify(&mut self) {
        self.notified = true;
    }

    /// The request that already has this id: it waits, or it was cancelled and
    /// not answered.
    pub(super) fn holder(&self, id: Id<'_>) -> Option<&Summary> {
        match self.named(id) {
            Named::Waiting(_, waiting) => Some(&waiting.summary),
            Named::Over(End::Cancelled, summary) => Some(summary),
            _ => None,
        }
    }

    /// Notes a request whose id nobody holds. It has no slot if there was no room.
    pub(super) fn begin(&mut self, request: &Waiting) -> (RuleSet, Option<Slot>) {
        self.notified = false;
        self.over.forget(request.id);
        let Some(slot) = self.waiting.add(request.id, *request) else {
            self.untracked = self.untracked.saturating_add(1);
            self.last_untracked = Some(request.id);
            if let Some(token) = request.summary.progress_token() {
                self.tokens.goes_on(token);
            }
            return (RuleSet::EMPTY.with(Rule::ExchangeFull), None);
        };
        self.loggers += usize::from(request.wants_log);
        let rules = match request.summary.progress_token() {
            Some(token) => self.tokens.begin(token, slot),
            None => RuleSet::EMPTY,
        };
        (rules, Some(slot))
    }

    /// Ties a request to its stream.
    pub(super) fn opened(&mut self, slot: Slot, subscription: Option<Slot>) {
        if let Some(waiting) = self.waiting.get_mut(slot) {
            waiting.subscription = subscription;
        }
    }

    /// Takes a request that waits out of the table, to be forgotten or
    /// remembered as `end`.
    pub(super) fn end(&mut self, slot: Slot, end: Option<End>) -> Option<Waiting> {
        let waiting = self.waiting.remove(slot)?;
        self.loggers -= usize::from(waiting.wants_log);
        if let Some(token) = waiting.summary.progress_token() {
            self.tokens.end(token, slot, end);
        }
        if let Some(end) = end {
            self.over.replace(waiting.id, Over { summary: waiting.summary, end });
        }
        Some(waiting)
    }

    /// If this is the id of the last request that was not tracked, it was not
    /// forwarded either: nothing that comes can be its. Whether it is.
    pub(super) fn forgo(&mut self, id: Id<'_>) -> bool {
        let is_it = self.last_untracked == Some(fingerprint(id));
        if is_it {
            self.untracked = self.untracked.saturating_sub(1);
            self.last_untracked = None;
        }
        is_it
    }

    /// What is wrong with an answer to no request that waits.
    pub(super) fn stray_answer(&mut self, id: Option<Id<'_>>) -> Option<Rule> {
        let Some(id) = id else { return self.answer_without_id() };
        match self.named(id) {
            // It is over for good.
            Named::Over(end, summary) => {
                let over = Over { summary: *summary, end: End::Answered };
                self.over.replace(fingerprint(id), over);
                match end {
                    End::Answered => Some(Rule::AnswerTwice),
                    End::Cancelled => Some(Rule::AnswerAfterCancel),
                    End::Closed => None,
                }
            }
            Named::Untracked => {
                self.untracked -= 1;
                self.last_untracked = None;
                None
            }
            Named::Waiting(..) => None,
            Named::Unknown => Some(Rule::AnswerUnknown),
        }
    }

    /// An error without an id answers nothing that waits. If nothing does, and
    /// the last that was sent is a notification, it can only be about that.
    fn answer_without_id(&mut self) -> Option<Rule> {
        if self.untracked > 0 {
            return None;
        }
        let of_notification = self.notified && self.waiting.is_empty();
        self.notified &= !of_notification;
        let rule = if of_notification { Rule::NotificationAnswered } else { Rule::AnswerUnknown };
        Some(rule)
    }
}
