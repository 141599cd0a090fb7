//! The validator: bytes in, a message or a violation out. The only file, with
//! `classify.rs`, that knows all stages.

mod answers;
mod batch;
mod chunked;

use std::sync::Arc;

use crate::code::ErrorCode;
use crate::envelope::{Envelope, JsonType};
use crate::era::Era;
use crate::frame::SseFramer;
use crate::head::RequestHead;
use crate::id::Id;
use crate::json::grammar::Fault;
use crate::json::lanes::Lanes;
use crate::kind::{Kind, Sender};
use crate::message::{self, IdForm, Message};
use crate::method::RevisionSet;
use crate::policy::Policy;
use crate::revision::Revision;
use crate::rule::{Action, Rule, RuleSet};
use crate::rules;
use crate::rules::subject::{HeaderVersion, Subject};
use crate::summary::Summary;
use crate::violation::{Answer, Concern, Place, Violation};

/// Judges messages, one after the other, by a [`Policy`].
///
/// Keep one for each worker: it owns the memory that reading an unusual message
/// needs, and after the first few of those it allocates none. A plain message
/// needs none at all. What is held is at most 64 times the length limit
/// (a message that is nothing but brackets), usually far less, and what only an
/// outlier needed is let go of soon.
///
/// ```
/// use mcparse::{Policy, Sender, Validator};
///
/// let mut validator = Validator::new(Policy::strict());
/// let first = br#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
/// let second = br#"{"jsonrpc":"2.0","id":1,"method":"tools/list","ID":2}"#;
///
/// assert!(validator.check(Sender::Client, first).is_ok());
///
/// let violation = validator.check(Sender::Client, second).unwrap_err();
/// let mut reply = Vec::new();
/// assert!(violation.write_reply(&mut reply));
/// assert!(reply.starts_with(br#"{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"#));
/// ```
pub struct Validator {
    policy: Arc<Policy>,
    lanes: Lanes,
    /// For responses that are judged whole.
    events: SseFramer,
}

impl Validator {
    /// A validator with this policy. Allocates no parsing memory yet.
    pub fn new(policy: impl Into<Arc<Policy>>) -> Self {
        let policy = policy.into();
        let lanes = Lanes::new(&policy);
        let events = SseFramer::new(policy.limits().message_bytes);
        Self { policy, lanes, events }
    }

    /// A validator that always reads by way of the tape. Its verdicts are the
    /// same; this is for tests and benches, to hold the two ways together.
    #[doc(hidden)]
    pub fn with_tape_alone(policy: impl Into<Arc<Policy>>) -> Self {
        let policy = policy.into();
        Self { lanes: Lanes::tape_alone(&policy), ..Self::new(policy) }
    }

    /// The policy in force.
    #[must_use]
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// Judges by `policy` from the next message on.
    pub fn set_policy(&mut self, policy: impl Into<Arc<Policy>>) {
        let before = self.policy.limits().message_bytes;
        self.policy = policy.into();
        let most = self.policy.limits().message_bytes;
        if most != before {
            self.events = SseFramer::new(most);
        }
        self.lanes.set_policy(&self.policy);
    }

    /// What kind of message it is, by the truth table alone: of a member given
    /// twice the last counts, and nothing is refused for being ambiguous. This
    /// is [`classify`](crate::classify()) with the policy's limits, and its actions
    /// on a byte order mark and on unpaired surrogates.
    ///
    /// # Errors
    ///
    /// [`ErrorCode::PARSE_ERROR`] if it is not JSON within the limits,
    /// [`ErrorCode::INVALID_REQUEST`] if it is no message or is too long.
    pub fn classify(&mut self, message: &[u8]) -> Result<Kind, ErrorCode> {
        if message.len() > self.policy.limits().message_bytes {
            return Err(Rule::TooLarge.code());
        }
        let mut envelope = Envelope::default();
        self.lanes
            .envelope(message, &self.policy, &mut envelope)
            .map_err(|fault| fault.rule.code())?;
        let id = IdForm::of(envelope.id, message);
        match message::kind(&envelope, message, id) {
            Ok(Kind::Error) if id == IdForm::Absent => Err(Rule::IdMissing.code()),
            verdict => verdict.map_err(Rule::code),
        }
    }

