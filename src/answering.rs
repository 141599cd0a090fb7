//! How far the answer to one request has come: what is known of its head, and
//! whether it was there yet.

use crate::head::Form;
use crate::kind::Kind;
use crate::message::Message;
use crate::method::RevisionSet;
use crate::rule::{Rule, RuleSet};
use crate::summary::Summary;
use crate::violation::{Answer, Concern, Violation};

/// An answer under way: one request, and whether it has been answered. Made by
/// [`Validator::check_answer_head`] or, where there is no head, by
/// [`Answering::new`]; fed by [`Validator::check_event`].
///
/// Of all that comes for a request exactly one thing is its answer, and so what
/// the waiting client gets: a [`Message::Response`] that was accepted, or a
/// [`Violation`] that [concerns](Violation::concerns_pending) the request, the
/// one of [`finish`](Self::finish) at the latest.
///
/// ```
/// use mcparse::{Answering, Message, Policy, Sender, Validator};
///
/// let mut validator = Validator::new(Policy::strict());
/// let request = br#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#;
/// let summary = validator.check(Sender::Client, request)?.summary();
///
/// let mut answering = Answering::new(&summary);
/// // Noise is refused, and is no answer.
/// let noise = validator.check_event(&mut answering, b"{}").unwrap_err();
/// assert!(!noise.concerns_pending());
/// assert!(!answering.is_answered());
///
/// // The stream ends. What is said to the client, so that it does not wait for ever:
/// let failure = answering.finish().unwrap();
/// let mut out = Vec::new();
/// assert!(failure.concerns_pending() && summary.write_failure(&mut out, &failure));
/// assert!(out.starts_with(br#"{"jsonrpc":"2.0","id":7,"error":{"code":-32603,"#));
/// # Ok::<(), mcparse::Violation<'static>>(())
/// ```
///
/// [`Validator::check_answer_head`]: crate::Validator::check_answer_head
/// [`Validator::check_event`]: crate::Validator::check_event
#[derive(Clone, Copy, Debug)]
pub struct Answering {
    to: Summary,
    form: Form,
    /// None where there was no head.
    status: Option<u16>,
    is_answered: bool,
    findings: RuleSet,
}

impl Answering {
    /// The answer to `to`, of which nothing has come yet, over a stream that has
    /// no head.
    #[must_use]
    pub const fn new(to: &Summary) -> Self {
        let findings = RuleSet::EMPTY;
        Self { to: *to, form: Form::Events, status: None, is_answered: false, findings }
    }

    pub(crate) const fn with_head(
        to: &Summary,
        form: Form,
        status: u16,
        findings: RuleSet,
    ) -> Self {
        Self { form, status: Some(status), findings, ..Self::new(to) }
    }

    /// What is kept of the request.
    #[must_use]
    pub const fn request(&self) -> &Summary {
        &self.to
    }

    /// Whether the body is a stream of events, for an
    /// [`SseFramer`](crate::SseFramer); else it is one message, or nothing.
    #[must_use]
    pub fn is_event_stream(&self) -> bool {
        self.form == Form::Events
    }

    /// Whether the request has been answered, be it by something that was
    /// refused.
    #[must_use]
    pub const fn is_answered(&self) -> bool {
        self.is_answered
    }

    /// The rules that the head breaks and that the policy only reports.
    #[must_use]
    pub const fn findings(&self) -> RuleSet {
        self.findings
    }

    /// Ends the answer. A request that has none is told so.
    ///
    /// It is told whatever the policy says of `stream-without-answer`: its client
    /// waits.
    ///
    /// In the handshake era a stream may go on in another connection, by a `GET`
    /// with `Last-Event-ID`, if its events had ids: then feed what comes there to
    /// the same `Answering`, and end it when that is not tried any more.
    ///
    /// # Errors
    ///
    /// There is no other outcome to tell: the [`Violation`] of
    /// [`Rule::StreamWithoutAnswer`], to be given to
    /// [`Summary::write_failure`].
    #[must_use = "the client of a request without an answer waits for ever"]
    pub fn finish(self) -> Option<Violation<'static>> {
        let waits = self.to.kind() == Kind::Request && !self.is_answered;
        let rule = Rule::StreamWithoutAnswer;
        waits.then(|| {
            Violation::new(rule, 0, rule.reason(), &[], Answer::Forbidden)
                .with_concern(Concern::Answer)
        })
    }

    pub(crate) const fn form(&self) -> Form {
        self.form
    }

    /// Notes an accepted message. Gives the rules that it breaks by where it
    /// comes.
    pub(crate) fn note(&mut self, message: &Message<'_>) -> RuleSet {
        let mut broken = RuleSet::EMPTY;
        broken.note(Rule::MessageAfterAnswer, self.is_late(message.kind().is_response()));
        broken.note(Rule::AnswerStatus, self.is_status_odd(message));
        broken
    }

    /// Whether it is too late for a message, be it a response or not. In the
    /// handshake era the answer only *should* be the last of its stream
    /// ([Sending Messages to the Server]), so that a server's notifications and
    /// requests may follow.
    ///
    /// [Sending Messages to the Server]: https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#sending-messages-to-the-server
    const fn is_late(&self, is_response: bool) -> bool {
        self.is_answered && (is_response || self.is_modern())
    }

    const fn is_modern(&self) -> bool {
        self.to.revisions().intersection(RevisionSet::LEGACY).is_empty()
    }

    /// Whether the status does not fit the message ([Sending Messages],
    /// [Protocol Version Header]).
    ///
    /// [Sending Messages]: https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#sending-messages
    /// [Protocol Version Header]: https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#protocol-version-header
    fn is_status_odd(&self, message: &Message<'_>) -> bool {
        let Some(status) = self.status else { return false };
        if self.to.kind() != Kind::Request {
            return status < 400;
        }
        let Message::Response(response) = message else { return false };
        match response.error_code() {
            None => status != 200,
            // A stream has begun before its errors are known.
            Some(_) if !self.is_modern() || self.is_event_stream() => false,
            Some(b"-32601") => status != 404,
            Some(b"-32020" | b"-32021" | b"-32022") => status != 400,
            Some(_) => false,
        }
    }

    pub(crate) const fn set_answered(&mut self) {
        self.is_answered = true;
    }
}
