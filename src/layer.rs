//! The judge in front of a service: a [`tower`](https://docs.rs/tower) layer for
//! MCP over HTTP.
//!
//! ```text
//! request ── head ── body, up to the limit ── judged ──▶ the service, with the same bytes
//!                                                └─────▶ or an answer in its place
//! response ◀── body or events, each judged as it flows ── the service
//! ```
//!
//! It holds no rule. What is refused, and what is said then, is the
//! [`Validator`](crate::Validator)'s; here is how bodies come and go. No task is
//! spawned, and nothing is read that the service, or the client, does not ask for.
//!
//! `layer/service.rs` is the service, `layer/future.rs` one request under way,
//! `layer/collect.rs` its body; `layer/hearing.rs` judges what comes back, whole or
//! by way of `layer/events.rs`, and `layer/response_body.rs` hands it on.

mod answers;
mod collect;
mod collecting;
mod events;
mod future;
mod hearing;
mod judge;
mod observer;
mod outgoing;
mod refusal;
mod request_body;
mod response_body;
mod service;
mod tracing;
mod watch;

use std::sync::Arc;

pub use future::ResponseFuture;
pub use observer::{Heard, Observer, Outcome};
pub use request_body::RequestBody;
pub use response_body::ResponseBody;
pub use service::Validate;

use crate::counters::Counters;
use crate::param_headers::ParamHeaders;
use crate::policy::Policy;
use judge::Judge;

/// What becomes of a message that the policy refuses.
///
/// Closed: there is nothing between the two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// It is not forwarded: a client is answered in the server's place, and a
    /// broken answer is replaced.
    #[default]
    Gate,
    /// It is forwarded, and only told of.
    Observe,
}

/// Puts a judge in front of a service that speaks MCP over [Streamable HTTP]:
/// a layer for `tower`, `axum` and whatever else builds on them.
///
/// All requests that reach it are taken for MCP's; put it on that route alone.
///
/// ```
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// use bytes::Bytes;
/// use http::{Request, Response};
/// use http_body_util::{BodyExt, Full};
/// use mcparse::layer::{RequestBody, ValidateLayer};
/// use mcparse::{Policy, Summary};
/// use tower::{ServiceBuilder, ServiceExt, service_fn};
///
/// let server = service_fn(async |request: Request<RequestBody<Full<Bytes>>>| {
///     // What was judged, without its bytes; the body has those, unchanged.
///     let call = request.extensions().get::<Summary>().unwrap();
///     assert_eq!(call.name().unwrap(), "add");
///     let answer = r#"{"jsonrpc":"2.0","id":"8","result":{"content":[]}}"#;
///     let response = Response::builder().header("content-type", "application/json");
///     response.body(Full::new(Bytes::from(answer)))
/// });
/// let service = ServiceBuilder::new().layer(ValidateLayer::new(Policy::strict())).service(server);
///
/// let call = r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"add"}}"#;
/// let request = Request::post("/mcp")
///     .header("content-type", "application/json")
///     .header("accept", "application/json, text/event-stream")
///     .body(Full::new(Bytes::from(call)))
///     .unwrap();
/// let response = service.oneshot(request).await.unwrap();
///
/// // The answer has another id than the request, and so the client is told that it failed.
/// assert_eq!(response.status(), 502);
/// let body = response.into_body().collect().await.unwrap().to_bytes();
/// assert!(body.starts_with(br#"{"jsonrpc":"2.0","id":7,"error":{"code":-32603,"#));
/// # });
/// ```
///
/// # Requests
///
/// The head is judged before the body is read. The body is collected, up to
/// [`Limits::message_bytes`](crate::Limits), judged with its head, and forwarded
/// as it came: one that came in one piece is that piece, without a copy. The
/// request's extensions then hold the message's [`Summary`](crate::Summary). What
/// is refused is answered with the violation's status, and its JSON-RPC error where
/// the protocol lets it be answered. A body that breaks off is answered with 400.
/// Batches are refused, whatever the policy says of them.
///
/// `GET` and `DELETE` belong to the handshake era: they pass if the policy serves it,
/// with all their headers, and else are answered with 405. `OPTIONS` always
/// passes: browsers ask by it whether they may send.
///
/// # Answers
///
/// A response is judged by its request ([`Validator::check_event`]). One in JSON
/// is held until it is whole, so that it can be replaced; the events of a
/// stream are judged one by one, and each goes on as soon as it is complete. A broken
/// answer becomes the error -32603 with the client's own id; in a stream, which
/// ends with it, as an event. A broken message beside the answer, and an event that is
/// too large, is left out. A response that ends without the answer, or breaks
/// off, gets that error too, but for a stream of the handshake era of which an
/// event with an id went on, since its client may resume it. The events of a `GET` are
/// judged each alone. Events of other names than `message` pass, unless the policy
/// refuses `sse-event-other`.
///
/// What HTTP itself says is passed on as it is: 3xx, 401, 403, 407 and 429,
/// and any other status from 400 on with a body that is neither JSON nor events. So
/// is the 202 to a request of the handshake era, whose answer comes on another
/// stream. A broken answer whose status is 400 or more keeps that status.
///
/// An encoded answer cannot be judged and is refused: take `Accept-Encoding` out of the
/// requests, as [`mcparse proxy`](crate) does.
///
/// # Spans
///
/// With the feature `tracing` each message has a span by the names of OpenTelemetry, within
/// which the service is called, and what is refused or reported is an event: see
#[cfg_attr(feature = "tracing", doc = "[`telemetry`](crate::telemetry).")]
#[cfg_attr(not(feature = "tracing"), doc = "`telemetry`.")]
///
/// # Bounds
///
/// For each request under way: the body, up to the limit, and as much again while its
/// response is held or an event of it is not complete. The validators are shared, as
/// many as there are threads that judge at the same moment.
///
/// [Streamable HTTP]: https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
/// [`Validator::check_event`]: crate::Validator::check_event
#[derive(Clone, Debug)]
pub struct ValidateLayer {
    judge: Arc<Judge>,
}

