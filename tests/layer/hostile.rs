//! Services, bodies and clients that do what they should not: nothing leaks, nothing grows, and
//! the requests of others are none the worse for it.

use std::convert::Infallible;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Waker};
use std::thread;

use bytes::Bytes;
use http::{HeaderMap, HeaderName, Request, Response};
use http_body::{Body, Frame, SizeHint};
use mcparse::layer::{Heard, Mode, RequestBody, ValidateLayer};
use mcparse::{Counters, Kind, Limits, Policy, Sender};
use tower::{Layer, Service, service_fn};

use crate::support::{EVENTS, JSON, PING, PONG, Server, Step, Steps, answer, now, post, send};

fn gate() -> ValidateLayer {
    ValidateLayer::new(Policy::strict())
}

fn data(bytes: &[u8]) -> Step {
    Step::Data(Bytes::copy_from_slice(bytes))
}

fn event() -> Vec<u8> {
    [b"data: ", PONG, b"\n\n"].concat()
}

/// `bytes` in small pieces, with empty ones between them, and two waits behind each.
fn slowly(bytes: &[u8]) -> Steps {
    let pieces = bytes.chunks(9).flat_map(|piece| [data(piece), Step::Wait, data(b""), Step::Wait]);
    Steps::new(pieces)
}

#[test]
fn whoever_leaves_at_any_moment_leaves_nothing_behind() {
    for mode in [Mode::Gate, Mode::Observe] {
        let layer = gate().with_mode(mode);
        for (kind, reply) in [(JSON, PONG.to_vec()), (EVENTS, event())] {
            let mut polls = 0;
            loop {
                let (request, response) = (slowly(PING), slowly(&reply));
                let (asked, answered) = (request.alive(), response.alive());
                let server = Server::new(200, kind, response);
                let mut context = Context::from_waker(Waker::noop());
                let mut left = polls;
                let mut future = Box::pin(layer.layer(server.clone()).call(post(request)));
                let body = loop {
                    if left == 0 {
                        break None;
                    }
                    left -= 1;
                    if let Poll::Ready(response) = future.as_mut().poll(&mut context) {
                        break Some(response.unwrap().into_body());
                    }
                };
                let mut is_over = false;
                if let Some(body) = body {
                    let mut body = Box::pin(body);
                    while left > 0 && !is_over {
                        left -= 1;
                        is_over =
                            matches!(body.as_mut().poll_frame(&mut context), Poll::Ready(None));
                    }
                }
                drop(future);
                assert_eq!(Arc::strong_count(&asked), 1, "{mode:?} {kind} {polls}");
                assert_eq!(Arc::strong_count(&answered), 2, "{mode:?} {kind} {polls}");
                if is_over {
                    break;
                }
                polls += 1;
                assert!(polls < 1000, "it has an end");
            }
            assert!(polls > 10, "there were moments to leave at");
            let server = Server::new(200, kind, slowly(&reply));
            assert_eq!(send(&layer, &server, post(slowly(PING))).body, reply);
        }
    }
}

#[test]
fn a_thousand_requests_from_four_threads_are_each_answered_by_their_own() {
    let counters = Arc::new(Counters::new());
    let layer = gate().with_counters(Arc::clone(&counters));
    thread::scope(|scope| {
        for of_thread in 0..4 {
            let layer = &layer;
            scope.spawn(move || {
                for number in 0..250 {
                    let id = of_thread * 1000 + number;
                    let question = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#);
                    let reply = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#);
                    let (kind, reply) = match number % 2 {
                        0 => (JSON, reply),
                        _ => (EVENTS, format!("data: {reply}\n\n")),
                    };
                    let server = Server::new(200, kind, slowly(reply.as_bytes()));
                    let got = send(layer, &server, post(slowly(question.as_bytes())));
                    assert_eq!((got.status, got.text()), (200, &*reply));
                }
            });
        }
    });
    let counted = counters.snapshot();
    assert_eq!(counted.accepted(Sender::Client, Kind::Request), 1000);
    assert_eq!(counted.accepted(Sender::Server, Kind::Result), 1000);
    assert_eq!(counted.refused(Sender::Server) + counted.refused(Sender::Client), 0);
}

#[test]
fn a_service_that_panics_or_never_answers_harms_no_other_request() {
    let layer = gate();
    let panics =
        service_fn(async |_: Request<RequestBody<Steps>>| -> Result<Response<Steps>, Infallible> {
            panic!("the service does");
        });
    let waits = service_fn(|_: Request<RequestBody<Steps>>| {
        std::future::pending::<Result<Response<Steps>, Infallible>>()
    });
    let server = Server::new(200, JSON, Steps::of(&[PONG]));
    for _ in 0..100 {
        let mut service = layer.layer(panics);
        let call = || now(service.call(post(Steps::of(&[PING]))));
        assert!(catch_unwind(AssertUnwindSafe(call)).is_err());
        let mut future = Box::pin(layer.layer(waits).call(post(Steps::of(&[PING]))));
        let mut context = Context::from_waker(Waker::noop());
        assert!(future.as_mut().poll(&mut context).is_pending());
        assert!(future.as_mut().poll(&mut context).is_pending());
        drop(future);
        assert_eq!(send(&layer, &server, post(Steps::of(&[PING]))).status, 200);
    }
}

