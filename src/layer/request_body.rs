//! The body that the service gets: what was judged, or what passes unread.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use http::HeaderMap;
use http_body::{Body, Frame, SizeHint};

use super::collect::{Collected, whole};

/// The body of a request behind a [`ValidateLayer`](super::ValidateLayer): the
/// message that was judged, byte by byte as it came, with its trailers. Of a `GET`,
/// a `DELETE` or an `OPTIONS` it is the body itself; and so, if the layer only
/// observes, is what is left of one that is longer than a message may be.
pub struct RequestBody<B> {
    kind: Kind<B>,
}

enum Kind<B> {
    Whole {
        bytes: Bytes,
        trailers: Option<HeaderMap>,
    },
    /// What was read before goes first.
    Rest {
        first: [Bytes; 2],
        body: Pin<Box<B>>,
    },
}

impl<B: Body> RequestBody<B> {
    pub(super) fn whole(mut collected: Collected) -> Self {
        let trailers = collected.trailers.take();
        Self { kind: Kind::Whole { bytes: collected.into_bytes(), trailers } }
    }

    pub(super) fn passing(body: Pin<Box<B>>) -> Self {
        Self::rest([Bytes::new(), Bytes::new()], body)
    }

    pub(super) fn rest(first: [Bytes; 2], body: Pin<Box<B>>) -> Self {
        Self { kind: Kind::Rest { first, body } }
    }

    /// The message, if it was collected and has not been read from this body yet.
    pub fn message(&self) -> Option<&Bytes> {
        match &self.kind {
            Kind::Whole { bytes, .. } if !bytes.is_empty() => Some(bytes),
            _ => None,
        }
    }
}

impl<B: Body> Body for RequestBody<B> {
    type Data = Bytes;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, B::Error>>> {
        match &mut self.kind {
            Kind::Whole { bytes, trailers } => {
                let data = Some(std::mem::take(bytes)).filter(|bytes| !bytes.is_empty());
                let frame = data.map(Frame::data);
                Poll::Ready(frame.or_else(|| trailers.take().map(Frame::trailers)).map(Ok))
            }
            Kind::Rest { first, body } => {
                if let Some(read) = first.iter_mut().find(|read| !read.is_empty()) {
                    return Poll::Ready(Some(Ok(Frame::data(std::mem::take(read)))));
                }
                let frame = ready!(body.as_mut().poll_frame(context));
                Poll::Ready(frame.map(|frame| frame.map(|frame| frame.map_data(whole))))
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        match &self.kind {
            Kind::Whole { bytes, trailers } => bytes.is_empty() && trailers.is_none(),
            Kind::Rest { first, body } => first.iter().all(Bytes::is_empty) && body.is_end_stream(),
        }
    }

    fn size_hint(&self) -> SizeHint {
        match &self.kind {
            Kind::Whole { bytes, .. } => SizeHint::with_exact(bytes.len() as u64),
            Kind::Rest { first, body } => {
                let read: u64 = first.iter().map(|read| read.len() as u64).sum();
                let rest = body.size_hint();
                let mut hint = SizeHint::new();
                hint.set_lower(rest.lower().saturating_add(read));
                if let Some(upper) = rest.upper() {
                    hint.set_upper(upper.saturating_add(read));
                }
                hint
            }
        }
    }
}

impl<B: Body> fmt::Debug for RequestBody<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let message = self.message().map(Bytes::len);
        f.debug_struct("RequestBody").field("message", &message).finish_non_exhaustive()
    }
}
