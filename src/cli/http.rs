//! A conversation over HTTP/1.1 as it was captured: requests and responses with
//! their heads, one after the other, in one file or in several. All files of a
//! call are one conversation, in the order in which they are named.
//!
//! A request's body is the client's message, and its head is judged with it. A
//! response's body is the server's: one message if it is JSON, one for each
//! event if it is a stream of events. What holds no message is pointed out and
//! not judged.

mod body;
mod head;
mod places;
mod wire;

use std::io::{Read, Write};

use mcparse::{RequestHead, RevisionSet, SseFramer, Violation};

use self::body::{End, read as read_body};
use self::head::{Head, Length, Start};
use self::places::Places;
use self::wire::{Fault, Wire};
use super::input::{Source, Stop};
use super::judge::Place;
use super::safe::Safe;
use super::{Outcome, Session};

/// The most characters that are shown of a method, a target or a media type.
const MOST_SHOWN: usize = 80;

/// What a message must not exceed is held, and one byte more, which shows that
/// it does.
struct Held {
    bytes: Vec<u8>,
    most: usize,
    place: Option<Place>,
}

impl Held {
    fn new(limit: usize) -> Self {
        Self { bytes: Vec::new(), most: limit.saturating_add(1), place: None }
    }

    fn add(&mut self, place: Place, piece: &[u8]) {
        self.place.get_or_insert(place);
        let room = self.most - self.bytes.len();
        self.bytes.extend_from_slice(piece.get(..room).unwrap_or(piece));
    }
}

impl<W: Write> Session<W> {
    /// Judges all that the source holds of the conversation.
    pub(super) fn converse(&mut self, source: &Source, reader: &mut dyn Read) -> Result<(), Stop> {
        let mut wire = Wire::new(reader);
        let mut is_empty = true;
        loop {
            let place = wire.place();
            let head = match Head::read(&mut wire) {
                Ok(Some(head)) => head,
                Ok(None) => break,
                Err(fault) => return self.cannot_go_on(source, place, fault),
            };
            is_empty = false;
            let length = match head.length() {
                Ok(length) => length,
                Err(fault) => return self.cannot_go_on(source, head.place, fault),
            };
            let end = match &head.start {
                Start::Request { .. } => self.request(source, &mut wire, &head, length)?,
                Start::Response { .. } => self.response(source, &mut wire, &head, length)?,
            };
            match end {
                End::Whole => {}
                End::Cut => {
                    self.remark(source, head.place, "the source ends before the body does")?;
                }
                End::Wrong(said) => {
                    return self.cannot_go_on(source, head.place, Fault::Wrong(said));
                }
            }
        }
        if is_empty {
            self.note(&format!("{} holds no message, read as HTTP", source.shown()))?;
        }
        Ok(())
    }

    /// A client's message, if there is one.
    fn request(
        &mut self,
        source: &Source,
        wire: &mut Wire<'_>,
        head: &Head,
        length: Length,
    ) -> Result<End, Stop> {
        let Start::Request { method, target } = &head.start else { return Ok(End::Whole) };
        let mut body = Held::new(self.judge.policy().limits().message_bytes);
        let end = read_body(wire, length, &mut |place, piece| {
            body.add(place, piece);
            Ok(())
        })?;
        // In the revisions with sessions, GET opens a stream and DELETE ends a
        // session.
        let has_sessions =
            !self.judge.policy().revisions().without_all(RevisionSet::MODERN).is_empty();
        if method != "POST" && body.bytes.is_empty() && has_sessions {
            let (method, target) = (Safe::new(method, MOST_SHOWN), Safe::new(target, MOST_SHOWN));
            self.remark(source, head.place, &format!("{method} {target} holds no message"))?;
            return Ok(end);
        }
        if end != End::Whole {
            // Nobody acts on half a request.
            self.outcome = Outcome::Failed;
            return Ok(end);
        }
        let place = body.place.unwrap_or(head.place);
        let known = self.judge.upstream().headers();
        let of_request = RequestHead::new(method, head.headers()).with_param_headers(&known);
        let record = self.judge.judge_request(place, &of_request, &body.bytes);
        self.report(source, &record)?;
        Ok(end)
    }

