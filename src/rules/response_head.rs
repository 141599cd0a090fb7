//! The rules of the head of an HTTP response: whether its body can be an answer
//! at all ([Sending Messages], [Receiving Messages]).
//!
//! [Sending Messages]: https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#sending-messages
//! [Receiving Messages]: https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#receiving-messages

use super::transport;
use crate::head::{Form, ResponseHead};
use crate::kind::Kind;
use crate::method::RevisionSet;
use crate::rule::{Rule, RuleSet};
use crate::summary::Summary;

/// The rules that the head breaks, whatever its body holds.
pub(crate) fn broken(to: &Summary, head: &ResponseHead<'_>) -> RuleSet {
    let mut broken = RuleSet::EMPTY;
    let (form, status) = (head.form(), head.status());
    let is_modern = to.revisions().intersection(RevisionSet::LEGACY).is_empty();
    if to.kind() == Kind::Request {
        broken.note(Rule::ContentEncoding, transport::is_encoded(head.content_encoding()));
        broken.note(Rule::AnswerContentType, form == Form::Other);
    } else {
        broken.note(Rule::AnswerStatus, status < 400 && status != 202);
    }
    let is_buffered = form == Form::Events && !head.is_unbuffered();
    broken.note(Rule::SseBufferingHeader, is_modern && is_buffered);
    broken
}
