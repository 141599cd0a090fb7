//! Judging a message that comes in chunks.

use super::{Circumstances, Lanes, Validator, judge, not_json, unread};
use crate::body::Body;
use crate::envelope::Envelope;
use crate::head::RequestHead;
#[cfg(feature = "tower")]
use crate::json::grammar::Fault;
use crate::kind::Sender;
use crate::message::Message;
use crate::rule::{Rule, RuleSet};
use crate::violation::Violation;

impl Validator {
    /// Judges the head of an HTTP request before any of its body has come: by it alone
    /// [`check_http`](Self::check_http) would refuse whatever the body holds, so that it
    /// need not be read.
    ///
    /// ```
    /// use mcparse::{Policy, RequestHead, Rule, Validator};
    ///
    /// let head = RequestHead::new("POST", [("Content-Type", "text/plain")]);
    /// let violation = Validator::new(Policy::strict()).check_http_head(&head).unwrap_err();
    /// assert_eq!((violation.rule(), violation.http_status()), (Rule::ContentType, 415));
    /// ```
    ///
    /// # Errors
    ///
    /// The [`Violation`] of the first rule of the stage transport that is broken and that
    /// the policy refuses by.
    pub fn check_http_head<'v>(&self, head: &RequestHead<'v>) -> Result<(), Violation<'v>> {
        let (circumstances, broken) = Circumstances::with_head(&self.policy, head);
        let rule = self.policy.refuses_by(broken);
        rule.map_or(Ok(()), |rule| Err(unread(rule, 0, circumstances, b"")))
    }

    /// Whether the policy refuses what comes from the origin that the head names.
    #[cfg(feature = "tower")]
    pub(crate) fn refuses_origin(&self, head: &RequestHead<'_>) -> bool {
        let (_, broken) = Circumstances::with_head(&self.policy, head);
        broken.intersection(self.policy.refused()).contains(Rule::Origin)
    }

    /// What is to be said of an HTTP request that `rule` refuses before its body is read.
    #[cfg(feature = "tower")]
    pub(crate) fn refuse_http(
        &self,
        head: &RequestHead<'_>,
        rule: Rule,
        reason: &'static str,
    ) -> Violation<'static> {
        let (circumstances, _) = Circumstances::with_head(&self.policy, head);
        not_json(&Fault { rule, offset: 0, reason }, circumstances, b"")
    }

    /// Takes in more of the message that `body` holds, and reads on where the last
    /// chunk ended. However it is cut, the verdict is the same.
    ///
    /// Gives whether more is wanted: `false` once the message is longer than
    /// [`Limits::message_bytes`](crate::Limits), 4 MiB unless set. Then nothing more is
    /// kept, and `finish` will say so.
    ///
    /// All of a message is to be pushed and finished under one policy: under another,
    /// `finish` reads it once more, and says of one that was too long for the first
    /// that it is longer than the second allows.
    pub fn push(&mut self, body: &mut Body, chunk: &[u8]) -> bool {
        body.push(chunk, &self.policy, self.lanes.scans(&self.policy))
    }

    /// Judges the message that `body` holds, with nothing more to come: the verdict
    /// of [`check`](Self::check) on all of it, of which most is read already.
    ///
    /// What is accepted is borrowed from the body; [`Message::summary`] is its owned
    /// form.
    ///
    /// ```
    /// use mcparse::{Body, Policy, Rule, Sender, Validator};
    ///
    /// let mut validator = Validator::new(Policy::strict());
    /// let mut body = Body::new();
    /// for chunk in [&br#"{"jsonrpc":"2.0","id":1,"met"#[..], br#"hod":"ping"}"#] {
    ///     assert!(validator.push(&mut body, chunk));
    /// }
    /// let summary = validator.finish(Sender::Client, &mut body).unwrap().summary();
    /// assert_eq!(summary.id().unwrap().lexeme(), b"1");
    ///
    /// validator.push(&mut body, b"}");
    /// let violation = validator.finish(Sender::Client, &mut body).unwrap_err();
    /// assert_eq!((violation.rule(), violation.offset()), (Rule::NotJson, 40));
    /// ```
    ///
    /// # Errors
    ///
    /// The [`Violation`] that comes first in the order of judgement.
    pub fn finish<'b>(
        &mut self,
        from: Sender,
        body: &'b mut Body,
    ) -> Result<Message<'b>, Violation<'b>> {
        let circumstances = Circumstances::alone(&self.policy, from);
        read(&mut self.lanes, circumstances, body, RuleSet::EMPTY)
    }

    /// The same for the body of an HTTP request, which a client has sent: the verdict
    /// of [`check_http`](Self::check_http).
    ///
    /// ```
    /// use mcparse::{Body, Policy, RequestHead, Rule, Validator};
    ///
    /// let head = RequestHead::new("POST", [
    ///     ("Content-Type", "application/json"),
    ///     ("Accept", "application/json, text/event-stream"),
    ///     ("MCP-Protocol-Version", "2025-11-25"),
    /// ]);
    /// let mut validator = Validator::new(Policy::strict());
    /// let mut body = Body::new();
    /// for chunk in [&br#"{"jsonrpc":"2.0","id":1,"#[..], br#""method":"ping"}"#] {
    ///     validator.push(&mut body, chunk);
    /// }
    /// assert!(validator.finish_http(&head, &mut body).is_ok());
    /// ```
    ///
    /// # Errors
    ///
    /// The [`Violation`] that comes first in the order of judgement; it may borrow from
    /// the head and from the body. One of the head alone is answered without the id,
    /// as by `check_http`, which has not read it then.
    pub fn finish_http<'b: 'v, 'v>(
        &mut self,
        head: &RequestHead<'v>,
        body: &'b mut Body,
    ) -> Result<Message<'b>, Violation<'v>> {
        let (circumstances, broken) = Circumstances::with_head(&self.policy, head);
        if let Some(rule) = self.policy.refuses_by(broken) {
            return Err(unread(rule, 0, circumstances, body.bytes()));
        }
        read(&mut self.lanes, circumstances, body, broken)
    }
}

/// From what was read of the body to the verdict.
fn read<'b: 'v, 'v>(
    lanes: &mut Lanes,
    circumstances: Circumstances<'_, 'v>,
    body: &'b mut Body,
    broken: RuleSet,
) -> Result<Message<'b>, Violation<'v>> {
    let policy = circumstances.policy;
    let most = policy.limits().message_bytes;
    let is_too_long = body.is_too_long();
    let (message, chunks) = body.parts();
    if is_too_long || message.len() > most {
        return Err(unread(Rule::TooLarge, most, circumstances, message));
    }
    let mut envelope = Envelope::default();
    let read = match chunks {
        Some(chunks) => lanes.envelope_of_chunks(chunks, message, policy, &mut envelope),
        None => lanes.envelope(message, policy, &mut envelope),
    };
    match read {
        Ok(tolerated) => judge(circumstances, message, &envelope, broken.union(tolerated)),
        Err(fault) => Err(not_json(&fault, circumstances, message)),
    }
}
