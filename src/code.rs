//! The JSON-RPC error code: the number in `error.code`.
//!
//! An open vocabulary (applications define their own codes), so a newtype
//! with constants. It holds the codes that this crate answers with; the code
//! of a message that passes by is read from the message itself and may be any
//! integer.

use std::fmt;

/// A JSON-RPC error code, as in [JSON-RPC 2.0, section 5.1] and the MCP
/// specification, [Error Codes].
///
/// ```
/// use mcparse::ErrorCode;
///
/// assert_eq!(ErrorCode::METHOD_NOT_FOUND.get(), -32601);
/// assert_eq!(ErrorCode::METHOD_NOT_FOUND.meaning(), "Method not found");
/// ```
///
/// [JSON-RPC 2.0, section 5.1]: https://www.jsonrpc.org/specification#error_object
/// [Error Codes]: https://modelcontextprotocol.io/specification/2026-07-28/basic#error-codes
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ErrorCode(i32);

impl ErrorCode {
    /// Not JSON.
    pub const PARSE_ERROR: Self = Self(-32700);
    /// JSON, but not a message.
    pub const INVALID_REQUEST: Self = Self(-32600);
    /// No such method, or not here.
    pub const METHOD_NOT_FOUND: Self = Self(-32601);
    /// A method's params are not what it takes.
    pub const INVALID_PARAMS: Self = Self(-32602);
    /// The receiver failed.
    pub const INTERNAL_ERROR: Self = Self(-32603);
    /// An HTTP header does not mirror the body (MCP, from 2026-07-28 on).
    pub const HEADER_MISMATCH: Self = Self(-32020);
    /// The request needs a capability that its client did not declare (MCP,
    /// from 2026-07-28 on).
    pub const MISSING_REQUIRED_CLIENT_CAPABILITY: Self = Self(-32021);
    /// The request's protocol version is not served (MCP, from 2026-07-28 on).
    pub const UNSUPPORTED_PROTOCOL_VERSION: Self = Self(-32022);

    /// The code with this number.
    #[must_use]
    pub const fn new(code: i32) -> Self {
        Self(code)
    }

    /// The number on the wire.
    #[must_use]
    pub const fn get(self) -> i32 {
        self.0
    }

    /// The specification's short text for the code; `"Server error"` for a
    /// code that neither JSON-RPC nor MCP defines.
    #[must_use]
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::PARSE_ERROR => "Parse error",
            Self::INVALID_REQUEST => "Invalid Request",
            Self::METHOD_NOT_FOUND => "Method not found",
            Self::INVALID_PARAMS => "Invalid params",
            Self::INTERNAL_ERROR => "Internal error",
            Self::HEADER_MISMATCH => "Header mismatch",
            Self::MISSING_REQUIRED_CLIENT_CAPABILITY => "Missing required client capability",
            Self::UNSUPPORTED_PROTOCOL_VERSION => "Unsupported protocol version",
            _ => "Server error",
        }
    }
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
