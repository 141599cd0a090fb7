//! A body that is judged whole, as far as it has come. One piece stays the piece
//! that came; from the second on they are read as they come.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::{Buf, Bytes};
use http::HeaderMap;

use super::judge::Judge;
use crate::body::Body;
use crate::head::RequestHead;
use crate::message::Message;
use crate::validator::Validator;
use crate::violation::Violation;

#[derive(Default)]
pub(super) struct Collected {
    pieces: Pieces,
    pub(super) trailers: Option<HeaderMap>,
}

/// How a body ends.
pub(super) enum End {
    /// All has come.
    Whole,
    /// With this piece it is longer than a message may be, and more may come.
    TooLong(Bytes),
    /// It was cut off.
    Broken,
}

#[derive(Default)]
enum Pieces {
    #[default]
    None,
    One(Bytes),
    /// All that came, which are at most as many bytes as a message may have.
    Many(Body),
}

impl Collected {
    /// Nothing, of which it is known that more would come than a message may have.
    pub(super) fn too_long() -> Self {
        Self { pieces: Pieces::Many(Body::too_long()), trailers: None }
    }

    /// Reads a body up to its end. What was read is kept while it waits for more.
    pub(super) fn poll<B: http_body::Body>(
        &mut self,
        mut body: Pin<&mut B>,
        judge: &Judge,
        context: &mut Context<'_>,
    ) -> Poll<End> {
        loop {
            match ready!(body.as_mut().poll_frame(context)) {
                None => return Poll::Ready(End::Whole),
                Some(Err(_)) => return Poll::Ready(End::Broken),
                Some(Ok(frame)) => match frame.into_data() {
                    Ok(data) => {
                        if let Err(piece) = self.push(judge, whole(data)) {
                            return Poll::Ready(End::TooLong(piece));
                        }
                    }
                    Err(frame) => self.trailers = frame.into_trailers().ok(),
                },
            }
            // Of a length that was announced, no end is to be waited for.
            if body.is_end_stream() {
                return Poll::Ready(End::Whole);
            }
        }
    }

    /// Takes the next piece in. Gives it back if it makes more than a message may have.
    pub(super) fn push(&mut self, judge: &Judge, piece: Bytes) -> Result<(), Bytes> {
        if piece.is_empty() {
            return Ok(());
        }
        self.pieces = match std::mem::take(&mut self.pieces) {
            Pieces::None if piece.len() <= judge.most() => Pieces::One(piece),
            Pieces::None => {
                self.pieces = Pieces::Many(Body::too_long());
                return Err(piece);
            }
            Pieces::One(first) => {
                let mut body = Body::new();
                let is_wanted = judge.with(|validator| {
                    validator.push(&mut body, &first) && validator.push(&mut body, &piece)
                });
                self.pieces = Pieces::Many(body);
                return if is_wanted { Ok(()) } else { Err(piece) };
            }
            Pieces::Many(mut body) => {
                let is_wanted = judge.with(|validator| validator.push(&mut body, &piece));
                self.pieces = Pieces::Many(body);
                return if is_wanted { Ok(()) } else { Err(piece) };
            }
        };
        Ok(())
    }

    /// The verdict on all of it as a request's body.
    pub(super) fn judge<'b: 'v, 'v>(
        &'b mut self,
        validator: &mut Validator,
        head: &RequestHead<'v>,
    ) -> Result<Message<'b>, Violation<'v>> {
        match &mut self.pieces {
            Pieces::None => validator.check_http(head, b""),
            Pieces::One(bytes) => validator.check_http(head, bytes),
            Pieces::Many(body) => validator.finish_http(head, body),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.bytes().is_empty()
    }

    /// What has come.
    pub(super) fn bytes(&self) -> &[u8] {
        match &self.pieces {
            Pieces::None => b"",
            Pieces::One(bytes) => bytes,
            Pieces::Many(body) => body.bytes(),
        }
    }

    /// The same, as it was received.
    pub(super) fn into_bytes(self) -> Bytes {
        match self.pieces {
            Pieces::None => Bytes::new(),
            Pieces::One(bytes) => bytes,
            Pieces::Many(body) => body.into_bytes().into(),
        }
    }
}

/// The data as one piece, which of nearly every body it is.
pub(super) fn whole<D: Buf>(mut data: D) -> Bytes {
    data.copy_to_bytes(data.remaining())
}
