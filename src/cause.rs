//! What probably happened when bytes are not JSON: another framing, a log
//! line, an encoding, a message cut short.
//!
//! A guess for a person, made from how the faults of real peers look. It is
//! worked out when it is asked for, from the first 128 bytes of the message and
//! from as many to either side of the fault, so that it costs the same for a
//! message of any length. It decides nothing.

use std::fmt;

/// What probably went wrong at the sender of bytes that are not JSON.
///
/// Its `Display` says what happened and what to do about it.
///
/// ```
/// use mcparse::{Cause, Policy, Sender, Validator};
///
/// let mut validator = Validator::new(Policy::strict());
/// let violation = validator.check(Sender::Client, b"Content-Length: 46\r").unwrap_err();
/// assert_eq!(violation.cause(), Some(Cause::ContentLengthFraming));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Cause {
    /// Nothing was sent, or only white space.
    Empty,
    /// The message starts or goes on with a `Content-Length` header.
    ContentLengthFraming,
    /// Messages are set apart by NUL or record separator characters.
    SeparatorFraming,
    /// Two messages stand on one line.
    TwoValues,
    /// One message is spread over several lines.
    PrettyPrinted,
    /// A stream of server-sent events was read as a message.
    ServerSentEvents,
    /// A whole HTTP message was read as its body.
    Http,
    /// A page was sent, as gateways do to report a failure.
    Html,
    /// Text for people: a log line, a banner, terminal colours.
    LogLine,
    /// The bytes are compressed by gzip.
    Gzip,
    /// The bytes are compressed by zstd.
    Zstd,
    /// The text is UTF-16.
    Utf16,
    /// The text is in a legacy encoding, such as a Windows code page.
    OtherEncoding,
    /// The text was cut inside a character.
    CutCharacter,
    /// The message ends before its value does.
    Truncated,
    /// A Python value was printed.
    PythonLiteral,
    /// A JavaScript object was printed.
    JavaScriptObject,
    /// A number that is not finite was written.
    NonFiniteNumber,
}

/// How many bytes are looked at from the start of the message, and to either
/// side of the fault.
const NEAR: usize = 128;

const ESCAPE: u8 = 0x1b;
/// Starts each JSON text of RFC 7464; other protocols end them with it.
const RECORD_SEPARATOR: u8 = 0x1e;

const LSP_HEADERS: &[&str] = &["Content-Length:", "Content-Type:"];
const EVENT_FIELDS: &[&str] = &["data:", "event:", "id:", "retry:", ":"];
const HTTP_LINES: &[&str] =
    &["HTTP/1", "HTTP/2", "GET /", "POST /", "PUT /", "DELETE /", "OPTIONS /", "HEAD /"];
/// What the first member of a message is likely to be.
const FIRST_MEMBERS: &[&str] =
    &["\"jsonrpc\"", "\"id\"", "\"method\"", "\"params\"", "\"result\"", "\"error\""];

