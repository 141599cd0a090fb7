//! What the proxy itself says: errors in JSON-RPC where a message is waited for, else a
//! line of text.

use http::header::{ALLOW, CONTENT_TYPE};
use http::{HeaderValue, Response, StatusCode};
use http_body_util::Full;
use hyper::body::Bytes;
use mcparse::{ErrorCode, Kind, ReplyId, Summary, error_response};

/// Why the upstream did not answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    Unreachable,
    Broken,
    Late,
}

impl Failure {
    pub(super) const fn reason(self) -> &'static str {
        match self {
            Self::Unreachable => "the upstream cannot be reached",
            Self::Broken => "the upstream broke off before its response",
            Self::Late => "the upstream did not answer in time",
        }
    }

    const fn status(self) -> StatusCode {
        match self {
            Self::Unreachable | Self::Broken => StatusCode::BAD_GATEWAY,
            Self::Late => StatusCode::GATEWAY_TIMEOUT,
        }
    }

    /// The response to the message that was to be forwarded, if it is known.
    pub(super) fn response(self, to: Option<&Summary>) -> Response<Full<Bytes>> {
        if to.is_some_and(|to| to.kind() != Kind::Request) {
            // Nothing is said to what must not be answered.
            let mut response = Response::new(Full::default());
            *response.status_mut() = self.status();
            return response;
        }
        let id = to.and_then(Summary::id).map_or(ReplyId::Absent, ReplyId::Id);
        error(self.status(), id, ErrorCode::INTERNAL_ERROR, self.reason())
    }
}

/// An error response.
pub(super) fn error(
    status: StatusCode,
    id: ReplyId<'_>,
    code: ErrorCode,
    reason: &str,
) -> Response<Full<Bytes>> {
    let mut body = Vec::new();
    error_response(&mut body, id, code, &format!("{}: {reason}", code.meaning()));
    said(status, "application/json", body)
}

/// A line of text.
pub(super) fn text(status: StatusCode, text: &str) -> Response<Full<Bytes>> {
    said(status, "text/plain; charset=utf-8", format!("{text}\n").into_bytes())
}

/// `text`, but only to those who may ask for it so.
pub(super) fn only_get() -> Response<Full<Bytes>> {
    let mut response = text(StatusCode::METHOD_NOT_ALLOWED, "ask with GET");
    response.headers_mut().insert(ALLOW, HeaderValue::from_static("GET, HEAD"));
    response
}

pub(super) fn said(status: StatusCode, kind: &'static str, body: Vec<u8>) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(body.into()));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}
