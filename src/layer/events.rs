//! The events of a response on their way: each is judged once it is complete, and
//! then goes on as the bytes that it came in. Where only observing is asked for,
//! every chunk goes on at once.

use bytes::Bytes;

use super::Mode;
use super::hearing::{Fate, Hearing};
use super::outgoing::Outgoing;
use crate::frame::{SseFramer, UnderWay};
use crate::rule::Rule;
use crate::violation::Violation;

/// How much longer than a message the text of its event may be: the names of its
/// fields, and comments within it. Beyond that it is not held, and the stream ends.
const MOST_AROUND: usize = 64 << 10;

pub(super) struct Events {
    hearing: Hearing,
    framer: SseFramer,
    out: Outgoing,
    /// Whether an event that is too large is being left out.
    is_cutting: bool,
    /// Whether nothing more is to come from the server.
    is_over: bool,
}

impl Events {
    pub(super) fn new(hearing: Hearing) -> Self {
        let most = hearing.judge().most();
        let framer = match hearing.judge().mode {
            Mode::Gate => SseFramer::leaving_out(most),
            Mode::Observe => SseFramer::new(most),
        };
        Self { hearing, framer, out: Outgoing::default(), is_cutting: false, is_over: false }
    }

    pub(super) fn is_gate(&self) -> bool {
        self.hearing.judge().is_gate()
    }

    /// What goes on next, as far as it is known.
    pub(super) fn next(&mut self) -> Option<Bytes> {
        self.out.next()
    }

    pub(super) fn has_next(&self) -> bool {
        self.out.has_next()
    }

    /// Whether the server is not asked for more.
    pub(super) const fn is_over(&self) -> bool {
        self.is_over
    }

    /// Takes the next chunk of the stream.
    pub(super) fn take(&mut self, chunk: &Bytes) {
        if self.is_over {
            return;
        }
        if !self.is_gate() {
            self.out.push(chunk.clone());
        }
        self.out.begin(chunk.clone());
        let mut rest = &chunk[..];
        while let Some(framed) = self.framer.next_frame(&mut rest) {
            let (start, fate) = match framed {
                Ok(frame) if frame.is_message() => {
                    (frame.offset(), self.hearing.hear(frame.bytes()))
                }
                Ok(frame) => (frame.offset(), self.hearing.odd(Rule::SseEventOther)),
                Err(violation) => {
                    if self.is_gate() {
                        self.pass_to(violation.offset());
                        self.is_cutting = true;
                    }
                    self.hearing.fault(&violation.of_server());
                    continue;
                }
            };
            let end = self.out.place(chunk.len() - rest.len());
            self.decide(start, end, fate);
            if self.is_over {
                return;
            }
        }
        self.end_chunk(chunk.len());
    }

    /// No more comes. What is left of an event is dropped, as its client would.
    pub(super) fn end(&mut self) {
        if self.is_over {
            return;
        }
        self.is_over = true;
        let is_resumable = !self.framer.last_event_id().is_empty();
        if let Some(Err(violation)) = self.framer.finish() {
            self.hearing.odd(violation.rule());
        }
        let fate = self.hearing.end(is_resumable);
        if self.is_gate() {
            self.out.drop_held();
        }
        if let Fate::Replace(message) = fate {
            self.out.put(&message);
        }
    }

    /// The stream breaks off. Whether it is ended in its client's stead: else the client
    /// had better see that it broke.
    pub(super) fn break_off(&mut self) -> bool {
        let before = self.out.has_next();
        self.end();
        !before && self.out.has_next()
    }

    /// Decides what becomes of the event from `start` to `end`.
    fn decide(&mut self, start: u64, end: u64, fate: Fate) {
        if !self.is_gate() {
            return;
        }
        match fate {
            Fate::Forward if self.is_cutting => self.pass_to(start),
            // What goes on is sent with what comes behind it.
            Fate::Forward => {}
            Fate::Drop => {
                // Its client will not have seen its id, and cannot resume from there.
                self.framer.leave_out();
                self.pass_to(start);
                self.out.skip_to(end);
            }
            Fate::Replace(message) => {
                self.pass_to(start);
                self.out.put(&message);
                self.is_over = true;
            }
        }
    }

    /// Lets go on what comes before an event that begins at `start`, but for what is left of
    /// one that was too large.
    fn pass_to(&mut self, start: u64) {
        if std::mem::take(&mut self.is_cutting) {
            self.out.skip_to(self.framer.too_large_to());
        }
        self.out.send_to(start);
    }

    /// Lets go on what is no part of an event under way, and holds that.
    fn end_chunk(&mut self, length: usize) {
        let end = self.out.place(length);
        match self.framer.under_way() {
            _ if !self.is_gate() => self.out.skip_to(end),
            UnderWay::Nothing => self.pass_to(end),
            UnderWay::Since(start) => self.pass_to(start),
            UnderWay::TooLarge => self.out.skip_to(end),
        }
        self.out.hold();
        if self.out.held() > self.hearing.judge().most().saturating_add(MOST_AROUND) {
            self.hearing.fault(&Violation::of_stream(Rule::TooLarge));
            self.end();
        }
    }
}
