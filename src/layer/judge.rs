//! What all requests of one layer share: the policy, validators to read with, and
//! who is told.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

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

/// More are let go of. Only so many threads that judge at the same moment reuse
/// what unusual messages made them allocate.
const MOST_KEPT: usize = 64;

pub(super) struct Judge {
    pub(super) policy: Arc<Policy>,
    pub(super) mode: Mode,
    pub(super) table: Option<Arc<ParamHeaders>>,
    pub(super) counters: Option<Arc<Counters>>,
    pub(super) observer: Option<Arc<dyn Observer>>,
    /// Those that nobody reads with. Held to take one or give it back, never
    /// while something is read.
    idle: Mutex<Vec<Validator>>,
}

impl Judge {
    pub(super) fn new(policy: Arc<Policy>) -> Self {
        Self {
            policy,
            mode: Mode::Gate,
            table: None,
            counters: None,
            observer: None,
            idle: Mutex::default(),
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
            idle: Mutex::default(),
        }
    }

    pub(super) fn is_gate(&self) -> bool {
        self.mode == Mode::Gate
    }

    /// The most bytes that a message may have.
    pub(super) fn most(&self) -> usize {
        self.policy.limits().message_bytes
    }

    /// Reads with a validator, which waits for nothing meanwhile.
    pub(super) fn with<R>(&self, read: impl FnOnce(&mut Validator) -> R) -> R {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = idle().pop();
        let mut validator = taken.unwrap_or_else(|| Validator::new(Arc::clone(&self.policy)));
        let read = read(&mut validator);
        let mut idle = idle();
        if idle.len() < MOST_KEPT {
            idle.push(validator);
        }
        read
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

impl fmt::Debug for Judge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Judge")
            .field("mode", &self.mode)
            .field("policy", &self.policy)
            .finish_non_exhaustive()
    }
}
