//! A response, as the answer to its request.

use mcparse::{Answering, Kind, ResponseHead, RuleSet, Summary};

use super::super::conversations::SessionId;
use super::head::{Head, Start};

/// What is known of a response while its messages are read.
pub(in crate::cli) struct Answer {
    /// None if the request is not known: then each message is judged alone.
    pub(in crate::cli) answering: Option<Answering>,
    /// What is to be reported of the head, with the first message.
    findings: RuleSet,
    pub(in crate::cli) session: Option<SessionId>,
    /// Whether it runs beside the requests, so that nobody knows what was said
    /// before each of its messages.
    pub(in crate::cli) is_beside: bool,
}

impl Answer {
    pub(in crate::cli) fn to(answering: &Answering, session: Option<SessionId>) -> Self {
        let findings = answering.findings();
        Self { answering: Some(*answering), findings, session, is_beside: false }
    }

    /// To an HTTP request without a message that is known, such as a `GET`.
    pub(super) const fn beside(session: Option<SessionId>) -> Self {
        Self { is_beside: true, ..Self::alone(session) }
    }

    /// To several messages, or to nobody knows what.
    pub(super) const fn alone(session: Option<SessionId>) -> Self {
        Self { answering: None, findings: RuleSet::EMPTY, session, is_beside: false }
    }

    pub(in crate::cli) const fn request(&self) -> Option<&Summary> {
        match &self.answering {
            Some(answering) => Some(answering.request()),
            None => None,
        }
    }

    /// Whether its request waits for more.
    pub(super) fn is_open(&self) -> bool {
        self.answering.is_some_and(|answering| {
            answering.request().kind() == Kind::Request && !answering.is_answered()
        })
    }

    pub(in crate::cli) fn take_findings(&mut self) -> RuleSet {
        std::mem::replace(&mut self.findings, RuleSet::EMPTY)
    }
}

impl Head {
    pub(super) fn as_response(&self) -> ResponseHead<'_> {
        ResponseHead::new(self.status(), self.headers())
    }

    /// The status of a response.
    pub(super) const fn status(&self) -> u16 {
        match self.start {
            Start::Response { status } => status,
            Start::Request { .. } => 0,
        }
    }
}
