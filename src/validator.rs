//! The validator: bytes in, a message or a violation out. The only file, with
//! `classify.rs`, that knows all stages.

use std::sync::Arc;

use crate::code::ErrorCode;
use crate::envelope::{Envelope, JsonType};
use crate::id::Id;
use crate::json::grammar::Fault;
use crate::json::lanes::Lanes;
use crate::kind::{Kind, Sender};
use crate::message::{self, IdForm, Message};
use crate::policy::Policy;
use crate::rule::{Action, Rule, RuleSet};
use crate::rules;
use crate::violation::{Answer, Violation};

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
}

impl Validator {
    /// A validator with this policy. Allocates no parsing memory yet.
    pub fn new(policy: impl Into<Arc<Policy>>) -> Self {
        let policy = policy.into();
        let lanes = Lanes::new(&policy);
        Self { policy, lanes }
    }

    /// A validator that always reads by way of the tape. Its verdicts are the
    /// same; this is for tests and benches, to hold the two ways together.
    #[doc(hidden)]
    pub fn with_tape_alone(policy: impl Into<Arc<Policy>>) -> Self {
        let policy = policy.into();
        let lanes = Lanes::tape_alone(&policy);
        Self { policy, lanes }
    }

    /// The policy in force.
    #[must_use]
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// Judges by `policy` from the next message on.
    pub fn set_policy(&mut self, policy: impl Into<Arc<Policy>>) {
        self.policy = policy.into();
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
        let policy = &*self.policy;
        let limits = policy.limits();
        if message.len() > limits.message_bytes {
            return Err(unread(Rule::TooLarge, limits.message_bytes, from, message));
        }
        let mut envelope = Envelope::default();
        match self.lanes.envelope(message, policy, &mut envelope) {
            Ok(tolerated) => judge(policy, from, message, &envelope, tolerated),
            Err(fault) => Err(not_json(&fault, from, message)),
        }
    }
}

impl std::fmt::Debug for Validator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Validator").field("policy", &self.policy).finish_non_exhaustive()
    }
}

/// From envelope to verdict: the truth table, then the other rules.
#[inline]
fn judge<'m>(
    policy: &Policy,
    from: Sender,
    message: &'m [u8],
    envelope: &Envelope,
    tolerated: RuleSet,
) -> Result<Message<'m>, Violation<'m>> {
    let id = IdForm::of(envelope.id, message);
    let lets_floats_pass = policy.action(Rule::IdFloat) != Action::Refuse;
    let as_read = match id {
        IdForm::Float if lets_floats_pass => IdForm::StringOrInteger,
        id => id,
    };
    let refused = match message::kind(envelope, message, as_read) {
        Err(rule) => rule,
        Ok(kind) => {
            let broken = rules::envelope::broken(envelope, message, kind, id, policy.limits());
            let Some(rule) = broken.intersection(policy.refused()).first() else {
                let findings = broken.union(tolerated).intersection(policy.reported());
                return Ok(Message::new(kind, message, envelope, findings));
            };
            rule
        }
    };
    Err(refuse(refused, policy, from, message, envelope, as_read))
}

#[cold]
fn refuse<'m>(
    rule: Rule,
    policy: &Policy,
    from: Sender,
    message: &'m [u8],
    envelope: &Envelope,
    id: IdForm,
) -> Violation<'m> {
    let offset = rules::envelope::offset(rule, envelope);
    let answer = answer(policy, from, message, envelope, id);
    Violation::new(rule, offset, rule.reason(), message, answer)
}

/// What may be said to a refused message: an error with the request's own id
/// only if exactly one valid id within the limit was read, and nothing at all
/// to a notification, to an answer, or to a server.
fn answer<'m>(
    policy: &Policy,
    from: Sender,
    message: &'m [u8],
    envelope: &Envelope,
    id: IdForm,
) -> Answer<'m> {
    let Envelope { method, result, error, .. } = envelope;
    let is_answer = !method.is_present() && (result.is_present() || error.is_present());
    let is_notification = method.json == JsonType::String && !envelope.id.is_present();
    if from == Sender::Server || is_answer || is_notification {
        return Answer::Forbidden;
    }
    let lexeme = envelope.id.of(message);
    let is_whole = !envelope.id_repeated && lexeme.len() <= policy.limits().id_bytes;
    if id == IdForm::StringOrInteger && is_whole {
        Answer::To(Id::new(lexeme))
    } else {
        Answer::WithoutId
    }
}

/// A message of which no member was read.
#[cold]
fn unread(rule: Rule, offset: usize, from: Sender, message: &[u8]) -> Violation<'_> {
    not_json(&Fault { rule, offset, reason: rule.reason() }, from, message)
}

#[cold]
fn not_json<'m>(fault: &Fault, from: Sender, message: &'m [u8]) -> Violation<'m> {
    let answer = match from {
        Sender::Client => Answer::WithoutId,
        Sender::Server => Answer::Forbidden,
    };
    Violation::new(fault.rule, fault.offset, fault.reason, message, answer)
}
