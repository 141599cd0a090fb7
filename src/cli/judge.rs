//! From bytes to a record: the two ways of judging behind one door, and what
//! is known of a message afterwards. Prints nothing.

mod batch;

use mcparse::{
    ErrorCode, Id, Kind, Message, Noticed, Policy, RequestHead, ResponseHead, Rule, RuleSet,
    Sender, Summary, Text, Validator, Violation,
};

use super::conversations::{Conversations, SessionId};
use super::http::{Answer, Asked, Sent, Waiting};
use super::sender::Senders;
use super::upstream::Upstream;

/// Judges messages as one of the subcommands does.
pub(super) struct Judge {
    validator: Validator,
    way: Way,
    upstream: Upstream,
    /// None where each message is judged alone.
    conversations: Option<Conversations>,
    /// The requests over HTTP without a response; none where each message is
    /// judged alone.
    waiting: Option<Waiting>,
}

enum Way {
    /// By the truth table alone.
    Classify,
    /// By all rules, as sent from this side.
    CheckFrom(Sender),
    /// By all rules, as sent from the side that is told by the message.
    CheckAuto(Box<Senders>),
}

/// Where in its source a message begins.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// The line, from 1.
    pub(super) line: u64,
    /// Bytes from the start.
    pub(super) offset: u64,
}

/// A judged message.
pub(super) struct Record<'m> {
    pub(super) place: Place,
    /// How long the message is; not known of one over the limit, which is not
    /// read to its end.
    pub(super) bytes: Option<u64>,
    pub(super) verdict: Verdict<'m>,
    /// Who was taken for its sender; `classify` does not ask.
    pub(super) sender: Option<Sender>,
    /// The id of the request that it answers, or that fails with it, where it was
    /// judged beside that.
    pub(super) answers: Option<Vec<u8>>,
}

pub(super) enum Verdict<'m> {
    Accepted {
        kind: Kind,
        /// What `classify` does not read is left empty.
        id: Option<Id<'m>>,
        method: Option<Text<'m>>,
        /// The number in the error of an error response.
        error_code: Option<&'m [u8]>,
        findings: RuleSet,
    },
    Refused {
        code: ErrorCode,
        /// What `classify` does not say is left out.
        broken: Option<Broken<'m>>,
    },
}

/// Which rule refused the message, and where in it.
pub(super) struct Broken<'m> {
    pub(super) rule: Rule,
    /// None if the message is right by itself, and wrong behind those before.
    pub(super) violation: Option<Violation<'m>>,
    /// The id of the message, if it can be told.
    pub(super) id: Option<Id<'m>>,
    /// Bytes from the start of the message.
    pub(super) at: u64,
}