impl ValidateLayer {
    /// A layer that refuses what the policy refuses ([`Mode::Gate`]).
    pub fn new(policy: impl Into<Arc<Policy>>) -> Self {
        Self { judge: Arc::new(Judge::new(policy.into())) }
    }

    /// Sets what becomes of what is refused, in both directions.
    #[must_use]
    pub fn with_mode(self, mode: Mode) -> Self {
        self.with(|judge| judge.mode = mode)
    }

    /// Has the headers `Mcp-Param-*` compared by what `table` knows of the tools behind
    /// the service, and taught by each list of them that passes: one table for
    /// each upstream.
    #[must_use]
    pub fn with_param_headers(self, table: Arc<ParamHeaders>) -> Self {
        self.with(|judge| judge.table = Some(table))
    }

    /// Has everything counted.
    #[must_use]
    pub fn with_counters(self, counters: Arc<Counters>) -> Self {
        self.with(|judge| judge.counters = Some(counters))
    }

    /// Has each message told of, with its verdict.
    #[must_use]
    pub fn with_observer(self, observer: impl Observer) -> Self {
        self.with(|judge| judge.observer = Some(Arc::new(observer)))
    }

    /// Services that were made before keep what they have.
    fn with(self, change: impl FnOnce(&mut Judge)) -> Self {
        let mut judge = Arc::try_unwrap(self.judge).unwrap_or_else(|shared| shared.another());
        change(&mut judge);
        Self { judge: Arc::new(judge) }
    }
}

impl<S> tower_layer::Layer<S> for ValidateLayer {
    type Service = Validate<S>;

    fn layer(&self, inner: S) -> Self::Service {
        Validate::new(inner, Arc::clone(&self.judge))
    }
}
