//! Which lane reads a message: the scan lane first, and the tape lane when it
//! is asked, or when the policy wants to look deeper than the scan lane does.

use super::chunks::Chunks;
use super::grammar::{self, Fault};
use super::kernel::Kernel;
use super::scan::{Scan, Stop};
use super::tape::TapeLane;
use super::{duplicates, walk};
use crate::envelope::Envelope;
use crate::policy::Policy;
use crate::rule::{Action, Rule, RuleSet};

/// Both lanes.
pub(crate) struct Lanes {
    tape: TapeLane,
    scan: Scan,
    /// Only ever the tape lane: for tests and benches.
    tape_alone: bool,
}

impl Lanes {
    /// Lanes for messages judged by `policy`. Allocates nothing yet.
    pub(crate) fn new(policy: &Policy) -> Self {
        Self {
            tape: TapeLane::new(policy.limits().depth),
            scan: Scan::new(Kernel::best()),
            tape_alone: false,
        }
    }

    pub(crate) fn tape_alone(policy: &Policy) -> Self {
        Self { tape_alone: true, ..Self::new(policy) }
    }

    /// Goes on by `policy`.
    pub(crate) fn set_policy(&mut self, policy: &Policy) {
        if self.tape.depth() != policy.limits().depth {
            self.tape = TapeLane::new(policy.limits().depth);
        }
    }

    /// Reads everything that the rules look at into an empty `envelope`. Gives
    /// the rules that the message breaks although `policy` lets it pass.
    #[inline]
    pub(crate) fn envelope(
        &mut self,
        message: &[u8],
        policy: &Policy,
        envelope: &mut Envelope,
    ) -> Result<RuleSet, Fault> {
        match self.scan(message, policy, envelope) {
            Ok(()) => {
                self.tape.pass();
                Ok(RuleSet::EMPTY)
            }
            Err(stop) => {
                // What is odd only as a whole was read to its end.
                let is_json = stop == Stop::AskTape && self.scan.is_at_end();
                self.after(is_json, message, policy, envelope)
            }
        }
    }

    /// The same of a message that came in chunks: `chunks` has read all of it.
    pub(crate) fn envelope_of_chunks(
        &mut self,
        chunks: &mut Chunks,
        message: &[u8],
        policy: &Policy,
        envelope: &mut Envelope,
    ) -> Result<RuleSet, Fault> {
        let scanned = if self.scans(policy) {
            chunks.envelope(message, policy.limits(), envelope)
        } else {
            Err(Stop::AskTape)
        };
        match scanned {
            Ok(()) => {
                self.tape.pass();
                Ok(RuleSet::EMPTY)
            }
            // Seldom enough that what is known of it need not be kept apart.
            Err(_) => self.after(false, message, policy, envelope),
        }
    }

    /// Whether the scan lane reads under `policy`.
    #[inline]
    pub(crate) fn scans(&self, policy: &Policy) -> bool {
        !self.tape_alone && !looks_deep(policy)
    }

    #[inline]
    fn scan(
        &mut self,
        message: &[u8],
        policy: &Policy,
        envelope: &mut Envelope,
    ) -> Result<(), Stop> {
        if !self.scans(policy) {
            return Err(Stop::AskTape);
        }
        let limits = policy.limits();
        self.scan.envelope(message, limits.depth, limits.members, envelope)
    }

    /// What the scan lane could not tell, or was not asked. What is not JSON never
    /// reaches the tape from there, which takes many times as much memory.
    #[inline(never)]
    fn after(
        &mut self,
        is_json: bool,
        message: &[u8],
        policy: &Policy,
        envelope: &mut Envelope,
    ) -> Result<RuleSet, Fault> {
        let depth = policy.limits().depth;
        if self.scans(policy)
            && !is_json
            && !self.scan.is_json(message, depth)
            && let Err(fault) = grammar::check(message, depth, policy.refused(), |_, _| ())
        {
            self.tape.pass();
            return Err(fault);
        }
        self.tape_envelope(message, policy, envelope)
    }

    fn tape_envelope(
        &mut self,
        message: &[u8],
        policy: &Policy,
        envelope: &mut Envelope,
    ) -> Result<RuleSet, Fault> {
        let members = policy.limits().members;
        *envelope = Envelope::default();
        let ((), tolerated) = self.tape.read(message, policy.refused(), |document| {
            walk::envelope(document, members, envelope);
            if looks_deep(policy) {
                envelope.deep_duplicate = duplicates::first(document);
            }
        })?;
        Ok(tolerated)
    }
}

/// Whether the policy wants to look deeper than the scan lane does.
fn looks_deep(policy: &Policy) -> bool {
    policy.action(Rule::DeepDuplicate) != Action::Off
}
