//! [`LineFramer`]: one message on each line, as over stdio and TCP.
//!
//! A newline inside a JSON string is always escaped, so a line feed can only
//! be the end of a message: no JSON needs to be read to find it. This file
//! does not judge what a line holds, its encoding included, and knows no line
//! end but LF with or without a CR before it: U+2028 and a lone CR are bytes
//! of the message.

use std::mem;

use memchr::memchr;

use super::{Frame, Held, Place};
use crate::policy::Limits;
use crate::rule::Rule;
use crate::violation::{Answer, Violation};

/// Cuts a byte stream into lines, each of them a message: the framing of the
/// [stdio transport].
///
/// A line ends with LF or CRLF, neither of which is part of the frame's bytes;
/// [`Frame::end`] tells which it was. Lines that are empty or hold nothing but
/// JSON white space are passed over, unless [`with_blank_lines`] asks for them.
/// The sequence of frames and violations depends on the stream alone, never on how
/// it was cut into chunks.
///
/// # Bounds
///
/// A line may have as many bytes before its LF as the limit says, a CR
/// included. A longer one, of white space too, is one violation of
/// [`Rule::TooLarge`] at the offset of its start, said as soon as the limit is
/// known to be passed; the framer drops the line and goes on behind its LF. It
/// never holds more than the limit, and between lines at most 64 KiB.
///
/// ```
/// use mcparse::{LineFramer, Rule};
///
/// let mut framer = LineFramer::new(20);
/// let mut seen = Vec::new();
/// for mut chunk in [&b"{\"id\":1}\r\n\n{\"i"[..], b"d\":2}\n{\"id\":\"much too long\"}\n{}"] {
///     while let Some(result) = framer.next_frame(&mut chunk) {
///         match result {
///             Ok(frame) => seen.push((frame.line(), frame.bytes().to_vec())),
///             Err(violation) => assert_eq!(violation.rule(), Rule::TooLarge),
///         }
///     }
/// }
/// if let Some(Ok(last)) = framer.finish() {
///     seen.push((last.line(), last.bytes().to_vec()));
/// }
/// assert_eq!(seen, [
///     (1, b"{\"id\":1}".to_vec()),
///     (3, b"{\"id\":2}".to_vec()),
///     (5, b"{}".to_vec()),
/// ]);
/// ```
///
/// [`with_blank_lines`]: Self::with_blank_lines
/// [stdio transport]: https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio
#[derive(Clone, Debug)]
pub struct LineFramer {
    limit: usize,
    /// The line under way, as far as earlier chunks had it. At most `limit`
    /// bytes, no LF among them; empty if `passed`.
    held: Held,
    /// Whether blank lines are frames too.
    gives_blank: bool,
    /// Whether `held` is the frame lent last, and not a line under way.
    lent: bool,
    /// Whether the line under way passed the limit, which has been said.
    passed: bool,
    /// Where the line under way begins.
    start: Place,
    /// The offset of the next byte: at least `start.offset`, and more than it
    /// by `held.len()` unless `passed` or `lent`.
    next: u64,
}

impl LineFramer {
    /// A framer at the start of a stream whose lines may have `limit` bytes.
    #[must_use]
    pub const fn new(limit: usize) -> Self {
        Self {
            limit,
            gives_blank: false,
            held: Held::EMPTY,
            lent: false,
            passed: false,
            start: Place::START,
            next: 0,
        }
    }

    /// The same framer, which gives blank lines as frames too: for those who send
    /// a stream on as it came, and so need every byte of it. They are no messages.
    ///
    /// The bytes and the ends of all frames, one after the other, are then the
    /// stream, but for the lines over the limit.
    ///
    /// ```
    /// use mcparse::LineFramer;
    ///
    /// let stream = b"{}\r\n \t\n\n{}";
    /// let (mut framer, mut chunk, mut again) = (LineFramer::new(20).with_blank_lines(), &stream[..], Vec::new());
    /// while let Some(Ok(frame)) = framer.next_frame(&mut chunk) {
    ///     again.extend_from_slice(frame.bytes());
    ///     again.extend_from_slice(frame.end());
    /// }
    /// again.extend_from_slice(framer.finish().unwrap().unwrap().bytes());
    /// assert_eq!(again, stream);
    /// ```
    #[must_use]
    pub const fn with_blank_lines(mut self) -> Self {
        self.gives_blank = true;
        self
    }

