//! Judging what a server answers: one message, a stream of them, or an HTTP
//! response.

use std::mem;

use super::{Circumstances, Validator, read};
use crate::answering::Answering;
use crate::frame::SseFramer;
use crate::head::{Form, ResponseHead};
use crate::kind::Kind;
use crate::message::Message;
use crate::policy::Policy;
use crate::rule::{Action, Rule, RuleSet};
use crate::rules;
use crate::summary::Summary;
use crate::violation::{Answer, Concern, Violation};

impl Validator {
    /// Judges what the other side sends while a request waits: its answer, a
    /// notification, or in the legacy era a request of its own. `to` is what was
    /// kept of the request; its revisions are those that the message is judged
    /// by. A server's own request is answered likewise, by its client.
    ///
    /// If it is refused and [concerns](Violation::concerns_pending) the request,
    /// [`Summary::write_failure`] has what to tell the client that waits.
    ///
    /// ```
    /// use mcparse::{Policy, Rule, Sender, Validator};
    ///
    /// let mut validator = Validator::new(Policy::strict());
    /// let request = br#"{"jsonrpc":"2.0","id":"a-1","method":"tools/list"}"#;
    /// let summary = validator.check(Sender::Client, request)?.summary();
    ///
    /// let answer = br#"{"jsonrpc":"2.0","id":"a-1","result":{"tools":{}}}"#;
    /// let violation = validator.check_answer(&summary, answer).unwrap_err();
    /// assert_eq!(violation.rule(), Rule::ResultShape);
    /// assert_eq!(violation.detail().unwrap().to_string(), "result.tools must be an array");
    ///
    /// // Nothing is said to the server; the client that waits gets an error.
    /// let mut out = Vec::new();
    /// assert!(!violation.write_reply(&mut out));
    /// assert!(violation.concerns_pending() && summary.write_failure(&mut out, &violation));
    /// assert_eq!(out, br#"{"jsonrpc":"2.0","id":"a-1","error":{"code":-32603,"message":"Internal error: the answer was refused: result.tools must be an array","data":{"rule":"result-shape"}}}"#);
    ///
    /// // A broken notification beside it is only dropped.
    /// let noise = br#"{"jsonrpc":"2.0","method":"notifications/progress","params":{}}"#;
    /// assert!(!validator.check_answer(&summary, noise).unwrap_err().concerns_pending());
    /// # Ok::<(), mcparse::Violation<'static>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The [`Violation`] that comes first in the order of judgement.
    pub fn check_answer<'m>(
        &mut self,
        to: &Summary,
        message: &'m [u8],
    ) -> Result<Message<'m>, Violation<'m>> {
        let alone = Circumstances::alone(&self.policy, to.answerer());
        let circumstances = Circumstances { to: Some(to), ..alone };
        read(&mut self.lanes, circumstances, message, RuleSet::EMPTY)
    }

    /// Judges the head of the HTTP response to a message, before its body is
    /// there. What HTTP itself says, a 401 for one, is no answer of the protocol
    /// and not for this; neither is the 202 of the HTTP+SSE transport of 2024-11-05,
    /// which answers requests on another stream.
    ///
    /// # Errors
    ///
    /// The [`Violation`] by which the body need not be read.
    pub fn check_answer_head(
        &self,
        to: &Summary,
        head: &ResponseHead<'_>,
    ) -> Result<Answering, Violation<'static>> {
        let broken = rules::response_head::broken(to, head);
        if let Some(rule) = self.policy.refuses_by(broken) {
            let is_waiting = to.kind() == Kind::Request;
            let concern = if is_waiting { Concern::Answer } else { Concern::Nobody };
            return Err(refused(rule, &[], concern));
        }
        let findings = broken.intersection(self.policy.reported());
        Ok(Answering::with_head(to, head.form(), head.status(), findings))
    }

    /// Judges the next message of an answer: of each event of a stream, or the
    /// body that is one message.
    ///
    /// # Errors
    ///
    /// The [`Violation`] that comes first in the order of judgement. In a stream
    /// it [concerns](Violation::concerns_pending) the request only if the message
    /// is a response: the answer may follow what is no message at all.
    pub fn check_event<'m>(
        &mut self,
        answering: &mut Answering,
        message: &'m [u8],
    ) -> Result<Message<'m>, Violation<'m>> {
        let was_answered = answering.is_answered();
        let verdict = match self.check_answer(answering.request(), message) {
            Ok(accepted) => in_its_place(&self.policy, answering, accepted),
            Err(violation) => Err(violation),
        };
        let refuses_late = self.policy.action(Rule::MessageAfterAnswer) == Action::Refuse;
        match verdict {
            Ok(accepted) => {
                if let Message::Response(_) = accepted {
                    answering.set_answered();
                }
                Ok(accepted)
            }
            Err(violation) if was_answered => {
                let is_late = refuses_late && violation.rule() > Rule::MessageAfterAnswer;
                let rule = if is_late { Rule::MessageAfterAnswer } else { violation.rule() };
                let late = refused(rule, message, Concern::Nobody);
                Err(if is_late { late } else { violation.with_concern(Concern::Nobody) })
            }
            Err(violation) => {
                let is_unread = violation.concern() == Concern::Unread;
                if is_unread && answering.is_event_stream() {
                    return Err(violation.with_concern(Concern::Nobody));
                }
                if violation.concerns_pending() {
                    answering.set_answered();
                }
                Err(violation)
            }
        }
    }

    /// Judges a whole HTTP response to a message: its head, and the body as one
    /// message or as events. `each` gets the verdict on every message in order,
    /// and what stands for the answer if there is none. The result are the rules
    /// that the head or the stream breaks and that the policy only reports.
    ///
    /// For a request exactly one of the verdicts is its answer: an accepted
    /// [`Message::Response`], or a [`Violation`] that
    /// [concerns](Violation::concerns_pending) it. A notification is answered by
    /// an empty body, and `each` is not called. Of a long stream judge each event as
    /// it comes, by [`check_event`](Self::check_event).
    ///
    /// ```
    /// use mcparse::{Policy, ResponseHead, Rule, Sender, Validator};
    ///
    /// let mut validator = Validator::new(Policy::strict());
    /// let request = br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    /// let summary = validator.check(Sender::Client, request)?.summary();
    ///
    /// let head = ResponseHead::new(200, [("content-type", "text/event-stream")]);
    /// let body = b"data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\n\
    ///     data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\n";
    /// let mut verdicts = Vec::new();
    /// validator.check_http_answer(&summary, &head, body, |verdict| {
    ///     verdicts.push(verdict.map(|_| ()).map_err(|violation| violation.rule()));
    /// });
    /// assert_eq!(verdicts, [Ok(()), Err(Rule::MessageAfterAnswer)]);
    /// # Ok::<(), mcparse::Violation<'static>>(())
    /// ```
    pub fn check_http_answer(
        &mut self,
        to: &Summary,
        head: &ResponseHead<'_>,
        body: &[u8],
        mut each: impl FnMut(Result<Message<'_>, Violation<'_>>),
    ) -> RuleSet {
        let mut answering = match self.check_answer_head(to, head) {
            Ok(answering) => answering,
            Err(violation) => {
                each(Err(violation));
                return RuleSet::EMPTY;
            }
        };
        let mut findings = answering.findings();
        match answering.form() {
            _ if body.is_empty() && to.kind() != Kind::Request => {}
            Form::Json => each(self.check_event(&mut answering, body)),
            Form::Events => {
                findings = findings.union(self.each_event(&mut answering, body, &mut each));
            }
            Form::Other => {
                let mut odd = RuleSet::EMPTY;
                odd.note(Rule::AnswerStatus, head.status() < 400);
                findings = findings.union(odd.intersection(self.policy.reported()));
            }
        }
        if let Some(violation) = answering.finish() {
            each(Err(violation));
        }
        findings
    }

    /// Gives the findings of the stream itself.
    fn each_event(
        &mut self,
        answering: &mut Answering,
        mut body: &[u8],
        each: &mut impl FnMut(Result<Message<'_>, Violation<'_>>),
    ) -> RuleSet {
        let mut findings = RuleSet::EMPTY;
        // Taken out while it lends what the validator judges.
        let most = self.policy.limits().message_bytes;
        let mut framer = mem::replace(&mut self.events, SseFramer::new(most));
        while let Some(frame) = framer.next_frame(&mut body) {
            match frame {
                Ok(frame) if frame.is_message() => {
                    each(self.check_event(answering, frame.bytes()));
                }
                Ok(_) => findings.note(Rule::SseEventOther, true),
                Err(violation) => each(Err(violation.of_server())),
            }
        }
        if let Some(Err(violation)) = framer.finish() {
            findings.note(violation.rule(), true);
            if self.policy.action(violation.rule()) == Action::Refuse {
                each(Err(violation.of_server()));
            }
        }
        self.events = framer;
        findings.intersection(self.policy.reported())
    }
}

/// Adds to an accepted message what is wrong with where it comes.
fn in_its_place<'m>(
    policy: &Policy,
    answering: &mut Answering,
    accepted: Message<'m>,
) -> Result<Message<'m>, Violation<'m>> {
    let broken = answering.note(&accepted);
    match policy.refuses_by(broken) {
        None => Ok(accepted.with_findings(broken.intersection(policy.reported()))),
        Some(rule) => {
            let is_answer = accepted.kind().is_response();
            let waits = answering.request().kind() == Kind::Request;
            let concern = if is_answer && waits { Concern::Answer } else { Concern::Nobody };
            Err(refused(rule, accepted.bytes(), concern))
        }
    }
}

/// What a server sent is refused, for a rule that no place in it breaks.
fn refused(rule: Rule, message: &[u8], concern: Concern) -> Violation<'_> {
    Violation::new(rule, 0, rule.reason(), message, Answer::Forbidden)
        .with_status(Rule::AnswerContentType.http_status())
        .with_concern(concern)
}
