//! Judging what comes back for a request, message by message, and what becomes of
//! each.

use std::sync::Arc;
use std::time::Instant;

use bytes::Bytes;
use http::HeaderMap;

use super::Outcome;
use super::judge::Judge;
use super::tracing::Trace;
use crate::answering::Answering;
use crate::code::ErrorCode;
use crate::envelope::{Field, JsonType};
use crate::id::Id;
use crate::json::reader;
use crate::kind::{Kind, Sender};
use crate::message::{Message, Request};
use crate::method::{Method, RevisionSet};
use crate::param_headers::Page;
use crate::reply::{ReplyId, error_response};
use crate::rule::{Action, Rule, RuleSet};
use crate::summary::Summary;
use crate::violation::{Concern, Violation};

/// What is kept of a message that was forwarded.
pub(super) struct Question {
    pub(super) summary: Summary,
    /// An id that is too long for the summary.
    long_id: Option<Box<[u8]>>,
    /// Of a request for a list of tools.
    page: Option<Page>,
    pub(super) trace: Trace,
}

impl Question {
    pub(super) fn new(message: &Message<'_>, headers: &HeaderMap) -> Self {
        let summary = message.summary();
        let trace = Trace::begin(&summary, headers);
        let Message::Request(request) = message else {
            return Self { summary, long_id: None, page: None, trace };
        };
        let is_long = summary.id().is_none();
        let long_id = is_long.then(|| request.id().lexeme().into());
        let is_list = summary.method() == Some(Method::ToolsList);
        Self { summary, long_id, page: is_list.then(|| page(request)), trace }
    }

    /// The error that its client gets for an answer that was refused.
    pub(super) fn failure(&self, violation: &Violation<'_>) -> Bytes {
        let mut out = Vec::new();
        if !self.summary.write_failure(&mut out, violation) {
            let id = self.long_id.as_deref().and_then(Id::from_lexeme);
            let id = id.map_or(ReplyId::Absent, ReplyId::Id);
            let text = format!("Internal error: the answer was refused: {}", violation.reason());
            error_response(&mut out, id, ErrorCode::INTERNAL_ERROR, &text);
        }
        out.into()
    }
}

/// Which page of its list a request asks for.
fn page(request: &Request<'_>) -> Page {
    let params = request.params().unwrap_or_default();
    let Ok(end) = u32::try_from(params.len()) else { return Page::First };
    let params_field = Field { json: JsonType::Object, start: 0, end };
    let cursor = reader::member(params, params_field, "cursor");
    if cursor.is_present() && cursor.json != JsonType::Null { Page::Next } else { Page::First }
}

/// What becomes of a message.
#[derive(Debug)]
pub(super) enum Fate {
    Forward,
    Drop,
    /// This takes its place.
    Replace(Bytes),
}

/// The messages of one response.
pub(super) struct Hearing {
    judge: Arc<Judge>,
    /// What they are the answer to, if that was accepted. If not, each is judged alone.
    to: Option<(Box<Question>, Answering)>,
}

impl Hearing {
    pub(super) const fn new(judge: Arc<Judge>, to: Option<(Box<Question>, Answering)>) -> Self {
        Self { judge, to }
    }

    pub(super) fn judge(&self) -> &Judge {
        &self.judge
    }

    /// Judges the next message.
    pub(super) fn hear(&mut self, bytes: &[u8]) -> Fate {
        let Self { judge, to } = self;
        judge.with(|validator| match to {
            Some((question, answering)) => {
                let verdict = validator.check_event(answering, bytes);
                decide(judge, Some(question), bytes, verdict)
            }
            None => decide(judge, None, bytes, validator.check(Sender::Server, bytes)),
        })
    }

    /// What is wrong with the stream, and not with a message in it.
    pub(super) fn fault(&self, violation: &Violation<'static>) -> Fate {
        decide(&self.judge, self.question(), b"", Err(*violation))
    }

