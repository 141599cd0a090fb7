//! One request under way.
//!
//! ```text
//! Collecting ─ accepted ─▶ Calling ─ in JSON ─▶ Holding ─▶ response
//!      └─ refused ─▶ Refused ─▶ response           └ flows ─▶ response
//! ```
//!
//! Whoever drops it drops what it waits for, and nothing else is left behind.

use std::future::Future;
use std::mem;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use http::{Request, Response, response};
use http_body::Body;
use pin_project_lite::pin_project;
use tower_service::Service;

use super::answers::{self, Asked, Begun};
use super::collect::Collected;
use super::collecting::{Collecting, Next};
use super::hearing::Hearing;
use super::judge::Judge;
use super::{RequestBody, ResponseBody};

pin_project! {
    /// What a [`Validate`](super::Validate) gives at a call: it judges the request, has
    /// the service answer it, and gives its response or what is said in its place.
    ///
    /// Like most futures it must not be polled once it is ready; it would wait for ever.
    pub struct ResponseFuture<S, B, R>
    where
        S: Service<Request<RequestBody<B>>>,
    {
        judge: Arc<Judge>,
        #[pin]
        state: State<S, B, S::Future, R>,
    }
}

pin_project! {
    #[project = Projected]
    enum State<S, B, F, R> {
        // The request is gone once it is called.
        Collecting { request: Option<Box<Collecting<S, B>>> },
        Calling { #[pin] future: F, asked: Asked },
        Holding { #[pin] body: R, held: Option<Box<Held>> },
        Over { response: Option<Box<Response<ResponseBody<R>>>> },
    }
}

/// A response that is held until it is whole.
struct Held {
    parts: response::Parts,
    hearing: Hearing,
    collected: Collected,
}

impl<S, B, R> ResponseFuture<S, B, R>
where
    S: Service<Request<RequestBody<B>>, Response = Response<R>>,
    B: Body,
    R: Body,
{
    pub(super) fn new(judge: Arc<Judge>, service: S, request: Request<B>) -> Self {
        let state = Collecting::new(service, request).begin(&judge).into();
        Self { judge, state }
    }
}

impl<S, B, R> From<Next<S, B, S::Future, R>> for State<S, B, S::Future, R>
where
    S: Service<Request<RequestBody<B>>>,
{
    fn from(next: Next<S, B, S::Future, R>) -> Self {
        match next {
            Next::Collect(request) => Self::Collecting { request: Some(request) },
            Next::Call(future, asked) => Self::Calling { future, asked },
            Next::Refuse(response) => Self::Over { response: Some(response) },
        }
    }
}

impl<S, B, R> Future for ResponseFuture<S, B, R>
where
    S: Service<Request<RequestBody<B>>, Response = Response<R>>,
    B: Body,
    R: Body,
{
    type Output = Result<Response<ResponseBody<R>>, S::Error>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let mut this = self.project();
        loop {
            let next = match this.state.as_mut().project() {
                Projected::Collecting { request: slot } => {
                    let Some(request) = slot else { return Poll::Pending };
                    let end = ready!(request.poll(this.judge, context));
                    let Some(request) = slot.take() else { return Poll::Pending };
                    (*request).end(this.judge, end).into()
                }
                Projected::Calling { future, asked } => {
                    let response = ready!(asked.within(|| future.poll(context)))?;
                    let asked = mem::replace(asked, Asked::Nothing);
                    match answers::begin(this.judge, asked, response) {
                        Begun::Flows(response) => {
                            State::Over { response: Some(Box::new(response)) }
                        }
                        Begun::Held { parts, body, hearing } => {
                            let collected = Collected::default();
                            let held = Box::new(Held { parts, hearing, collected });
                            State::Holding { body, held: Some(held) }
                        }
                    }
                }
                Projected::Holding { body, held: slot } => {
                    let Some(held) = slot else { return Poll::Pending };
                    let end = ready!(held.collected.poll(body, this.judge, context));
                    let Some(held) = slot.take() else { return Poll::Pending };
                    let Held { parts, hearing, collected } = *held;
                    let response = answers::end(parts, collected, hearing, &end);
                    State::Over { response: Some(Box::new(response)) }
                }
                Projected::Over { response } => {
                    return response
                        .take()
                        .map_or(Poll::Pending, |response| Poll::Ready(Ok(*response)));
                }
            };
            this.state.set(next);
        }
    }
}

impl<S, B, R> std::fmt::Debug for ResponseFuture<S, B, R>
where
    S: Service<Request<RequestBody<B>>>,
{
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ResponseFuture").finish_non_exhaustive()
    }
}
