//! Lines out of a buffer that is filled by somebody else.
//!
//! ```text
//!           LF at most at the limit: a line
//!            ┌──┐
//!            │  ▼           more than the limit without an LF: too large
//! start ──▶ in a line ──────────────────────▶ passed ──┐ all is dropped
//!                ▲                                │ ▲  │
//!                └────────────────────────────────┘ └──┘
//!                               LF
//! ```

use std::io;
use std::mem;

use bytes::{Buf, BytesMut};
use memchr::memchr;
use tokio_util::codec::Decoder;

use super::{Line, LineCodec};
use crate::frame::is_blank;
use crate::rule::Rule;
use crate::violation::{Answer, Violation};

/// The memory that an empty buffer keeps; what a rare longer line made it take is
/// given back.
const KEPT: usize = 64 << 10;
/// What a buffer starts with, as tokio-util's does.
const FIRST: usize = 8 << 10;

impl Decoder for LineCodec {
    type Item = Result<Line, Violation<'static>>;
    type Error = io::Error;

    /// # Errors
    ///
    /// None of its own: what is wrong with a line is an item.
    fn decode(&mut self, buffer: &mut BytesMut) -> io::Result<Option<Self::Item>> {
        loop {
            let unread = buffer.get(self.scanned..).unwrap_or_default();
            let Some(end) = memchr(b'\n', unread).map(|at| self.scanned + at) else {
                return Ok(self.wait(buffer).map(Err));
            };
            let (offset, number) = (self.next, self.line);
            self.next += end as u64 + 1;
            self.line += 1;
            self.scanned = 0;

            let mut bytes = buffer.split_to(end);
            buffer.advance(1);
            if mem::take(&mut self.passed) {
                continue;
            }
            if bytes.len() > self.limit {
                return Ok(Some(Err(too_large(offset, number))));
            }
            if !is_blank(&bytes) {
                if bytes.ends_with(b"\r") {
                    bytes.truncate(bytes.len() - 1);
                }
                return Ok(Some(Ok(Line { bytes: bytes.freeze(), offset, number })));
            }
        }
    }

    /// The lines that are left, and the last one if it has no LF and is not blank,
    /// as it stands, a CR at its end included. The codec is then at the start of
    /// a new stream.
    ///
    /// # Errors
    ///
    /// None.
    fn decode_eof(&mut self, buffer: &mut BytesMut) -> io::Result<Option<Self::Item>> {
        if let Some(item) = self.decode(buffer)? {
            return Ok(Some(item));
        }
        // What is left is no longer than the limit, and nothing of a line that
        // passed it.
        let bytes = buffer.split();
        let Self { next: offset, line: number, .. } = mem::replace(self, Self::new(self.limit));
        Ok((!is_blank(&bytes)).then(|| Ok(Line { bytes: bytes.freeze(), offset, number })))
    }
}

impl LineCodec {
    /// The buffer holds no LF: it waits for more, unless there is too much.
    fn wait(&mut self, buffer: &mut BytesMut) -> Option<Violation<'static>> {
        let too_long =
            (!self.passed && buffer.len() > self.limit).then(|| too_large(self.next, self.line));
        self.passed |= too_long.is_some();
        if self.passed {
            self.next += buffer.len() as u64;
            buffer.clear();
        }
        self.scanned = buffer.len();
        self.make_room(buffer);
        too_long
    }

    /// Room for at least one byte more, and in all for no more than one byte past the
    /// limit, which tells that it is passed. A buffer that is left to grow by
    /// itself would end up at twice that.
    fn make_room(&self, buffer: &mut BytesMut) {
        let most = self.limit.saturating_add(1);
        let capacity = if buffer.is_empty() && buffer.capacity() > KEPT {
            FIRST
        } else if buffer.len() == buffer.capacity() {
            buffer.len().saturating_mul(2).max(FIRST)
        } else {
            return;
        };
        let mut other = BytesMut::with_capacity(capacity.min(most.max(FIRST)));
        other.extend_from_slice(buffer);
        *buffer = other;
    }
}

/// Which party sent the line is not known here: if it was a server, the caller
/// keeps the reply to itself.
const fn too_large(offset: u64, line: u64) -> Violation<'static> {
    Violation::in_stream(Rule::TooLarge, offset, line, Answer::WithoutId)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_is_never_searched_twice() {
        let mut codec = LineCodec::new(1000);
        let mut buffer = BytesMut::new();
        for len in 1..=1000 {
            buffer.extend_from_slice(b"x");
            assert!(codec.decode(&mut buffer).unwrap().is_none());
            assert_eq!((codec.scanned, buffer.len()), (len, len));
        }
        // An LF in what was searched is not seen again.
        buffer[500] = b'\n';
        buffer.extend_from_slice(b"\n");
        let line = codec.decode(&mut buffer).unwrap().unwrap().unwrap();
        assert_eq!(line.bytes().len(), 1000);
        assert_eq!(codec.scanned, 0);
    }
}
