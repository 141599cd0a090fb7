//! From a violation to the bytes of its answer, and error responses in general.
//! The one place where a fault becomes wire text.
//!
//! Of the peer's own text a reply holds only the id, and that only if exactly one
//! valid id within the limit was read, and short excerpts: the header and the
//! value that do not match, the version that is not served.

use std::fmt::Write as _;
use std::io::Write as _;

use crate::code::ErrorCode;
use crate::id::Id;
use crate::json::grammar;
use crate::method::{Capability, RevisionSet};
use crate::text::Text;
use crate::violation::{Answer, Detail, Violation};

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
    write_escaped(out, message);
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
            (Answer::Forbidden, _) => return false,
            (Answer::WithNull, _) => ReplyId::Null,
            (_, Some(id)) => ReplyId::Id(id),
            (_, None) => ReplyId::Absent,
        };
        open(out, id, self.code());
        out.extend_from_slice(self.code().meaning().as_bytes());
        out.extend_from_slice(b": ");
        match self.detail() {
            // Writing to a vector cannot fail.
            Some(detail) => drop(write!(Escaped(out), "{detail}")),
            None => write_escaped(out, self.reason()),
        }
        out.extend_from_slice(br#"","data":{"#);
        self.write_data(out);
        out.extend_from_slice(b"}}}");
        true
    }

    /// The members of `error.data`: what the specification defines for two of
    /// its codes, and nothing else beside it; for any other the rule.
    fn write_data(&self, out: &mut Vec<u8>) {
        match self.raw_detail() {
            Detail::Version { requested, served } => {
                write_versions(out, requested.of(self.message()), served);
            }
            Detail::Capability(capability) => write_required(out, capability),
            Detail::Nothing | Detail::Header { .. } | Detail::Member { .. } => {
                out.extend_from_slice(br#""rule":""#);
                out.extend_from_slice(self.rule().id().as_bytes());
                out.push(b'"');
            }
        }
    }
}

/// `requested`, a JSON string as it was read but cut where it is longer than any
/// version, and `supported`, newest first.
fn write_versions(out: &mut Vec<u8>, requested: &[u8], served: RevisionSet) {
    out.extend_from_slice(br#""requested":"#);
    write_cut(out, requested);
    out.extend_from_slice(br#","supported":["#);
    for (at, revision) in served.iter().rev().enumerate() {
        out.extend_from_slice(if at == 0 { b"\"" } else { b",\"" });
        out.extend_from_slice(revision.as_str().as_bytes());
        out.push(b'"');
    }
    out.push(b']');
}

/// The most bytes of a version that are echoed. A date has ten.
const MOST_VERSION: usize = 64;

/// A JSON string, whole if it is short, else its start.
fn write_cut(out: &mut Vec<u8>, string: &[u8]) {
    let inside = string.get(1..string.len().saturating_sub(1)).unwrap_or_default();
    out.push(b'"');
    if inside.len() <= MOST_VERSION {
        out.extend_from_slice(inside);
    } else {
        let mut start = [0; MOST_VERSION];
        for (free, byte) in start.iter_mut().zip(Text::new(inside).bytes()) {
            *free = byte;
        }
        let end = std::str::from_utf8(&start).err().map_or(start.len(), |e| e.valid_up_to());
        write_escaped(out, std::str::from_utf8(&start[..end]).unwrap_or_default());
    }
    out.push(b'"');
}

/// `requiredCapabilities`, with the one that is missing.
fn write_required(out: &mut Vec<u8>, capability: Capability) {
    out.extend_from_slice(br#""requiredCapabilities":{""#);
    write_escaped(out, capability.name);
    out.extend_from_slice(br#"":{"#);
    if let Some(part) = capability.part {
        out.push(b'"');
        write_escaped(out, part);
        out.extend_from_slice(br#"":{}"#);
    }
    out.extend_from_slice(b"}}");
}

/// A writer into the inside of a JSON string.
struct Escaped<'o>(&'o mut Vec<u8>);

impl std::fmt::Write for Escaped<'_> {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        write_escaped(self.0, text);
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
fn open(out: &mut Vec<u8>, id: ReplyId<'_>, code: ErrorCode) {
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
    write_code(out, code);
    out.extend_from_slice(br#","message":""#);
}

fn write_code(out: &mut Vec<u8>, code: ErrorCode) {
    // Writing to a vector cannot fail.
    let _ = write!(out, "{code}");
}

/// Writes `text` as the inside of a JSON string ([RFC 8259, section 7]).
///
/// [RFC 8259, section 7]: https://www.rfc-editor.org/rfc/rfc8259#section-7
fn write_escaped(out: &mut Vec<u8>, text: &str) {
    for byte in text.bytes() {
        match byte {
            b'"' => out.extend_from_slice(br#"\""#),
            b'\\' => out.extend_from_slice(br"\\"),
            b'\n' => out.extend_from_slice(br"\n"),
            b'\r' => out.extend_from_slice(br"\r"),
            b'\t' => out.extend_from_slice(br"\t"),
            0..0x20 => {
                const HEX: &[u8; 16] = b"0123456789abcdef";
                out.extend_from_slice(br"\u00");
                out.push(HEX[usize::from(byte >> 4)]);
                out.push(HEX[usize::from(byte & 15)]);
            }
            _ => out.push(byte),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_survives_its_escaping() {
        let text: String = (0..0x200u32).filter_map(char::from_u32).collect();
        let mut out = Vec::new();
        error_response(&mut out, ReplyId::Absent, ErrorCode::INTERNAL_ERROR, &text);
        let value: serde_json::Value = serde_json::from_slice(&out).unwrap();
        assert_eq!(value["error"]["message"], text);
    }

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
