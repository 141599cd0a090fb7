//! Error responses with data, and those that MCP defines.

use super::value::Value;
use crate::code::ErrorCode;
use crate::error_data;
use crate::method::{Capability, RevisionSet};
use crate::reply::{self, ReplyId};
use crate::write;

/// An error response to be sent. See [Error Responses]; one without data is
/// also what [`error_response`](crate::error_response) writes.
///
/// ```
/// use mcparse::{ErrorCode, Id};
/// use mcparse::compose::{ErrorResponse, member};
///
/// let id = Id::from_lexeme(b"1").unwrap();
/// let data = [member("tool", "get_wether")];
/// let mut out = Vec::new();
/// ErrorResponse::new(id, ErrorCode::INVALID_PARAMS, "Unknown tool").with_data(&data).write(&mut out);
/// assert_eq!(
///     String::from_utf8(out).unwrap(),
///     concat!(
///         r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Unknown tool","#,
///         r#""data":{"tool":"get_wether"}}}"#,
///     )
/// );
/// ```
///
/// [Error Responses]: https://modelcontextprotocol.io/specification/2026-07-28/basic#error-responses
#[derive(Clone, Copy, Debug)]
#[must_use = "an error is nothing until it is written"]
pub struct ErrorResponse<'a> {
    id: ReplyId<'a>,
    code: ErrorCode,
    message: &'a str,
    data: Data<'a>,
}

#[derive(Clone, Copy, Debug)]
enum Data<'a> {
    None,
    Value(Value<'a>),
    Versions { requested: &'a str, served: RevisionSet },
    Capability(Capability),
}

impl<'a> ErrorResponse<'a> {
    /// An error without data.
    pub fn new(id: impl Into<ReplyId<'a>>, code: ErrorCode, message: &'a str) -> Self {
        Self { id: id.into(), code, message, data: Data::None }
    }

    /// The answer to a request of a version that is not `served`
    /// ([`UnsupportedProtocolVersionError`]). Over HTTP its status is 400.
    ///
    /// ```
    /// use mcparse::{Id, Revision, RevisionSet};
    /// use mcparse::compose::ErrorResponse;
    ///
    /// let served = RevisionSet::since(Revision::V2025_11_25);
    /// let id = Id::from_lexeme(b"1").unwrap();
    /// let mut out = Vec::new();
    /// ErrorResponse::unsupported_version(id, "1900-01-01", served).write(&mut out);
    /// assert_eq!(
    ///     String::from_utf8(out).unwrap(),
    ///     concat!(
    ///         r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"#,
    ///         r#""message":"Unsupported protocol version","#,
    ///         r#""data":{"supported":["2026-07-28","2025-11-25"],"requested":"1900-01-01"}}}"#,
    ///     )
    /// );
    /// ```
    ///
    /// [`UnsupportedProtocolVersionError`]: https://modelcontextprotocol.io/specification/2026-07-28/schema#unsupportedprotocolversionerror
    pub fn unsupported_version(
        id: impl Into<ReplyId<'a>>,
        requested: &'a str,
        served: RevisionSet,
    ) -> Self {
        let data = Data::Versions { requested, served };
        Self::defined(id, ErrorCode::UNSUPPORTED_PROTOCOL_VERSION, data)
    }

    /// The answer to a request that needs a capability of the client's that
    /// the client did not declare ([`MissingRequiredClientCapabilityError`]).
    /// Over HTTP its status is 400.
    ///
    /// ```
    /// use mcparse::{Capability, Id};
    /// use mcparse::compose::ErrorResponse;
    ///
    /// let id = Id::from_lexeme(b"1").unwrap();
    /// let mut out = Vec::new();
    /// ErrorResponse::missing_capability(id, Capability::of_client("elicitation")).write(&mut out);
    /// assert!(out.ends_with(br#""data":{"requiredCapabilities":{"elicitation":{}}}}}"#));
    /// ```
    ///
    /// [`MissingRequiredClientCapabilityError`]: https://modelcontextprotocol.io/specification/2026-07-28/schema#missingrequiredclientcapabilityerror
    pub fn missing_capability(id: impl Into<ReplyId<'a>>, capability: Capability) -> Self {
        let data = Data::Capability(capability);
        Self::defined(id, ErrorCode::MISSING_REQUIRED_CLIENT_CAPABILITY, data)
    }

    /// The answer to an HTTP request whose headers do not mirror its body
    /// ([`HeaderMismatchError`]); `message` says which one. Its status is 400.
    ///
    /// [`HeaderMismatchError`]: https://modelcontextprotocol.io/specification/2026-07-28/schema#headermismatcherror
    pub fn header_mismatch(id: impl Into<ReplyId<'a>>, message: &'a str) -> Self {
        Self::new(id, ErrorCode::HEADER_MISMATCH, message)
    }

    fn defined(id: impl Into<ReplyId<'a>>, code: ErrorCode, data: Data<'a>) -> Self {
        Self { id: id.into(), code, message: code.meaning(), data }
    }

    /// Sets the message, in place of the specification's words.
    pub const fn with_message(mut self, message: &'a str) -> Self {
        self.message = message;
        self
    }

    /// Sets the data. It takes the place of what a defined error says.
    pub fn with_data(mut self, data: impl Into<Value<'a>>) -> Self {
        self.data = Data::Value(data.into());
        self
    }

    /// Appends the error response to `out`.
    pub fn write(&self, out: &mut Vec<u8>) {
        reply::open(out, self.id, self.code);
        write::escaped(out, self.message.bytes());
        out.push(b'"');
        if !matches!(self.data, Data::None) {
            out.extend_from_slice(br#","data":"#);
        }
        match self.data {
            Data::None => {}
            Data::Value(value) => value.write(out),
            Data::Versions { requested, served } => {
                error_data::write_supported(out, requested.bytes(), served);
            }
            Data::Capability(capability) => error_data::write_required(out, capability),
        }
        out.extend_from_slice(b"}}");
    }
}
