//! [`SseFramer`]: messages as the data of server-sent events.
//!
//! Lines are read piece by piece as the chunks bring them: of a field's name a
//! few bytes are gathered, and its value goes straight to where it is kept, so
//! that no line is ever held as a line. This file opens no connection and
//! makes none anew; it only notes what that takes,
//! [`SseFramer::last_event_id`] and [`SseFramer::retry`].

#[cfg(feature = "tower")]
mod under_way;

use std::mem;
use std::time::Duration;

use memchr::{memchr, memchr2};

use super::{Frame, Held, Place};
use crate::policy::Limits;
use crate::rule::Rule;
use crate::violation::{Answer, Violation};
#[cfg(feature = "tower")]
use under_way::LeftOut;
#[cfg(feature = "tower")]
pub(crate) use under_way::UnderWay;

/// Reads a stream of server-sent events by the rules of the
/// [HTML standard][standard]; the data of each event is a message.
///
/// Lines end with LF, CR or CRLF. One byte order mark at the start is passed
/// over, and so are comments and unknown fields. An event is lent at its blank
/// line, without waiting for the LF that may follow a CR. One named `message`,
/// or not named, is a message; any other is lent with its name in
/// [`Frame::event`]. An event without data, or whose data is empty (MCP's
/// priming events), holds no message and gives no frame. A frame begins at the
/// first line of its event that is not a comment. The sequence of frames and
/// violations depends on the stream alone, never on how it was cut into chunks.
///
/// # Bounds
///
/// The data of an event, with the LFs that join its lines, and its name may
/// together have as many bytes as the limit says. An event that has more is
/// one violation of [`Rule::TooLarge`] at the offset of its start, said as soon
/// as the limit is known to be passed; the framer drops it and goes on behind
/// its blank line. An `id` or `retry` of more than 1 KiB is ignored, as if it
/// were not there. Comments and unknown fields may be of any length: they are
/// not held.
///
/// ```
/// use mcparse::SseFramer;
///
/// let mut framer = SseFramer::default();
/// let mut chunk = &b"id: 7\ndata:\n\n: comment\nevent: message\ndata: {\"id\":1}\n\n"[..];
/// let frame = framer.next_frame(&mut chunk).unwrap().unwrap();
/// assert!(frame.is_message());
/// assert_eq!(frame.bytes(), b"{\"id\":1}");
/// assert_eq!((frame.offset(), frame.line()), (23, 5));
///
/// assert!(framer.next_frame(&mut chunk).is_none());
/// assert!(framer.finish().is_none());
/// assert_eq!(framer.last_event_id(), b"7");
/// ```
///
/// [standard]: https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
#[derive(Clone, Debug)]
pub struct SseFramer {
    line: Line,
    /// Where the line under way begins.
    start: Place,
    /// The offset of the next byte: at least `start.offset`.
    next: u64,
    /// Whether the last byte was a CR, so that an LF now belongs to it.
    after_cr: bool,
    event: Event,
    /// Whether the data and the name of `event` are those of the frame lent
    /// last, and not of an event under way.
    lent: bool,
    /// The line under way: its name until that is known, then its value if it
    /// is an `id` or `retry` line.
    value: Held,
    /// The id that the event under way sets, if `id_is_new`.
    next_id: Held,
    id_is_new: bool,
    #[cfg(feature = "tower")]
    left_out: LeftOut,
    last_id: Held,
    retry: Option<Duration>,
}

impl SseFramer {
    /// A framer at the start of a stream whose events may have `limit` bytes.
    #[must_use]
    pub const fn new(limit: usize) -> Self {
        Self {
            line: Line::Name,
            start: Place::START,
            next: 0,
            after_cr: false,
            event: Event::new(limit),
            lent: false,
            value: Held::EMPTY,
            next_id: Held::EMPTY,
            id_is_new: false,
            #[cfg(feature = "tower")]
            left_out: LeftOut::NONE,
            last_id: Held::EMPTY,
            retry: None,
        }
    }