impl Judge {
    /// By the truth table alone: the kind, or a code.
    pub(super) fn classifier(policy: Policy) -> Self {
        Self {
            validator: Validator::new(policy),
            way: Way::Classify,
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
        is_http: bool,
        alone: bool,
    ) -> Self {
        let is_conversation = from.is_none() && !alone;
        let way = match from {
            Some(sender) => Way::CheckFrom(sender),
            None => Way::CheckAuto(Box::new(Senders::new(&policy, alone))),
        };
        Self {
            validator: Validator::new(policy),
            way,
            upstream: Upstream::default(),
            conversations: is_conversation.then(|| Conversations::new(is_http)),
            waiting: is_conversation.then(Waiting::default),
        }
    }

    /// Another source begins.
    pub(super) fn begin(&mut self) {
        if let Way::CheckAuto(senders) = &mut self.way {
            senders.forget();
        }
        if let Some(conversations) = &mut self.conversations {
            conversations.begin();
        }
    }

    pub(super) fn policy(&self) -> &Policy {
        self.validator.policy()
    }

    /// A record for the message; for each one in it if it is a batch.
    pub(super) fn judge<'m>(&mut self, place: Place, message: &'m [u8]) -> Vec<Record<'m>> {
        if self.takes(message) {
            return self.judge_batch(place, message);
        }
        let from = match &mut self.way {
            Way::Classify => Sender::Client,
            Way::CheckFrom(sender) => *sender,
            Way::CheckAuto(senders) => senders.sender(message),
        };
        vec![self.judge_from(from, place, message)]
    }

    /// The same, as sent from this side.
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
        let is_whole = message.len() <= self.policy().limits().message_bytes;
        let classifies = matches!(self.way, Way::Classify);
        let bytes = is_whole.then_some(message.len() as u64);
        let sender = (!classifies).then_some(from);
        if classifies && is_whole {
            let verdict = self.classify(message);
            return Record { place, bytes, verdict, sender, answers: None };
        }
        // That a message is over the limit is all that anyone can say of it.
        let checked = self.validator.check(from, message);
        let noticed = self.conversations.as_mut().and_then(|all| all.hear(None, from, &checked));
        let record = Record { place, bytes, verdict: verdict(checked), sender, answers: None };
        record.beside(noticed.as_ref(), self.validator.policy())
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
        if matches!(self.way, Way::Classify) {
            return self.judge_from(Sender::Client, place, message);
        }
        let checked = self.validator.check_http(head, message);
        if let Ok(message) = &checked {
            self.upstream.ask(message);
        }
        let kept = checked.as_ref().ok().map(|message| message.summary().with_head(head));
        let sent = kept.map_or(Sent::Nothing, |kept| Sent::Message(Box::new(kept)));
        self.ask(Asked { sent, session });
        let noticed =
            self.conversations.as_mut().and_then(|all| all.hear(session, Sender::Client, &checked));
        let bytes = is_whole.then_some(message.len() as u64);
        let sender = Some(Sender::Client);
        let record = Record { place, bytes, verdict: verdict(checked), sender, answers: None };
        record.beside(noticed.as_ref(), self.validator.policy())
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
        let answers = failed(to, &violation);
        let verdict = verdict(Err(violation));
        Record { place, bytes: None, verdict, sender: Some(Sender::Server), answers }
    }

    /// A message of a server's, out of an HTTP response. It teaches what there is
    /// to learn of the server.
    pub(super) fn judge_response<'m>(
        &mut self,
        place: Place,
        answer: &mut Answer,
        message: &'m [u8],
    ) -> Vec<Record<'m>> {
        if matches!(self.way, Way::Classify) {
            return vec![self.judge_from(Sender::Server, place, message)];
        }
        if self.takes(message) {
            let session = answer.session;
            return self.judge_elements(place, session, Sender::Server, Some(answer), message);
        }
        let is_whole = message.len() <= self.policy().limits().message_bytes;
        let checked = match &mut answer.answering {
            Some(answering) => self.validator.check_event(answering, message),
            None => self.validator.check(Sender::Server, message),
        };
        if let Ok(message) = &checked {
            self.upstream.learn(message);
        }
        let answers = answer.answering.as_ref().and_then(|answering| match &checked {
            Ok(Message::Response(_)) => lexeme(answering.request()),
            Ok(_) => None,
            Err(violation) => failed(answering.request(), violation),
        });
        // Whom an error without an id answers, HTTP tells: nobody else.
        let is_told = matches!(&checked, Ok(Message::Response(error)) if error.id().is_none());
        let conversations = self.conversations.as_mut().filter(|_| !is_told);
        let mut noticed =
            conversations.and_then(|all| all.hear(answer.session, Sender::Server, &checked));
        if let Some(noticed) = noticed.as_mut().filter(|_| answer.is_beside) {
            noticed.rules = RuleSet::EMPTY;
        }
        let bytes = is_whole.then_some(message.len() as u64);
        let mut verdict = verdict(checked);
        if let Verdict::Accepted { findings, .. } = &mut verdict {
            *findings = findings.union(answer.take_findings());
        }
        let record = Record { place, bytes, verdict, sender: Some(Sender::Server), answers };
        vec![record.beside(noticed.as_ref(), self.validator.policy())]
    }

    /// What is known of the server at the other end of HTTP.
    pub(super) const fn upstream(&mut self) -> &mut Upstream {
        &mut self.upstream
    }

    /// What a framer refused: it begins at the violation's place, and one that is
    /// too large is wrong where it passes the limit.
    pub(super) fn unread<'m>(
        &self,
        place: Place,
        violation: &Violation<'m>,
        from: Option<Sender>,
    ) -> Record<'m> {
        let at = match violation.rule() {
            Rule::TooLarge => self.policy().limits().message_bytes as u64,
            _ => 0,
        };
        Record {
            place,
            bytes: None,
            verdict: Verdict::Refused {
                code: violation.code(),
                broken: Some(Broken {
                    rule: violation.rule(),
                    violation: Some(*violation),
                    id: violation.id(),
                    at,
                }),
            },
            answers: None,
            sender: match &self.way {
                Way::Classify => None,
                Way::CheckFrom(sender) => Some(*sender),
                Way::CheckAuto(_) => from.or(Some(Sender::Client)),
            },
        }
    }

    fn classify<'m>(&mut self, message: &[u8]) -> Verdict<'m> {
        match self.validator.classify(message) {
            Ok(kind) => Verdict::Accepted {
                kind,
                id: None,
                method: None,
                error_code: None,
                findings: RuleSet::EMPTY,
            },
            Err(code) => Verdict::Refused { code, broken: None },
        }
    }
}

