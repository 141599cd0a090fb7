//! The plain function: bytes to kind, with a validator of the thread's own.

use std::cell::RefCell;

use crate::code::ErrorCode;
use crate::kind::Kind;
use crate::policy::Policy;
use crate::validator::Validator;

thread_local! {
    static VALIDATOR: RefCell<Validator> = RefCell::new(Validator::new(Policy::strict()));
}

/// What kind of MCP message `message` is, or the JSON-RPC error code that says
/// why it is none. The truth table by the letter:
///
/// | kind | when |
/// | --- | --- |
/// | request | `"jsonrpc": "2.0"`, a string `method`, an `id` that is a string or an integer; `params`, if present, is an object |
/// | notification | the same with no `id` |
/// | response | `"jsonrpc": "2.0"`, an `id`, no `method`, and either a `result` (an object) or an `error` (an object with an integer `code` and a string `message`); the `id` of an error may be `null` |
/// | -32600 | any other JSON value, batches included |
/// | -32700 | not JSON |
///
/// Of a member given twice the last counts. It does not ask whether the message
/// is ambiguous, nor what its revision wants: that is [`Validator::check`].
///
/// Messages up to 4 MiB, nested at most 512 deep, with the scratch memory of a
/// thread-local validator.
///
/// # Errors
///
/// [`ErrorCode::PARSE_ERROR`] or [`ErrorCode::INVALID_REQUEST`].
///
/// ```
/// use mcparse::{ErrorCode, Kind, classify};
///
/// assert_eq!(classify(br#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#), Ok(Kind::Request));
/// assert_eq!(classify(br#"{"jsonrpc":"2.0","method":"notifications/progress"}"#), Ok(Kind::Notification));
/// assert_eq!(classify(br#"{"jsonrpc":"2.0","id":1,"result":{}}"#), Ok(Kind::Result));
/// assert_eq!(classify(br#"{"jsonrpc":"2.0","id":null,"method":"x"}"#), Err(ErrorCode::INVALID_REQUEST));
/// assert_eq!(classify(b"hello"), Err(ErrorCode::PARSE_ERROR));
/// ```
pub fn classify(message: &[u8]) -> Result<Kind, ErrorCode> {
    VALIDATOR.with_borrow_mut(|validator| validator.classify(message))
}