    /// Takes from the front of `chunk` up to the end of the next event, or all
    /// of it, and then returns `None`: more input is needed.
    ///
    /// Data of one line is lent from the chunk without a copy if that line and
    /// the end of its event lie in it. What remains of the chunk is for the
    /// next call.
    ///
    /// # Errors
    ///
    /// [`Rule::TooLarge`] for an event that is larger than the limit. The
    /// framer goes on behind it at the next call.
    pub fn next_frame<'s, 'c: 's>(
        &'s mut self,
        chunk: &mut &'c [u8],
    ) -> Option<Result<Frame<'s>, Violation<'static>>> {
        self.take_back();
        // The event's only line of data so far, if it lies whole in the chunk.
        let mut whole = None;
        loop {
            let Some(&first) = chunk.first() else {
                self.event.keep(&mut whole);
                return None;
            };
            if mem::take(&mut self.after_cr) && first == b'\n' {
                *chunk = &chunk[1..];
                self.next += 1;
                self.start.offset = self.next;
                continue;
            }
            let end = memchr2(b'\r', b'\n', chunk);
            let (piece, rest) = chunk.split_at(end.unwrap_or(chunk.len()));
            *chunk = rest;
            self.next += piece.len() as u64;

            let fits = self.read(piece, end.is_some(), &mut whole);
            let is_blank = self.end_line(chunk);
            if !fits {
                return Some(Err(self.event.refuse()));
            }
            if is_blank && self.end_event(&mut whole) {
                break;
            }
        }
        self.lent = true;
        let Event { start, data, name, .. } = &self.event;
        Some(Ok(Frame {
            bytes: whole.unwrap_or(data),
            end: b"",
            offset: start.offset,
            line: start.line,
            event: Some(&**name).filter(|name| !matches!(*name, b"" | b"message")),
        }))
    }

    /// Ends the stream. There is never a last frame: an event without its
    /// blank line is dropped.
    ///
    /// The framer is then at the start of a new stream: offsets count from 0
    /// and lines from 1 again. Only [`last_event_id`](Self::last_event_id) and
    /// [`retry`](Self::retry) stay as they are: they are for the next
    /// connection. What is left of a chunk that [`next_frame`](Self::next_frame)
    /// was not done with is not seen.
    ///
    /// # Errors
    ///
    /// [`Rule::SseEventCut`] at the start of the event that is dropped, if it
    /// has data that is not empty, or its last line has no end. An unfinished
    /// comment is no part of an event, and an event that was refused as too
    /// large is not reported again.
    pub fn finish(&mut self) -> Option<Result<Frame<'_>, Violation<'static>>> {
        self.take_back();
        let start = mem::replace(&mut self.start, Place::START);
        let unfinished = match mem::replace(&mut self.line, Line::Name) {
            Line::Name => !self.value.is_empty(),
            Line::Comment => false,
            Line::Colon(_) | Line::Value(_) | Line::Ignored => true,
        };
        if unfinished {
            self.event.begin(start);
        }
        let cut = !self.event.passed && (unfinished || !self.event.data.is_empty());
        let start = self.event.start;
        self.event.end();
        self.event.clear();
        self.value.clear();
        self.id_is_new = false;
        self.after_cr = false;
        self.next = 0;
        cut.then(|| Err(in_stream(Rule::SseEventCut, start)))
    }

    /// The id of the last event whose blank line was read, to resume the
    /// stream behind it. Empty if there was none yet, or it was set to nothing.
    /// An event without data counts, and so does one that was too large.
    #[must_use]
    pub fn last_event_id(&self) -> &[u8] {
        &self.last_id
    }

    /// How long the server asks to wait before connecting again, if it said
    /// so. A number of milliseconds beyond 64 bits is ignored.
    #[must_use]
    pub const fn retry(&self) -> Option<Duration> {
        self.retry
    }

    /// The bytes of memory held: data and name of an event that straddles
    /// chunks, and the ids. At most twice the limit and 3 KiB, and between
    /// events at most 131 KiB.
    #[must_use]
    pub fn bytes_held(&self) -> usize {
        let Self { event: Event { data, name, .. }, value, next_id, last_id, .. } = self;
        [data, name, value, next_id, last_id].map(Held::capacity).iter().sum()
    }

    /// Takes back the buffers, if the last frame was lent from them.
    fn take_back(&mut self) {
        if mem::take(&mut self.lent) {
            self.event.clear();
        }
    }

    /// Reads a piece of the line under way, its last one if `ended`. False if
    /// that made the event pass the limit.
    fn read<'c>(&mut self, mut piece: &'c [u8], ended: bool, whole: &mut Option<&'c [u8]>) -> bool {
        let mut fits = true;
        if matches!(self.line, Line::Name) {
            piece = self.read_name(piece, ended);
            if matches!(self.line, Line::Colon(_) | Line::Ignored) {
                self.event.begin(self.start);
            }
            match self.line {
                Line::Colon(Field::Data) => fits = self.event.open_data(whole),
                Line::Colon(Field::Event) => self.event.name.clear(),
                Line::Colon(Field::Id | Field::Retry) => self.value.clear(),
                _ => {}
            }
        }
        if let Line::Colon(field) = self.line
            && !piece.is_empty()
        {
            piece = piece.strip_prefix(b" ").unwrap_or(piece);
            self.line = Line::Value(field);
        }
        let (Line::Colon(field) | Line::Value(field)) = self.line else { return true };
        match field {
            Field::Data => fits = fits && self.event.add_data(piece, ended, whole),
            Field::Event => fits = self.event.add_name(piece, *whole),
            Field::Id | Field::Retry if piece.len() > MOST_VALUE - self.value.len() => {
                self.line = Line::Ignored;
            }
            Field::Id | Field::Retry => {
                self.value.push(piece, MOST_VALUE);
                if ended {
                    self.end_value(field);
                }
            }
        }
        if !fits {
            self.line = Line::Ignored;
        }
        fits
    }

    /// Reads a piece of a line's start, up to the colon behind the field's name
    /// or the end of the line. Returns what is behind that.
    fn read_name<'c>(&mut self, piece: &'c [u8], ended: bool) -> &'c [u8] {
        let room = MOST_NAME - self.value.len();
        let window = &piece[..piece.len().min(room)];
        let colon = memchr(b':', window);
        let name = &window[..colon.unwrap_or(window.len())];
        self.value.push(name, MOST_NAME);
        if self.start.offset == 0 && self.value.starts_with(BOM) {
            self.value.0.drain(..BOM.len());
            self.start.offset = BOM.len() as u64;
        }
        let rest = &piece[name.len()..];
        if colon.is_none() && !ended && name.len() < room {
            return rest;
        }
        self.line = match &*self.value {
            b"" if colon.is_some() => Line::Comment,
            b"" => Line::Name,
            b"data" if !self.event.passed => Line::Colon(Field::Data),
            b"event" if !self.event.passed => Line::Colon(Field::Event),
            // Of an event too large as well: to resume must not lead back to it.
            b"id" => Line::Colon(Field::Id),
            b"retry" => Line::Colon(Field::Retry),
            _ => Line::Ignored,
        };
        rest.strip_prefix(b":").unwrap_or(rest)
    }

    /// Ends an `id` or `retry` line.
    fn end_value(&mut self, field: Field) {
        if matches!(field, Field::Retry) {
            self.retry = milliseconds(&self.value).or(self.retry);
        } else if memchr(0, &self.value).is_none() {
            mem::swap(&mut self.value, &mut self.next_id);
            self.id_is_new = true;
        }
    }

    /// Takes the end of the line under way from the chunk, if it is there.
    /// True if that makes a blank line.
    fn end_line(&mut self, chunk: &mut &[u8]) -> bool {
        let Some((&end, rest)) = chunk.split_first() else { return false };
        *chunk = rest;
        self.after_cr = end == b'\r';
        self.next += 1;
        self.start = Place { offset: self.next, line: self.start.line + 1 };
        let is_blank = matches!(self.line, Line::Name) && self.value.is_empty();
        self.line = Line::Name;
        self.value.clear();
        is_blank
    }

    /// Ends the event under way at its blank line. True if that makes a frame.
    fn end_event(&mut self, whole: &mut Option<&[u8]>) -> bool {
        let id_is_new = mem::take(&mut self.id_is_new);
        #[cfg(feature = "tower")]
        let id_is_new = self.left_out.end_event(self.event.passed, self.next, id_is_new);
        if id_is_new {
            mem::swap(&mut self.next_id, &mut self.last_id);
        }
        self.event.end();
        let is_empty = whole.unwrap_or(&self.event.data).is_empty();
        if is_empty {
            *whole = None;
            self.event.clear();
        }
        !is_empty
    }
}

