//! What a session has noticed of one message.

use crate::kind::{Kind, Sender};
use crate::message::Message;
use crate::method::{Capability, RevisionSet};
use crate::policy::Policy;
use crate::revision::Revision;
use crate::rule::{Rule, RuleSet};
use crate::violation::{Answer, Place, Violation};

/// What does not fit between a message and the [`Session`](crate::Session) that
/// it is sent in.
#[derive(Clone, Copy, Debug)]
#[must_use]
#[non_exhaustive]
pub struct SessionNoticed {
    /// The rules that it breaks, whatever a policy says of them.
    pub rules: RuleSet,
    /// The capability that it needs and that its owner has not declared.
    pub missing: Option<Capability>,
}

impl SessionNoticed {
    pub(super) const NOTHING: Self = Self { rules: RuleSet::EMPTY, missing: None };

    /// The same with a broken rule if `broken`.
    pub(super) const fn note(mut self, rule: Rule, broken: bool) -> Self {
        self.rules.note(rule, broken);
        self
    }

    /// The rule by which `policy` refuses the message, if it does.
    #[must_use]
    pub fn refused(&self, policy: &Policy) -> Option<Rule> {
        policy.refuses_by(self.rules)
    }

    /// The rules that `policy` reports.
    #[must_use]
    pub fn reported(&self, policy: &Policy) -> RuleSet {
        self.rules.intersection(policy.reported())
    }

    /// The violation by which `policy` refuses `message`, the one that this was
    /// noticed of, if it does: it writes the reply and has the HTTP status, as
    /// one of [`Validator::check`](crate::Validator::check) would. Like there,
    /// nothing is said to a server.
    #[must_use]
    pub fn violation<'m>(&self, policy: &Policy, message: &Message<'m>) -> Option<Violation<'m>> {
        let rule = self.refused(policy)?;
        let offset = match message {
            Message::Request(call) => call.method_span().start,
            Message::Notification(call) => call.method_span().start,
            Message::Response(_) => 0,
        };
        Some(Violation::new(rule, offset, rule.reason(), message.bytes(), answer(message)))
    }
}

/// What may be said to the refused message: to a client's request, with its id
/// if exactly one was read.
fn answer(message: &Message<'_>) -> Answer {
    if message.sender() == Sender::Server || message.kind() != Kind::Request {
        return Answer::Forbidden;
    }
    let findings = message.findings();
    let is_whole = !findings.contains(Rule::DuplicateMember) && !findings.contains(Rule::IdTooLong);
    let place = message.id_span().filter(|_| is_whole).and_then(|span| {
        let place = |at| u32::try_from(at).ok();
        Some(Place { start: place(span.start)?, end: place(span.end)? })
    });
    let leave_out = RevisionSet::since(Revision::V2025_11_25);
    match place {
        Some(place) => Answer::To(place),
        None if message.revisions().intersection(leave_out).is_empty() => Answer::WithNull,
        None => Answer::WithoutId,
    }
}
