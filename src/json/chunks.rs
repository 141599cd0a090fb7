//! The scan lane over a message that comes in chunks.
//!
//! All bytes so far are at hand each time, since the tape lane may have to read
//! them; but the scan goes on where it stopped, at the start of a token. A string
//! is not gone over again, however long it is; a number is, and a bracket with the white
//! space behind it, so long ones are left to the tape lane.

use super::kernel::Kernel;
use super::scan::{Scan, Stop};
use crate::envelope::Envelope;
use crate::policy::Limits;

/// The longest token that is read again with every chunk, in bytes.
const LONG_TOKEN: usize = 1024;

/// How far the scan is, and what it has found.
pub(crate) struct Chunks {
    scan: Scan,
    envelope: Envelope,
    limits: Limits,
    /// Why it does not go on; [`Stop::More`] if it only waits.
    stop: Stop,
}

impl Chunks {
    /// For a message to be read within `limits`.
    pub(crate) fn new(limits: Limits) -> Self {
        let mut scan = Scan::new(Kernel::best());
        scan.begin(limits.depth, limits.members, false);
        Self { scan, envelope: Envelope::default(), limits, stop: Stop::More }
    }

    /// Reads on in `message`, which begins with what was read so far.
    pub(crate) fn read(&mut self, message: &[u8]) {
        if self.stop != Stop::More {
            return;
        }
        if let Err(stop) = self.scan.go_on(message, &mut self.envelope) {
            self.stop = stop;
        }
        let at = self.scan.at();
        let is_again = matches!(message.get(at), Some(b'-' | b'0'..=b'9' | b'{' | b'['));
        if is_again && message.len() - at > LONG_TOKEN {
            self.stop = Stop::AskTape;
        }
    }

    /// The members that were read so far, if nothing odd was among them: those are
    /// members of the message if the rest of it is JSON.
    pub(crate) fn so_far(&self) -> Option<&Envelope> {
        let is_sound = self.stop == Stop::More && !self.scan.is_broken();
        is_sound.then_some(&self.envelope)
    }

    /// What it is read within.
    pub(crate) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Whether the last member was read.
    pub(crate) fn is_at_end(&self) -> bool {
        self.scan.is_at_end()
    }

    /// Whether what is being read is the outcome that an answer has.
    pub(crate) fn is_in_answer(&self) -> bool {
        self.scan.is_in_answer()
    }

    /// Gives the members of `message`, of which all was read, if this lane can tell
    /// and has read it within `limits`.
    pub(super) fn envelope(
        &mut self,
        message: &[u8],
        limits: &Limits,
        envelope: &mut Envelope,
    ) -> Result<(), Stop> {
        if self.limits != *limits {
            return Err(Stop::AskTape);
        }
        // What came under a policy by which this lane does not read was not read.
        let is_read = self.is_at_end() && self.scan.at() == message.len();
        if self.stop != Stop::More || !is_read {
            return Err(self.stop);
        }
        // Asked again, or for its routing, it still knows all that it has found.
        *envelope = self.envelope;
        self.scan.finish(message, envelope)
    }
}