/// A framer with the default limit of a [`Policy`](crate::Policy): 4 MiB.
impl Default for SseFramer {
    fn default() -> Self {
        Self::new(Limits::new().message_bytes)
    }
}

/// Only servers send event streams, and what they send is never answered.
const fn in_stream(rule: Rule, start: Place) -> Violation<'static> {
    Violation::in_stream(rule, start.offset, start.line, Answer::Forbidden)
}

/// The longest `id` or `retry` line that is not ignored, less the name.
const MOST_VALUE: usize = 1 << 10;

/// The value of a `retry` line.
fn milliseconds(value: &[u8]) -> Option<Duration> {
    // `parse` alone would take a sign too.
    let digits = str::from_utf8(value).ok().filter(|_| value.iter().all(u8::is_ascii_digit))?;
    digits.parse().ok().map(Duration::from_millis)
}

/// How far the line under way has been read.
///
/// ```text
///         colon first
/// Name --+-----------> Comment
///        | known name           next byte
///        +-----------> Colon ------------> Value
///        | any other                         | too long
///        +-----------> Ignored <-------------+
/// ```
#[derive(Clone, Copy, Debug)]
enum Line {
    /// In the name of the field, or at the start of the line.
    Name,
    Comment,
    /// Behind the colon, where one space is not part of the value.
    Colon(Field),
    Value(Field),
    Ignored,
}

