//! The body that the client gets: the service's own, as it flows, or what stands
//! in its place.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use http::HeaderMap;
use http_body::{Body, Frame, SizeHint};
use pin_project_lite::pin_project;

use super::collect::whole;
use super::events::Events;
use super::watch::Watch;

pin_project! {
    /// The body of a response behind a [`ValidateLayer`](super::ValidateLayer).
    pub struct ResponseBody<B> {
        #[pin]
        kind: Kind<B>,
    }
}

pin_project! {
    #[project = Projected]
    enum Kind<B> {
        // What was judged whole, or what is said in its place.
        Own { bytes: Bytes, trailers: Option<HeaderMap> },
        // What is not judged.
        Passing { #[pin] body: B },
        // What goes on and is judged at its end.
        Watched { #[pin] body: B, watch: Watch },
        // Once it is over, the service need not send more.
        Events { #[pin] body: Option<B>, events: Box<Events>, trailers: Option<HeaderMap> },
    }
}

impl<B: Body> ResponseBody<B> {
    pub(super) const fn own(bytes: Bytes, trailers: Option<HeaderMap>) -> Self {
        Self { kind: Kind::Own { bytes, trailers } }
    }

    pub(super) const fn passing(body: B) -> Self {
        Self { kind: Kind::Passing { body } }
    }

    pub(super) const fn watched(body: B, watch: Watch) -> Self {
        Self { kind: Kind::Watched { body, watch } }
    }

    pub(super) fn events(body: B, events: Events) -> Self {
        Self { kind: Kind::Events { body: Some(body), events: Box::new(events), trailers: None } }
    }
}

impl<B: Body> Body for ResponseBody<B> {
    type Data = Bytes;
    type Error = B::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, B::Error>>> {
        match self.project().kind.project() {
            Projected::Own { bytes, trailers } => {
                let data = Some(std::mem::take(bytes)).filter(|bytes| !bytes.is_empty());
                let frame = data.map(Frame::data);
                Poll::Ready(frame.or_else(|| trailers.take().map(Frame::trailers)).map(Ok))
            }
            Projected::Passing { body } => {
                let frame = ready!(body.poll_frame(context));
                Poll::Ready(frame.map(|frame| frame.map(|frame| frame.map_data(whole))))
            }
            Projected::Watched { mut body, watch } => {
                let frame = ready!(body.as_mut().poll_frame(context));
                let frame = frame.map(|frame| frame.map(|frame| frame.map_data(whole)));
                match &frame {
                    None => watch.end(),
                    Some(Err(_)) => watch.break_off(),
                    Some(Ok(frame)) => {
                        watch.take(frame);
                        if body.is_end_stream() {
                            watch.end();
                        }
                    }
                }
                Poll::Ready(frame)
            }
            Projected::Events { body, events, trailers } => {
                poll_events(body, events, trailers, context)
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        match &self.kind {
            Kind::Own { bytes, trailers } => bytes.is_empty() && trailers.is_none(),
            Kind::Passing { body } | Kind::Watched { body, .. } => body.is_end_stream(),
            Kind::Events { events, trailers, .. } => {
                events.is_over() && !events.has_next() && trailers.is_none()
            }
        }
    }

    fn size_hint(&self) -> SizeHint {
        match &self.kind {
            Kind::Own { bytes, .. } => SizeHint::with_exact(bytes.len() as u64),
            Kind::Passing { body } | Kind::Watched { body, .. } => body.size_hint(),
            // Nobody knows what will be left out, or said in the server's place.
            Kind::Events { .. } => SizeHint::default(),
        }
    }
}

/// Gives the next piece that goes on. The service is asked for more only if there is none.
fn poll_events<B: Body>(
    mut body: Pin<&mut Option<B>>,
    events: &mut Events,
    trailers: &mut Option<HeaderMap>,
    context: &mut Context<'_>,
) -> Poll<Option<Result<Frame<Bytes>, B::Error>>> {
    loop {
        if events.is_over() {
            // That the connection closes tells the server to stop.
            body.set(None);
        }
        if let Some(piece) = events.next() {
            return Poll::Ready(Some(Ok(Frame::data(piece))));
        }
        let Some(mut open) = body.as_mut().as_pin_mut() else {
            return Poll::Ready(trailers.take().map(Frame::trailers).map(Ok));
        };
        match ready!(open.as_mut().poll_frame(context)) {
            Some(Ok(frame)) => {
                match frame.into_data() {
                    Ok(data) => events.take(&whole(data)),
                    Err(frame) => {
                        *trailers = frame.into_trailers().ok();
                        events.end();
                    }
                }
                if open.is_end_stream() {
                    events.end();
                }
            }
            Some(Err(error)) => {
                if !events.break_off() {
                    body.set(None);
                    return Poll::Ready(Some(Err(error)));
                }
            }
            None => events.end(),
        }
    }
}

impl<B> fmt::Debug for ResponseBody<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.kind {
            Kind::Own { .. } => "ResponseBody::Own",
            Kind::Passing { .. } => "ResponseBody::Passing",
            Kind::Watched { .. } => "ResponseBody::Watched",
            Kind::Events { .. } => "ResponseBody::Events",
        })
    }
}
