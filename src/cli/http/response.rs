//! A response: the server's messages, one if the body is JSON, one for each
//! event if it is a stream of events. They are judged by the request that the
//! response is to, if that was seen.

use std::io::Write;

use mcparse::{Action, Sender, SseFramer, Summary, Violation};

use super::super::input::{Source, Stop};
use super::super::judge::{Judge, Place};
use super::super::safe::Safe;
use super::super::{Outcome, Session};
use super::answer::Answer;
use super::body::{End, read as read_body};
use super::head::{Head, Length};
use super::places::Places;
use super::waiting::{Asked, Sent};
use super::wire::Wire;
use super::{Held, MOST_SHOWN};

impl<W: Write> Session<W> {
    /// What a server says.
    pub(super) fn response(
        &mut self,
        source: &Source,
        wire: &mut Wire<'_>,
        head: &Head,
        length: Length,
    ) -> Result<End, Stop> {
        let media_type = head.media_type();
        let mut to = None;
        let end = match media_type.as_deref() {
            _ if head.is_encoded() => {
                self.no_answer(source, wire, head, length, &mut to, "is compressed")
            }
            Some("application/json") => self.answer(source, wire, head, length, &mut to),
            Some("text/event-stream") => self.events(source, wire, head, length, &mut to),
            Some(other) => {
                let why = format!("is {}, neither JSON nor events", Safe::new(other, MOST_SHOWN));
                self.no_answer(source, wire, head, length, &mut to, &why)
            }
            None => self.no_answer(source, wire, head, length, &mut to, "has no type"),
        }?;
        if let Some(asked) = &to {
            self.judge.end(asked);
        }
        Ok(end)
    }

    /// The request that a response is to, as far as the order tells.
    fn oldest(&mut self, head: &Head) -> Option<Asked> {
        // What comes with 1xx is not the response yet.
        let status = head.status();
        self.judge.waiting().filter(|_| status >= 200)?.by_order(status)
    }

    /// Points out a response to nothing that was seen.
    fn note_alone(&mut self, source: &Source, head: &Head, to: Option<&Asked>) -> Result<(), Stop> {
        if to.is_some() || head.status() < 200 || self.judge.waiting().is_none() {
            return Ok(());
        }
        self.remark(source, head.place, "no request before this response; it is judged alone")
    }

    /// Judges the head of what answers `to`. None if it is refused by that.
    fn head(
        &mut self,
        source: &Source,
        head: &Head,
        to: Option<&Asked>,
    ) -> Result<Option<Answer>, Stop> {
        let Some(Asked { sent, session }) = to else { return Ok(Some(Answer::alone(None))) };
        let message = match sent {
            Sent::Message(message) => message,
            Sent::Batch => return Ok(Some(Answer::alone(*session))),
            Sent::Nothing => return Ok(Some(Answer::beside(*session))),
        };
        match self.judge.judge_head(head.place, message, *session, &head.as_response()) {
            Ok(answer) => Ok(Some(answer)),
            Err(record) => {
                self.report(source, *record)?;
                Ok(None)
            }
        }
    }

    /// The answer has ended. A request without one, and what was found in the
    /// head of what held no message, are told.
    fn ended(&mut self, source: &Source, place: Place, mut answer: Answer) -> Result<(), Stop> {
        for rule in answer.take_findings().iter() {
            self.tally.statistics.add_finding(rule);
            self.remark(source, place, &format!("{rule}: {}", rule.reason()))?;
        }
        let Some(answering) = answer.answering else { return Ok(()) };
        let Some(violation) = answering.finish() else { return Ok(()) };
        if self.judge.policy().action(violation.rule()) == Action::Refuse {
            let record = Judge::judge_end(place, answering.request(), violation);
            return Ok(self.report(source, record)?);
        }
        Ok(self.fault(source, place, &violation, Some(Sender::Server))?)
    }

    /// A body that cannot be an answer. If HTTP itself does not say that it is
    /// none, its head is judged as one.
    fn no_answer(
        &mut self,
        source: &Source,
        wire: &mut Wire<'_>,
        head: &Head,
        length: Length,
        to: &mut Option<Asked>,
        why: &str,
    ) -> Result<End, Stop> {
        *to = self.oldest(head);
        let answer = self.head(source, head, to.as_ref().filter(|_| head.status() < 300))?;
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
        to: &mut Option<Asked>,
    ) -> Result<End, Stop> {
        let most = self.judge.policy().limits().message_bytes;
        let (body, end) = Held::read(wire, length, most)?;
        let by_id = self.judge.waiting().and_then(|waiting| waiting.by_id(&body.bytes));
        *to = by_id.or_else(|| self.oldest(head));
        if end != End::Whole {
            self.tally.outcome = Outcome::Failed;
            return Ok(end);
        }
        if !body.bytes.is_empty() {
            self.note_alone(source, head, to.as_ref())?;
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
        to: &mut Option<Asked>,
    ) -> Result<End, Stop> {
        *to = self.oldest(head);
        self.note_alone(source, head, to.as_ref())?;
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
                            self.turn_to(head, &mut answer, to, frame.bytes());
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
    fn turn_to(
        &mut self,
        head: &Head,
        answer: &mut Answer,
        to: &mut Option<Asked>,
        message: &[u8],
    ) {
        if !answer.is_open() {
            return;
        }
        let own = answer.request().and_then(Summary::id);
        let Some(waiting) = self.judge.waiting() else { return };
        let Some(other) = waiting.by_id(message) else { return };
        let Some(request) = other.message() else { return };
        if own.is_some_and(|id| request.has_id(id)) {
            // Both have the id, and the older one goes first.
            waiting.put_back(other);
            return;
        }
        // What the head says was told of the first.
        let turned = self.judge.judge_head(head.place, request, other.session, &head.as_response());
        if let Ok(turned) = turned {
            (answer.answering, answer.session) = (turned.answering, turned.session);
            let asked = to.replace(other);
            if let (Some(waiting), Some(asked)) = (self.judge.waiting(), asked) {
                waiting.put_back(asked);
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
        Ok(self.fault(source, place, violation, Some(Sender::Server))?)
    }

    fn server_message(
        &mut self,
        source: &Source,
        place: Place,
        answer: &mut Answer,
        message: &[u8],
    ) -> Result<(), Stop> {
        for record in self.judge.judge_response(place, answer, message) {
            self.report(source, record)?;
        }
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
        let said = if is_empty {
            format!("the response {} holds no message", head.status())
        } else {
            format!("the body of the response {why}, and is not judged")
        };
        self.remark(source, head.place, &said)?;
        Ok(end)
    }
}