/// A field that is not ignored.
#[derive(Clone, Copy, Debug)]
enum Field {
    Data,
    Event,
    Id,
    Retry,
}

const BOM: &[u8] = b"\xEF\xBB\xBF";

/// One byte more than a BOM and the longest name: with so many, and no colon
/// among them, it is none of the fields.
const MOST_NAME: usize = BOM.len() + b"event".len() + 1;

/// The event under way, but for data that lies whole in the chunk.
///
/// Invariant: `data`, or that in the chunk, and `name` have at most `limit`
/// bytes together, and none once `passed`.
#[derive(Clone, Debug)]
struct Event {
    limit: usize,
    /// Where its first line begins that is not a comment, once it has `begun`.
    start: Place,
    begun: bool,
    /// Whether it has a line of data, to which the next one is joined with LF.
    has_data: bool,
    /// Whether it passed the limit, which has been said.
    passed: bool,
    data: Held,
    name: Held,
}

impl Event {
    const fn new(limit: usize) -> Self {
        Self {
            limit,
            start: Place::START,
            begun: false,
            has_data: false,
            passed: false,
            data: Held::EMPTY,
            name: Held::EMPTY,
        }
    }

    fn begin(&mut self, start: Place) {
        if !self.begun {
            self.begun = true;
            self.start = start;
        }
    }

    /// Starts a line of data. Like the next two, false if that does not fit.
    fn open_data(&mut self, whole: &mut Option<&[u8]>) -> bool {
        self.keep(whole);
        !mem::replace(&mut self.has_data, true) || self.hold(b"\n")
    }

    fn add_data<'c>(&mut self, piece: &'c [u8], ended: bool, whole: &mut Option<&'c [u8]>) -> bool {
        if ended && self.data.is_empty() {
            *whole = Some(piece);
            return piece.len() <= self.limit - self.name.len();
        }
        self.hold(piece)
    }

    fn add_name(&mut self, piece: &[u8], whole: Option<&[u8]>) -> bool {
        let most = self.limit - whole.unwrap_or(&self.data).len();
        let fits = piece.len() <= most - self.name.len();
        if fits {
            self.name.push(piece, most);
        }
        fits
    }

    fn hold(&mut self, piece: &[u8]) -> bool {
        let most = self.limit - self.name.len();
        let fits = piece.len() <= most - self.data.len();
        if fits {
            self.data.push(piece, most);
        }
        fits
    }

    /// Holds the data that lies in the chunk, before the chunk goes.
    fn keep(&mut self, whole: &mut Option<&[u8]>) {
        if let Some(data) = whole.take() {
            self.data.push(data, self.limit - self.name.len());
        }
    }

    fn refuse(&mut self) -> Violation<'static> {
        self.passed = true;
        self.clear();
        in_stream(Rule::TooLarge, self.start)
    }

    fn end(&mut self) {
        self.begun = false;
        self.has_data = false;
        self.passed = false;
    }

    fn clear(&mut self) {
        self.data.clear();
        self.name.clear();
    }
}
