//! What the rules read of an HTTP response's head: the status, and how the body
//! is to be read. Nothing is judged here.

use std::fmt;

use super::copies::{Copies, trim};
use super::media::parts;

/// The status and the headers of the HTTP response that answers a message, as
/// far as [Streamable HTTP] gives them a meaning.
///
/// ```
/// use mcparse::ResponseHead;
///
/// let headers = [("Content-Type", "text/event-stream"), ("X-Accel-Buffering", "no")];
/// let head = ResponseHead::new(200, headers);
/// assert_eq!(head.status(), 200);
/// ```
///
/// [Streamable HTTP]: https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
#[derive(Clone, Copy)]
pub struct ResponseHead<'h> {
    status: u16,
    content_type: Copies<'h>,
    content_encoding: Copies<'h>,
    buffering: Copies<'h>,
    session_id: Copies<'h>,
}

/// How a body is to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// One message.
    Json,
    /// A stream of events, each a message.
    Events,
    /// Not as messages.
    Other,
}

impl<'h> ResponseHead<'h> {
    /// Reads `headers`, pairs of name and value in any order and case.
    #[must_use]
    pub fn new<N, V>(status: u16, headers: impl IntoIterator<Item = (&'h N, &'h V)>) -> Self
    where
        N: AsRef<[u8]> + ?Sized + 'h,
        V: AsRef<[u8]> + ?Sized + 'h,
    {
        let mut head = Self {
            status,
            content_type: Copies::default(),
            content_encoding: Copies::default(),
            buffering: Copies::default(),
            session_id: Copies::default(),
        };
        for (name, value) in headers {
            let name = name.as_ref();
            let copies = match name.len() {
                12 if name.eq_ignore_ascii_case(b"content-type") => &mut head.content_type,
                14 if name.eq_ignore_ascii_case(b"mcp-session-id") => &mut head.session_id,
                16 if name.eq_ignore_ascii_case(b"content-encoding") => &mut head.content_encoding,
                17 if name.eq_ignore_ascii_case(b"x-accel-buffering") => &mut head.buffering,
                _ => continue,
            };
            copies.note(trim(value.as_ref()));
        }
        head
    }

    /// Reads the head as the crate [`http`] has it.
    ///
    /// ```
    /// use http::{HeaderMap, HeaderValue, StatusCode};
    /// use mcparse::ResponseHead;
    ///
    /// let mut headers = HeaderMap::new();
    /// headers.insert("content-type", HeaderValue::from_static("application/json"));
    /// assert_eq!(ResponseHead::from_http(StatusCode::OK, &headers).status(), 200);
    /// ```
    #[cfg(feature = "http")]
    #[must_use]
    pub fn from_http(status: http::StatusCode, headers: &'h http::HeaderMap) -> Self {
        Self::new(status.as_u16(), headers)
    }

    /// The HTTP status.
    #[must_use]
    pub const fn status(&self) -> u16 {
        self.status
    }

    /// How the body is to be read, by its type.
    pub(crate) fn form(&self) -> Form {
        let value = self.content_type.first().filter(|_| !self.content_type.has_different());
        let Some(kind) = value.and_then(|value| parts(value, b';').next()) else {
            return Form::Other;
        };
        if kind.eq_ignore_ascii_case(b"application/json") {
            Form::Json
        } else if kind.eq_ignore_ascii_case(b"text/event-stream") {
            Form::Events
        } else {
            Form::Other
        }
    }

    /// The copies of `Content-Encoding`.
    pub(crate) const fn content_encoding(&self) -> Copies<'h> {
        self.content_encoding
    }

    /// Whether the server gives the session an id.
    pub(crate) const fn has_session_id(&self) -> bool {
        self.session_id.is_present()
    }

    /// Whether proxies are told not to hold events back.
    pub(crate) fn is_unbuffered(&self) -> bool {
        self.buffering.first().is_some_and(|value| value.eq_ignore_ascii_case(b"no"))
    }
}

/// The status and the form. Values may be secrets.
impl fmt::Debug for ResponseHead<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ResponseHead")
            .field("status", &self.status)
            .field("form", &self.form())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_type_tells_the_form() {
        for (value, form) in [
            ("application/json", Form::Json),
            ("Application/JSON; charset=utf-8", Form::Json),
            ("text/event-stream;charset=UTF-8", Form::Events),
            (" text/event-stream\t", Form::Events),
            ("text/html", Form::Other),
            ("text/html; x=application/json", Form::Other),
            ("", Form::Other),
        ] {
            assert_eq!(ResponseHead::new(200, [("Content-type", value)]).form(), form, "{value}");
        }
        let nothing: [(&str, &str); 0] = [];
        assert_eq!(ResponseHead::new(200, nothing).form(), Form::Other);
        let both = [("content-type", "application/json"), ("content-type", "text/event-stream")];
        assert_eq!(ResponseHead::new(200, both).form(), Form::Other);
    }

    #[test]
    fn buffering_is_off_if_it_is_said() {
        for (value, is_unbuffered) in [("no", true), ("NO", true), ("yes", false), ("", false)] {
            let head = ResponseHead::new(200, [("X-Accel-Buffering", value)]);
            assert_eq!(head.is_unbuffered(), is_unbuffered, "{value}");
        }
    }

    #[test]
    fn a_debug_line_shows_no_values() {
        let head = ResponseHead::new(404, [("content-type", "application/json; secret=1")]);
        assert_eq!(format!("{head:?}"), "ResponseHead { status: 404, form: Json, .. }");
    }
}