    /// Judges one message. What is accepted is borrowed from `message`, and so
    /// is the violation; the validator is free for the next one.
    ///
    /// # Errors
    ///
    /// The [`Violation`] that comes first in the order of judgement, if the
    /// message breaks any rule that the policy refuses by.
    #[inline]
    pub fn check<'m>(
        &mut self,
        from: Sender,
        message: &'m [u8],
    ) -> Result<Message<'m>, Violation<'m>> {
        let circumstances = Circumstances::alone(&self.policy, from);
        read(&mut self.lanes, circumstances, message, RuleSet::EMPTY)
    }

    /// Judges the body of an HTTP request together with its head: what a client
    /// sends over [Streamable HTTP]. Head and body need not live equally long:
    /// the message that is accepted borrows the body alone.
    ///
    /// ```
    /// use mcparse::{Policy, RequestHead, Rule, Validator};
    ///
    /// let headers = [
    ///     ("Content-Type", "application/json"),
    ///     ("Accept", "application/json, text/event-stream"),
    ///     ("MCP-Protocol-Version", "2026-07-28"),
    ///     ("Mcp-Method", "tools/call"),
    ///     ("Mcp-Name", "notes.read"),
    /// ];
    /// let head = RequestHead::new("POST", headers);
    /// let body = br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"notes.delete","_meta":{
    ///     "io.modelcontextprotocol/protocolVersion":"2026-07-28",
    ///     "io.modelcontextprotocol/clientCapabilities":{}}}}"#;
    ///
    /// let violation = Validator::new(Policy::strict()).check_http(&head, body).unwrap_err();
    /// assert_eq!(violation.rule(), Rule::NameHeaderMismatch);
    /// assert_eq!((violation.code().get(), violation.http_status()), (-32020, 400));
    /// assert_eq!(
    ///     violation.detail().unwrap().to_string(),
    ///     "Mcp-Name header value 'notes.read' does not match body value 'notes.delete'"
    /// );
    /// ```
    ///
    /// # Errors
    ///
    /// The [`Violation`] that comes first in the order of judgement.
    ///
    /// [Streamable HTTP]: https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
    #[inline]
    pub fn check_http<'m: 'v, 'v>(
        &mut self,
        head: &RequestHead<'v>,
        body: &'m [u8],
    ) -> Result<Message<'m>, Violation<'v>> {
        let policy = &*self.policy;
        let (circumstances, broken) = Circumstances::with_head(policy, head);
        if let Some(rule) = policy.refuses_by(broken) {
            return Err(unread(rule, 0, circumstances, body));
        }
        read(&mut self.lanes, circumstances, body, broken)
    }

    /// Which era a server is of that answered a modern request with `body`: what
    /// a client that speaks both must know before it goes on ([Backward
    /// Compatibility]). Modern if it is a result with a `resultType`, the result
    /// of `server/discover`, or one of the three errors that only modern servers
    /// know; anything else, an empty body included, is a legacy server's, and the
    /// client falls back to `initialize`.
    ///
    /// ```
    /// use mcparse::{Era, Policy, Validator};
    ///
    /// let mut validator = Validator::new(Policy::strict());
    /// let modern = br#"{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"m"}}"#;
    /// assert_eq!(validator.era_of_answer(modern), Era::Modern);
    /// let legacy = br#"{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"m"}}"#;
    /// assert_eq!(validator.era_of_answer(legacy), Era::Legacy);
    /// assert_eq!(validator.era_of_answer(b""), Era::Legacy);
    /// ```
    ///
    /// [Backward Compatibility]: https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning#backward-compatibility-with-initialization-based-versions
    pub fn era_of_answer(&mut self, body: &[u8]) -> Era {
        let is_modern = match self.check(Sender::Server, body) {
            Ok(Message::Response(response)) => response.is_of_modern_server(),
            _ => false,
        };
        if is_modern { Era::Modern } else { Era::Legacy }
    }
}

impl std::fmt::Debug for Validator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Validator").field("policy", &self.policy).finish_non_exhaustive()
    }
}

/// Who sent a message, how it came, and by what it is judged.
#[derive(Clone, Copy)]
struct Circumstances<'c, 'v> {
    policy: &'c Policy,
    from: Sender,
    head: Option<&'c RequestHead<'v>>,
    header: HeaderVersion,
    /// The request that it may be the answer to.
    to: Option<&'c Summary>,
}

impl<'c, 'v> Circumstances<'c, 'v> {
    /// Of a message that came with no head, and answers nothing that is known.
    #[inline]
    const fn alone(policy: &'c Policy, from: Sender) -> Self {
        Self { policy, from, head: None, header: HeaderVersion::NoHead, to: None }
    }

