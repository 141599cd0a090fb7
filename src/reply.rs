//! From a violation to the bytes of its answer, and error responses in general.
//! The one place where a fault becomes wire text.
//!
//! Of the peer's own text a reply holds only the id, and that only if exactly one
//! valid id within the limit was read, and short excerpts: the header and the
//! value that do not match, the version that is not served.

use std::fmt::Write as _;

use crate::code::ErrorCode;
use crate::error_data;
use crate::id::Id;
use crate::json::grammar;
use crate::kind::Kind;
use crate::summary::Summary;
use crate::text::Text;
use crate::violation::{Answer, Detail, Violation};
use crate::write;

/// The id of an error response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReplyId<'i> {
    /// The id of the request, as it was written.
    Id(Id<'i>),
    /// `"id":null`: the id could not be read, and the peer's revision is older
    /// than 2025-11-25.
    Null,
    /// No `id` at all: the id could not be read.
    Absent,
}

impl<'i> From<Id<'i>> for ReplyId<'i> {
    fn from(id: Id<'i>) -> Self {
        Self::Id(id)
    }
}

/// Appends an error response to `out`.
///
/// ```
/// use mcparse::{ErrorCode, Id, ReplyId, error_response};
///
/// let id = Id::from_lexeme(b"1").unwrap();
/// let mut out = Vec::new();
/// error_response(&mut out, ReplyId::Id(id), ErrorCode::METHOD_NOT_FOUND, "Method not found");
/// assert_eq!(out, br#"{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found"}}"#);
/// ```
///
/// See [Error Responses].
///
/// [Error Responses]: https://modelcontextprotocol.io/specification/2026-07-28/basic#error-responses
pub fn error_response(out: &mut Vec<u8>, id: ReplyId<'_>, code: ErrorCode, message: &str) {
    open(out, id, code);
    write::escaped(out, message.bytes());
    out.extend_from_slice(b"\"}}");
}

impl Violation<'_> {
    /// Appends the answer to the refused message: an error response whose
    /// `error.data` names the rule; of an unserved version it holds exactly
    /// `requested` and `supported`, of a missing capability exactly
    /// `requiredCapabilities`. Returns `false`, and writes nothing, if the
    /// protocol forbids an answer: to a notification, to a response, or to
    /// whatever a server sent. The HTTP status applies all the same.
    ///
    /// The id is left out where it could not be read.
    pub fn write_reply(&self, out: &mut Vec<u8>) -> bool {
        let id = match (self.answer(), self.id()) {
            (Answer::Forbidden | Answer::Answers(_), _) => return false,
            (Answer::WithNull, _) => ReplyId::Null,
            (_, Some(id)) => ReplyId::Id(id),
            (_, None) => ReplyId::Absent,
        };
        open(out, id, self.code());
        out.extend_from_slice(self.code().meaning().as_bytes());
        out.extend_from_slice(b": ");
        self.write_clause(out);
        out.extend_from_slice(br#"","data":"#);
        self.write_data(out);
        out.extend_from_slice(b"}}");
        true
    }

    /// What is wrong, in the closest terms there are.
    fn write_clause(&self, out: &mut Vec<u8>) {
        match self.detail() {
            // Writing to a vector cannot fail.
            Some(detail) => drop(write!(Escaped(out), "{detail}")),
            None => write::escaped(out, self.reason().bytes()),
        }
    }

    /// What stands in `error.data`: exactly what the specification defines for
    /// two of its codes; for any other the rule.
    fn write_data(&self, out: &mut Vec<u8>) {
        match self.raw_detail() {
            Detail::Version { requested, served }
                if self.code() == ErrorCode::UNSUPPORTED_PROTOCOL_VERSION =>
            {
                let quoted = requested.of(self.message());
                let text = quoted.get(1..quoted.len().saturating_sub(1)).unwrap_or_default();
                error_data::write_supported(out, start_of(Text::new(text)), served);
            }
            Detail::Capability(capability) => error_data::write_required(out, capability),
            Detail::Nothing
            | Detail::Version { .. }
            | Detail::Header { .. }
            | Detail::Named { .. }
            | Detail::Member { .. } => self.write_rule(out),
        }
    }

    fn write_rule(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(br#"{"rule":"#);
        write::string(out, self.rule().id());
        out.push(b'}');
    }
}

impl Summary {
    /// Appends what is told to whoever sent the request, if its answer was
    /// refused: the client, or a server of the handshake era whose `roots/list`
    /// got a broken answer. It is an error response with the request's own id,
    /// the code -32603, and `violation`'s rule in `error.data`. For a violation that
    /// [concerns](Violation::concerns_pending) the request; see
    /// [`Validator::check_answer`](crate::Validator::check_answer).
    ///
    /// Returns `false`, and writes nothing, if this is no request, or its id was
    /// longer than 64 bytes and so was not kept: the caller, who has the request,
    /// then writes an [`error_response`] itself.
    pub fn write_failure(&self, out: &mut Vec<u8>, violation: &Violation<'_>) -> bool {
        let Some(id) = self.id().filter(|_| self.kind() == Kind::Request) else { return false };
        let code = ErrorCode::INTERNAL_ERROR;
        open(out, ReplyId::Id(id), code);
        out.extend_from_slice(code.meaning().as_bytes());
        out.extend_from_slice(b": the answer was refused: ");
        violation.write_clause(out);
        out.extend_from_slice(br#"","data":"#);
        violation.write_rule(out);
        out.extend_from_slice(b"}}");
        true
    }
}

/// The text, cut where it is longer than any version: a date has ten bytes.
fn start_of(version: Text<'_>) -> impl Iterator<Item = u8> + use<'_> {
    const MOST: usize = 64;
    let is_boundary = |byte: u8| byte & 0xc0 != 0x80;
    let boundaries = version.bytes().take(MOST + 1).enumerate();
    let last = boundaries.filter(|&(_, byte)| is_boundary(byte)).last();
    let is_short = version.bytes().nth(MOST).is_none();
    version.bytes().take(if is_short { MOST } else { last.map_or(0, |(at, _)| at) })
}

/// A writer into the inside of a JSON string.
struct Escaped<'o>(&'o mut Vec<u8>);

impl std::fmt::Write for Escaped<'_> {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        write::escaped(self.0, text.bytes());
        Ok(())
    }
}

