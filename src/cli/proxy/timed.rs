//! A body whose pieces must not be too far apart.

use std::error::Error;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use http_body_util::BodyExt as _;
use hyper::body::{Body, Bytes, Frame, Incoming, SizeHint};
use tokio::time::{Instant, Sleep, sleep};

/// What is wrong with a body.
pub(super) type Fault = Box<dyn Error + Send + Sync>;

pub(super) struct Timed {
    body: Incoming,
    most: Option<Duration>,
    /// Runs while a piece is waited for; made at the first wait.
    waiting: Option<Pin<Box<Sleep>>>,
    is_waiting: bool,
}

impl Timed {
    /// `most` is how long to wait for each piece; none is for ever.
    pub(super) const fn new(body: Incoming, most: Option<Duration>) -> Self {
        Self { body, most, waiting: None, is_waiting: false }
    }

    /// Whether there has been nothing for too long.
    fn is_late(&mut self, context: &mut Context<'_>) -> bool {
        let Some(most) = self.most else { return false };
        let waiting = self.waiting.get_or_insert_with(|| Box::pin(sleep(most)));
        if !self.is_waiting {
            self.is_waiting = true;
            waiting.as_mut().reset(Instant::now() + most);
        }
        waiting.as_mut().poll(context).is_ready()
    }
}

impl Body for Timed {
    type Data = Bytes;
    type Error = Fault;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Fault>>> {
        let frame = Pin::new(&mut self.body.frame()).poll(context);
        if let Poll::Ready(frame) = frame {
            self.is_waiting = false;
            return Poll::Ready(frame.map(|frame| frame.map_err(Into::into)));
        }
        if self.is_late(context) {
            return Poll::Ready(Some(Err("no more came in time".into())));
        }
        Poll::Pending
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