    /// Of the body of an HTTP request, and the rules that its head alone breaks.
    #[inline]
    fn with_head(policy: &'c Policy, head: &'c RequestHead<'v>) -> (Self, RuleSet) {
        let header = rules::mirrors::version(head);
        let broken = rules::transport::broken(head, policy.origins());
        (Self { policy, from: Sender::Client, head: Some(head), header, to: None }, broken)
    }
}

/// From bytes to verdict. `broken` are the rules that the head alone breaks.
#[inline]
fn read<'m: 'v, 'v>(
    lanes: &mut Lanes,
    circumstances: Circumstances<'_, 'v>,
    message: &'m [u8],
    broken: RuleSet,
) -> Result<Message<'m>, Violation<'v>> {
    let policy = circumstances.policy;
    let most = policy.limits().message_bytes;
    if message.len() > most {
        return Err(unread(Rule::TooLarge, most, circumstances, message));
    }
    let mut envelope = Envelope::default();
    match lanes.envelope(message, policy, &mut envelope) {
        Ok(tolerated) => judge(circumstances, message, &envelope, broken.union(tolerated)),
        Err(fault) => Err(not_json(&fault, circumstances, message)),
    }
}

/// From envelope to verdict: the truth table, then the other rules.
#[inline]
fn judge<'m: 'v, 'v>(
    circumstances: Circumstances<'_, 'v>,
    message: &'m [u8],
    envelope: &Envelope,
    mut broken: RuleSet,
) -> Result<Message<'m>, Violation<'v>> {
    let Circumstances { policy, from, head, header, to } = circumstances;
    let id = IdForm::of(envelope.id, message);
    let lets_floats_pass = policy.action(Rule::IdFloat) != Action::Refuse;
    let as_read = match id {
        IdForm::Float if lets_floats_pass => IdForm::StringOrInteger,
        id => id,
    };
    let kind = match message::kind(envelope, message, as_read) {
        Ok(kind) => kind,
        Err(rule) => return Err(no_kind(rule, circumstances, message, envelope, as_read)),
    };
    let subject = Subject::new(message, envelope, kind, from, policy, header, to);
    rules::envelope::note(envelope, message, kind, id, policy.limits(), &mut broken);
    rules::direction::note(&subject, &mut broken);
    rules::metadata::note(&subject, &mut broken);
    rules::version::note(&subject, &mut broken);
    rules::capability::note(&subject, &mut broken);
    rules::method::note(&subject, &mut broken);
    if let Some(method) = envelope.called.filter(|_| !kind.is_response()) {
        rules::params::note(message, envelope, method, subject.revisions, &mut broken);
    }
    broken = broken.union(rules::answer::broken(&subject));
    let only_reported = head.and_then(|head| note_head(&subject, head, &mut broken));
    if let Some(rule) = policy.refuses_by(broken) {
        return Err(refuse(rule, &subject, head, message, as_read));
    }
    let mut findings = broken.intersection(policy.reported());
    if let Some(stale) = only_reported {
        findings = findings.union(stale);
    }
    let Subject { name, revisions, .. } = subject;
    Ok(Message::new(kind, message, from, envelope, name, revisions, findings))
}

/// Notes the rules that message and head break together. Gives what of them is
/// only reported whatever the policy refuses by, if there is any.
#[inline]
fn note_head(
    subject: &Subject<'_, '_>,
    head: &RequestHead<'_>,
    broken: &mut RuleSet,
) -> Option<RuleSet> {
    let stale = rules::mirrors::note(subject, head, broken)?;
    let policy = subject.policy;
    Some(stale.intersection(policy.refused().union(policy.reported())))
}

/// A message that the truth table gives no kind, or an impossible one.
#[cold]
fn no_kind<'m>(
    rule: Rule,
    circumstances: Circumstances<'_, '_>,
    message: &'m [u8],
    envelope: &Envelope,
    id: IdForm,
) -> Violation<'m> {
    let Circumstances { policy, from, header, to, .. } = circumstances;
    let revisions = match (header, to) {
        (_, Some(to)) => to.revisions(),
        (HeaderVersion::Known(revision), _) => RevisionSet::only(revision),
        _ => policy.revisions(),
    };
    let offset = rules::envelope::offset(rule, envelope);
    let answer = answer(policy, from, message, envelope, id, revisions);
    let violation = Violation::new(rule, offset, rule.reason(), message, answer);
    towards(violation, to, || concern(message, envelope, to))
}