    /// What of the stream breaks a rule and holds no message: it is refused, reported or let
    /// be, as the policy says.
    pub(super) fn odd(&self, rule: Rule) -> Fate {
        match self.judge.policy.action(rule) {
            Action::Off => Fate::Forward,
            Action::Report => {
                self.judge.report(RuleSet::from_iter([rule]));
                Fate::Forward
            }
            Action::Refuse => self.fault(&Violation::of_stream(rule)),
        }
    }

    /// The answer is longer than a message may be.
    pub(super) fn too_long(&mut self) -> Fate {
        let violation = Violation::of_stream(Rule::TooLarge);
        let concern = if self.waits() { Concern::Answer } else { Concern::Nobody };
        let Some((question, answering)) = &mut self.to else { return self.fault(&violation) };
        answering.set_answered();
        decide(&self.judge, Some(question), b"", Err(violation.with_concern(concern)))
    }

    /// What is said if nothing more comes: to a request without its answer, that there is
    /// none. A client of the handshake era may go on with another stream,
    /// if the events of this one had ids.
    pub(super) fn end(&mut self, is_resumable: bool) -> Fate {
        let Some((question, answering)) = self.to.take() else { return Fate::Forward };
        let is_legacy = question.summary.revisions().intersection(RevisionSet::LEGACY);
        let Some(violation) = answering.finish().filter(|_| !is_resumable || is_legacy.is_empty())
        else {
            return Fate::Forward;
        };
        decide(&self.judge, Some(&question), b"", Err(violation))
    }

    /// Whether its client waits for an answer.
    pub(super) fn waits(&self) -> bool {
        self.to.as_ref().is_some_and(|(question, answering)| {
            question.summary.kind() == Kind::Request && !answering.is_answered()
        })
    }

    fn question(&self) -> Option<&Question> {
        self.to.as_ref().map(|(question, _)| &**question)
    }
}

/// What becomes of a message by its verdict. Whoever is to know is told.
pub(super) fn decide(
    judge: &Judge,
    question: Option<&Question>,
    bytes: &[u8],
    verdict: Result<Message<'_>, Violation<'_>>,
) -> Fate {
    let fate = match &verdict {
        Ok(_) => Fate::Forward,
        Err(_) if !judge.is_gate() => Fate::Forward,
        Err(violation) => match question {
            Some(question) if violation.concerns_pending() => {
                Fate::Replace(question.failure(violation))
            }
            _ => Fate::Drop,
        },
    };
    let outcome = match (&verdict, &fate) {
        (Ok(_), _) => Outcome::Forwarded,
        (Err(_), Fate::Forward) => Outcome::LetThrough,
        (Err(_), Fate::Drop) => Outcome::Dropped,
        (Err(_), Fate::Replace(_)) => Outcome::Replaced,
    };
    let summary = question.map(|question| &question.summary);
    let tell = || judge.tell(Sender::Server, bytes, verdict.as_ref(), summary, outcome);
    match question {
        Some(question) => {
            question.trace.within(tell);
            // What goes on all the same is what its client is told.
            if outcome != Outcome::LetThrough {
                question.trace.answered(&question.summary, verdict.as_ref());
            }
        }
        None => tell(),
    }
    if let Ok(message) = &verdict {
        learn(judge, question, message);
    }
    fate
}

/// Learns what a list of tools says of their headers.
fn learn(judge: &Judge, question: Option<&Question>, message: &Message<'_>) {
    let Some(table) = &judge.table else { return };
    match message {
        Message::Response(response) => {
            let page = question.and_then(|question| question.page);
            if let (Some(page), Some(result)) = (page, response.result()) {
                table.learn(page, result, Instant::now());
            }
        }
        Message::Notification(notification) => {
            if Method::from_text(notification.method()) == Some(Method::ToolsListChanged) {
                table.forget();
            }
        }
        Message::Request(_) => {}
    }
}
