//! Which lane reads a message: the scan lane first, and the tape lane when it
//! is asked, or when the policy wants to look deeper than the scan lane does.

use super::grammar::Fault;
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
            scan: Scan::new(Kernel::best(), 0, 0),
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
            Ok(()) => Ok(RuleSet::EMPTY),
            Err(_) => self.tape_envelope(message, policy, envelope),
        }
    }

    #[inline]
    fn scan(
        &mut self,
        message: &[u8],
        policy: &Policy,
        envelope: &mut Envelope,
    ) -> Result<(), Stop> {
        if self.tape_alone || looks_deep(policy) {
            return Err(Stop::Odd);
        }
        let limits = policy.limits();
        self.scan.envelope(message, limits.depth, limits.members, envelope)?;
        self.tape.pass();
        Ok(())
    }

    #[inline(never)]
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
