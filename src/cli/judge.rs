//! From bytes to a record: the two ways of judging behind one door, and what
//! is known of a message afterwards. Prints nothing.

use mcparse::{ErrorCode, Id, Kind, Message, Policy, RuleSet, Sender, Text, Validator, Violation};

/// Judges messages as one of the subcommands does.
pub(super) struct Judge {
    validator: Validator,
    /// By all rules; else by the truth table alone.
    checks: bool,
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
        Self { validator: Validator::new(policy), checks: false }
    }

    /// By all rules of the policy.
    pub(super) fn checker(policy: Policy) -> Self {
        Self { validator: Validator::new(policy), checks: true }
    }

    pub(super) fn policy(&self) -> &Policy {
        self.validator.policy()
    }

    pub(super) fn judge<'m>(&mut self, place: Place, message: &'m [u8]) -> Record<'m> {
        let is_whole = message.len() <= self.policy().limits().message_bytes;
        // That a message is over the limit is all that anyone can say of it.
        let verdict =
            if self.checks || !is_whole { self.check(message) } else { self.classify(message) };
        Record { place, bytes: is_whole.then_some(message.len() as u64), verdict }
    }

    /// A message that a framer refused: it begins at the violation's offset,
    /// and the fault is where it passed the limit.
    pub(super) fn unread<'m>(&self, line: u64, violation: &Violation<'m>) -> Record<'m> {
        let at = self.policy().limits().message_bytes as u64;
        Record {
            place: Place { line, offset: violation.offset() },
            bytes: None,
            verdict: Verdict::Refused {
                code: violation.code(),
                broken: Some(Broken { violation: *violation, at }),
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

    /// The sender decides only whether a refusal is answered, and a client is
    /// the one that gets answers: the reply shown is the server's.
    fn check<'m>(&mut self, message: &'m [u8]) -> Verdict<'m> {
        match self.validator.check(Sender::Client, message) {
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
}
