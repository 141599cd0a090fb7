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
use super::target::Target;
use super::timed::{Fault, Timed};

pub(super) type Reply = Response<UnsyncBoxBody<Bytes, Fault>>;

pub(super) struct Routes {
    target: Arc<Target>,
    /// None if nothing is judged.
    judged: Option<Validate<Forward<RequestBody<Timed>>>>,
    plain: Forward<Timed>,
    local: Local,
    pass: Vec<String>,
    timeout: Option<Duration>,
    counters: Arc<Counters>,
    counts: Arc<Counts>,
}

impl Routes {
    pub(super) fn new(
        options: &Proxy,
        target: Target,
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
            pass: options.pass.clone(),
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

    /// Answers a request that came from `peer`.
    pub(super) async fn answer(&self, request: Request<Incoming>, peer: IpAddr) -> Reply {
        add(&self.counts.requests);
        if let Some(foreign) = self.local.refuses(request.uri(), request.headers()) {
            add(&self.counts.foreign);
            tracing::warn!(reason = foreign.reason(), "refused");
            let code = ErrorCode::INVALID_REQUEST;
            let (status, id) = (StatusCode::FORBIDDEN, ReplyId::Absent);
            return own(failure::error(status, id, code, foreign.reason()));
        }
        let path = request.uri().path();
        if path == self.path() {
            return self.forward(request, peer, self.judged.clone()).await;
        }
        if self.pass.iter().any(|prefix| path.starts_with(&**prefix)) && !climbs(path) {
            return self.forward(request, peer, None).await;
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
        judged: Option<Validate<Forward<RequestBody<Timed>>>>,
    ) -> Reply {
        if request.method() == Method::CONNECT || request.method() == Method::TRACE {
            let text = "neither CONNECT nor TRACE is forwarded";
            return own(failure::text(StatusCode::NOT_IMPLEMENTED, text));
        }
        request.extensions_mut().insert(Peer(peer));
        let request = request.map(|body| Timed::new(body, self.timeout));
        match judged {
            Some(mut judged) => match judged.call(request).await {
                Ok(response) => response.map(|body| body.map_err(Into::into).boxed_unsync()),
            },
            None => match self.plain.clone().call(request).await {
                Ok(response) => response.map(|body| body.map_err(Into::into).boxed_unsync()),
            },
        }
    }
}

/// Whether a path has segments that some server may take for the way up, and so lead
/// from where nothing is judged to where it would be: `..` and `.`, encoded or not.
fn climbs(path: &str) -> bool {
    let plain = path.to_ascii_lowercase().replace("%2e", ".");
    let plain = plain.replace("%2f", "/").replace("%5c", "/").replace('\\', "/");
    plain.split('/').any(|segment| {
        // What stands behind a semicolon is no part of it to some.
        let name = segment.split(';').next().unwrap_or_default();
        matches!(name, "." | "..")
    })
}

fn own(response: Response<http_body_util::Full<Bytes>>) -> Reply {
    response.map(|body| body.map_err(|never| match never {}).boxed_unsync())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_up_are_seen_however_they_are_written() {
        for path in
            ["/a/..", "/a/./b", "/a/%2E%2e/b", "/a/.%2e", "/a/..%2Fb", "/a\\..\\b", "/a/..;x/b"]
        {
            assert!(climbs(path), "{path}");
        }
        for path in
            ["/", "/a/b", "/a/...", "/a/..b", "/a/.b", "/a//b", "/a/%41%2f", "/.well-known/x"]
        {
            assert!(!climbs(path), "{path}");
        }
    }
}
