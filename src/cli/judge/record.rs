//! What is known of a message once it is judged. Prints nothing.

use mcparse::{
    ErrorCode, Id, Kind, Message, Noticed, Policy, Rule, RuleSet, Sender, Summary, Text, Validator,
    Violation,
};

/// Where in its source a message begins.
#[derive(Clone, Copy)]
pub(in crate::cli) struct Place {
    /// The line, from 1.
    pub(in crate::cli) line: u64,
    /// Bytes from the start.
    pub(in crate::cli) offset: u64,
}

impl Place {
    /// Where a framer found a fault.
    pub(in crate::cli) fn of(violation: &Violation<'_>) -> Self {
        Self { line: violation.line().unwrap_or_default(), offset: violation.offset() }
    }
}

/// A judged message.
pub(in crate::cli) struct Record<'m> {
    pub(in crate::cli) place: Place,
    /// How long the message is; not known of one over the limit, which is not
    /// read to its end.
    pub(in crate::cli) bytes: Option<u64>,
    pub(in crate::cli) verdict: Verdict<'m>,
    /// Who was taken for its sender; `classify` does not ask.
    pub(in crate::cli) sender: Option<Sender>,
    /// The id of the request that it answers, or that fails with it, where it was
    /// judged beside that.
    pub(in crate::cli) answers: Option<Vec<u8>>,
    /// What a gateway says in the place of a refused answer to whoever asked.
    pub(in crate::cli) failure: Option<Vec<u8>>,
    /// Which element of a batch it is, from 0.
    pub(in crate::cli) element: Option<usize>,
}

pub(in crate::cli) enum Verdict<'m> {
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
pub(in crate::cli) struct Broken<'m> {
    pub(in crate::cli) rule: Rule,
    /// None if the message is right by itself, and wrong behind those before.
    pub(in crate::cli) violation: Option<Violation<'m>>,
    /// The id of the message, if it can be told.
    pub(in crate::cli) id: Option<Id<'m>>,
    /// Bytes from the start of the message.
    pub(in crate::cli) at: u64,
}

/// What the truth table says.
pub(super) fn kind<'m>(validator: &mut Validator, message: &[u8]) -> Verdict<'m> {
    match validator.classify(message) {
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

impl<'m> Record<'m> {
    pub(super) const fn new(
        place: Place,
        bytes: Option<u64>,
        sender: Option<Sender>,
        verdict: Verdict<'m>,
    ) -> Self {
        Self { place, bytes, verdict, sender, answers: None, failure: None, element: None }
    }

    /// What was said of a message of this sender.
    pub(super) fn of(
        place: Place,
        bytes: Option<u64>,
        from: Sender,
        checked: Result<Message<'m>, Violation<'m>>,
    ) -> Self {
        Self::new(place, bytes, Some(from), verdict(checked))
    }

    /// The same as the answer to `request`, if it is one or fails for one.
    pub(super) fn to(mut self, request: Option<&Summary>) -> Self {
        let Some(request) = request else { return self };
        match &self.verdict {
            Verdict::Accepted { kind, .. } if kind.is_response() => {
                self.answers = lexeme(request);
            }
            Verdict::Refused {
                broken: Some(Broken { violation: Some(violation), .. }), ..
            } if violation.concerns_pending() => {
                self.answers = lexeme(request);
                let mut failure = Vec::new();
                self.failure = request.write_failure(&mut failure, violation).then_some(failure);
            }
            _ => {}
        }
        self
    }

    /// The same with what is wrong between it and the messages before.
    pub(super) fn beside(mut self, noticed: Option<&Noticed>, policy: &Policy) -> Self {
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

    pub(in crate::cli) const fn is_refused(&self) -> bool {
        matches!(self.verdict, Verdict::Refused { .. })
    }

    /// `"accept"` or `"refuse"`.
    pub(in crate::cli) const fn verdict(&self) -> &'static str {
        match self.verdict {
            Verdict::Accepted { .. } => "accept",
            Verdict::Refused { .. } => "refuse",
        }
    }

    /// The kind of the message; what is refused is `"invalid"`.
    pub(in crate::cli) const fn kind(&self) -> &'static str {
        match self.verdict {
            Verdict::Accepted { kind, .. } => kind.as_str(),
            Verdict::Refused { .. } => "invalid",
        }
    }

    /// What would be answered to a refused message, if anything may be. To what
    /// is wrong between messages nothing is: its id may be that of another one.
    pub(in crate::cli) fn reply(&self) -> Option<Vec<u8>> {
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
