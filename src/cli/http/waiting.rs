//! The requests of a capture that have no response yet: which one a response
//! answers.
//!
//! HTTP/1.1 answers in the order of the requests, but a capture may hold several
//! connections, or lack some responses. So the id of an answer counts first.

use std::collections::VecDeque;

use mcparse::{Id, Kind, Summary};
use serde::Deserialize;
use serde_json::value::RawValue;

/// The most that are remembered; of more, the oldest are forgotten.
const MOST: usize = 1024;

/// Of each HTTP request in order what is kept of its message, or nothing where
/// that was refused or there was none.
#[derive(Default)]
pub(in crate::cli) struct Waiting(VecDeque<Option<Summary>>);

/// What tells an answer.
#[derive(Deserialize)]
struct Told<'m> {
    #[serde(borrow)]
    id: Option<&'m RawValue>,
    #[serde(borrow)]
    method: Option<&'m RawValue>,
}

impl Waiting {
    pub(in crate::cli) fn ask(&mut self, request: Option<&Summary>) {
        if self.0.len() == MOST {
            self.0.pop_front();
        }
        self.0.push_back(request.copied());
    }

    /// The request that `message` answers, by its id.
    pub(super) fn by_id(&mut self, message: &[u8]) -> Option<Summary> {
        let told: Told<'_> = serde_json::from_slice(message).ok()?;
        let id = Id::from_lexeme(told.id?.get().as_bytes()).filter(|_| told.method.is_none())?;
        let has_id = |request: &Option<Summary>| {
            request.is_some_and(|kept| kept.kind() == Kind::Request && kept.has_id(id))
        };
        let at = self.0.iter().position(has_id)?;
        self.0.remove(at)?
    }

    /// The message that a response of this status is to, by the order alone.
    pub(super) fn by_order(&mut self, status: u16) -> Option<Summary> {
        // 202 is what no request gets.
        let asks = |kept: &Option<Summary>| kept.is_some_and(|kept| kept.kind() == Kind::Request);
        let other = self.0.iter().position(|kept| !asks(kept)).filter(|_| status == 202);
        self.0.remove(other.unwrap_or_default())?
    }

    /// It was another request that was answered; this one still waits.
    pub(super) fn put_back(&mut self, request: &Summary) {
        self.0.push_front(Some(*request));
    }
}