fn verdict<'v>(checked: Result<Message<'v>, Violation<'v>>) -> Verdict<'v> {
    match checked {
        Ok(message) => Verdict::Accepted {
            kind: message.kind(),
            id: message.id(),
            method: message.method(),
            error_code: match message {
                Message::Response(response) => response.error_code(),
                Message::Request(_) | Message::Notification(_) => None,
            },
            findings: message.findings(),
        },
        Err(violation) => Verdict::Refused {
            code: violation.code(),
            broken: Some(Broken {
                rule: violation.rule(),
                violation: Some(violation),
                id: violation.id(),
                at: violation.offset(),
            }),
        },
    }
}

/// The id of a request, unless it is too long to be kept.
fn lexeme(request: &Summary) -> Option<Vec<u8>> {
    request.id().map(|id| id.lexeme().to_owned())
}

/// The id of the request that fails with what was refused, if one does.
fn failed(request: &Summary, violation: &Violation<'_>) -> Option<Vec<u8>> {
    violation.concerns_pending().then(|| lexeme(request)).flatten()
}

impl Record<'_> {
    /// The same with what is wrong between it and the messages before.
    fn beside(mut self, noticed: Option<&Noticed>, policy: &Policy) -> Self {
        let Verdict::Accepted { kind, id, findings, .. } = &mut self.verdict else { return self };
        let Some(noticed) = noticed else { return self };
        if kind.is_response() && self.answers.is_none() {
            self.answers = noticed.request.as_ref().and_then(lexeme);
        }
        *findings = findings.union(noticed.reported(policy));
        if let Some(rule) = noticed.refused(policy) {
            let broken = Some(Broken { rule, violation: None, id: *id, at: 0 });
            self.verdict = Verdict::Refused { code: rule.code(), broken };
        }
        self
    }

    pub(super) const fn is_refused(&self) -> bool {
        matches!(self.verdict, Verdict::Refused { .. })
    }

    /// `"accept"` or `"refuse"`.
    pub(super) const fn verdict(&self) -> &'static str {
        match self.verdict {
            Verdict::Accepted { .. } => "accept",
            Verdict::Refused { .. } => "refuse",
        }
    }

    /// The kind of the message; what is refused is `"invalid"`.
    pub(super) const fn kind(&self) -> &'static str {
        match self.verdict {
            Verdict::Accepted { kind, .. } => kind.as_str(),
            Verdict::Refused { .. } => "invalid",
        }
    }

    /// What would be answered to a refused message, if anything may be. To what
    /// is wrong between messages nothing is: its id may be that of another one.
    pub(super) fn reply(&self) -> Option<Vec<u8>> {
        let Verdict::Refused { broken: Some(broken), .. } = &self.verdict else { return None };
        let violation = broken.violation.as_ref()?;
        // A framer that found a fault does not know whose message it was.
        if self.sender == Some(Sender::Server) {
            return None;
        }
        let mut reply = Vec::new();
        violation.write_reply(&mut reply).then_some(reply)
    }
}
