//! [`LineCodec`]: messages as lines, for those who read and write by way of
//! tokio-util.
//!
//! The same framing as [`LineFramer`](crate::LineFramer), item by item, over a
//! buffer that somebody else fills. It finds messages and judges none.

mod decode;

use std::io;

use bytes::{BufMut, Bytes, BytesMut};
use tokio_util::codec::Encoder;

use crate::policy::Limits;

/// Reads and writes messages as lines, the framing of the [stdio transport], with
/// tokio-util's `FramedRead`, `FramedWrite` and `Framed`.
///
/// What it reads is `Result<Line, Violation>`, *within* the `io::Result` that
/// tokio-util adds: a line that is too long is an item and no error, since a
/// `FramedRead` ends at its first error. The items are those of a
/// [`LineFramer`](crate::LineFramer), however the stream was cut: a line ends with LF or
/// CRLF, blank ones are passed over, the last needs no LF. Nothing is judged but the length; give
/// each line to [`Validator::check`](crate::Validator::check).
///
/// What it writes is any `AsRef<[u8]>`, and LF behind it.
///
/// # Bounds
///
/// A line may have as many bytes before its LF as the limit says, a CR included. A
/// longer one is one [`Violation`](crate::Violation) of [`Rule::TooLarge`](crate::Rule::TooLarge), as soon as that is
/// known; the rest of it is dropped as it comes. The read buffer holds at most one byte more than
/// the limit, or 64 KiB if that is more. Each [`Line`] keeps the piece of memory alive that
/// it was read into, which may be as large.
///
/// ```
/// use futures_util::{SinkExt, StreamExt};
/// use mcparse::codec::LineCodec;
/// use mcparse::{Policy, Sender, Validator};
/// use tokio_util::codec::Framed;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> std::io::Result<()> {
/// let (client, server) = tokio::io::duplex(64);
/// let mut validator = Validator::new(Policy::strict());
/// let limit = validator.policy().limits().message_bytes;
///
/// let mut client = Framed::new(client, LineCodec::new(limit));
/// client.send(br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#).await?;
/// client.send(b"[]").await?;
/// drop(client);
///
/// let mut server = Framed::new(server, LineCodec::new(limit));
/// let mut verdicts = Vec::new();
/// while let Some(item) = server.next().await {
///     let line = item?; // what failed here is the stream itself
///     let verdict = line.as_ref().map_err(|&violation| violation);
///     verdicts.push(match verdict.and_then(|line| validator.check(Sender::Client, line.bytes())) {
///         Ok(message) => message.kind().to_string(),
///         Err(violation) => violation.rule().to_string(),
///     });
/// }
/// assert_eq!(verdicts, ["request", "batch"]);
/// # Ok(())
/// # }
/// ```
///
/// [stdio transport]: https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio
#[derive(Clone, Debug)]
pub struct LineCodec {
    limit: usize,
    /// How much of the buffer's front has no LF, which is not searched again.
    /// At most `limit`; 0 if `passed`.
    scanned: usize,
    /// Whether the line under way passed the limit, which has been said.
    passed: bool,
    /// The offset in the stream of the buffer's first byte.
    next: u64,
    /// The line that this byte is in, counted from 1.
    line: u64,
}

/// One message, a line without its end, and where it stood in its stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    bytes: Bytes,
    offset: u64,
    number: u64,
}

impl LineCodec {
    /// A codec at the start of a stream whose lines may have `limit` bytes.
    #[must_use]
    pub const fn new(limit: usize) -> Self {
        Self { limit, scanned: 0, passed: false, next: 0, line: 1 }
    }
}

/// A codec with the default limit of a [`Policy`](crate::Policy): 4 MiB.
impl Default for LineCodec {
    fn default() -> Self {
        Self::new(Limits::new().message_bytes)
    }
}

impl Line {
    /// The message.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The message itself, which was not copied.
    #[must_use]
    pub fn into_bytes(self) -> Bytes {
        self.bytes
    }

    /// Where it begins: bytes from the start of the stream.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// The number of the line in its stream, from 1, empty ones counted.
    #[must_use]
    pub const fn number(&self) -> u64 {
        self.number
    }
}

impl AsRef<[u8]> for Line {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// Writes a message and the LF that ends it.
impl<M: AsRef<[u8]>> Encoder<M> for LineCodec {
    type Error = io::Error;

    /// # Errors
    ///
    /// [`InvalidData`](io::ErrorKind::InvalidData) for a message that has LF or CR
    /// within, where its reader would see the end of it. Nothing of it is written. A message that came
    /// over HTTP may have one between its tokens: [`Message::is_one_line`](crate::Message::is_one_line)
    /// tells.
    fn encode(&mut self, message: M, out: &mut BytesMut) -> io::Result<()> {
        let message = message.as_ref();
        if memchr::memchr2(b'\n', b'\r', message).is_some() {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "a message with a line break within is not one line",
            ));
        }
        out.reserve(message.len() + 1);
        out.put_slice(message);
        out.put_u8(b'\n');
        Ok(())
    }
}
