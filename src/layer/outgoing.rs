//! What of a stream goes on, byte by byte as it came, and what is left out.
//!
//! ```text
//!             sent          from             came
//!  ────────────┼─────────────┼────────────────┼──▶ the stream, counted in bytes
//!  gone or cut │    held     │   this chunk   │
//! ```

use std::collections::VecDeque;
use std::mem;

use bytes::Bytes;

#[derive(Default)]
pub(super) struct Outgoing {
    /// What came before this chunk and waits: from `sent` up to where the chunk begins,
    /// or nothing if `sent` is beyond that.
    held: Vec<u8>,
    /// Up to where the stream has gone on, or was left out.
    sent: u64,
    /// Where this chunk begins.
    from: u64,
    chunk: Bytes,
    /// Pieces that go on, in their order. None is empty.
    ready: VecDeque<Bytes>,
    /// Whether the last byte that went on is within a line.
    is_in_line: bool,
    /// Whether anything has gone on, and whether anything was left out.
    is_begun: bool,
    is_cut: bool,
}

impl Outgoing {
    /// Begins with the next chunk.
    pub(super) fn begin(&mut self, chunk: Bytes) {
        self.chunk = chunk;
    }

    /// Where the byte at `at` in this chunk stands in the stream.
    pub(super) const fn place(&self, at: usize) -> u64 {
        self.from + at as u64
    }

    /// Lets go on whatever comes before `to`.
    pub(super) fn send_to(&mut self, to: u64) {
        let held = self.take_held(to);
        self.push(held.into());
        let piece = self.take_piece(to);
        self.push(piece);
    }

    /// Leaves out whatever comes before `to` and has not gone on.
    pub(super) fn skip_to(&mut self, to: u64) {
        let (held, piece) = (self.take_held(to), self.take_piece(to));
        self.is_cut |= !held.is_empty() || !piece.is_empty();
    }

    /// Ends the chunk: what has not gone on is held.
    pub(super) fn hold(&mut self) {
        let end = self.place(self.chunk.len());
        let from = self.from.max(self.sent);
        if from < end {
            let rest = &self.chunk[at(from - self.from)..];
            self.held.extend_from_slice(rest);
        } else if self.held.is_empty() {
            // What one long event took is given back.
            self.held = Vec::new();
        }
        (self.from, self.chunk) = (end, Bytes::new());
    }

    /// How many bytes are held.
    pub(super) const fn held(&self) -> usize {
        self.held.len()
    }

    /// Leaves out what is held.
    pub(super) fn drop_held(&mut self) {
        self.skip_to(self.from);
    }

    /// Puts an event with this message in.
    pub(super) fn put(&mut self, message: &[u8]) {
        let end: &[u8] = if self.is_in_line { b"\n" } else { b"" };
        self.push([end, b"data: ", message, b"\n\n"].concat().into());
    }

    /// Lets a piece go on that is no part of this account.
    pub(super) fn push(&mut self, piece: Bytes) {
        if let Some(&last) = piece.last() {
            self.is_in_line = !matches!(last, b'\n' | b'\r');
            // Where a stream begins its client takes a byte order mark away. One that stood
            // within the stream was part of a field's name, and hid what may not pass.
            if !self.is_begun && self.is_cut && piece.starts_with(b"\xEF") {
                self.ready.push_back(Bytes::from_static(b"\n"));
            }
            self.is_begun = true;
            self.ready.push_back(piece);
        }
    }

    /// What goes on next, as far as it is known.
    pub(super) fn next(&mut self) -> Option<Bytes> {
        self.ready.pop_front()
    }

    pub(super) fn has_next(&self) -> bool {
        !self.ready.is_empty()
    }

    /// What is held before `to`.
    fn take_held(&mut self, to: u64) -> Vec<u8> {
        let length = at(to.saturating_sub(self.sent)).min(self.held.len());
        if length == 0 {
            // With each chunk of an event: what is held must not be gone over then.
            return Vec::new();
        }
        self.sent += length as u64;
        let rest = self.held.split_off(length);
        mem::replace(&mut self.held, rest)
    }

    /// What there is of this chunk before `to`, once nothing is held any more.
    fn take_piece(&mut self, to: u64) -> Bytes {
        let start = self.sent.max(self.from);
        let end = to.min(self.place(self.chunk.len()));
        if start >= end {
            return Bytes::new();
        }
        self.sent = end;
        self.chunk.slice(at(start - self.from)..at(end - self.from))
    }
}

/// A distance within what is in memory.
fn at(distance: u64) -> usize {
    usize::try_from(distance).unwrap_or(usize::MAX)
}
