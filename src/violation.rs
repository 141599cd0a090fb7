//! A broken rule that refused a message: which rule, where, and what may be
//! said back.
//!
//! Small and borrowed from the caller's bytes. Everything that only a person
//! reads is worked out when it is asked for, so that refusing costs no more
//! than accepting.

mod detail;

use std::fmt;
use std::num::NonZeroU64;

#[cfg(feature = "tracing")]
pub(crate) use detail::Excerpt;
pub(crate) use detail::{Detail, HeaderName, Place};

use crate::cause::Cause;
use crate::code::ErrorCode;
use crate::id::Id;
use crate::rule::{Rule, Stage};

/// Why a message was refused. The fault is the sender's, not the caller's.
///
/// Its `Display` holds nothing of what the peer wrote; log [`detail`](Self::detail) with it.
///
/// ```
/// use mcparse::{ErrorCode, Policy, Rule, Sender, Validator};
///
/// let mut validator = Validator::new(Policy::strict());
/// let message = br#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#;
/// let violation = validator.check(Sender::Client, message).unwrap_err();
/// assert_eq!(violation.rule(), Rule::IdNull);
/// assert_eq!(violation.code(), ErrorCode::INVALID_REQUEST);
/// assert_eq!(violation.offset(), 22);
/// assert_eq!(violation.to_string(), "id-null at byte 22: the id must not be null");
/// ```
#[derive(Clone, Copy)]
pub struct Violation<'m> {
    rule: Rule,
    status: u16,
    answer: Answer,
    concern: Concern,
    offset: u64,
    /// Only if a framer found it.
    line: Option<NonZeroU64>,
    reason: &'static str,
    message: &'m [u8],
    detail: Detail<'m>,
}

/// What the protocol lets a receiver say to a refused message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// Nothing: it is a notification, an answer, or from a server.
    Forbidden,
    /// Nothing: it answers the request whose id stands here in the message.
    Answers(Place),
    /// An error whose id is left out, since none could be read.
    WithoutId,
    /// An error whose id is `null`, since none could be read: as the revisions
    /// before 2025-11-25 have it.
    WithNull,
    /// An error with the request's own id, which stands here in the message.
    To(Place),
}

/// What a refused message is to a request that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Concern {
    /// Nothing: no request is known, or the message came beside its answer.
    Nobody,
    /// It stands where the answer was to be, and could not be read as one.
    Unread,
    /// It is its answer.
    Answer,
}

impl<'m> Violation<'m> {
    /// A violation by `message` at `offset` in it.
    pub(crate) const fn new(
        rule: Rule,
        offset: usize,
        reason: &'static str,
        message: &'m [u8],
        answer: Answer,
    ) -> Self {
        Self {
            rule,
            status: rule.http_status(),
            answer,
            concern: Concern::Nobody,
            offset: offset as u64,
            line: None,
            reason,
            message,
            detail: Detail::Nothing,
        }
    }

    /// The same with what more is known.
    pub(crate) const fn with_detail(mut self, detail: Detail<'m>) -> Self {
        self.detail = detail;
        self
    }

    /// The same with another HTTP status than its rule's.
    pub(crate) const fn with_status(mut self, status: u16) -> Self {
        self.status = status;
        self
    }

    /// The same, for a request that waits.
    pub(crate) const fn with_concern(mut self, concern: Concern) -> Self {
        self.concern = concern;
        self
    }

    /// The same, found by a framer in what a server sent.
    pub(crate) const fn of_server(mut self) -> Self {
        self.answer = Answer::Forbidden;
        self
    }

