//! Spans and events of what passes by, for those who use `tracing`.
//!
//! Names and meaning are those of the OpenTelemetry [semantic conventions for
//! MCP], which are in development: a name that changes there changes here. A
//! subscriber such as `tracing-opentelemetry` sends them on; where there is none,
//! nothing is worked out. A span is made of the [`Summary`] of a request or
//! notification, which is all that is kept of it when its answer comes:
//!
//! ```
//! use mcparse::{Policy, Sender, Validator, telemetry};
//!
//! let mut validator = Validator::new(Policy::strict());
//! let call = br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add"}}"#;
//! let request = validator.check(Sender::Client, call)?.summary();
//!
//! let span = telemetry::span(&request); // `tools/call add`
//! telemetry::record(&span, telemetry::NETWORK_TRANSPORT, b"pipe");
//! let answer = br#"{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no such tool"}}"#;
//! let verdict = validator.check_answer(&request, answer);
//! telemetry::answered(&span, &request, verdict.as_ref()); // error.type = "-32602"
//! if let Err(violation) = &verdict {
//!     telemetry::refused(Sender::Server, violation);
//! }
//! # Ok::<(), mcparse::Violation<'static>>(())
//! ```
//!
//! # Bounds
//!
//! What a peer wrote is in an attribute only up to 64 bytes, escaped to printable
//! ASCII as in replies: the names of tools and prompts, URIs of resources, ids. A
//! name, URI or id that is longer in its message is left out, as the summary has
//! none. `mcp.method.name` is a method of the protocol or `_OTHER`, which the
//! conventions have for other names; the span's name holds the name of
//! the tool or prompt, as they ask, so where clients may make names up, take
//! [`METHOD_NAME`] to group by.
//!
//! # What it does not do
//!
//! No context is propagated: nothing is written into `_meta`, and the parent of a
//! span is the current span. [`Meta::traceparent`](crate::Meta::traceparent) reads what the sender
//! put there. Params and results are in no attribute.
//!
//! [semantic conventions for MCP]: https://github.com/open-telemetry/semantic-conventions-genai/blob/main/docs/gen-ai/mcp.md

mod events;
mod names;

use std::borrow::Cow;
use std::fmt;

use tracing::Span;
use tracing::field::{Empty, display};

pub use events::{TARGET, let_through, refused, reported};
pub use names::*;

use crate::code::ErrorCode;
use crate::message::{Message, Response};
use crate::method::Method;
use crate::revision::Revision;
use crate::summary::Summary;
use crate::text::Text;
use crate::violation::{Excerpt, Violation};

/// What stands for a method or an error code that is none of the known ones.
const OTHER: &str = "_OTHER";

/// The span of a request or notification that was received, of the level `INFO`
/// and with the target [`TARGET`]; none for a response.
///
/// It has these fields from the start, where they apply: `otel.name` (the method,
/// and the tool or prompt), `otel.kind` (`server`), [`METHOD_NAME`],
/// [`PROTOCOL_VERSION`] (if the message names one, or may be of one only), [`REQUEST_ID`],
/// [`RESOURCE_URI`] (of `resources/read`), [`TOOL_NAME`], [`PROMPT_NAME`] and
/// [`OPERATION_NAME`]. [`answered`] fills in [`ERROR_TYPE`], [`STATUS_CODE`],
/// [`RULE`] and `otel.status_code`; [`record`] those that no message tells:
/// [`SESSION_ID`], [`NETWORK_TRANSPORT`] and the other
/// constants of this module. Whoever sends the message, and does not receive it, records
/// `client` as [`KIND`].
#[must_use]
pub fn span(message: &Summary) -> Span {
    if message.kind().is_response() {
        return Span::none();
    }
    let called = Called::of(message);
    tracing::info_span!(
        target: TARGET,
        "mcp",
        { NAME } = display(&called),
        { KIND } = "server",
        { STATUS } = Empty,
        { METHOD_NAME } = called.method,
        { PROTOCOL_VERSION } = version(message).map(Revision::as_str),
        { SESSION_ID } = Empty,
        { RESOURCE_URI } = called.name_of(Method::ResourcesRead).map(display),
        { REQUEST_ID } = id(message).map(display),
        { TOOL_NAME } = called.name_of(Method::ToolsCall).map(display),
        { PROMPT_NAME } = called.name_of(Method::PromptsGet).map(display),
        { OPERATION_NAME } = (called.known == Some(Method::ToolsCall)).then_some("execute_tool"),
        { ERROR_TYPE } = Empty,
        { STATUS_CODE } = Empty,
        { RULE } = Empty,
        { NETWORK_TRANSPORT } = Empty,
        { NETWORK_PROTOCOL_NAME } = Empty,
        { NETWORK_PROTOCOL_VERSION } = Empty,
        { CLIENT_ADDRESS } = Empty,
        { CLIENT_PORT } = Empty,
        { SERVER_ADDRESS } = Empty,
        { SERVER_PORT } = Empty,
    )
}

