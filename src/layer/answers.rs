//! How a response is read, by its head and by what it answers.

use std::sync::Arc;

use bytes::Bytes;
use http::response::Parts;
use http::{Response, StatusCode, header};
use http_body::Body;

use super::ResponseBody;
use super::collect::{Collected, End};
use super::events::Events;
use super::hearing::{Fate, Hearing, Question, decide};
use super::judge::Judge;
use super::refusal;
use super::watch::Watch;
use crate::head::{Form, ResponseHead};
use crate::kind::Kind;
use crate::method::RevisionSet;
use crate::revision::Revision;
use crate::violation::Violation;

/// What a response is to.
pub(super) enum Asked {
    /// What holds no message, an `OPTIONS` say: it is not judged.
    Nothing,
    /// What was not accepted, or a `GET`: each message is judged alone.
    Alone,
    Message(Box<Question>),
}

impl Asked {
    /// Does something within the span of the message, if it is one.
    pub(super) fn within<R>(&self, act: impl FnOnce() -> R) -> R {
        match self {
            Self::Message(question) => question.trace.within(act),
            Self::Nothing | Self::Alone => act(),
        }
    }
}

/// What comes of the head of a response.
pub(super) enum Begun<B> {
    /// It goes on, judged as it flows if at all.
    Flows(Response<ResponseBody<B>>),
    /// It is to be judged whole before it goes on.
    Held { parts: Parts, body: B, hearing: Hearing },
}

/// Judges the head of a response.
pub(super) fn begin<B: Body>(judge: &Arc<Judge>, asked: Asked, response: Response<B>) -> Begun<B> {
    let (mut parts, body) = response.into_parts();
    let head = ResponseHead::from_http(parts.status, &parts.headers);
    let form = head.form();
    let question = match asked {
        Asked::Nothing => None,
        Asked::Alone => Some(None),
        Asked::Message(question) => Some(Some(question)),
    };
    let Some(question) = question.filter(|question| !is_of_http(question.as_deref(), &parts, form))
    else {
        return flows(parts, ResponseBody::passing(body));
    };
    let to = match question {
        None => None,
        Some(question) => {
            let verdict =
                judge.with(|validator| validator.check_answer_head(&question.summary, &head));
            match verdict {
                Ok(answering) => {
                    judge.report(answering.findings());
                    Some((question, answering))
                }
                Err(violation) => return refused(judge, &question, &violation, parts, body),
            }
        }
    };
    let is_alone = to.is_none();
    let hearing = Hearing::new(Arc::clone(judge), to);
    match form {
        Form::Events => {
            // Something may be left out, or said in its place.
            parts.headers.remove(header::CONTENT_LENGTH);
            flows(parts, ResponseBody::events(body, Events::new(hearing)))
        }
        Form::Json if judge.is_gate() && !is_alone => Begun::Held { parts, body, hearing },
        Form::Json if !judge.is_gate() => {
            let announced = body.size_hint().exact();
            flows(parts, ResponseBody::watched(body, Watch::new(hearing, announced)))
        }
        Form::Json | Form::Other => flows(parts, ResponseBody::passing(body)),
    }
}

/// Ends a response that was held: as it came if its message is accepted, or with what
/// is said in its place.
pub(super) fn end<B: Body>(
    mut parts: Parts,
    mut collected: Collected,
    mut hearing: Hearing,
    end: &End,
) -> Response<ResponseBody<B>> {
    let is_nothing = collected.is_empty() && !hearing.waits();
    let fate = match end {
        End::Whole if is_nothing => Fate::Forward,
        End::Whole => hearing.hear(collected.bytes()),
        End::TooLong(_) => hearing.too_long(),
        End::Broken => Fate::Drop,
    };
    match (fate, hearing.end(false)) {
        (Fate::Replace(message), _) | (_, Fate::Replace(message)) => replaced(parts, message),
        (Fate::Drop, _) => {
            refusal::replace_body(&mut parts.headers);
            Response::from_parts(parts, ResponseBody::own(Bytes::new(), None))
        }
        (Fate::Forward, _) => {
            let trailers = collected.trailers.take();
            Response::from_parts(parts, ResponseBody::own(collected.into_bytes(), trailers))
        }
    }
}

/// What is said in the place of a broken answer. A failure keeps its status.
fn replaced<B: Body>(mut parts: Parts, message: Bytes) -> Response<ResponseBody<B>> {
    if parts.status.as_u16() < 400 {
        parts.status = StatusCode::BAD_GATEWAY;
    }
    refusal::replace_body(&mut parts.headers);
    Response::from_parts(parts, ResponseBody::own(message, None))
}

/// The head is refused.
fn refused<B: Body>(
    judge: &Judge,
    question: &Question,
    violation: &Violation<'static>,
    parts: Parts,
    body: B,
) -> Begun<B> {
    match decide(judge, Some(question), b"", Err(*violation)) {
        Fate::Forward => flows(parts, ResponseBody::passing(body)),
        Fate::Replace(message) => Begun::Flows(replaced(parts, message)),
        Fate::Drop => Begun::Flows(refusal::of(StatusCode::BAD_GATEWAY, Bytes::new())),
    }
}

fn flows<B: Body>(parts: Parts, body: ResponseBody<B>) -> Begun<B> {
    Begun::Flows(Response::from_parts(parts, body))
}

/// Whether it is HTTP itself that speaks, and not the server of MCP: redirects, who
/// may come in, how often, and whatever fails in front of the server. Also the
/// 202 of the HTTP+SSE transport, which answers on another stream.
fn is_of_http(question: Option<&Question>, parts: &Parts, form: Form) -> bool {
    match parts.status.as_u16() {
        300..=399 | 401 | 403 | 407 | 429 => true,
        400.. => form == Form::Other,
        202 => question.is_some_and(|question| {
            let of_sse = RevisionSet::only(Revision::V2024_11_05);
            let is_old = !question.summary.revisions().intersection(of_sse).is_empty();
            question.summary.kind() == Kind::Request && is_old
        }),
        _ => false,
    }
}