    /// What a server says.
    fn response(
        &mut self,
        source: &Source,
        wire: &mut Wire<'_>,
        head: &Head,
        length: Length,
    ) -> Result<End, Stop> {
        let media_type = head.media_type();
        match media_type.as_deref() {
            _ if head.is_encoded() => self.skip(source, wire, head, length, "is compressed"),
            Some("application/json") => self.answer(source, wire, head, length),
            Some("text/event-stream") => self.events(source, wire, length),
            Some(other) => {
                let why = format!("is {}, neither JSON nor events", Safe::new(other, MOST_SHOWN));
                self.skip(source, wire, head, length, &why)
            }
            None => self.skip(source, wire, head, length, "has no type"),
        }
    }

    /// One message in JSON.
    fn answer(
        &mut self,
        source: &Source,
        wire: &mut Wire<'_>,
        head: &Head,
        length: Length,
    ) -> Result<End, Stop> {
        let mut body = Held::new(self.judge.policy().limits().message_bytes);
        let end = read_body(wire, length, &mut |place, piece| {
            body.add(place, piece);
            Ok(())
        })?;
        if end != End::Whole {
            self.outcome = Outcome::Failed;
        } else if body.bytes.is_empty() {
            self.remark(source, head.place, "the response holds no message")?;
        } else {
            self.server_message(source, body.place.unwrap_or(head.place), &body.bytes)?;
        }
        Ok(end)
    }

    /// A message for each event. A stream that ends early has said what it has.
    fn events(
        &mut self,
        source: &Source,
        wire: &mut Wire<'_>,
        length: Length,
    ) -> Result<End, Stop> {
        let mut framer = SseFramer::new(self.judge.policy().limits().message_bytes);
        let mut places = Places::new();
        let end = read_body(wire, length, &mut |place, piece| {
            places.add(place, piece);
            let mut rest = piece;
            while let Some(framed) = framer.next_frame(&mut rest) {
                match framed {
                    Ok(frame) => {
                        let of = Place { line: frame.line(), offset: frame.offset() };
                        let place = places.find(of);
                        if frame.is_message() {
                            self.server_message(source, place, frame.bytes())?;
                        } else {
                            self.other_event(source, place)?;
                        }
                    }
                    Err(violation) => self.event_fault(source, &mut places, &violation)?,
                }
            }
            Ok(self.output.flush()?)
        })?;
        if let Some(Err(violation)) = framer.finish() {
            self.event_fault(source, &mut places, &violation)?;
        }
        Ok(end)
    }

    fn event_fault(
        &mut self,
        source: &Source,
        places: &mut Places,
        violation: &Violation<'static>,
    ) -> Result<(), Stop> {
        let line = violation.line().unwrap_or_default();
        let place = places.find(Place { line, offset: violation.offset() });
        Ok(self.fault(source, place, violation)?)
    }

    fn server_message(
        &mut self,
        source: &Source,
        place: Place,
        message: &[u8],
    ) -> Result<(), Stop> {
        let record = self.judge.judge_response(place, message);
        self.report(source, &record)?;
        for remark in self.judge.upstream().remarks() {
            self.remark(source, place, &remark)?;
        }
        Ok(())
    }

    /// A body that holds no message. An empty one is pointed out as that.
    fn skip(
        &mut self,
        source: &Source,
        wire: &mut Wire<'_>,
        head: &Head,
        length: Length,
        why: &str,
    ) -> Result<End, Stop> {
        let mut is_empty = true;
        let end = read_body(wire, length, &mut |_, _| {
            is_empty = false;
            Ok(())
        })?;
        let said = match (is_empty, &head.start) {
            (true, Start::Response { status }) => format!("the response {status} holds no message"),
            _ => format!("the body of the response {why}, and is not judged"),
        };
        self.remark(source, head.place, &said)?;
        Ok(end)
    }

    fn remark(&mut self, source: &Source, place: Place, said: &str) -> Result<(), Stop> {
        Ok(self.note(&format!("{}:{}: {said}", source.shown(), place.line))?)
    }

    /// Where the next message begins is not known any more.
    fn cannot_go_on(&mut self, source: &Source, place: Place, fault: Fault) -> Result<(), Stop> {
        match fault {
            Fault::Read(error) => Err(Stop::Read(error)),
            Fault::Wrong(said) => {
                self.outcome = Outcome::Failed;
                self.remark(source, place, &format!("{said}; the rest is not read"))
            }
        }
    }
}
