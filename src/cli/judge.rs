//! From bytes to a record: the two ways of judging behind one door. Prints
//! nothing.

mod answers;
mod batch;
mod case;
mod record;
mod terms;

use mcparse::{
    Kind, Message, Policy, RequestHead, ResponseHead, RuleSet, Sender, Summary, Validator,
    Violation,
};

pub(super) use self::case::{Ahead, Case};
use self::record::kind;
pub(super) use self::record::{Broken, Place, Record, Verdict};
pub(super) use self::terms::Terms;
use self::terms::Way;
use super::args::Framing;
use super::conversations::{Conversations, SessionId};
use super::http::{Answer, Asked, Sent, Waiting};
use super::sender::Senders;
use super::upstream::Upstream;

/// Judges messages as one of the subcommands does.
pub(super) struct Judge {
    terms: Terms,
    validator: Validator,
    upstream: Upstream,
    /// None where each message is judged alone.
    conversations: Option<Conversations>,
    /// The requests over HTTP without a response; none where each message is
    /// judged alone.
    waiting: Option<Waiting>,
}

impl Judge {
    /// By the truth table alone: the kind, or a code.
    pub(super) fn classifier(policy: Policy) -> Self {
        Self {
            terms: Terms { policy, way: Way::Classify },
            validator: Validator::new(policy),
            upstream: Upstream::default(),
            conversations: None,
            waiting: None,
        }
    }

    /// By all rules of the policy, as sent by `from`; told by message, or over HTTP
    /// by its head, if there is none. `alone` leaves out what is wrong between
    /// messages.
    pub(super) fn checker(
        policy: Policy,
        from: Option<Sender>,
        framing: Framing,
        alone: bool,
    ) -> Self {
        let is_conversation = from.is_none() && !alone;
        let way = from.map_or(Way::CheckAuto, Way::CheckFrom);
        Self {
            terms: Terms { policy, way },
            validator: Validator::new(policy),
            upstream: Upstream::default(),
            conversations: is_conversation.then(|| Conversations::new(framing)),
            waiting: is_conversation.then(Waiting::default),
        }
    }

    /// Another source begins.
    pub(super) fn begin(&mut self) {
        if let Some(conversations) = &mut self.conversations {
            conversations.begin();
        }
    }

    pub(super) const fn policy(&self) -> &Policy {
        &self.terms.policy
    }

    pub(super) const fn terms(&self) -> &Terms {
        &self.terms
    }

    /// What tells who sent a message, where nobody says.
    pub(super) fn senders(&self) -> Option<Senders> {
        let is_auto = matches!(self.terms.way, Way::CheckAuto);
        is_auto.then(|| Senders::new(self.policy(), self.conversations.is_none()))
    }