#[test]
fn an_observer_that_panics_harms_no_other_request() {
    let heard = AtomicUsize::new(0);
    let layer = gate().with_observer(move |_: &Heard<'_>| {
        assert!(heard.fetch_add(1, Ordering::Relaxed) % 3 != 2, "the third does");
    });
    let server = Server::new(200, JSON, Steps::of(&[PONG]));
    for _ in 0..10 {
        assert_eq!(send(&layer, &server, post(Steps::of(&[PING]))).status, 200);
        let once_more = || send(&layer, &server, post(Steps::of(&[PING])));
        assert!(catch_unwind(AssertUnwindSafe(once_more)).is_err());
    }
}

/// A body that never ends, and counts what was taken of it.
#[derive(Clone)]
struct Endless {
    first: Option<&'static [u8]>,
    piece: Bytes,
    taken: Arc<AtomicUsize>,
}

impl Body for Endless {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let piece = self.first.take().map_or_else(|| self.piece.clone(), Bytes::from_static);
        self.taken.fetch_add(piece.len(), Ordering::Relaxed);
        Poll::Ready(Some(Ok(Frame::data(piece))))
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::default()
    }
}

#[test]
fn what_never_ends_is_read_no_further_than_it_may_be_held() {
    let most = 1000;
    let limits = Limits::new().with_message_bytes(most);
    let layer = ValidateLayer::new(Policy::strict().with_limits(limits));
    for (kind, first, piece, bound) in [
        // One message without an end, and an event whose comments have none.
        (JSON, &b"{"[..], &b"          "[..], most),
        (EVENTS, b"data: 1\n", b": comment\n", most + (64 << 10)),
        (EVENTS, b"other", b"otherother", most + (64 << 10)),
    ] {
        let (first, piece) = (Some(first), Bytes::from_static(piece));
        let body = Endless { first, piece, taken: Arc::default() };
        let taken = Arc::clone(&body.taken);
        let server = service_fn(move |_: Request<RequestBody<Steps>>| {
            let response = Response::builder().header("content-type", kind).body(body.clone());
            std::future::ready(response)
        });
        let response = now(layer.layer(server).call(post(Steps::of(&[PING])))).unwrap();
        let mut body = Box::pin(response.into_body());
        let mut all = Vec::new();
        now(async {
            while let Some(frame) =
                std::future::poll_fn(|context| body.as_mut().poll_frame(context)).await
            {
                all.extend_from_slice(&frame.unwrap().into_data().unwrap());
            }
        });
        let taken = taken.load(Ordering::Relaxed);
        assert!(taken > bound && taken <= bound + 20, "{kind}: {taken} of {bound}");
        assert!(String::from_utf8(all).unwrap().contains("-32603"));
    }
}

#[test]
fn trailers_before_data_let_nothing_pass_unjudged() {
    let trailers: HeaderMap =
        [("x-sum".parse().unwrap(), "1".parse().unwrap())].into_iter().collect();
    let early = |bytes: &[u8]| Steps::new([Step::Trailers(trailers.clone()), data(bytes)]);
    let server = Server::new(200, JSON, early(PONG));
    let got = send(&gate(), &server, post(early(PING)));
    assert_eq!((got.status, &got.body[..], server.seen().body), (200, PONG, PING.to_vec()));
    assert_eq!(send(&gate(), &server, post(early(b"{}"))).status, 400);
    assert_eq!(send(&gate(), &Server::new(200, JSON, early(b"{}")), post(early(PING))).status, 502);

    // Behind the trailers of a stream nothing is read.
    let got = send(&gate(), &Server::new(200, EVENTS, early(b"data: {\n\n")), post(early(PING)));
    assert!(got.text().starts_with("data: {\"jsonrpc\":\"2.0\",\"id\":7,\"error\""));
    assert!(got.trailers.is_some() && !got.text().contains("data: {\n"));
}

#[test]
fn ten_thousand_headers_are_as_good_as_few() {
    let mut request = post(Steps::of(&[PING]));
    let mut server = Server::new(200, JSON, Steps::of(&[PONG]));
    for number in 0..10_000 {
        let name: HeaderName = format!("x-{number}").parse().unwrap();
        request.headers_mut().insert(name.clone(), "1".parse().unwrap());
        server = server.with_header(name, "1".parse().unwrap());
    }
    let got = send(&gate(), &server, request);
    assert_eq!((got.status, got.headers.len(), &got.body[..]), (200, 10_002, PONG));
}

#[test]
fn a_length_that_is_a_lie_changes_no_verdict() {
    for length in [0, 1, PONG.len() - 1, PONG.len() + 1, 1 << 20] {
        for mode in [Mode::Gate, Mode::Observe] {
            let layer = gate().with_mode(mode);
            for (kind, reply) in [(JSON, PONG.to_vec()), (EVENTS, event())] {
                let server = Server::new(200, kind, Steps::of(&[&reply]).counted(length));
                let got = send(&layer, &server, post(Steps::of(&[PING]).counted(length)));
                assert_eq!((got.status, got.body), (200, reply), "{length} {mode:?} {kind}");
                assert_eq!(server.seen().body, PING);
            }
        }
    }
    let server = Server::new(200, JSON, Steps::of(&[b"{}"]).counted(1));
    assert_eq!(answer(&gate(), &server, post(Steps::of(&[PING]))).status(), 502);
}
