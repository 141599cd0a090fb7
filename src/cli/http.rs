//! A conversation over HTTP/1.1 as it was captured: requests and responses with
//! their heads, one after the other, in one file or in several. All files of a
//! call are one conversation, in the order in which they are named.
//!
//! A request's body is the client's message, and its head is judged with it.
//! Responses are in `http/response.rs`. What holds no message is pointed out and
//! not judged.

mod answer;
mod body;
mod head;
mod places;
mod response;
mod waiting;
mod wire;

use std::io::{Read, Write};

use mcparse::{RequestHead, RevisionSet};

pub(super) use self::answer::Answer;
use self::body::{End, read as read_body};
pub(super) use self::head::begins_like_a_head;
use self::head::{Head, Length, Start};
pub(super) use self::waiting::{Asked, Sent, Waiting};
use self::wire::{Fault, Wire};
use super::args::Framing;
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
    /// A body, and how it ended.
    fn read(wire: &mut Wire<'_>, length: Length, limit: usize) -> Result<(Self, End), Stop> {
        let mut body = Self { bytes: Vec::new(), most: limit.saturating_add(1), place: None };
        let end = read_body(wire, length, &mut |place, piece| {
            body.add(place, piece);
            Ok(())
        })?;
        Ok((body, end))
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
        // Of the body before.
        let mut length = Length::Nothing;
        loop {
            let place = wire.place();
            let head = match Head::read(&mut wire) {
                Ok(Some(head)) => head,
                Ok(None) => break,
                Err(Fault::NoHead(said)) if matches!(length, Length::Bytes(_)) => {
                    let said = format!("bytes follow the body that Content-Length gives: {said}");
                    return self.cannot_go_on(source, place, Fault::NoHead(said));
                }
                Err(fault) => return self.cannot_go_on(source, place, fault),
            };
            is_empty = false;
            length = match head.length() {
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
                End::Short { given, there } => {
                    let said = format!(
                        "the source ends before the body does: Content-Length is {given}, and \
                         {there} bytes follow"
                    );
                    self.remark(source, head.place, &said)?;
                }
                End::Wrong(said) => {
                    return self.cannot_go_on(source, head.place, Fault::Wrong(said));
                }
            }
        }
        if is_empty {
            self.note(&source.empty(Framing::Http))?;
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
        let most = self.judge.policy().limits().message_bytes;
        let (body, end) = Held::read(wire, length, most)?;
        // In the revisions with sessions, GET opens a stream and DELETE ends a
        // session.
        let has_sessions =
            !self.judge.policy().revisions().without_all(RevisionSet::MODERN).is_empty();
        if method != "POST" && body.bytes.is_empty() && has_sessions {
            let (method, target) = (Safe::new(method, MOST_SHOWN), Safe::new(target, MOST_SHOWN));
            self.remark(source, head.place, &format!("{method} {target} holds no message"))?;
            self.judge.ask(Asked { sent: Sent::Nothing, session: head.session() });
            return Ok(end);
        }
        if end != End::Whole {
            // Nobody acts on half a request.
            self.tally.outcome = Outcome::Failed;
            return Ok(end);
        }
        if length == Length::Nothing {
            let said = "a request without Content-Length or Transfer-Encoding has no body";
            self.remark(source, head.place, said)?;
        }
        let place = body.place.unwrap_or(head.place);
        let known = self.judge.upstream().headers();
        let of_request = RequestHead::new(method, head.headers()).with_param_headers(&known);
        let session = head.session();
        let records = if head.may_have_batch() && self.judge.takes(&body.bytes) {
            self.judge.judge_batch_request(place, session, &of_request, &body.bytes)
        } else {
            vec![self.judge.judge_request(place, session, &of_request, &body.bytes)]
        };
        for record in records {
            self.report(source, record)?;
        }
        Ok(end)
    }

    fn remark(&mut self, source: &Source, place: Place, said: &str) -> Result<(), Stop> {
        Ok(self.note(&format!("{}:{}: {said}", source.shown(), place.line))?)
    }

    /// Where the next message begins is not known any more.
    fn cannot_go_on(&mut self, source: &Source, place: Place, fault: Fault) -> Result<(), Stop> {
        match fault {
            Fault::Read(error) => Err(Stop::Read(error)),
            Fault::Wrong(said) | Fault::NoHead(said) => {
                self.tally.outcome = Outcome::Failed;
                self.remark(source, place, &format!("{said}; the rest is not read"))
            }
        }
    }
}