    /// A record for a message that was sent from this side; for each one in it if it
    /// is a batch.
    pub(super) fn judge_as<'m>(
        &mut self,
        from: Sender,
        place: Place,
        message: &'m [u8],
    ) -> Vec<Record<'m>> {
        if self.takes(message) {
            return self.judge_elements(place, None, from, None, message);
        }
        vec![self.judge_from(from, place, message)]
    }

    fn judge_from<'m>(&mut self, from: Sender, place: Place, message: &'m [u8]) -> Record<'m> {
        if matches!(self.terms.way, Way::Classify) && self.terms.is_whole(message) {
            let verdict = kind(&mut self.validator, message);
            return Record::new(place, Some(message.len() as u64), None, verdict);
        }
        // That a message is over the limit is all that anyone can say of it.
        let alone = self.validator.check(from, message);
        let (checked, to) = self.by_request(None, from, message, alone);
        let noticed = self.hear(None, from, &checked, to.as_ref());
        let record = self.terms.record(place, from, message, checked);
        record.to(to.as_ref()).beside(noticed.as_ref(), self.policy())
    }

    /// The body of an HTTP request, with its head. By the truth table there is
    /// nothing to say of the head.
    pub(super) fn judge_request<'v>(
        &mut self,
        place: Place,
        session: Option<SessionId>,
        head: &RequestHead<'v>,
        message: &'v [u8],
    ) -> Record<'v> {
        let is_whole = message.len() <= self.policy().limits().message_bytes;
        if matches!(self.terms.way, Way::Classify) {
            return self.judge_from(Sender::Client, place, message);
        }
        let checked = self.validator.check_http(head, message);
        let (checked, to) = self.by_request_too(session, message, checked);
        if let Ok(message) = &checked {
            self.upstream.ask(message);
        }
        let kept = checked.as_ref().ok().map(|message| message.summary().with_head(head));
        let sent = kept.map_or(Sent::Nothing, |kept| Sent::Message(Box::new(kept)));
        self.ask(Asked { sent, session });
        let noticed = self.hear(session, Sender::Client, &checked, to.as_ref());
        let bytes = is_whole.then_some(message.len() as u64);
        let record = Record::of(place, bytes, Sender::Client, checked);
        record.to(to.as_ref()).beside(noticed.as_ref(), self.validator.policy())
    }

    /// An HTTP request was sent.
    pub(super) fn ask(&mut self, asked: Asked) {
        if let Some(waiting) = &mut self.waiting {
            waiting.ask(asked);
        }
    }

    /// The response to an HTTP request has ended.
    pub(super) fn end(&mut self, asked: &Asked) {
        let request = asked.message().filter(|message| message.kind() == Kind::Request);
        if let (Some(conversations), Some(request)) = (&mut self.conversations, request) {
            conversations.end(asked.session, request);
        }
    }

    /// The HTTP requests without a response, unless messages are judged alone.
    pub(super) const fn waiting(&mut self) -> Option<&mut Waiting> {
        self.waiting.as_mut()
    }

    /// The head of the response to `to`, or what is refused by it.
    pub(super) fn judge_head(
        &self,
        place: Place,
        to: &Summary,
        session: Option<SessionId>,
        head: &ResponseHead<'_>,
    ) -> Result<Answer, Box<Record<'static>>> {
        self.validator
            .check_answer_head(to, head)
            .map(|answering| Answer::to(&answering, session))
            .map_err(|violation| Box::new(Self::judge_end(place, to, violation)))
    }

    /// What stands for the answer to `to`, of which there is no message.
    pub(super) fn judge_end(
        place: Place,
        to: &Summary,
        violation: Violation<'static>,
    ) -> Record<'static> {
        Record::of(place, None, Sender::Server, Err(violation)).to(Some(to))
    }

    /// A message of a server's, out of an HTTP response. It teaches what there is
    /// to learn of the server.
    pub(super) fn judge_response<'m>(
        &mut self,
        place: Place,
        answer: &mut Answer,
        message: &'m [u8],
    ) -> Vec<Record<'m>> {
        if matches!(self.terms.way, Way::Classify) {
            return vec![self.judge_from(Sender::Server, place, message)];
        }
        if self.takes(message) {
            let session = answer.session;
            return self.judge_elements(place, session, Sender::Server, Some(answer), message);
        }
        let is_whole = message.len() <= self.policy().limits().message_bytes;
        let (checked, to) = match &mut answer.answering {
            Some(answering) => (self.validator.check_event(answering, message), None),
            // Of what comes beside the requests nobody knows what it follows.
            None if answer.is_beside => (self.validator.check(Sender::Server, message), None),
            None => {
                let alone = self.validator.check(Sender::Server, message);
                self.by_request(answer.session, Sender::Server, message, alone)
            }
        };
        if let Ok(message) = &checked {
            self.upstream.learn(message);
        }
        // Whom an error without an id answers, HTTP tells: nobody else.
        let is_told = matches!(&checked, Ok(Message::Response(error)) if error.id().is_none());
        let mut noticed = None;
        if !is_told {
            noticed = self.hear(answer.session, Sender::Server, &checked, to.as_ref());
        }
        if let Some(noticed) = noticed.as_mut().filter(|_| answer.is_beside) {
            noticed.rules = RuleSet::EMPTY;
        }
        let bytes = is_whole.then_some(message.len() as u64);
        let mut record = Record::of(place, bytes, Sender::Server, checked);
        if let Verdict::Accepted { findings, .. } = &mut record.verdict {
            *findings = findings.union(answer.take_findings());
        }
        let record = record.to(to.as_ref().or_else(|| answer.request()));
        vec![record.beside(noticed.as_ref(), self.validator.policy())]
    }

    /// What is known of the server at the other end of HTTP.
    pub(super) const fn upstream(&mut self) -> &mut Upstream {
        &mut self.upstream
    }
}