impl Cause {
    /// The cause of a fault in the UTF-8 or the JSON of `message` at `offset`,
    /// which is its length if it ends too early.
    pub(crate) fn of(message: &[u8], offset: u64) -> Option<Self> {
        let at = usize::try_from(offset).unwrap_or(usize::MAX).min(message.len());
        let before = message[at.saturating_sub(NEAR)..at].trim_ascii_end();
        let behind = &message[at..message.len().min(at.saturating_add(NEAR))];
        let head = &message[..message.len().min(NEAR)];
        let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).trim_ascii();
        if text.is_empty() {
            // Only a short message has been seen whole.
            return (head.len() == message.len()).then_some(Self::Empty);
        }
        Self::of_format(head)
            .or_else(|| Self::of_start(text, behind))
            .or_else(|| Self::of_end(text, behind))
            .or_else(|| Self::of_encoding(behind))
            .or_else(|| Self::of_framing(text, before, behind))
            .or_else(|| Self::of_literal(before, behind))
    }

    /// The stable name, in lower case with hyphens.
    #[must_use]
    pub const fn id(self) -> &'static str {
        self.row().0
    }

    /// By first bytes that are no text in UTF-8.
    const fn of_format(head: &[u8]) -> Option<Self> {
        match head {
            [0x1f, 0x8b, ..] => Some(Self::Gzip),
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Some(Self::Zstd),
            [0xff, 0xfe, ..]
            | [0xfe, 0xff, ..]
            | [0, 1..=0x7f, 0, 1..=0x7f, ..]
            | [1..=0x7f, 0, 1..=0x7f, 0, ..] => Some(Self::Utf16),
            _ => None,
        }
    }

    /// By a start that no message has.
    fn of_start(text: &[u8], behind: &[u8]) -> Option<Self> {
        let starts = |words: &[&str]| words.iter().any(|word| starts_with(text, word));
        Some(match text {
            _ if starts(LSP_HEADERS) => Self::ContentLengthFraming,
            _ if starts(EVENT_FIELDS) => Self::ServerSentEvents,
            _ if starts(HTTP_LINES) => Self::Http,
            _ if starts(&["[object "]) => Self::JavaScriptObject,
            [b'<', b'!' | b'?' | b'a'..=b'z' | b'A'..=b'Z', ..] => Self::Html,
            [b'\'', ..] | [b'b', b'\'' | b'"', ..] => Self::PythonLiteral,
            [RECORD_SEPARATOR, ..] => Self::SeparatorFraming,
            [b'}' | b']' | b',', ..] => Self::PrettyPrinted,
            [b'"', ..] if matches!(behind, [b':' | b',', ..]) => Self::PrettyPrinted,
            [b'"', ..] if matches!(behind, [b'a'..=b'z' | b'A'..=b'Z', ..]) => Self::LogLine,
            [b'[', ..] if is_tagged(text) => Self::LogLine,
            // JSON so far, or a stray character that shows nothing, of which
            // the reason has said all there is.
            [b'{' | b'[' | b'"', ..] => return None,
            [..b' ' | 0x7f, ..] | [0xef, 0xbb, 0xbf, ..] if text[0] != ESCAPE => return None,
            _ if behind.is_empty() => return None,
            _ if word(text).len() == text.len() => {
                Self::of_literal(&[], text).unwrap_or(Self::LogLine)
            }
            _ => Self::of_encoding(text).unwrap_or(Self::LogLine),
        })
    }

    /// By an end that comes too early.
    const fn of_end(text: &[u8], behind: &[u8]) -> Option<Self> {
        match text {
            _ if !behind.is_empty() => None,
            [b'{' | b'['] => Some(Self::PrettyPrinted),
            [b'{' | b'[' | b'"', ..] => Some(Self::Truncated),
            _ => None,
        }
    }

    /// By bytes at the fault that are not UTF-8.
    fn of_encoding(behind: &[u8]) -> Option<Self> {
        let error = std::str::from_utf8(&behind[..behind.len().min(4)]).err()?;
        match error.error_len() {
            _ if error.valid_up_to() > 0 => None,
            None => Some(Self::Truncated),
            Some(1) => Some(Self::OtherEncoding),
            // The character starts as it should, and then something else does.
            Some(_) => Some(Self::CutCharacter),
        }
    }

    /// By what stands behind a closing brace. A look-alike within the message,
    /// where only a comma is missing, is much rarer than a missing line feed.
    fn of_framing(text: &[u8], before: &[u8], behind: &[u8]) -> Option<Self> {
        if text[0] != b'{' || before.last() != Some(&b'}') {
            return None;
        }
        match behind {
            _ if starts_with(behind, LSP_HEADERS[0]) => Some(Self::ContentLengthFraming),
            [0 | RECORD_SEPARATOR, ..] => Some(Self::SeparatorFraming),
            [b'{', member @ ..] => {
                let member = member.trim_ascii_start();
                let found = FIRST_MEMBERS.iter().any(|first| starts_with(member, first));
                found.then_some(Self::TwoValues)
            }
            [b'[', ..] => is_tagged(behind).then_some(Self::LogLine),
            [ESCAPE | b'a'..=b'z' | b'A'..=b'Z', ..] => Some(Self::LogLine),
            _ => None,
        }
    }

    /// By a value in the notation of a programming language.
    fn of_literal(before: &[u8], behind: &[u8]) -> Option<Self> {
        if !matches!(before, [] | [.., b'{' | b'[' | b':' | b',']) {
            return None;
        }
        let unsigned = behind.strip_prefix(b"-").unwrap_or(behind);
        match (word(unsigned), behind) {
            (b"NaN" | b"nan" | b"Infinity" | b"inf", _) => Some(Self::NonFiniteNumber),
            (b"None" | b"True" | b"False", _) | (_, [b'\'', ..]) => Some(Self::PythonLiteral),
            (b"undefined", _) => Some(Self::JavaScriptObject),
            (name @ [_, ..], _) if matches!(before, [.., b'{' | b',']) => {
                let rest = behind[name.len()..].trim_ascii_start();
                rest.starts_with(b":").then_some(Self::JavaScriptObject)
            }
            _ => None,
        }
    }

    /// The name, and what is said to a person.
    const fn row(self) -> (&'static str, &'static str) {
        match self {
            Self::Empty => (
                "empty",
                "nothing was sent; look for a peer that closed or that answered without a body",
            ),
            Self::ContentLengthFraming => (
                "content-length-framing",
                "the sender frames messages with Content-Length headers, as language servers do; \
                 it should end each message with a line feed instead",
            ),
            Self::SeparatorFraming => (
                "separator-framing",
                "the sender sets messages apart by a NUL or record separator character; \
                 it should end each message with a line feed instead",
            ),
            Self::TwoValues => (
                "two-values",
                "two messages stand on one line; the sender should end each with a line feed",
            ),
            Self::PrettyPrinted => (
                "pretty-printed",
                "the sender spreads a message over several lines; \
                 it should write each message on one line, without indentation",
            ),
            Self::ServerSentEvents => (
                "server-sent-events",
                "a stream of server-sent events was taken for a message; \
                 read it as text/event-stream",
            ),
            Self::Http => (
                "http",
                "a whole HTTP message was taken for its body; \
                 take off the start line and the headers first",
            ),
            Self::Html => (
                "html",
                "a web page was sent, most likely a gateway's own error page; \
                 check the address and the status",
            ),
            Self::LogLine => (
                "log-line",
                "text for people stands among the messages; the sender should log to stderr",
            ),
            Self::Gzip => (
                "gzip",
                "the bytes are compressed with gzip; undo the Content-Encoding before the check",
            ),
            Self::Zstd => (
                "zstd",
                "the bytes are compressed with zstd; undo the Content-Encoding before the check",
            ),
            Self::Utf16 => ("utf-16", "the text is UTF-16; the sender should write UTF-8"),
            Self::OtherEncoding => (
                "other-encoding",
                "the text is in a legacy encoding such as a Windows code page; \
                 the sender should write UTF-8",
            ),
            Self::CutCharacter => (
                "cut-character",
                "a text was cut inside a character; \
                 whoever shortens it should count characters, not bytes",
            ),
            Self::Truncated => (
                "truncated",
                "the message was cut short; \
                 look for a limit on its length, a lost chunk or a sender that died",
            ),
            Self::PythonLiteral => (
                "python-literal",
                "a Python value was printed; the sender should write it with json.dumps",
            ),
            Self::JavaScriptObject => (
                "javascript-object",
                "a JavaScript value was printed; the sender should write it with JSON.stringify",
            ),
            Self::NonFiniteNumber => (
                "non-finite-number",
                "the sender wrote a number that is not finite; \
                 it should send null or leave the member out",
            ),
        }
    }
}

