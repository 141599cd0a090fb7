//! A service with canned responses behind the layer, and bodies that come as they are told.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::future::{Ready, ready};
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Request, Response, StatusCode};
use http_body::{Body, Frame, SizeHint};
use http_body_util::BodyExt;
use mcparse::Summary;
use mcparse::layer::{RequestBody, ResponseBody, ValidateLayer};
use tower::{Layer, Service};

pub(crate) const JSON: &str = "application/json";
pub(crate) const EVENTS: &str = "text/event-stream";

/// What was wrong with a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Broke;

/// A step of a body.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    Data(Bytes),
    Trailers(HeaderMap),
    /// Nothing is there yet; it wakes at once.
    Wait,
    Broken,
}

/// A body that comes in steps.
#[derive(Clone, Debug, Default)]
pub(crate) struct Steps {
    left: VecDeque<Step>,
    /// Whether the length is announced, and the end told with the last piece.
    is_announced: bool,
    /// Or only the length.
    counted: Option<u64>,
    /// Holds one more reference as long as it is there.
    alive: Arc<()>,
}

impl Steps {
    pub(crate) fn new(steps: impl IntoIterator<Item = Step>) -> Self {
        Self { left: steps.into_iter().collect(), ..Self::default() }
    }

    pub(crate) fn of(pieces: &[&[u8]]) -> Self {
        Self::new(pieces.iter().map(|piece| Step::Data(Bytes::copy_from_slice(piece))))
    }

    /// `bytes` cut behind each of the places, waiting at each.
    pub(crate) fn cut(bytes: &[u8], at: &[usize]) -> Self {
        let mut steps = Vec::new();
        let mut from = 0;
        for &to in at.iter().chain([&bytes.len()]) {
            steps.push(Step::Data(Bytes::copy_from_slice(&bytes[from..to])));
            steps.push(Step::Wait);
            from = to;
        }
        Self::new(steps)
    }

    pub(crate) fn announced(self) -> Self {
        Self { is_announced: true, ..self }
    }

    /// Announces a length of which the end is not told.
    pub(crate) fn counted(self, length: usize) -> Self {
        Self { counted: Some(length as u64), ..self }
    }

    /// Tells by its count whether the body is still there.
    pub(crate) fn alive(&self) -> Arc<()> {
        Arc::clone(&self.alive)
    }

    fn bytes_left(&self) -> u64 {
        let length = |step: &Step| if let Step::Data(data) = step { data.len() as u64 } else { 0 };
        self.left.iter().map(length).sum()
    }
}

impl Body for Steps {
    type Data = Bytes;
    type Error = Broke;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Broke>>> {
        match self.left.pop_front() {
            None => Poll::Ready(None),
            Some(Step::Data(data)) => Poll::Ready(Some(Ok(Frame::data(data)))),
            Some(Step::Trailers(trailers)) => Poll::Ready(Some(Ok(Frame::trailers(trailers)))),
            Some(Step::Broken) => Poll::Ready(Some(Err(Broke))),
            Some(Step::Wait) => {
                context.waker().wake_by_ref();
                Poll::Pending
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        self.is_announced && self.bytes_left() == 0
    }

    fn size_hint(&self) -> SizeHint {
        let announced = self.is_announced.then(|| self.bytes_left()).or(self.counted);
        announced.map_or_else(SizeHint::default, SizeHint::with_exact)
    }
}

/// What the service saw.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seen {
    pub(crate) calls: usize,
    pub(crate) body: Vec<u8>,
    pub(crate) trailers: Option<HeaderMap>,
    pub(crate) id: Option<Vec<u8>>,
    /// In how many pieces the body came.
    pub(crate) pieces: usize,
    pub(crate) announced: Option<u64>,
}

/// Answers every request with the same response, once it has read its body.
#[derive(Clone)]
pub(crate) struct Server {
    status: StatusCode,
    headers: HeaderMap,
    body: Steps,
    seen: Arc<Mutex<Seen>>,
}

impl Server {
    pub(crate) fn new(status: u16, kind: &str, body: Steps) -> Self {
        let mut headers = HeaderMap::new();
        if !kind.is_empty() {
            headers.insert("content-type", kind.parse().unwrap());
        }
        headers.insert("x-of-server", "kept".parse().unwrap());
        let status = StatusCode::from_u16(status).unwrap();
        Self { status, headers, body, seen: Arc::default() }
    }

