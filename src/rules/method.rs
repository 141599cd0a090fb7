//! Whether the method exists in the message's revision, for its sender
//! ([`MethodNotFoundError`]).
//!
//! [`MethodNotFoundError`]: https://modelcontextprotocol.io/specification/2026-07-28/schema#methodnotfounderror

use super::subject::Subject;
use crate::kind::{Kind, Sender};
use crate::rule::{Rule, RuleSet};

/// Notes the rules of this stage that the message breaks.
#[inline]
pub(crate) fn note(subject: &Subject<'_, '_>, broken: &mut RuleSet) {
    if subject.kind.is_response() {
        return;
    }
    let Some(own) = subject.sent_by(subject.from) else {
        broken.note(Rule::UnknownMethod, true);
        return;
    };
    if !own.intersection(subject.revisions).is_empty() {
        return;
    }
    let is_others = own.is_empty() && is_sent_by_other(subject);
    broken.note(Rule::MethodOfOtherSender, is_others);
    broken.note(Rule::MethodOfOtherRevision, !is_others && subject.kind == Kind::Request);
    broken.note(Rule::NotificationOfOtherRevision, !is_others && subject.kind != Kind::Request);
}

#[cold]
fn is_sent_by_other(subject: &Subject<'_, '_>) -> bool {
    let other = match subject.from {
        Sender::Client => Sender::Server,
        Sender::Server => Sender::Client,
    };
    subject.sent_by(other).is_some_and(|revisions| !revisions.is_empty())
}