/// One clause: what happened, and what to do about it.
impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.row().1)
    }
}

/// Whether `text` starts with `word`, in upper or lower case.
fn starts_with(text: &[u8], word: &str) -> bool {
    text.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word.as_bytes()))
}

/// Whether `text` starts with a tag in brackets, as many logs do, and goes on:
/// `[info] ready`, but not `[1, 2]`.
fn is_tagged(text: &[u8]) -> bool {
    let Some(end) = text.iter().position(|&byte| byte == b']') else { return false };
    let tag = &text[1..end];
    let plain = !tag.is_empty() && !tag.iter().any(|byte| b"[{\"".contains(byte));
    plain && !matches!(text[end + 1..].trim_ascii_start(), [] | [b',' | b']' | b'}', ..])
}

/// The name or literal at the start of `text`.
fn word(text: &[u8]) -> &[u8] {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$');
    let len = text.iter().position(|byte| !is_word(byte)).unwrap_or(text.len());
    &text[..len]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each message in two parts: the fault is where the second one starts.
    const CASES: &[(&[u8], &[u8], Option<Cause>)] = &[
        (b"", b"", Some(Cause::Empty)),
        (b" \r", b"", Some(Cause::Empty)),
        (b"", b"Content-Length: 46\r", Some(Cause::ContentLengthFraming)),
        (b"{\"id\":1}", b"Content-Length: 54\r\n", Some(Cause::ContentLengthFraming)),
        (b"{\"id\":1}", b"\0{\"x\":1}", Some(Cause::SeparatorFraming)),
        (b"", b"\x1e{\"id\":1}", Some(Cause::SeparatorFraming)),
        (b"{\"id\":1}\r", b"{ \"jsonrpc\":\"2.0\"}", Some(Cause::TwoValues)),
        (b"{\"id\":1}", b"}", None),
        (b"{\r", b"", Some(Cause::PrettyPrinted)),
        (b"  \"id\"", b": 1,\r", Some(Cause::PrettyPrinted)),
        (b"", b"}", Some(Cause::PrettyPrinted)),
        (b"", b"event: message\ndata: {\"id\":1}\n\n", Some(Cause::ServerSentEvents)),
        (b"", b": ping\n\n", Some(Cause::ServerSentEvents)),
        (b"", b"HTTP/1.1 502 Bad Gateway\r\n", Some(Cause::Http)),
        (b"", b"POST /mcp HTTP/1.1\r\n", Some(Cause::Http)),
        (b"\n", b"<!DOCTYPE html>", Some(Cause::Html)),
        (b"", b"Example MCP Server version : 1.0.0", Some(Cause::LogLine)),
        (b"", b"done.{\"jsonrpc\":\"2.0\"}", Some(Cause::LogLine)),
        (b"", b"\x1b[2K\x1b[1G{\"id\":1}", Some(Cause::LogLine)),
        (b"[", b"info] listening", Some(Cause::LogLine)),
        (b"2026", b"-07-28 12:00:00 INFO start", Some(Cause::LogLine)),
        (b"", b"\xe2\x9c\x94 ready", Some(Cause::LogLine)),
        (b"\"node\" ", b"is not recognized", Some(Cause::LogLine)),
        (b"{\"id\":1}", b"\x1b[0m", Some(Cause::LogLine)),
        (b"\x1f", b"\x8b\x08\0", Some(Cause::Gzip)),
        (b"(", b"\xb5\x2f\xfd\x04", Some(Cause::Zstd)),
        (b"{", b"\0\"\0i\0d\0\"\0", Some(Cause::Utf16)),
        (b"", b"\xff\xfe{\0", Some(Cause::Utf16)),
        (b"{\"t\":\"a", b"\x97b\"}", Some(Cause::OtherEncoding)),
        (b"{\"t\":\"", b"\xd6\xd0\xce\xc4\"}", Some(Cause::OtherEncoding)),
        (b"{\"t\":\"", b"\xe2\x80\"}", Some(Cause::CutCharacter)),
        (b"{\"t\":\"", b"\xe2\x80", Some(Cause::Truncated)),
        (b"{\"t\":\"a", b"", Some(Cause::Truncated)),
        (b"{", b"'jsonrpc': '2.0'}", Some(Cause::PythonLiteral)),
        (b"{\"a\": ", b"None}", Some(Cause::PythonLiteral)),
        (b"", b"b'{\"id\": 1}'", Some(Cause::PythonLiteral)),
        (b"{ ", b"jsonrpc: '2.0' }", Some(Cause::JavaScriptObject)),
        (b"[", b"object Object]", Some(Cause::JavaScriptObject)),
        (b"", b"undefined", Some(Cause::JavaScriptObject)),
        (b"{\"x\":", b"-Infinity}", Some(Cause::NonFiniteNumber)),
        (b"", b"\xef\xbb\xbf{\"id\":1}", None),
        (b"", b"\xef\xbb\xbf\xef\xbb\xbf{\"id\":1}", None),
        (b"", b"\x0b{\"id\":1}", None),
        (b"{", b"bad json}", None),
        (b"{\"id\":1,", b"}", None),
        (b"[1, ", b"]", None),
    ];

    #[test]
    fn each_cause_is_told_by_what_real_peers_send() {
        for &(before, behind, cause) in CASES {
            let message = [before, behind].concat();
            let told = Cause::of(&message, before.len() as u64);
            assert_eq!(told, cause, "{}", message.escape_ascii());
        }
    }

    #[test]
    fn any_offset_can_be_asked_for() {
        for &(before, behind, _) in CASES {
            let message = [before, behind].concat();
            for offset in (0..message.len() as u64 + 2).chain([u64::MAX]) {
                let _ = Cause::of(&message, offset);
            }
        }
    }
}