    /// What a server sends is broken as a whole.
    #[cfg(feature = "tower")]
    pub(crate) const fn of_stream(rule: Rule) -> Violation<'static> {
        Violation::new(rule, 0, rule.reason(), &[], Answer::Forbidden)
    }

    /// A violation found between messages, at `offset` in the stream, in a line
    /// counted from 1.
    pub(crate) const fn in_stream(
        rule: Rule,
        offset: u64,
        line: u64,
        answer: Answer,
    ) -> Violation<'static> {
        let mut violation = Violation::new(rule, 0, rule.reason(), &[], answer);
        violation.offset = offset;
        violation.line = NonZeroU64::new(line);
        violation
    }

    /// The rule that was broken.
    #[must_use]
    pub const fn rule(&self) -> Rule {
        self.rule
    }

    /// The stage of that rule.
    #[must_use]
    pub const fn stage(&self) -> Stage {
        self.rule.stage()
    }

    /// The JSON-RPC error code to answer with.
    #[must_use]
    pub const fn code(&self) -> ErrorCode {
        self.rule.code()
    }

    /// The HTTP status to answer with, whether or not a body may be sent: the
    /// rule's, but 200 in place of 404 for a method that a legacy revision does
    /// not have, where 404 means that the session is lost.
    #[must_use]
    pub const fn http_status(&self) -> u16 {
        self.status
    }

    /// Whether the refused message stands for the answer to the request that it
    /// was judged with, so that its client waits for nothing else: it is a
    /// response, or was to be one and could not be read. The client is then told
    /// by [`Summary::write_failure`](crate::Summary::write_failure), once.
    ///
    /// `false` of what came beside the answer, a notification say, which is only
    /// dropped; of what came after it; and of all that was judged with no request.
    #[must_use]
    pub fn concerns_pending(&self) -> bool {
        self.concern != Concern::Nobody
    }

    /// The id of the refused request, if it may be echoed: exactly one `id`
    /// was read, and its type and length are valid.
    #[must_use]
    pub fn id(&self) -> Option<Id<'m>> {
        match self.answer {
            Answer::To(place) => Some(Id::new(place.of(self.message))),
            Answer::Forbidden | Answer::Answers(_) | Answer::WithoutId | Answer::WithNull => None,
        }
    }

    /// The id of the request that the refused message answers, if it was to be an
    /// answer and exactly one `id` was read: of those that wait, the one with an
    /// equal id gets no other answer, and [fails].
    ///
    /// ```
    /// use mcparse::{Policy, Sender, Validator};
    ///
    /// let mut validator = Validator::new(Policy::strict());
    /// let call = validator.check(Sender::Client, br#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#)?;
    /// let waiting = [call.summary()];
    ///
    /// let both = br#"{"jsonrpc":"2.0","id":2,"result":{},"error":{}}"#;
    /// let violation = validator.check(Sender::Server, both).unwrap_err();
    /// let id = violation.answered_id().unwrap();
    /// assert!(waiting.iter().find(|request| request.has_id(id)).is_some());
    /// # Ok::<(), mcparse::Violation<'static>>(())
    /// ```
    ///
    /// [fails]: crate::Summary::write_failure
    #[must_use]
    pub fn answered_id(&self) -> Option<Id<'m>> {
        match self.answer {
            Answer::Answers(place) => Some(Id::new(place.of(self.message))),
            _ => None,
        }
    }

    /// Where: bytes from the start of the message, or of the stream if a
    /// framer found it.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// The number of the line in the stream that it starts in, from 1; `None`
    /// unless a framer found it.
    #[must_use]
    pub const fn line(&self) -> Option<u64> {
        match self.line {
            Some(line) => Some(line.get()),
            None => None,
        }
    }

    /// What is wrong, as one clause in lower case: the rule's own reason, or a
    /// closer one.
    #[must_use]
    pub const fn reason(&self) -> &'static str {
        self.reason
    }

    /// What is wrong in closer terms than the reason, where there are any: which
    /// header and what it and the body hold, which version was asked for and
    /// which are served, which capability is missing, which member of the params
    /// is wrong. What the peer wrote is in it, cut to 64 bytes and escaped to
    /// printable ASCII. The reply says the same.
    ///
    /// ```
    /// use mcparse::{Policy, Sender, Validator};
    ///
    /// let message = br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7}}"#;
    /// let violation = Validator::new(Policy::strict()).check(Sender::Client, message).unwrap_err();
    /// assert_eq!(violation.detail().unwrap().to_string(), "params.name must be a string");
    /// ```
    #[must_use]
    pub fn detail(&self) -> Option<impl fmt::Display + use<'m>> {
        let Self { detail, message, reason, .. } = *self;
        (detail != Detail::Nothing).then_some(detail::Shown { detail, message, reason })
    }

    /// What probably happened, where the bytes tell: another framing, a log
    /// line, a message cut short.
    #[must_use]
    pub fn cause(&self) -> Option<Cause> {
        match self.rule {
            Rule::NotUtf8 | Rule::Bom | Rule::NotJson => Cause::of(self.message, self.offset),
            _ => None,
        }
    }

    pub(crate) const fn answer(&self) -> Answer {
        self.answer
    }

    pub(crate) const fn concern(&self) -> Concern {
        self.concern
    }

    pub(crate) const fn raw_detail(&self) -> Detail<'m> {
        self.detail
    }

    /// The message, as far as the violation needs it.
    pub(crate) const fn message(&self) -> &'m [u8] {
        self.message
    }
}

impl fmt::Debug for Violation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Violation")
            .field("rule", &self.rule.id())
            .field("offset", &self.offset)
            .field("reason", &self.reason)
            .field("answer", &self.answer)
            .finish_non_exhaustive()
    }
}

/// One line for a log: the rule, the place and the reason. Holds no text of
/// the peer's.
impl fmt::Display for Violation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}: {}", self.rule, self.offset, self.reason)
    }
}

impl std::error::Error for Violation<'_> {}
