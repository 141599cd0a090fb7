//! From bytes to a record: the two ways of judging behind one door, and what
//! is known of a message afterwards. Prints nothing.

use mcparse::{
    ErrorCode, Id, Kind, Message, Policy, RequestHead, Rule, RuleSet, Sender, Text, Validator,
    Violation,
};

use super::sender::Senders;
use super::upstream::Upstream;

/// Judges messages as one of the subcommands does.
pub(super) struct Judge {
    validator: Validator,
    way: Way,
    upstream: Upstream,
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
    pub(super) violation: Violation<'m>,
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
        }
    }

    /// By all rules of the policy, as sent by `from`; told by message if there
    /// is none.
    pub(super) fn checker(policy: Policy, from: Option<Sender>) -> Self {
        let way = match from {
            Some(sender) => Way::CheckFrom(sender),
            None => Way::CheckAuto(Box::new(Senders::new(&policy))),
        };
        Self { validator: Validator::new(policy), way, upstream: Upstream::default() }
    }

    /// Another source begins.
    pub(super) fn begin(&mut self) {
        if let Way::CheckAuto(senders) = &mut self.way {
            senders.forget();
        }
    }

    pub(super) fn policy(&self) -> &Policy {
        self.validator.policy()
    }

    pub(super) fn judge<'m>(&mut self, place: Place, message: &'m [u8]) -> Record<'m> {
        let from = match &mut self.way {
            Way::Classify => Sender::Client,
            Way::CheckFrom(sender) => *sender,
            Way::CheckAuto(senders) => senders.sender(message),
        };
        self.judge_from(from, place, message)
    }

    fn judge_from<'m>(&mut self, from: Sender, place: Place, message: &'m [u8]) -> Record<'m> {
        let is_whole = message.len() <= self.policy().limits().message_bytes;
        let classifies = matches!(self.way, Way::Classify);
        let verdict = if classifies && is_whole {
            self.classify(message)
        } else {
            // That a message is over the limit is all that anyone can say of it.
            verdict(self.validator.check(from, message))
        };
        let sender = (!classifies).then_some(from);
        Record { place, bytes: is_whole.then_some(message.len() as u64), verdict, sender }
    }

    /// The body of an HTTP request, with its head. By the truth table there is
    /// nothing to say of the head.
    pub(super) fn judge_request<'v>(
        &mut self,
        place: Place,
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
        let bytes = is_whole.then_some(message.len() as u64);
        Record { place, bytes, verdict: verdict(checked), sender: Some(Sender::Client) }
    }

    /// A message of a server's, out of an HTTP response. It teaches what there is
    /// to learn of the server.
    pub(super) fn judge_response<'m>(&mut self, place: Place, message: &'m [u8]) -> Record<'m> {
        if matches!(self.way, Way::Classify) {
            return self.judge_from(Sender::Server, place, message);
        }
        let is_whole = message.len() <= self.policy().limits().message_bytes;
        let checked = self.validator.check(Sender::Server, message);
        if let Ok(message) = &checked {
            self.upstream.learn(message);
        }
        let bytes = is_whole.then_some(message.len() as u64);
        Record { place, bytes, verdict: verdict(checked), sender: Some(Sender::Server) }
    }

    /// What is known of the server at the other end of HTTP.
    pub(super) const fn upstream(&mut self) -> &mut Upstream {
        &mut self.upstream
    }

    /// What a framer refused: it begins at the violation's place, and one that is
    /// too large is wrong where it passes the limit.
    pub(super) fn unread<'m>(&self, place: Place, violation: &Violation<'m>) -> Record<'m> {
        let at = match violation.rule() {
            Rule::TooLarge => self.policy().limits().message_bytes as u64,
            _ => 0,
        };
        Record {
            place,
            bytes: None,
            verdict: Verdict::Refused {
                code: violation.code(),
                broken: Some(Broken { violation: *violation, at }),
            },
            sender: match &self.way {
                Way::Classify => None,
                Way::CheckFrom(sender) => Some(*sender),
                Way::CheckAuto(_) => Some(Sender::Client),
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
            broken: Some(Broken { violation, at: violation.offset() }),
        },
    }
}

impl Record<'_> {
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

    /// What would be answered to a refused message, if anything may be.
    pub(super) fn reply(&self) -> Option<Vec<u8>> {
        let Verdict::Refused { broken: Some(Broken { violation, .. }), .. } = &self.verdict else {
            return None;
        };
        // A framer that found a fault does not know whose message it was.
        if self.sender == Some(Sender::Server) {
            return None;
        }
        let mut reply = Vec::new();
        violation.write_reply(&mut reply).then_some(reply)
    }
}
