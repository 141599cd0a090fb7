//! The batches of 2025-03-26, where the policy takes them: a record for each
//! message in one, each with a verdict of its own and heard in its conversation.

use mcparse::{Message, RequestHead, Rule, Sender, Violation};
use serde_json::value::RawValue;

use super::super::conversations::SessionId;
use super::super::http::{Answer, Asked, Sent};
use super::{Judge, Place, Record};

impl Judge {
    /// Whether this is an array, and the policy takes those.
    pub(in super::super) fn takes(&self, message: &[u8]) -> bool {
        self.terms.takes(message)
    }

    /// A batch in an HTTP request. The head is judged first.
    pub(in super::super) fn judge_batch_request<'v>(
        &mut self,
        place: Place,
        session: Option<SessionId>,
        head: &RequestHead<'v>,
        batch: &'v [u8],
    ) -> Vec<Record<'v>> {
        match self.validator.check_http(head, batch) {
            Err(violation) if violation.rule() != Rule::Batch => {
                self.ask(Asked { sent: Sent::Nothing, session });
                vec![self.whole(place, Sender::Client, batch, violation)]
            }
            _ => {
                self.ask(Asked { sent: Sent::Batch, session });
                self.judge_elements(place, session, Sender::Client, None, batch)
            }
        }
    }

    /// What is said of each message, or of the batch if it is refused as a whole.
    pub(super) fn judge_elements<'m>(
        &mut self,
        place: Place,
        session: Option<SessionId>,
        from: Sender,
        mut answer: Option<&mut Answer>,
        batch: &'m [u8],
    ) -> Vec<Record<'m>> {
        let mut verdicts = Vec::new();
        let count = self.validator.check_batch(from, batch, |verdict| verdicts.push(verdict));
        if let Err(violation) = count {
            return vec![self.whole(place, from, batch, violation)];
        }
        let is_beside = answer.as_ref().is_some_and(|answer| answer.is_beside);
        let mut records = Vec::new();
        for (at, (element, alone)) in elements(batch).into_iter().zip(verdicts).enumerate() {
            let (checked, to) = if let Some(answering) =
                answer.as_mut().and_then(|answer| answer.answering.as_mut())
                && let Ok(Message::Response(response)) = &alone
                && response.id().is_some_and(|id| answering.request().has_id(id))
            {
                (self.validator.check_event(answering, element), Some(*answering.request()))
            } else if is_beside {
                (alone, None)
            } else {
                self.by_request(session, from, element, alone)
            };
            let place = within(place, batch, element);
            let noticed = self.hear(session, from, &checked, to.as_ref());
            let bytes = Some(element.len() as u64);
            let record = Record::of(place, bytes, from, checked).to(to.as_ref());
            let record = Record { element: Some(at), ..record };
            records.push(record.beside(noticed.as_ref(), self.validator.policy()));
        }
        records
    }

    /// A batch that is refused as a whole.
    fn whole<'m>(
        &self,
        place: Place,
        from: Sender,
        batch: &[u8],
        violation: Violation<'m>,
    ) -> Record<'m> {
        let is_whole = batch.len() <= self.policy().limits().message_bytes;
        let bytes = is_whole.then_some(batch.len() as u64);
        Record::of(place, bytes, from, Err(violation))
    }
}

pub(super) fn is_array(message: &[u8]) -> bool {
    without_mark(message).trim_ascii_start().starts_with(b"[")
}

fn without_mark(message: &[u8]) -> &[u8] {
    message.strip_prefix(b"\xef\xbb\xbf").unwrap_or(message)
}

/// The elements of an array, none if it is no JSON.
pub(super) fn elements(batch: &[u8]) -> Vec<&[u8]> {
    let values: Vec<&RawValue> = serde_json::from_slice(without_mark(batch)).unwrap_or_default();
    values.into_iter().map(|value| value.get().as_bytes()).collect()
}

/// Where an element stands, if the batch begins at `place`.
fn within(place: Place, batch: &[u8], element: &[u8]) -> Place {
    let at = element.as_ptr().addr() - batch.as_ptr().addr();
    let before = batch.get(..at).unwrap_or_default();
    let lines = memchr::memchr_iter(b'\n', before).count();
    Place { line: place.line + lines as u64, offset: place.offset + at as u64 }
}
