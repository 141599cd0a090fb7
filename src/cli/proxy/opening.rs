//! A connection whose client must say in time what it speaks. Until the first bytes tell
//! HTTP/1.1 from HTTP/2 neither of the two is there to time it.

use std::future::Future;
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep};

/// How HTTP/2 begins ([RFC 9113, section 3.4]).
///
/// [RFC 9113, section 3.4]: https://www.rfc-editor.org/rfc/rfc9113#section-3.4
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

pub(super) struct Opening {
    stream: TcpStream,
    /// Runs until it is known what the client speaks.
    silence: Option<Pin<Box<Sleep>>>,
    /// How many bytes came, all of them as in the preface.
    came: usize,
}

impl Opening {
    pub(super) fn new(stream: TcpStream, most: Duration) -> Self {
        Self { stream, silence: Some(Box::pin(sleep(most))), came: 0 }
    }

    /// Notes what came next. No bytes are the end of the stream.
    fn take(&mut self, bytes: &[u8]) {
        let rest = PREFACE.get(self.came..).unwrap_or_default();
        self.came = self.came.saturating_add(bytes.len());
        if bytes.is_empty() || self.came >= PREFACE.len() || !rest.starts_with(bytes) {
            self.silence = None;
        }
    }
}

impl AsyncRead for Opening {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(context, buffer);
        if let Some(silence) = &mut self.silence {
            if read.is_ready() {
                self.take(buffer.filled().get(before..).unwrap_or_default());
            } else if silence.as_mut().poll(context).is_ready() {
                return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
            }
        }
        read
    }
}

impl AsyncWrite for Opening {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(context, pieces)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
