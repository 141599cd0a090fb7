//! What all requests of one layer share: the policy, validators to read with, and
//! who is told.

use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, TryLockError};

use super::{Heard, Mode, Observer, Outcome, tracing};
use crate::counters::Counters;
use crate::kind::Sender;
use crate::message::Message;
use crate::param_headers::ParamHeaders;
use crate::policy::Policy;
use crate::rule::RuleSet;
use crate::summary::Summary;
use crate::validator::Validator;
use crate::violation::Violation;

/// How many validators are kept. Where more threads judge at the same moment, the others
/// make their own each time.
const KEPT: usize = 64;

pub(super) struct Judge {
    pub(super) policy: Arc<Policy>,
    pub(super) mode: Mode,
    pub(super) table: Option<Arc<ParamHeaders>>,
    pub(super) counters: Option<Arc<Counters>>,
    pub(super) observer: Option<Arc<dyn Observer>>,
    /// Each thread begins to look in a place of its own, so that what it reads with
    /// stays in its core's cache, and mostly finds that nobody else is there.
    validators: Box<[Mutex<Option<Validator>>]>,
}

impl Judge {
    pub(super) fn new(policy: Arc<Policy>) -> Self {
        Self {
            policy,
            mode: Mode::Gate,
            table: None,
            counters: None,
            observer: None,
            validators: places(),
        }
    }

    /// Another one with the same settings.
    pub(super) fn another(&self) -> Self {
        Self {
            policy: Arc::clone(&self.policy),
            mode: self.mode,
            table: self.table.clone(),
            counters: self.counters.clone(),
            observer: self.observer.clone(),
            validators: places(),
        }
    }

    pub(super) fn is_gate(&self) -> bool {
        self.mode == Mode::Gate
    }

    /// The most bytes that a message may have.
    pub(super) fn most(&self) -> usize {
        self.policy.limits().message_bytes
    }

    /// Reads with a validator that nobody else reads with, and waits for none.
    pub(super) fn with<R>(&self, read: impl FnOnce(&mut Validator) -> R) -> R {
        let new = || Validator::new(Arc::clone(&self.policy));
        let (before, after) = self.validators.split_at(place());
        for kept in after.iter().chain(before) {
            let mut kept = match kept.try_lock() {
                Ok(kept) => kept,
                Err(TryLockError::Poisoned(kept)) => {
                    // What it was reading is not known to be whole.
                    let mut kept = kept.into_inner();
                    *kept = None;
                    kept
                }
                Err(TryLockError::WouldBlock) => continue,
            };
            return read(kept.get_or_insert_with(new));
        }
        read(&mut new())
    }

    /// Counts what the head of a response breaks, or its stream, and is only reported.
    pub(super) fn report(&self, findings: RuleSet) {
        if let Some(counters) = self.counters.as_ref().filter(|_| !findings.is_empty()) {
            counters.reported(Sender::Server, findings);
        }
    }

    /// Counts a message and tells of it.
    pub(super) fn tell(
        &self,
        from: Sender,
        bytes: &[u8],
        verdict: Result<&Message<'_>, &Violation<'_>>,
        to: Option<&Summary>,
        outcome: Outcome,
    ) {
        if let Some(counters) = &self.counters {
            match (outcome, verdict) {
                (Outcome::LetThrough, Err(violation)) => counters.let_through(from, violation),
                _ => counters.note(from, verdict),
            }
            match outcome {
                Outcome::Replaced => counters.replaced(),
                Outcome::Dropped => counters.dropped(),
                Outcome::Forwarded | Outcome::LetThrough | Outcome::Answered => {}
            }
        }
        match verdict {
            Ok(message) => tracing::reported(from, message),
            Err(violation) if outcome == Outcome::LetThrough => {
                tracing::let_through(from, violation);
            }
            Err(violation) => tracing::refused(from, violation),
        }
        if let Some(observer) = &self.observer {
            observer.heard(&Heard::new(from, bytes, verdict, to, outcome));
        }
    }
}

fn places() -> Box<[Mutex<Option<Validator>>]> {
    (0..KEPT).map(|_| Mutex::default()).collect()
}

/// Where this thread begins to look for a validator.
fn place() -> usize {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    thread_local! {
        static PLACE: usize = NEXT.fetch_add(1, Ordering::Relaxed) % KEPT;
    }
    // A thread that is ending has no place any more.
    PLACE.try_with(|&place| place).unwrap_or_default()
}

impl fmt::Debug for Judge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Judge")
            .field("mode", &self.mode)
            .field("policy", &self.policy)
            .finish_non_exhaustive()
    }
}
