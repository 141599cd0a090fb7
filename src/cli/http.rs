//! A conversation over HTTP/1.1 as it was captured: requests and responses with
//! their heads, one after the other, in one file or in several. All files of a
//! call are one conversation, in the order in which they are named.
//!
//! A request's body is the client's message, and its head is judged with it. A
//! response's body is the server's: one message if it is JSON, one for each
//! event if it is a stream of events. It is judged by the request that it
//! answers, if that was seen. What holds no message is pointed out and
//! not judged.

mod answer;
mod body;
mod head;
mod places;
mod waiting;
mod wire;

use std::io::{Read, Write};

use mcparse::{Action, RequestHead, RevisionSet, SseFramer, Summary, Violation};

pub(super) use self::answer::Answer;
use self::body::{End, read as read_body};
use self::head::{Head, Length, Start};
use self::places::Places;
pub(super) use self::waiting::Waiting;
use self::wire::{Fault, Wire};
use super::input::{Source, Stop};
use super::judge::{Judge, Place};
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
            self.judge.ask(None);
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
        let Start::Response { status } = head.start else { return Ok(End::Whole) };
        let media_type = head.media_type();
        match media_type.as_deref() {
            _ if head.is_encoded() => {
                self.no_answer(source, wire, head, length, status, "is compressed")
            }
            Some("application/json") => self.answer(source, wire, head, length, status),
            Some("text/event-stream") => self.events(source, wire, head, length, status),
            Some(other) => {
                let why = format!("is {}, neither JSON nor events", Safe::new(other, MOST_SHOWN));
                self.no_answer(source, wire, head, length, status, &why)
            }
            None => self.no_answer(source, wire, head, length, status, "has no type"),
        }
    }

    /// The message that a response of this status is to, as far as the order
    /// tells.
    fn oldest(&mut self, status: u16) -> Option<Summary> {
        // What comes with 1xx is not the response yet.
        let is_final = status >= 200;
        self.judge.waiting().filter(|_| is_final)?.by_order(status)
    }

    /// Judges the head of what answers `to`. None if it is refused by that.
    fn head(
        &mut self,
        source: &Source,
        head: &Head,
        to: Option<&Summary>,
    ) -> Result<Option<Answer>, Stop> {
        let Some(to) = to else { return Ok(Some(Answer::alone())) };
        match self.judge.judge_head(head.place, to, &head.as_response()) {
            Ok(answer) => Ok(Some(answer)),
            Err(record) => {
                self.report(source, &record)?;
                Ok(None)
            }
        }
    }

    /// The answer has ended. A request without one, and what was found in the
    /// head of what held no message, are told.
    fn ended(&mut self, source: &Source, place: Place, mut answer: Answer) -> Result<(), Stop> {
        for rule in answer.take_findings().iter() {
            self.statistics.add_finding(rule);
            self.remark(source, place, &format!("{rule}: {}", rule.reason()))?;
        }
        let Some(answering) = answer.answering else { return Ok(()) };
        let Some(violation) = answering.finish() else { return Ok(()) };
        if self.judge.policy().action(violation.rule()) == Action::Refuse {
            let record = Judge::judge_end(place, answering.request(), violation);
            return Ok(self.report(source, &record)?);
        }
        Ok(self.fault(source, place, &violation)?)
    }

    /// A body that cannot be an answer. If HTTP itself does not say that it is
    /// none, its head is judged as one.
    fn no_answer(
        &mut self,
        source: &Source,
        wire: &mut Wire<'_>,
        head: &Head,
        length: Length,
        status: u16,
        why: &str,
    ) -> Result<End, Stop> {
        let to = self.oldest(status).filter(|_| status < 300);
        let answer = self.head(source, head, to.as_ref())?;
        let end = self.skip(source, wire, head, length, why)?;
        if let Some(answer) = answer {
            self.ended(source, head.place, answer)?;
        }
        Ok(end)
    }

    /// One message in JSON.
    fn answer(
        &mut self,
        source: &Source,
        wire: &mut Wire<'_>,
        head: &Head,
        length: Length,
        status: u16,
    ) -> Result<End, Stop> {
        let mut body = Held::new(self.judge.policy().limits().message_bytes);
        let end = read_body(wire, length, &mut |place, piece| {
            body.add(place, piece);
            Ok(())
        })?;
        let by_id = self.judge.waiting().and_then(|waiting| waiting.by_id(&body.bytes));
        let to = by_id.or_else(|| self.oldest(status));
        if end != End::Whole {
            self.outcome = Outcome::Failed;
            return Ok(end);
        }
        let Some(mut answer) = self.head(source, head, to.as_ref())? else { return Ok(end) };
        if body.bytes.is_empty() {
            self.remark(source, head.place, "the response holds no message")?;
        } else {
            let place = body.place.unwrap_or(head.place);
            self.server_message(source, place, &mut answer, &body.bytes)?;
        }
        self.ended(source, head.place, answer)?;
        Ok(end)
    }

    /// A message for each event. A stream that ends early has said what it has.
    fn events(
        &mut self,
        source: &Source,
        wire: &mut Wire<'_>,
        head: &Head,
        length: Length,
        status: u16,
    ) -> Result<End, Stop> {
        let to = self.oldest(status);
        let Some(mut answer) = self.head(source, head, to.as_ref())? else {
            return read_body(wire, length, &mut |_, _| Ok(()));
        };
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
                            self.turn_to(head, &mut answer, frame.bytes());
                            self.server_message(source, place, &mut answer, frame.bytes())?;
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
        // What comes behind a cut is not known.
        if end == End::Whole {
            self.ended(source, head.place, answer)?;
        }
        Ok(end)
    }

    /// An event that answers another request than the one whose turn it was: the
    /// stream is that one's.
    fn turn_to(&mut self, head: &Head, answer: &mut Answer, message: &[u8]) {
        let (true, Some(request)) = (answer.is_open(), answer.request().copied()) else { return };
        let own = request.id();
        let Some(waiting) = self.judge.waiting() else { return };
        let Some(other) = waiting.by_id(message) else { return };
        if own.is_some_and(|id| other.has_id(id)) {
            // Both have the id, and the older one goes first.
            waiting.put_back(&other);
            return;
        }
        // What the head says was told of the first.
        if let Ok(turned) = self.judge.judge_head(head.place, &other, &head.as_response()) {
            answer.answering = turned.answering;
            if let Some(waiting) = self.judge.waiting() {
                waiting.put_back(&request);
            }
        }
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
        answer: &mut Answer,
        message: &[u8],
    ) -> Result<(), Stop> {
        let record = self.judge.judge_response(place, answer, message);
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
