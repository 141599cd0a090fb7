//! The response in the server's place.

use bytes::Bytes;
use http::header::{ALLOW, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, TRANSFER_ENCODING};
use http::{HeaderMap, HeaderValue, Response, StatusCode};
use http_body::Body;

use super::ResponseBody;
use crate::rule::Rule;
use crate::violation::Violation;

pub(super) const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// The answer to a request that was refused: the status, and the error if the
/// protocol lets it be said.
pub(super) fn response<R: Body>(violation: &Violation<'_>) -> Response<ResponseBody<R>> {
    let mut body = Vec::new();
    violation.write_reply(&mut body);
    let mut response = of(status(violation), body.into());
    if violation.rule() == Rule::HttpMethod {
        response.headers_mut().insert(ALLOW, HeaderValue::from_static("POST"));
    }
    response
}

/// A response that holds `body`, one message or nothing.
pub(super) fn of<R: Body>(status: StatusCode, body: Bytes) -> Response<ResponseBody<R>> {
    let is_empty = body.is_empty();
    let mut response = Response::new(ResponseBody::own(body, None));
    *response.status_mut() = status;
    if !is_empty {
        response.headers_mut().insert(CONTENT_TYPE, JSON);
    }
    response
}

/// The status that a violation asks for.
pub(super) fn status(violation: &Violation<'_>) -> StatusCode {
    StatusCode::from_u16(violation.http_status()).unwrap_or(StatusCode::BAD_REQUEST)
}

/// Makes the headers of a response those of a message in JSON that stands in the place
/// of its own body.
pub(super) fn replace_body(headers: &mut HeaderMap) {
    for name in [CONTENT_ENCODING, CONTENT_LENGTH, TRANSFER_ENCODING] {
        headers.remove(name);
    }
    headers.insert(CONTENT_TYPE, JSON);
}
