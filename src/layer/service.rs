//! The service with a judge in front of it.

use std::mem;
use std::sync::Arc;
use std::task::{Context, Poll};

use http::{Request, Response};
use http_body::Body;
use tower_service::Service;

use super::judge::Judge;
use super::{RequestBody, ResponseBody, ResponseFuture};

/// What [`ValidateLayer`](super::ValidateLayer) makes of a service: it takes the
/// same requests and gives the same responses, but for what is refused.
#[derive(Clone, Debug)]
pub struct Validate<S> {
    inner: S,
    judge: Arc<Judge>,
}

impl<S> Validate<S> {
    pub(super) const fn new(inner: S, judge: Arc<Judge>) -> Self {
        Self { inner, judge }
    }
}

impl<S, B, R> Service<Request<B>> for Validate<S>
where
    S: Service<Request<RequestBody<B>>, Response = Response<R>> + Clone,
    B: Body,
    R: Body,
{
    type Response = Response<ResponseBody<R>>;
    type Error = S::Error;
    type Future = ResponseFuture<S, B, R>;

    /// Ready when the service is: no request is read that it would not take.
    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        // The one that is ready is called, once the body is there; what stays here is
        // not ready yet.
        let next = self.inner.clone();
        let ready = mem::replace(&mut self.inner, next);
        ResponseFuture::new(Arc::clone(&self.judge), ready, request)
    }
}
