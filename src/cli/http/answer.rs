//! A response, as the answer to its request.

use mcparse::{Answering, Kind, ResponseHead, RuleSet, Summary};

use super::head::{Head, Start};

/// What is known of a response while its messages are read.
pub(in crate::cli) struct Answer {
    /// None if the request is not known: then each message is judged alone.
    pub(in crate::cli) answering: Option<Answering>,
    /// What is to be reported of the head, with the first message.
    findings: RuleSet,
}

impl Answer {
    pub(in crate::cli) fn to(answering: &Answering) -> Self {
        Self { answering: Some(*answering), findings: answering.findings() }
    }

    /// To nobody knows what.
    pub(super) const fn alone() -> Self {
        Self { answering: None, findings: RuleSet::EMPTY }
    }

    pub(super) const fn request(&self) -> Option<&Summary> {
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
        let status = match self.start {
            Start::Response { status } => status,
            Start::Request { .. } => 0,
        };
        ResponseHead::new(status, self.headers())
    }
}
