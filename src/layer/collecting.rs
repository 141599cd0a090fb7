//! A request whose body is coming, and what comes of it.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use http::{Method, Request, Response, request};
use http_body::Body;
use tower_service::Service;

use super::answers::Asked;
use super::collect::{Collected, End};
use super::hearing::Question;
use super::judge::Judge;
use super::{Outcome, RequestBody, ResponseBody, refusal};
use crate::head::RequestHead;
use crate::kind::Sender;
use crate::method::RevisionSet;
use crate::rule::Rule;
use crate::violation::Violation;

pub(super) struct Collecting<S, B> {
    service: S,
    parts: request::Parts,
    /// In a place of its own, so that what is left of it can go on.
    body: Pin<Box<B>>,
    collected: Collected,
}

/// What comes of a request.
pub(super) enum Next<S, B, F, R> {
    /// Its body is to be read.
    Collect(Box<Collecting<S, B>>),
    /// The service has it.
    Call(F, Asked),
    Refuse(Box<Response<ResponseBody<R>>>),
}

/// What was said of a message.
enum Verdict<R> {
    Accepted(Box<Question>),
    /// It goes on all the same.
    LetThrough,
    Refused(Box<Response<ResponseBody<R>>>),
}

impl<S, B: Body> Collecting<S, B> {
    pub(super) fn new(service: S, request: Request<B>) -> Self {
        let (parts, body) = request.into_parts();
        Self { service, parts, body: Box::pin(body), collected: Collected::default() }
    }

    /// What can be said before any of the body has come.
    pub(super) fn begin<R>(mut self, judge: &Arc<Judge>) -> Next<S, B, S::Future, R>
    where
        S: Service<Request<RequestBody<B>>, Response = Response<R>>,
        R: Body,
    {
        let legacy = judge.policy.revisions().intersection(RevisionSet::LEGACY);
        let passes = match self.parts.method {
            // A browser asks whether it may send.
            Method::OPTIONS => Some(Asked::Nothing),
            Method::GET if !legacy.is_empty() => Some(Asked::Alone),
            Method::DELETE if !legacy.is_empty() => Some(Asked::Nothing),
            _ => None,
        };
        if let Some(asked) = passes {
            let is_preflight = self.parts.method == Method::OPTIONS;
            let refused = if is_preflight { None } else { self.foreign(judge) };
            return match refused {
                Some(refused) => Next::Refuse(Box::new(refused)),
                None => self.pass(asked),
            };
        }
        if judge.is_gate() {
            let head = head(&self.parts, judge);
            if let Err(violation) = judge.with(|validator| validator.check_http_head(&head)) {
                return Next::Refuse(Box::new(answered(judge, b"", &violation)));
            }
            if self.body.size_hint().lower() > judge.most() as u64 {
                self.collected = Collected::too_long();
                return self.end(judge, End::Whole);
            }
        }
        Next::Collect(Box::new(self))
    }

    /// Reads on. What is read is read once, however often it must wait.
    pub(super) fn poll(&mut self, judge: &Judge, context: &mut Context<'_>) -> Poll<End> {
        self.collected.poll(self.body.as_mut(), judge, context)
    }

    /// The body has come, as far as it does.
    pub(super) fn end<R>(mut self, judge: &Judge, end: End) -> Next<S, B, S::Future, R>
    where
        S: Service<Request<RequestBody<B>>, Response = Response<R>>,
        R: Body,
    {
        if matches!(end, End::Broken) {
            let reason = "the body breaks off before its end";
            return Next::Refuse(Box::new(self.refuse(judge, Rule::NotJson, reason)));
        }
        let asked = match self.judge(judge) {
            Verdict::Refused(response) => return Next::Refuse(response),
            Verdict::LetThrough => Asked::Alone,
            Verdict::Accepted(question) => {
                self.parts.extensions.insert(question.summary);
                Asked::Message(question)
            }
        };
        let Self { mut service, parts, body, collected } = self;
        let body = match end {
            End::TooLong(piece) => RequestBody::rest([collected.into_bytes(), piece], body),
            End::Whole | End::Broken => RequestBody::whole(collected),
        };
        let request = Request::from_parts(parts, body);
        let future = asked.within(|| service.call(request));
        Next::Call(future, asked)
    }

    /// Sends it on unread.
    fn pass<R>(self, asked: Asked) -> Next<S, B, S::Future, R>
    where
        S: Service<Request<RequestBody<B>>, Response = Response<R>>,
    {
        let Self { mut service, parts, body, .. } = self;
        Next::Call(service.call(Request::from_parts(parts, RequestBody::passing(body))), asked)
    }

    fn judge<R: Body>(&mut self, judge: &Judge) -> Verdict<R> {
        let Self { parts, collected, .. } = self;
        let head = head(parts, judge);
        judge.with(|validator| match collected.judge(validator, &head) {
            Ok(message) => {
                let question = Box::new(Question::new(&message, &parts.headers));
                let (verdict, outcome) = (Ok(&message), Outcome::Forwarded);
                question.trace.within(|| {
                    judge.tell(Sender::Client, message.bytes(), verdict, None, outcome);
                });
                Verdict::Accepted(question)
            }
            Err(violation) => {
                // Of what is too long only a part is here.
                let is_whole = violation.rule() != Rule::TooLarge;
                let bytes = if is_whole { violation.message() } else { b"" };
                if judge.is_gate() {
                    return Verdict::Refused(Box::new(answered(judge, bytes, &violation)));
                }
                judge.tell(Sender::Client, bytes, Err(&violation), None, Outcome::LetThrough);
                Verdict::LetThrough
            }
        })
    }

    /// What holds no message, and comes from where none may.
    fn foreign<R: Body>(&self, judge: &Judge) -> Option<Response<ResponseBody<R>>> {
        let head = head(&self.parts, judge);
        let violation = judge.with(|validator| {
            let reason = Rule::Origin.reason();
            let is_foreign = validator.refuses_origin(&head);
            is_foreign.then(|| validator.refuse_http(&head, Rule::Origin, reason))
        })?;
        if judge.is_gate() {
            return Some(answered(judge, b"", &violation));
        }
        judge.tell(Sender::Client, b"", Err(&violation), None, Outcome::LetThrough);
        None
    }

    /// Answers what was not read.
    fn refuse<R: Body>(
        &self,
        judge: &Judge,
        rule: Rule,
        reason: &'static str,
    ) -> Response<ResponseBody<R>> {
        let head = head(&self.parts, judge);
        let violation = judge.with(|validator| validator.refuse_http(&head, rule, reason));
        answered(judge, b"", &violation)
    }
}

fn head<'h>(parts: &'h request::Parts, judge: &'h Judge) -> RequestHead<'h> {
    let head = RequestHead::from_http(&parts.method, &parts.headers);
    match &judge.table {
        Some(table) => head.with_param_headers(table),
        None => head,
    }
}

/// Answers in the server's place.
fn answered<R: Body>(
    judge: &Judge,
    bytes: &[u8],
    violation: &Violation<'_>,
) -> Response<ResponseBody<R>> {
    judge.tell(Sender::Client, bytes, Err(violation), None, Outcome::Answered);
    refusal::response(violation)
}
