//! The whole way from bytes to verdict: a mixed stream in chunks as a pipe or
//! a socket gives them.

use std::hint::black_box;

use mcparse::{LineFramer, Policy, Sender, Validator};

use super::classes;

const CHUNK: usize = 64 << 10;

/// A stream and what it takes to read it again and again.
pub(crate) struct Stream {
    pub(crate) bytes: Vec<u8>,
    pub(crate) messages: usize,
    /// Who sent each message.
    senders: Vec<Sender>,
    framer: LineFramer,
    validator: Validator,
}

impl Stream {
    /// At least `bytes` bytes. Panics unless every message is accepted.
    pub(crate) fn new(bytes: usize) -> Self {
        let policy = Policy::strict();
        let (bytes, senders) = classes::stream(bytes);
        let messages = senders.len();
        let framer = LineFramer::new(policy.limits().message_bytes);
        let mut stream =
            Self { bytes, messages, senders, framer, validator: Validator::new(policy) };
        assert_eq!((stream.frame(), stream.check()), (messages, messages));
        stream
    }

    /// Only frames it: how many messages there are.
    pub(crate) fn frame(&mut self) -> usize {
        let Self { bytes, framer, .. } = self;
        count(framer, bytes, |_| true)
    }

    /// Frames it and checks each message: how many are accepted.
    pub(crate) fn check(&mut self) -> usize {
        let Self { bytes, senders, framer, validator, .. } = self;
        let mut senders = senders.iter();
        count(framer, bytes, |message| {
            let from = senders.next().copied().unwrap_or(Sender::Client);
            black_box(&validator.check(from, message)).is_ok()
        })
    }
}

/// Frames `bytes`, and gives how many of the messages count.
pub(crate) fn count(
    framer: &mut LineFramer,
    bytes: &[u8],
    mut counts: impl FnMut(&[u8]) -> bool,
) -> usize {
    let mut count = 0;
    for mut chunk in black_box(bytes).chunks(CHUNK) {
        while let Some(frame) = framer.next_frame(&mut chunk) {
            count += usize::from(frame.is_ok_and(|frame| counts(frame.bytes())));
        }
    }
    count
}