    /// Takes from the front of `chunk` up to the end of the next message, or
    /// all of it, and then returns `None`: more input is needed.
    ///
    /// A line that lies whole in the chunk is lent from there without a copy.
    /// What remains of the chunk is for the next call; a byte taken is never
    /// searched again, however small the chunks.
    ///
    /// # Errors
    ///
    /// [`Rule::TooLarge`] for a line that is longer than the limit. The framer
    /// goes on behind it at the next call.
    pub fn next_frame<'s, 'c: 's>(
        &'s mut self,
        chunk: &mut &'c [u8],
    ) -> Option<Result<Frame<'s>, Violation<'static>>> {
        self.take_back();
        let (start, whole) = loop {
            let Some(end) = memchr(b'\n', chunk) else {
                return self.hold(mem::take(chunk)).map(Err);
            };
            let (piece, rest) = chunk.split_at(end);
            *chunk = &rest[1..];
            let start = self.start;
            self.next += piece.len() as u64 + 1;
            self.start = Place { offset: self.next, line: start.line + 1 };

            if mem::take(&mut self.passed) {
                continue;
            }
            if piece.len() > self.room() {
                self.held.clear();
                return Some(Err(too_large(start)));
            }
            let whole = self.held.is_empty().then_some(piece);
            if whole.is_none() {
                self.held.push(piece, self.limit);
            }
            if self.gives_blank || !is_blank(whole.unwrap_or(&self.held)) {
                break (start, whole);
            }
            self.held.clear();
        };
        self.lent = true;
        let line = whole.unwrap_or(&self.held);
        Some(Ok(match line.strip_suffix(b"\r") {
            Some(line) => frame(line, b"\r\n", start),
            None => frame(line, b"\n", start),
        }))
    }

    /// Ends the stream: the last line, if it has no LF and is not blank (or is not
    /// empty, where blank lines are asked for). It is lent as it stands, a CR at its end included.
    ///
    /// The framer is then at the start of a new stream: offsets count from 0
    /// and lines from 1 again. What is left of a chunk that
    /// [`next_frame`](Self::next_frame) was not done with is not seen.
    ///
    /// # Errors
    ///
    /// None as yet: a line that is too long has been refused before its end.
    pub fn finish(&mut self) -> Option<Result<Frame<'_>, Violation<'static>>> {
        self.take_back();
        let start = mem::replace(&mut self.start, Place::START);
        self.next = 0;
        self.passed = false;
        self.lent = true;
        let is_frame = if self.gives_blank { !self.held.is_empty() } else { !is_blank(&self.held) };
        is_frame.then(|| Ok(frame(&self.held, b"", start)))
    }

    /// The bytes of memory held for a line that straddles chunks: at most the
    /// limit, and between lines at most 64 KiB.
    #[must_use]
    pub fn bytes_held(&self) -> usize {
        self.held.capacity()
    }

    /// Takes back the buffer, if the last frame was lent from it.
    fn take_back(&mut self) {
        if mem::take(&mut self.lent) {
            self.held.clear();
        }
    }

    /// Holds a piece of a line whose end is yet to come.
    fn hold(&mut self, piece: &[u8]) -> Option<Violation<'static>> {
        self.next += piece.len() as u64;
        if self.passed {
            return None;
        }
        if piece.len() > self.room() {
            self.held.clear();
            self.passed = true;
            return Some(too_large(self.start));
        }
        self.held.push(piece, self.limit);
        None
    }

    /// How many more bytes the line under way may have.
    fn room(&self) -> usize {
        self.limit - self.held.len()
    }
}

/// A framer with the default limit of a [`Policy`](crate::Policy): 4 MiB.
impl Default for LineFramer {
    fn default() -> Self {
        Self::new(Limits::new().message_bytes)
    }
}

/// Which party sent the line is not known here: if it was a server, the caller
/// keeps the reply to itself.
const fn too_large(start: Place) -> Violation<'static> {
    Violation::in_stream(Rule::TooLarge, start.offset, start.line, Answer::WithoutId)
}

const fn frame<'s>(bytes: &'s [u8], end: &'static [u8], start: Place) -> Frame<'s> {
    Frame { bytes, end, offset: start.offset, line: start.line, event: None }
}

/// Whether it holds nothing but JSON white space. Ends at the first byte of a
/// message, as a rule the very first.
pub(crate) fn is_blank(line: &[u8]) -> bool {
    line.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r'))
}