/// Records what became of the request, by the verdict on its answer.
///
/// Of an error response, its code; of a tool that says `isError`, `tool_error`; of
/// an answer that was refused, -32603, which is what its client is told, and the
/// [`RULE`]. A code of more than 64 bits is `_OTHER`. Nothing of a result, of what
/// comes beside the answer, or of a violation that does not
/// [concern](Violation::concerns_pending) the request.
pub fn answered(span: &Span, request: &Summary, verdict: Result<&Message<'_>, &Violation<'_>>) {
    if span.is_disabled() {
        return;
    }
    match verdict {
        Ok(Message::Response(answer)) => match code(answer) {
            Some(code) => failed(span, &code),
            None if request.method() == Some(Method::ToolsCall) && answer.is_tool_error() => {
                span.record(ERROR_TYPE, "tool_error");
                span.record(STATUS, "ERROR");
            }
            None => {}
        },
        Err(violation) if violation.concerns_pending() => {
            failed(span, &ErrorCode::INTERNAL_ERROR.get().to_string());
            span.record(RULE, violation.rule().id());
        }
        Ok(_) | Err(_) => {}
    }
}

/// Records one field of a [`span`] that no message tells, such as
/// [`SESSION_ID`]: cut to 64 bytes and escaped to printable ASCII. A name that the
/// span does not have is passed over.
pub fn record(span: &Span, name: &str, value: &[u8]) {
    if !span.is_disabled() {
        span.record(name, display(Excerpt(value)));
    }
}

fn failed(span: &Span, code: &str) {
    span.record(ERROR_TYPE, code);
    span.record(STATUS_CODE, code);
    span.record(STATUS, "ERROR");
}

/// The code of an error response, in as many digits as a number of 64 bits has.
fn code<'m>(answer: &Response<'m>) -> Option<Cow<'m, str>> {
    let code = str::from_utf8(answer.error_code()?).unwrap_or_default();
    Some(code.parse().map_or(Cow::Borrowed(OTHER), |code: i64| Cow::Owned(code.to_string())))
}

/// The version that the message names, or the only one that it may be of.
fn version(message: &Summary) -> Option<Revision> {
    message.version().or_else(|| {
        let mut may_be = message.revisions().iter();
        may_be.next().filter(|_| may_be.next().is_none())
    })
}

/// A string without its quotes, a number as it is written.
fn id(message: &Summary) -> Option<Cut<'_>> {
    let id = message.id()?;
    Some(id.as_text().map_or_else(|| Cut(Cow::Owned(id.to_string())), Cut::of))
}

/// The method and what it is called on.
struct Called<'s> {
    known: Option<Method>,
    method: &'static str,
    name: Option<Text<'s>>,
}

impl<'s> Called<'s> {
    fn of(message: &'s Summary) -> Self {
        let known = message.method();
        Self { known, method: known.map_or(OTHER, Method::as_str), name: message.name() }
    }

    fn name_of(&self, method: Method) -> Option<Cut<'s>> {
        self.name.filter(|_| self.known == Some(method)).map(Cut::of)
    }
}

/// `{mcp.method.name} {target}`, the target a tool or a prompt.
impl fmt::Display for Called<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.method)?;
        match self.name_of(Method::ToolsCall).or_else(|| self.name_of(Method::PromptsGet)) {
            Some(name) => write!(f, " {name}"),
            None => Ok(()),
        }
    }
}

/// What a peer wrote, decoded, then cut and escaped.
struct Cut<'s>(Cow<'s, str>);

impl<'s> Cut<'s> {
    fn of(text: Text<'s>) -> Self {
        Self(text.decode())
    }
}

impl fmt::Display for Cut<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Excerpt(self.0.as_bytes()).fmt(f)
    }
}
