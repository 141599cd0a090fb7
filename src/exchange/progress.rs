//! The progress tokens of one party's requests, and how far each has come.
//!
//! A token lives as long as its request. Of one whose request was cancelled
//! nothing is said, since the other party may not have heard of it yet; nor of
//! one whose answer is a task, which goes on.

use std::cmp::Ordering;

use super::limits::ExchangeLimits;
use super::side::End;
use super::table::{Slot, Table};
use crate::id::Decimal;
use crate::rule::{Rule, RuleSet};
use crate::summary::Kept;

#[derive(Clone, Copy)]
struct Token {
    request: Slot,
    /// The last progress, as it was written.
    last: Kept,
}

/// What progress under a token is, that no request which waits has.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Past {
    Answered,
    /// It may go on.
    Open,
}

pub(super) struct Tokens {
    active: Table<Token>,
    past: Table<Past>,
    /// How many requests that wait have a token that is not in the table.
    untracked: usize,
}

impl Tokens {
    pub(super) const fn new(limits: &ExchangeLimits) -> Self {
        Self {
            active: Table::new(limits.progress_tokens),
            past: Table::new(limits.remembered),
            untracked: 0,
        }
    }

    pub(super) fn clear(&mut self) {
        self.active.clear();
        self.past.clear();
        self.untracked = 0;
    }

    /// Notes the token of a request that was sent. One that is in use stays with
    /// the request that has it.
    pub(super) fn begin(&mut self, token: u64, request: Slot) -> RuleSet {
        if self.active.find(token).is_some() {
            self.untracked += 1;
            return RuleSet::EMPTY.with(Rule::ProgressTokenReused);
        }
        self.past.forget(token);
        if self.active.add(token, Token { request, last: Kept::NOTHING }).is_none() {
            self.untracked += 1;
            return RuleSet::EMPTY.with(Rule::ExchangeFull);
        }
        RuleSet::EMPTY
    }

    /// The request that had the token has ended, or is forgotten.
    pub(super) fn end(&mut self, token: u64, request: Slot, end: Option<End>) {
        let own = self.active.find(token).filter(|(_, active)| active.request == request);
        let Some((slot, _)) = own else {
            self.untracked = self.untracked.saturating_sub(1);
            return;
        };
        self.active.remove(slot);
        match end {
            Some(End::Answered) => self.past.replace(token, Past::Answered),
            Some(End::Cancelled | End::Closed) => self.past.replace(token, Past::Open),
            None => {}
        }
    }

    /// The token may be in use beyond what is in the table: its request was
    /// answered with a task, or is not tracked.
    pub(super) fn goes_on(&mut self, token: u64) {
        if self.active.find(token).is_none() {
            self.past.replace(token, Past::Open);
        }
    }

    /// Hears of progress: the request that has the token, and what is wrong.
    /// `misses_some` says that requests went by which are not known.
    pub(super) fn hear(
        &mut self,
        token: u64,
        progress: Option<&[u8]>,
        misses_some: bool,
    ) -> (Option<Slot>, Option<Rule>) {
        let Some((slot, active)) = self.active.find(token) else {
            return (None, self.stray(token, misses_some));
        };
        let request = active.request;
        let Some((progress, active)) = progress.zip(self.active.get_mut(slot)) else {
            return (Some(request), None);
        };
        let last = active.last.lexeme().filter(|last| !last.is_empty());
        let order = last.and_then(|last| Decimal::new(progress).compare(&Decimal::new(last)));
        active.last = Kept::new(progress, ());
        let is_behind = matches!(order, Some(Ordering::Less | Ordering::Equal));
        (Some(request), is_behind.then_some(Rule::ProgressNotIncreasing))
    }

    fn stray(&self, token: u64, misses_some: bool) -> Option<Rule> {
        if misses_some || self.untracked > 0 {
            return None;
        }
        match self.past.find(token) {
            Some((_, Past::Answered)) => Some(Rule::ProgressAfterAnswer),
            Some((_, Past::Open)) => None,
            None => Some(Rule::ProgressTokenUnknown),
        }
    }
}
