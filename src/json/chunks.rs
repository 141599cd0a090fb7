//! The scan lane over a message that comes in chunks.
//!
//! All bytes so far are at hand each time, since the tape lane may have to read
//! them; but the scan goes on where it stopped, at the start of a token. A string
//! is not gone over again, however long it is; a number is, so long ones are left to
//! the tape lane.

use super::kernel::Kernel;
use super::scan::{Scan, Stop};
use crate::envelope::Envelope;
use crate::policy::Limits;

/// The longest number that is read again with every chunk, in bytes.
const LONG_NUMBER: usize = 1024;

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
        let mut scan = Scan::new(Kernel::best(), limits.depth, limits.members);
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
        let is_number = matches!(message.get(at), Some(b'-' | b'0'..=b'9'));
        if is_number && message.len() - at > LONG_NUMBER {
            self.stop = Stop::AskTape;
        }
    }

    /// The members that were read so far, if nothing odd was among them: those are
    /// members of the message if the rest of it is JSON.
    pub(crate) fn so_far(&self) -> Option<&Envelope> {
        (self.stop == Stop::More).then_some(&self.envelope)
    }

    /// Whether the last member was read.
    pub(crate) fn is_at_end(&self) -> bool {
        self.scan.is_at_end()
    }

    /// The members of `message`, of which all was read, if this lane can tell and
    /// has read it within `limits`.
    pub(super) fn envelope(&mut self, message: &[u8], limits: &Limits) -> Result<Envelope, Stop> {
        if self.limits != *limits {
            return Err(Stop::AskTape);
        }
        if self.stop != Stop::More || !self.is_at_end() {
            return Err(self.stop);
        }
        self.scan.finish(message, &mut self.envelope)?;
        Ok(self.envelope)
    }
}
