//! The streaming tokenizer: where messages begin and end in a byte stream.
//!
//! Two framings with one interface: [`LineFramer`] for stdio and TCP, where
//! each line is a message, and [`SseFramer`] for server-sent events. Both take
//! chunks cut anywhere, lend what lies whole in a chunk without copying it,
//! and hold only what straddles two chunks, within a limit. Neither reads
//! JSON; that is for the [`Validator`](crate::Validator).

mod lines;
mod sse;

use std::fmt;
use std::ops::Deref;

pub use lines::LineFramer;
#[cfg(feature = "codec")]
pub(crate) use lines::is_blank;
pub use sse::SseFramer;
#[cfg(feature = "tower")]
pub(crate) use sse::UnderWay;

/// One message as a framer lends it: from the caller's chunk, or from the
/// framer's own buffer if it straddled two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame<'s> {
    bytes: &'s [u8],
    end: &'static [u8],
    offset: u64,
    line: u64,
    event: Option<&'s [u8]>,
}

impl<'s> Frame<'s> {
    /// The message: the line without its end, or the event's data.
    #[must_use]
    pub const fn bytes(&self) -> &'s [u8] {
        self.bytes
    }

    /// How its line ended, which is no part of [`bytes`](Self::bytes): `"\n"`,
    /// `"\r\n"`, or nothing for a last line without an end and for every event.
    #[must_use]
    pub const fn end(&self) -> &'static [u8] {
        self.end
    }

    /// Where its first line begins: bytes from the start of the stream.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// The number of its first line in the stream, from 1, empty ones counted.
    #[must_use]
    pub const fn line(&self) -> u64 {
        self.line
    }

    /// The name of a server-sent event that is no message; `None` for a
    /// message. An event named `message`, or not named at all, is a message.
    #[must_use]
    pub const fn event(&self) -> Option<&'s [u8]> {
        self.event
    }

    /// Whether it is a message, and not an event of another name.
    #[must_use]
    pub const fn is_message(&self) -> bool {
        self.event.is_none()
    }
}

/// Where a line begins in its stream.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// Bytes from the start of the stream.
    offset: u64,
    /// Lines are counted from 1.
    line: u64,
}

impl Place {
    const START: Self = Self { offset: 0, line: 1 };
}

/// What a framer holds of a message that straddles chunks.
///
/// Invariants: the capacity never passes the `most` of the pushes; once
/// cleared it is at most [`Held::KEPT`].
#[derive(Clone)]
struct Held(Vec<u8>);

impl Held {
    const EMPTY: Self = Self(Vec::new());
    /// The memory kept from one message to the next. What a rare longer one
    /// made the framer take is given back as soon as that message is done.
    const KEPT: usize = 64 << 10;

    /// Appends `bytes`, after which there are at most `most`. That bounds the
    /// doubling, which would else end up at almost twice the limit.
    fn push(&mut self, bytes: &[u8], most: usize) {
        let length = self.0.len();
        let needed = length + bytes.len();
        debug_assert!(needed <= most);
        if needed > self.0.capacity() {
            let doubled = self.0.capacity().saturating_mul(2).min(most);
            self.0.reserve_exact(needed.max(doubled) - length);
        }
        self.0.extend_from_slice(bytes);
    }

    fn clear(&mut self) {
        self.0.clear();
        self.0.shrink_to(Self::KEPT);
    }

    fn capacity(&self) -> usize {
        self.0.capacity()
    }
}

impl Deref for Held {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

/// Only how much it is: the bytes are the peer's, and can be megabytes.
impl fmt::Debug for Held {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes", self.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_buffer_doubles_but_not_past_what_it_may_come_to() {
        let mut held = Held::EMPTY;
        let mut growths = 0;
        for _ in 0..100_000 {
            let before = held.capacity();
            held.push(b"x", 100_000);
            growths += usize::from(held.capacity() != before);
        }
        assert_eq!((held.len(), held.capacity()), (100_000, 100_000));
        assert!(growths < 20, "{growths} growths");
    }

    #[test]
    fn a_cleared_buffer_keeps_a_little_and_gives_back_the_rest() {
        let mut held = Held::EMPTY;
        held.push(&[0; 1000], usize::MAX);
        held.clear();
        assert_eq!(held.capacity(), 1000);
        held.push(&vec![0; 1 << 20], usize::MAX);
        held.clear();
        assert_eq!(held.capacity(), Held::KEPT);
    }
}