impl<'i> Id<'i> {
    /// The id that `lexeme` spells in JSON, without white space around it;
    /// `None` if that is neither a string nor an integer.
    #[must_use]
    pub fn from_lexeme(lexeme: &'i [u8]) -> Option<Self> {
        let is_id = grammar::is_string(lexeme) || grammar::is_integer(lexeme);
        is_id.then(|| Self::new(lexeme))
    }
}

/// Everything up to the error's message, whose quote is left open.
pub(crate) fn open(out: &mut Vec<u8>, id: ReplyId<'_>, code: ErrorCode) {
    out.extend_from_slice(br#"{"jsonrpc":"2.0","#);
    match id {
        ReplyId::Id(id) => {
            out.extend_from_slice(br#""id":"#);
            out.extend_from_slice(id.lexeme());
            out.push(b',');
        }
        ReplyId::Null => out.extend_from_slice(br#""id":null,"#),
        ReplyId::Absent => {}
    }
    out.extend_from_slice(br#""error":{"code":"#);
    write::integer(out, code);
    out.extend_from_slice(br#","message":""#);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_id_is_written_as_it_was_read_or_null_or_left_out() {
        let reply = |id| {
            let mut out = Vec::new();
            error_response(&mut out, id, ErrorCode::new(7), "m");
            String::from_utf8(out).unwrap()
        };
        let id = Id::from_lexeme(br#""\u0061""#).unwrap();
        let error = r#""error":{"code":7,"message":"m"}}"#;
        assert_eq!(reply(id.into()), format!(r#"{{"jsonrpc":"2.0","id":"\u0061",{error}"#));
        assert_eq!(reply(ReplyId::Null), format!(r#"{{"jsonrpc":"2.0","id":null,{error}"#));
        assert_eq!(reply(ReplyId::Absent), format!(r#"{{"jsonrpc":"2.0",{error}"#));
    }

    #[test]
    fn only_strings_and_integers_are_ids() {
        for lexeme in ["1", "-0", "\"\"", "\"a\"", "123456789012345678901234567890"] {
            assert!(Id::from_lexeme(lexeme.as_bytes()).is_some(), "{lexeme}");
        }
        for lexeme in ["", " 1", "1 ", "01", "1.0", "1e3", "+1", "-", "\"", "\"a\"b", "null", "[1]"]
        {
            assert!(Id::from_lexeme(lexeme.as_bytes()).is_none(), "{lexeme}");
        }
    }
}