#[cold]
fn refuse<'v>(
    rule: Rule,
    subject: &Subject<'_, 'v>,
    head: Option<&RequestHead<'v>>,
    message: &'v [u8],
    id: IdForm,
) -> Violation<'v> {
    let (offset, detail) = rules::place::place(rule, subject, head);
    let Subject { envelope, policy, from, revisions, .. } = *subject;
    let answer = answer(policy, from, message, envelope, id, revisions);
    let violation =
        Violation::new(rule, offset, rule.reason(), message, answer).with_detail(detail);
    if subject.to.is_some() {
        return towards(violation, subject.to, || concern(message, envelope, subject.to));
    }
    // In the legacy era 404 says that the session is lost.
    if rule.http_status() == 404 && subject.is_legacy() {
        violation.with_status(200)
    } else {
        violation
    }
}

/// The violation as it is told to whoever waits for an answer to `to`. That it was
/// the server's fault is one status over HTTP, whatever the rule.
#[cold]
fn towards<'v>(
    violation: Violation<'v>,
    to: Option<&Summary>,
    concern: impl FnOnce() -> Concern,
) -> Violation<'v> {
    match to {
        None => violation,
        Some(to) if to.kind() == Kind::Request => {
            violation.with_status(BAD_GATEWAY).with_concern(concern())
        }
        Some(_) => violation.with_status(BAD_GATEWAY),
    }
}

const BAD_GATEWAY: u16 = 502;

/// What a message is to the request `to` that waits: a response is its answer,
/// and so may be what has neither a method nor a result. A method makes it a
/// call, unless it has a result and the request's own id as well.
fn concern(message: &[u8], envelope: &Envelope, to: Option<&Summary>) -> Concern {
    let Envelope { method, result, error, id, .. } = envelope;
    let has_outcome = result.is_present() || error.is_present();
    let is_id = matches!(id.json, JsonType::String | JsonType::Number);
    let has_its_id = || is_id && to.is_some_and(|to| to.has_id(Id::new(id.of(message))));
    match (method.is_present(), has_outcome) {
        (false, true) => Concern::Answer,
        (false, false) => Concern::Unread,
        (true, true) if has_its_id() => Concern::Answer,
        (true, _) => Concern::Nobody,
    }
}

/// What may be said to a refused message: an error with the request's own id
/// only if exactly one valid id within the limit was read, and nothing at all
/// to a notification, to an answer, or to a server.
fn answer(
    policy: &Policy,
    from: Sender,
    message: &[u8],
    envelope: &Envelope,
    id: IdForm,
    revisions: RevisionSet,
) -> Answer {
    let Envelope { method, result, error, .. } = envelope;
    let has_outcome = result.is_present() || error.is_present();
    let is_answer = !method.is_present() && has_outcome;
    let is_notification = method.json == JsonType::String && !envelope.id.is_present();
    let lexeme = envelope.id.of(message);
    let is_whole = !envelope.id_repeated && lexeme.len() <= policy.limits().id_bytes;
    let place = Place { start: envelope.id.start, end: envelope.id.end };
    if from == Sender::Server || is_answer || is_notification {
        let is_id = matches!(id, IdForm::StringOrInteger | IdForm::Float) && is_whole;
        // A server that sends a result has answered, whatever else it has sent.
        let answers = !method.is_present() || has_outcome;
        return if is_id && answers { Answer::Answers(place) } else { Answer::Forbidden };
    }
    if id == IdForm::StringOrInteger && is_whole {
        Answer::To(place)
    } else {
        without_id(revisions)
    }
}

/// An id that could not be read is left out, but is `null` where all revisions
/// that the message may be of are older than 2025-11-25.
fn without_id(revisions: RevisionSet) -> Answer {
    let leave_out = RevisionSet::since(Revision::V2025_11_25);
    if revisions.intersection(leave_out).is_empty() { Answer::WithNull } else { Answer::WithoutId }
}

/// A message of which no member was read.
#[cold]
fn unread<'m>(
    rule: Rule,
    offset: usize,
    circumstances: Circumstances<'_, '_>,
    message: &'m [u8],
) -> Violation<'m> {
    not_json(&Fault { rule, offset, reason: rule.reason() }, circumstances, message)
}

#[cold]
fn not_json<'m>(
    fault: &Fault,
    circumstances: Circumstances<'_, '_>,
    message: &'m [u8],
) -> Violation<'m> {
    let answer = match (circumstances.from, circumstances.header) {
        (Sender::Server, _) => Answer::Forbidden,
        (Sender::Client, HeaderVersion::Known(revision)) => without_id(RevisionSet::only(revision)),
        (Sender::Client, _) => without_id(circumstances.policy.revisions()),
    };
    let violation = Violation::new(fault.rule, fault.offset, fault.reason, message, answer);
    towards(violation, circumstances.to, || Concern::Unread)
}
