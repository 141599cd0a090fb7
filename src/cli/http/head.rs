//! The head of a request or a response: start line and headers, and how long
//! the body behind it is ([RFC 9112]).
//!
//! [RFC 9112]: https://www.rfc-editor.org/rfc/rfc9112#section-6.3

use mcparse::Revision;

use super::super::conversations::SessionId;
use super::super::judge::Place;
use super::wire::{Fault, Wire};

/// The longest head, and the most headers in it.
const MOST_BYTES: usize = 256 << 10;
const MOST_HEADERS: usize = 256;

pub(super) struct Head {
    /// Where it begins.
    pub(super) place: Place,
    pub(super) start: Start,
    /// Names as they are written.
    headers: Vec<(String, Vec<u8>)>,
}

pub(super) enum Start {
    Request { method: String, target: String },
    Response { status: u16 },
}

/// How the end of a body is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Length {
    /// No body: no length is given where there must be one, or the status has
    /// none.
    Nothing,
    /// By `Content-Length`.
    Bytes(u64),
    Chunked,
    /// It ends with the source.
    UntilEnd,
}

impl Head {
    /// The next head, or none at the end of the source.
    pub(super) fn read(wire: &mut Wire<'_>) -> Result<Option<Self>, Fault> {
        let mut bytes = Vec::new();
        let mut place = wire.place();
        loop {
            let line = wire.line(MOST_BYTES)?;
            let is_blank = matches!(line.as_slice(), b"\n" | b"\r\n");
            match (line.is_empty(), bytes.is_empty()) {
                (true, true) => return Ok(None),
                (true, false) => {
                    return Err(fault(&bytes, "the source ends inside a head".to_owned()));
                }
                // Blank lines between two messages do no harm.
                (false, true) if is_blank => place = wire.place(),
                (false, _) => bytes.extend_from_slice(&line),
            }
            if is_blank && !bytes.is_empty() {
                return Self::parse(place, &bytes).map(Some);
            }
            if bytes.len() > MOST_BYTES {
                return Err(Fault::Wrong(format!("a head is longer than {MOST_BYTES} bytes")));
            }
        }
    }

    fn parse(place: Place, bytes: &[u8]) -> Result<Self, Fault> {
        let mut room = [httparse::EMPTY_HEADER; MOST_HEADERS];
        let (start, headers) = if bytes.starts_with(b"HTTP/") {
            let mut response = httparse::Response::new(&mut room);
            response.parse(bytes).map_err(|error| wrong(bytes, error))?;
            (Start::Response { status: response.code.unwrap_or_default() }, response.headers)
        } else {
            let mut request = httparse::Request::new(&mut room);
            request.parse(bytes).map_err(|error| wrong(bytes, error))?;
            let method = request.method.unwrap_or_default().to_owned();
            let target = request.path.unwrap_or_default().to_owned();
            (Start::Request { method, target }, request.headers)
        };
        let owned = |header: &httparse::Header<'_>| (header.name.to_owned(), header.value.to_vec());
        let headers = headers.iter().map(owned).collect();
        Ok(Self { place, start, headers })
    }

    /// Names and values, in their order.
    pub(super) fn headers(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.headers.iter().map(|(name, value)| (name.as_str(), value.as_slice()))
    }

    /// The media type of the body, in lower case and without parameters.
    pub(super) fn media_type(&self) -> Option<String> {
        let value = String::from_utf8_lossy(self.values("content-type").next()?).into_owned();
        Some(value.split(';').next()?.trim().to_ascii_lowercase())
    }

    /// The session of the handshake era that it is in.
    pub(super) fn session(&self) -> Option<SessionId> {
        self.values("mcp-session-id").next().map(SessionId::new)
    }

    /// Whether the body may be a batch: the version header is younger than the one
    /// revision that has them, and some clients of it send it all the same.
    pub(super) fn may_have_batch(&self) -> bool {
        let own = Revision::V2025_03_26.as_str().as_bytes();
        self.values("mcp-protocol-version").all(|version| version.trim_ascii() == own)
    }

    /// Whether the body is compressed.
    pub(super) fn is_encoded(&self) -> bool {
        self.values("content-encoding").any(|value| !value.eq_ignore_ascii_case(b"identity"))
    }

    /// How long the body is. A request without a length has none.
    pub(super) fn length(&self) -> Result<Length, Fault> {
        if let Start::Response { status: 100..=199 | 204 | 304 } = self.start {
            return Ok(Length::Nothing);
        }
        if let Some(coding) = self.values("transfer-encoding").last() {
            let coding = String::from_utf8_lossy(coding).to_ascii_lowercase();
            return match coding.trim() {
                "chunked" => Ok(Length::Chunked),
                _ => Err(Fault::Wrong("the transfer coding is another than chunked".to_owned())),
            };
        }
        let mut lengths =
            self.values("content-length").flat_map(|value| value.split(|&b| b == b','));
        let Some(first) = lengths.next() else {
            return Ok(match self.start {
                Start::Request { .. } => Length::Nothing,
                Start::Response { .. } => Length::UntilEnd,
            });
        };
        let first = first.trim_ascii();
        if lengths.any(|other| other.trim_ascii() != first) {
            return Err(Fault::Wrong("the head has two lengths that differ".to_owned()));
        }
        // Digits alone: no sign.
        let digits = std::str::from_utf8(first).ok().filter(|text| !text.starts_with('+'));
        match digits.and_then(|text| text.parse().ok()) {
            Some(length) => Ok(Length::Bytes(length)),
            None => Err(Fault::Wrong("the header Content-Length is not a number".to_owned())),
        }
    }

    fn values(&self, name: &str) -> impl Iterator<Item = &[u8]> {
        self.headers().filter(move |(given, _)| given.eq_ignore_ascii_case(name)).map(|(_, v)| v)
    }
}

fn wrong(bytes: &[u8], error: httparse::Error) -> Fault {
    let is_newer = |part: &[u8]| part.starts_with(b"HTTP/2") || part.starts_with(b"HTTP/3");
    let mut parts = start_line(bytes).split(|&byte| byte == b' ');
    let advice = if error == httparse::Error::Version && parts.any(is_newer) {
        "; write the start line as HTTP/1.1"
    } else {
        ""
    };
    fault(bytes, format!("no head of HTTP/1.1 ({error}){advice}"))
}

/// What is wrong with these bytes, which should be a head.
fn fault(bytes: &[u8], said: String) -> Fault {
    if begins_like_a_head(bytes) { Fault::Wrong(said) } else { Fault::NoHead(said) }
}

/// Whether the first line may be the start line of a request or a response.
pub(in crate::cli) fn begins_like_a_head(bytes: &[u8]) -> bool {
    let line = start_line(bytes);
    if line.starts_with(b"HTTP/") {
        return true;
    }
    let mut parts = line.split(|&byte| byte == b' ');
    let method = parts.next().unwrap_or_default();
    let is_method = !method.is_empty() && method.iter().all(u8::is_ascii_uppercase);
    is_method && parts.next().is_some() && parts.any(|part| part.starts_with(b"HTTP/"))
}

fn start_line(bytes: &[u8]) -> &[u8] {
    bytes.split(|&byte| byte == b'\n').next().unwrap_or_default()
}
