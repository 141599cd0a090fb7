//! What a response becomes behind the layer is the same however it is cut; observing changes
//! nothing of it; and what comes out of a gate has nothing left that a gate refuses.

#![no_main]

use std::collections::VecDeque;
use std::convert::Infallible;
use std::future::{Future, Ready, ready};
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

use bytes::Bytes;
use http::{Request, Response, response};
use http_body::{Body, Frame};
use libfuzzer_sys::fuzz_target;
use mcparse::layer::{Heard, Mode, RequestBody, ValidateLayer};
use mcparse::{Action, Limits, Policy, Rule, Sender};
use tower_layer::Layer;
use tower_service::Service;

/// A body in pieces; one that is empty is waited for.
#[derive(Clone, Default)]
struct Pieces {
    left: VecDeque<Bytes>,
    is_broken: bool,
}

impl Body for Pieces {
    type Data = Bytes;
    type Error = ();

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, ()>>> {
        match self.left.pop_front() {
            None if self.is_broken => Poll::Ready(Some(Err(()))),
            None => Poll::Ready(None),
            Some(piece) if piece.is_empty() => {
                context.waker().wake_by_ref();
                Poll::Pending
            }
            Some(piece) => Poll::Ready(Some(Ok(Frame::data(piece)))),
        }
    }
}

/// Answers with this head and body.
#[derive(Clone)]
struct Server(response::Parts, Pieces);

impl Service<Request<RequestBody<Pieces>>> for Server {
    type Response = Response<Pieces>;
    type Error = Infallible;
    type Future = Ready<Result<Self::Response, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, _: Request<RequestBody<Pieces>>) -> Self::Future {
        ready(Ok(Response::from_parts(self.0.clone(), self.1.clone())))
    }
}

/// The outcome of what waits for nothing but pieces.
fn now<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    for _ in 0..1_000_000 {
        if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
            return output;
        }
    }
    panic!("it waits for what never comes");
}

/// What became of a response: its head, its body, whether it broke, and what was said.
struct Came {
    parts: response::Parts,
    body: Vec<u8>,
    broke: bool,
    said: Vec<String>,
    refused: Vec<Rule>,
}

fn through(policy: &Policy, mode: Mode, kind: u8, parts: &response::Parts, body: Pieces) -> Came {
    let log = Arc::new(Mutex::new((Vec::new(), Vec::new())));
    let lines = Arc::clone(&log);
    let layer =
        ValidateLayer::new(*policy).with_mode(mode).with_observer(move |heard: &Heard<'_>| {
            let said = match heard.verdict() {
                Ok(message) => format!("{:?} {:?}", message.kind(), message.findings()),
                Err(violation) => violation.rule().to_string(),
            };
            let mut log = lines.lock().unwrap();
            log.0.push(format!("{said} {:?} {:?}", heard.outcome(), heard.bytes()));
            if let (Sender::Server, Err(violation)) = (heard.sender(), heard.verdict()) {
                log.1.push(violation.rule());
            }
        });
    let Ok(response) = now(layer.layer(Server(parts.clone(), body)).call(request(kind)));
    let (parts, body) = response.into_parts();
    let (body, broke) = now(async {
        let mut body = pin!(body);
        let mut all = Vec::new();
        loop {
            match std::future::poll_fn(|context| body.as_mut().poll_frame(context)).await {
                None => return (all, false),
                Some(Err(())) => return (all, true),
                Some(Ok(frame)) => all.extend_from_slice(frame.data_ref().unwrap()),
            }
        }
    });
    let (said, refused) = std::mem::take(&mut *log.lock().unwrap());
    Came { parts, body, broke, said, refused }
}

fn request(kind: u8) -> Request<Pieces> {
    let request = Request::post("/mcp")
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream");
    let (request, body) = match kind % 4 {
        0 => (request, r#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#),
        1 => (
            request.header("mcp-protocol-version", "2026-07-28").header("mcp-method", "tools/list"),
            r#"{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"}}}}"#,
        ),
        2 => (request, r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#),
        _ => (Request::get("/mcp"), ""),
    };
    let left = [Bytes::from_static(body.as_bytes())].into();
    request.body(Pieces { left, is_broken: false }).unwrap()
}

/// The body in chunks of these sizes in turn; one of no size is waited for.
fn cut(body: &Bytes, sizes: [usize; 2], is_broken: bool) -> Pieces {
    let mut rest = body.clone();
    let mut left = VecDeque::new();
    for size in sizes.into_iter().cycle() {
        if rest.is_empty() {
            break;
        }
        left.push_back(rest.split_to(size.min(rest.len())));
    }
    Pieces { left, is_broken }
}

fuzz_target!(|data: &[u8]| {
    let Some((&[flags, most, first, second], body)) = data.split_first_chunk() else { return };
    let body = Bytes::copy_from_slice(body);
    let (kind, is_broken) = (flags & 3, flags & 4 != 0);
    let form = if flags & 8 == 0 { "text/event-stream" } else { "application/json" };
    let status = if flags & 16 == 0 { 200 } else { 500 };
    let other = if flags & 32 == 0 { Action::Off } else { Action::Refuse };
    // So small that events are too large, or with room for each.
    let most = if most & 1 == 0 { 4 << 20 } else { usize::from(most) + 50 };
    let limits = |most| Limits::new().with_message_bytes(most);
    let policy = Policy::strict().with_action(Rule::SseEventOther, other);
    // Requests are longer than some of these limits, and are then refused before.
    let small = policy.with_limits(limits(most));
    let response = Response::builder().status(status).header("content-type", form);
    let (parts, ()) = response.body(()).unwrap().into_parts();

    let whole = || cut(&body, [body.len(), body.len()], is_broken);
    let cuts = || cut(&body, [usize::from(first % 32) + 1, usize::from(second % 32)], is_broken);
    let watched = through(&small, Mode::Observe, kind, &parts, cuts());
    assert_eq!((&watched.body[..], watched.broke), (&body[..], is_broken));
    let watched_whole = through(&small, Mode::Observe, kind, &parts, whole());
    assert_eq!(watched.said, watched_whole.said);

    let one = through(&small, Mode::Gate, kind, &parts, whole());
    let many = through(&small, Mode::Gate, kind, &parts, cuts());
    assert_eq!(one.parts.status, many.parts.status);
    assert_eq!(one.parts.headers, many.parts.headers);
    assert_eq!(String::from_utf8_lossy(&one.body), String::from_utf8_lossy(&many.body));
    assert_eq!((one.broke, one.said), (many.broke, many.said));

    // What is said in a server's place may be longer than the small limit; and an event that
    // the client sees to be cut off is cut off once more.
    let gated = Pieces { left: [Bytes::from(many.body.clone())].into(), is_broken: many.broke };
    let roomy = policy.with_limits(limits(4 << 20));
    if many.parts.headers.contains_key("content-type") && !many.body.is_empty() {
        let again = through(&roomy, Mode::Gate, kind, &many.parts, gated);
        assert_eq!(String::from_utf8_lossy(&again.body), String::from_utf8_lossy(&many.body));
        assert_eq!((again.broke, again.refused), (many.broke, Vec::new()));
    }
});
