//! The upstream, as a service: requests go there as they are, but for what is of one
//! connection only, and its responses come back so.

use std::convert::Infallible;
use std::error::Error;
use std::future::Future;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use http::{Request, Response, StatusCode, Version, header};
use http_body_util::{Either, Full};
use hyper::body::{Body, Bytes};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use mcparse::Summary;
use tower_service::Service;

use super::counts::{Counts, add};
use super::failure::Failure;
use super::headers;
use super::log;
use super::target::Target;
use super::timed::{Fault, Timed};

/// How long an idle connection to the upstream is kept. Servers commonly close theirs
/// after five seconds or more.
const KEPT: Duration = Duration::from_secs(4);

/// After how long a silence of an upstream the system asks whether it is still there.
const PROBED: Duration = Duration::from_secs(60);

/// Where the client is, from whom a request comes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Peer(pub(super) IpAddr);

pub(super) struct Forward<B> {
    client: Client<HttpConnector, B>,
    target: Arc<Target>,
    counts: Arc<Counts>,
    timeout: Option<Duration>,
}

impl<B> Forward<B>
where
    B: Body<Data = Bytes, Error = Fault> + Send + Unpin + 'static,
{
    pub(super) fn new(target: Arc<Target>, counts: Arc<Counts>, timeout: Option<Duration>) -> Self {
        let mut connector = HttpConnector::new();
        connector.set_nodelay(true);
        connector.set_connect_timeout(timeout);
        // Events may be as far apart as they like, so an upstream that has vanished is told
        // by nothing else.
        connector.set_keepalive(Some(PROBED));
        connector.set_keepalive_interval(Some(PROBED / 4));
        connector.set_keepalive_retries(Some(4));
        let client = Client::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(KEPT)
            .build(connector);
        Self { client, target, counts, timeout }
    }

    async fn forward(self, request: Request<B>) -> Response<Either<Timed, Full<Bytes>>> {
        let summary = request.extensions().get::<Summary>().copied();
        let start = Instant::now();
        match self.ask(request).await {
            Ok(response) => {
                self.counts.took(start.elapsed());
                response.map(Either::Left)
            }
            Err((failure, cause)) => {
                add(match failure {
                    Failure::Unreachable => &self.counts.unreachable,
                    Failure::Broken => &self.counts.broken,
                    Failure::Late => &self.counts.late,
                });
                let method = summary.as_ref().and_then(Summary::method_text);
                tracing::warn!(
                    reason = failure.reason(),
                    cause,
                    method = method.map(log::shown),
                    "the upstream fails"
                );
                failure.response(summary.as_ref()).map(Either::Right)
            }
        }
    }

    /// The upstream's response.
    async fn ask(&self, mut request: Request<B>) -> Result<Response<Timed>, (Failure, String)> {
        let peer = request.extensions().get::<Peer>().copied();
        let client = peer.map_or(IpAddr::from([0, 0, 0, 0]), |Peer(client)| client);
        let version = request.version();
        headers::towards(request.headers_mut(), version, self.target.authority(), client);
        let uri = self.target.uri(request.uri().path_and_query());
        *request.uri_mut() = uri.map_err(|error| (Failure::Broken, error.to_string()))?;
        *request.version_mut() = Version::HTTP_11;
        let response = self.client.request(request);
        let response = match self.timeout {
            Some(timeout) => tokio::time::timeout(timeout, response)
                .await
                .map_err(|_| (Failure::Late, format!("nothing came in {timeout:?}")))?,
            None => response.await,
        };
        let mut response = response.map_err(|error| {
            let failure = if error.is_connect() { Failure::Unreachable } else { Failure::Broken };
            (failure, causes(&error))
        })?;
        // Nobody asked for another protocol, and none is spoken here.
        if response.status() == StatusCode::SWITCHING_PROTOCOLS {
            return Err((Failure::Broken, "it switches protocols, unasked".to_owned()));
        }
        headers::end_to_end(response.headers_mut());
        // Events may be as far apart as they like.
        let kind = response.headers().get(header::CONTENT_TYPE);
        let is_stream = kind.is_some_and(|kind| is_events(kind.as_bytes()));
        let most = self.timeout.filter(|_| !is_stream);
        Ok(response.map(|body| Timed::new(body, most)))
    }
}

/// What is wrong, down to what the system says of it.
fn causes(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        text.push_str(": ");
        text.push_str(&cause.to_string());
        next = cause.source();
    }
    text
}

/// Whether a content type is that of a stream of events, with parameters or without.
fn is_events(kind: &[u8]) -> bool {
    const EVENTS: &[u8] = b"text/event-stream";
    kind.get(..EVENTS.len()).is_some_and(|start| start.eq_ignore_ascii_case(EVENTS))
}

impl<B> Clone for Forward<B> {
    fn clone(&self) -> Self {
        let Self { client, target, counts, timeout } = self;
        Self {
            client: client.clone(),
            target: Arc::clone(target),
            counts: Arc::clone(counts),
            timeout: *timeout,
        }
    }
}

impl<B> Service<Request<B>> for Forward<B>
where
    B: Body<Data = Bytes, Error = Fault> + Send + Unpin + 'static,
{
    type Response = Response<Either<Timed, Full<Bytes>>>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let forward = self.clone();
        Box::pin(async move { Ok(forward.forward(request).await) })
    }
}