    pub(crate) fn with(self, name: &'static str, value: &str) -> Self {
        self.with_header(HeaderName::from_static(name), value.parse().unwrap())
    }

    pub(crate) fn with_header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.append(name, value);
        self
    }

    pub(crate) fn seen(&self) -> Seen {
        self.seen.lock().unwrap().clone()
    }
}

impl Service<Request<RequestBody<Steps>>> for Server {
    type Response = Response<Steps>;
    type Error = Infallible;
    type Future = Ready<Result<Self::Response, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<RequestBody<Steps>>) -> Self::Future {
        let mut seen = self.seen.lock().unwrap();
        seen.calls += 1;
        let summary = request.extensions().get::<Summary>();
        seen.id = summary.and_then(Summary::id).map(|id| id.lexeme().to_vec());
        seen.announced = request.body().size_hint().exact();
        let (body, trailers, pieces, _) = now(drain(request.into_body()));
        (seen.body, seen.trailers, seen.pieces) = (body, trailers, pieces);
        let mut response = Response::new(self.body.clone());
        *response.status_mut() = self.status;
        *response.headers_mut() = self.headers.clone();
        ready(Ok(response))
    }
}

/// A body to its end: data, trailers, how many pieces there were, and whether it broke.
pub(crate) async fn drain<B>(body: B) -> (Vec<u8>, Option<HeaderMap>, usize, Option<B::Error>)
where
    B: Body<Data = Bytes>,
{
    let mut body = std::pin::pin!(body);
    let (mut data, mut trailers, mut pieces) = (Vec::new(), None, 0);
    loop {
        match body.frame().await {
            None => return (data, trailers, pieces, None),
            Some(Err(error)) => return (data, trailers, pieces, Some(error)),
            Some(Ok(frame)) => match frame.into_data() {
                Ok(piece) => {
                    data.extend_from_slice(&piece);
                    pieces += 1;
                }
                Err(frame) => trailers = frame.into_trailers().ok(),
            },
        }
    }
}

/// The outcome of what waits for nothing but bodies that come in steps.
pub(crate) fn now<F: Future>(future: F) -> F::Output {
    let mut future = std::pin::pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    for _ in 0..100_000 {
        if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
            return output;
        }
    }
    panic!("it waits for what never comes");
}

/// A response to its end.
#[derive(Debug)]
pub(crate) struct Got {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
    pub(crate) trailers: Option<HeaderMap>,
    pub(crate) broke: Option<Broke>,
}

impl Got {
    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }
}

/// Sends one request through the layer.
pub(crate) fn send(layer: &ValidateLayer, server: &Server, request: Request<Steps>) -> Got {
    let response = answer(layer, server, request);
    let (parts, body) = response.into_parts();
    let (body, trailers, _, broke) = now(drain(body));
    Got { status: parts.status.as_u16(), headers: parts.headers, body, trailers, broke }
}

/// The same, up to the head of the response.
pub(crate) fn answer(
    layer: &ValidateLayer,
    server: &Server,
    request: Request<Steps>,
) -> Response<ResponseBody<Steps>> {
    let Ok(response) = now(layer.layer(server.clone()).call(request));
    response
}

/// A request of the handshake era, which needs fewer headers.
pub(crate) fn post(body: Steps) -> Request<Steps> {
    let request = Request::post("/mcp")
        .header("content-type", JSON)
        .header("accept", "application/json, text/event-stream");
    request.body(body).unwrap()
}

pub(crate) const PING: &[u8] = br#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#;
pub(crate) const PONG: &[u8] = br#"{"jsonrpc":"2.0","id":7,"result":{}}"#;

/// A request of 2026-07-28.
pub(crate) fn modern(method: &str, params: &str) -> (Request<Steps>, Vec<u8>) {
    let meta = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"}}"#;
    let comma = if params.is_empty() { "" } else { "," };
    let body = format!(
        r#"{{"jsonrpc":"2.0","id":7,"method":"{method}","params":{{{params}{comma}{meta}}}}}"#
    );
    let request = Request::post("/mcp")
        .header("content-type", JSON)
        .header("accept", "application/json, text/event-stream")
        .header("mcp-protocol-version", "2026-07-28")
        .header("mcp-method", method)
        .body(Steps::of(&[body.as_bytes()]))
        .unwrap();
    (request, body.into_bytes())
}
