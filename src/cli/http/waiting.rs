//! The requests of a capture that have no response yet: which one a response
//! answers.
//!
//! HTTP/1.1 answers in the order of the requests, but a capture may hold several
//! connections, or lack some responses. So the id of an answer counts first.

use std::collections::VecDeque;

use mcparse::{Id, Kind, Summary};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::super::conversations::SessionId;

/// The most that are remembered; of more, the oldest are forgotten.
const MOST: usize = 1024;

/// What is kept of an HTTP request.
pub(in crate::cli) struct Asked {
    pub(in crate::cli) sent: Sent,
    pub(in crate::cli) session: Option<SessionId>,
}

/// What an HTTP request held.
pub(in crate::cli) enum Sent {
    Message(Box<Summary>),
    /// Several messages.
    Batch,
    /// No message, or one that was refused.
    Nothing,
}

impl Asked {
    /// Whether it is a request that `is` so.
    fn asks(&self, is: impl Fn(&Summary) -> bool) -> bool {
        self.message().is_some_and(|message| message.kind() == Kind::Request && is(message))
    }

    pub(in crate::cli) const fn message(&self) -> Option<&Summary> {
        match &self.sent {
            Sent::Message(message) => Some(message),
            Sent::Batch | Sent::Nothing => None,
        }
    }
}

/// The HTTP requests in their order.
#[derive(Default)]
pub(in crate::cli) struct Waiting(VecDeque<Asked>);

/// What tells an answer.
#[derive(Deserialize)]
struct Told<'m> {
    #[serde(borrow)]
    id: Option<&'m RawValue>,
    #[serde(borrow)]
    method: Option<&'m RawValue>,
}

impl Waiting {
    pub(in crate::cli) fn ask(&mut self, asked: Asked) {
        if self.0.len() == MOST {
            self.0.pop_front();
        }
        self.0.push_back(asked);
    }

    /// The request that `message` answers, by its id.
    pub(super) fn by_id(&mut self, message: &[u8]) -> Option<Asked> {
        let told: Told<'_> = serde_json::from_slice(message).ok()?;
        let id = Id::from_lexeme(told.id?.get().as_bytes()).filter(|_| told.method.is_none())?;
        let at = self.0.iter().position(|asked| asked.asks(|request| request.has_id(id)))?;
        self.0.remove(at)
    }

    /// The request that a response of this status is to, by the order alone.
    pub(super) fn by_order(&mut self, status: u16) -> Option<Asked> {
        // 202 is what no request gets.
        let other = self.0.iter().position(|asked| !asked.asks(|_| true));
        self.0.remove(other.filter(|_| status == 202).unwrap_or_default())
    }

    /// It was another request that was answered; this one still waits.
    pub(super) fn put_back(&mut self, asked: Asked) {
        self.0.push_front(asked);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mcparse::{Policy, Sender, Validator};

    /// After so many requests, by ids from 0 on.
    fn filled(count: usize) -> Waiting {
        let mut validator = Validator::new(Policy::strict());
        let mut waiting = Waiting::default();
        for id in 0..count {
            let request = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#);
            let request = validator.check(Sender::Client, request.as_bytes()).unwrap();
            let sent = Sent::Message(Box::new(request.summary()));
            waiting.ask(Asked { sent, session: None });
        }
        waiting
    }

    #[test]
    fn of_too_many_requests_the_oldest_are_forgotten() {
        for (count, is_known) in [(MOST, true), (MOST + 1, false)] {
            let mut waiting = filled(count);
            let mut knows = |id: usize| {
                let answer = format!(r#"{{"id":{id},"result":{{}}}}"#);
                waiting.by_id(answer.as_bytes()).is_some()
            };
            assert_eq!(knows(0), is_known, "{count}");
            assert!(knows(1) && knows(count - 1) && !knows(count));
        }
    }
}
