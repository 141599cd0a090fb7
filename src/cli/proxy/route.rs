//! Where a request goes: to the judge and the upstream, to the upstream alone, or to the
//! proxy itself.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use http::{Method, Request, Response, StatusCode};
use http_body_util::BodyExt as _;
use http_body_util::combinators::UnsyncBoxBody;
use hyper::body::{Bytes, Incoming};
use mcparse::layer::{RequestBody, Validate, ValidateLayer};
use mcparse::{Counters, ErrorCode, ReplyId};
use tower_layer::Layer as _;
use tower_service::Service as _;

use super::args::Proxy;
use super::counts::{Counts, add};
use super::failure;
use super::forward::{Forward, Peer};
use super::local::Local;
use super::metrics;
use super::passing::Passing;
use super::resting::UnderWay;
use super::target::Target;
use super::timed::{Fault, Timed};

pub(super) type Reply = Response<UnsyncBoxBody<Bytes, Fault>>;

pub(super) struct Routes {
    target: Arc<Target>,
    /// None if nothing is judged.
    judged: Option<Validate<Forward<RequestBody<Timed>>>>,
    plain: Forward<Timed>,
    local: Local,
    passing: Passing,
    timeout: Option<Duration>,
    counters: Arc<Counters>,
    counts: Arc<Counts>,
}

impl Routes {
    pub(super) fn new(
        options: &Proxy,
        target: Target,
        passing: Passing,
        layer: Option<ValidateLayer>,
        counters: Arc<Counters>,
        counts: Arc<Counts>,
    ) -> Self {
        let (target, timeout) = (Arc::new(target), options.timeout());
        let judged = layer.map(|layer| {
            layer.layer(Forward::new(Arc::clone(&target), Arc::clone(&counts), timeout))
        });
        Self {
            judged,
            plain: Forward::new(Arc::clone(&target), Arc::clone(&counts), timeout),
            target,
            local: Local::new(options),
            passing,
            timeout,
            counters,
            counts,
        }
    }

    pub(super) fn counts(&self) -> &Counts {
        &self.counts
    }

    /// The path that is judged.
    pub(super) fn path(&self) -> &str {
        self.target.path()
    }

    /// Answers a request that came from `peer`. It is under way as long as its response is.
    pub(super) async fn answer(
        &self,
        request: Request<Incoming>,
        peer: IpAddr,
        under_way: UnderWay,
    ) -> Reply {
        add(&self.counts.requests);
        if let Some(foreign) = self.local.refuses(request.uri(), request.headers()) {
            add(&self.counts.foreign);
            tracing::warn!(
                reason = foreign.reason(),
                value = foreign.value(request.uri(), request.headers()),
                hint = foreign.hint(),
                "refused"
            );
            let code = ErrorCode::INVALID_REQUEST;
            let (status, id) = (StatusCode::FORBIDDEN, ReplyId::Absent);
            return own(failure::error(status, id, code, foreign.reason()));
        }
        let path = request.uri().path();
        if path == self.path() {
            return self.forward(request, peer, under_way, self.judged.clone()).await;
        }
        if self.passing.takes(path) {
            return self.forward(request, peer, under_way, None).await;
        }
        let text = match path {
            "/healthz" => "ok".to_owned(),
            "/metrics" => metrics::text(&self.counters.snapshot(), &self.counts),
            _ => {
                let text = format!("nothing is here; the server is at {}", self.path());
                return own(failure::text(StatusCode::NOT_FOUND, &text));
            }
        };
        if !matches!(*request.method(), Method::GET | Method::HEAD) {
            return own(failure::only_get());
        }
        if path == "/metrics" {
            let kind = "text/plain; version=0.0.4; charset=utf-8";
            return own(failure::said(StatusCode::OK, kind, text.into_bytes()));
        }
        own(failure::text(StatusCode::OK, &text))
    }

    async fn forward(
        &self,
        mut request: Request<Incoming>,
        peer: IpAddr,
        under_way: UnderWay,
        judged: Option<Validate<Forward<RequestBody<Timed>>>>,
    ) -> Reply {
        if request.method() == Method::CONNECT || request.method() == Method::TRACE {
            let text = "neither CONNECT nor TRACE is forwarded";
            return own(failure::text(StatusCode::NOT_IMPLEMENTED, text));
        }
        request.extensions_mut().insert(Peer(peer));
        let request = request.map(|body| Timed::new(body, self.timeout));
        // The body holds it, so that it goes with the body.
        let kept = move |fault| {
            let _ = &under_way;
            fault
        };
        match judged {
            Some(mut judged) => match judged.call(request).await {
                Ok(response) => response.map(|body| body.map_err(kept).boxed_unsync()),
            },
            None => match self.plain.clone().call(request).await {
                Ok(response) => response.map(|body| body.map_err(kept).boxed_unsync()),
            },
        }
    }
}

fn own(response: Response<http_body_util::Full<Bytes>>) -> Reply {
    response.map(|body| body.map_err(|never| match never {}).boxed_unsync())
}
