//! What the service gets, and what its client is told in its place.

use bytes::Bytes;
use http::{HeaderMap, Method, Request};
use mcparse::layer::ValidateLayer;
use mcparse::{Limits, Policy, Revision, RevisionSet};

use crate::support::{JSON, PING, PONG, Server, Step, Steps, modern, post, send};

fn server() -> Server {
    Server::new(200, JSON, Steps::of(&[PONG]))
}

fn gate() -> ValidateLayer {
    ValidateLayer::new(Policy::strict())
}

#[test]
fn a_request_goes_on_as_it_came_however_it_was_cut() {
    for cut in 1..PING.len() {
        for second in cut..PING.len() {
            let server = server();
            let got = send(&gate(), &server, post(Steps::cut(PING, &[cut, second])));
            assert_eq!((got.status, &got.body[..]), (200, PONG), "{cut} {second}");
            let seen = server.seen();
            assert_eq!(seen.body, PING);
            assert_eq!(seen.id.as_deref(), Some(&b"7"[..]));
            assert_eq!((seen.pieces, seen.announced), (1, Some(PING.len() as u64)));
        }
    }
}

#[test]
fn a_body_in_one_piece_is_not_copied() {
    let piece = Bytes::from_static(PING);
    let (server, place) = (server(), piece.as_ptr());
    let service = tower::service_fn(move |request: Request<mcparse::layer::RequestBody<Steps>>| {
        assert_eq!(request.body().message().unwrap().as_ptr(), place);
        let mut server = server.clone();
        async move { tower::Service::call(&mut server, request).await }
    });
    let mut service = tower::Layer::layer(&gate(), service);
    let request = post(Steps::new([Step::Data(piece)]).announced());
    let response = crate::support::now(tower::Service::call(&mut service, request));
    assert_eq!(response.unwrap().status(), 200);
}

#[test]
fn trailers_go_on_behind_the_message() {
    let mut trailers = HeaderMap::new();
    trailers.insert("x-sum", "1".parse().unwrap());
    let steps = [Step::Data(Bytes::from_static(PING)), Step::Trailers(trailers.clone())];
    let (server, body) = (server(), Steps::new(steps));
    send(&gate(), &server, post(body));
    assert_eq!(server.seen().trailers, Some(trailers));
}

#[test]
fn what_is_refused_is_answered_in_the_servers_place() {
    let server = server();
    let broken = br#"{"jsonrpc":"2.0","id":7,"method":"ping","ID":8}"#;
    let got = send(&gate(), &server, post(Steps::of(&[broken])));
    assert_eq!((got.status, server.seen().calls), (400, 0));
    assert_eq!(got.headers["content-type"], JSON);
    assert!(got.text().starts_with(r#"{"jsonrpc":"2.0","id":7,"error":{"code":-32600,"#));

    // A notification is never answered; the status says it all.
    let broken = br#"{"jsonrpc":"2.0","method":"ping","METHOD":1}"#;
    let got = send(&gate(), &server, post(Steps::of(&[broken])));
    assert_eq!((got.status, got.text(), server.seen().calls), (400, "", 0));
    assert!(!got.headers.contains_key("content-type"));

    // An empty body is no JSON, and a batch is none of this layer's.
    for body in [&b""[..], b"[]", br#"[{"jsonrpc":"2.0","id":7,"method":"ping"}]"#] {
        let got = send(&gate(), &server, post(Steps::of(&[body]).announced()));
        assert_eq!((got.status, server.seen().calls), (400, 0));
    }
}

#[test]
fn a_modern_request_must_be_mirrored() {
    let tools = r#"{"jsonrpc":"2.0","id":7,"result":{"resultType":"complete","ttlMs":1,"cacheScope":"public","tools":[]}}"#;
    let server = Server::new(200, JSON, Steps::of(&[tools.as_bytes()]));
    let (request, body) = modern("tools/list", "");
    assert_eq!(send(&gate(), &server, request).text(), tools);
    assert_eq!(server.seen().body, body);

    let (mut request, _) = modern("tools/list", "");
    request.headers_mut().insert("mcp-method", "tools/call".parse().unwrap());
    let got = send(&gate(), &server, request);
    assert_eq!((got.status, server.seen().calls), (400, 1));
    assert!(got.text().contains("-32020"), "{}", got.text());
}

#[test]
fn the_head_is_judged_before_the_body_is_read() {
    let server = server();
    let body = Steps::of(&[PING]);
    let alive = body.alive();
    let mut request = post(body);
    request.headers_mut().insert("content-type", "text/plain".parse().unwrap());
    let future = tower::Service::call(&mut tower::Layer::layer(&gate(), server), request);
    assert_eq!(std::sync::Arc::strong_count(&alive), 1, "the body is let go of at once");
    assert_eq!(crate::support::now(future).unwrap().status(), 415);
}

#[test]
fn one_byte_more_than_the_limit_is_too_many() {
    let most = PING.len();
    for (more, status) in [(0, 200), (1, 413)] {
        let limits = Limits::new().with_message_bytes(most);
        let layer = ValidateLayer::new(Policy::strict().with_limits(limits));
        let mut body = PING.to_vec();
        body.resize(most + more, b' ');
        for steps in [
            Steps::of(&[&body]),
            Steps::of(&[&body]).announced(),
            Steps::cut(&body, &[3]),
            Steps::cut(&body, &[3, most - 1]),
            Steps::cut(&body, &[most - 1]).announced(),
        ] {
            let server = server();
            let got = send(&layer, &server, post(steps));
            assert_eq!(got.status, status);
            assert_eq!(server.seen().calls, usize::from(status == 200));
            assert_eq!(got.text().contains("too-large"), status == 413);
        }
    }
}

#[test]
fn a_body_that_breaks_off_is_answered_and_not_sent_on() {
    let steps = [Step::Data(Bytes::from_static(PING)), Step::Broken];
    let (server, body) = (server(), Steps::new(steps));
    let got = send(&gate(), &server, post(body));
    assert_eq!((got.status, server.seen().calls), (400, 0));
    assert!(got.text().contains("breaks off"), "{}", got.text());
    assert!(got.text().contains("-32700"));
}

#[test]
fn what_holds_no_message_passes_where_it_has_a_meaning() {
    let only = RevisionSet::only(Revision::V2026_07_28);
    let modern = ValidateLayer::new(Policy::strict().with_revisions(only));
    for (method, layer, status) in [
        (Method::GET, gate(), 200),
        (Method::DELETE, gate(), 200),
        (Method::OPTIONS, gate(), 200),
        (Method::PUT, gate(), 405),
        (Method::HEAD, gate(), 405),
        (Method::GET, modern.clone(), 405),
        (Method::DELETE, modern.clone(), 405),
        (Method::OPTIONS, modern, 200),
    ] {
        let server = Server::new(200, "text/plain", Steps::of(&[b"it"]));
        let request = Request::builder()
            .method(&method)
            .header("last-event-id", "3")
            .header("mcp-session-id", "s")
            .body(Steps::of(&[b"unread"]))
            .unwrap();
        let got = send(&layer, &server, request);
        assert_eq!(
            (got.status, server.seen().calls),
            (status, usize::from(status == 200)),
            "{method}"
        );
        if status == 405 {
            assert_eq!(got.headers["allow"], "POST");
        } else {
            assert_eq!((server.seen().body, got.body), (b"unread".to_vec(), b"it".to_vec()));
        }
    }
}

#[test]
fn a_foreign_origin_comes_in_by_no_method() {
    let layer = ValidateLayer::new(Policy::strict().with_origins(&["http://localhost"]));
    for (method, origin, status) in [
        ("GET", "http://evil.example", 403),
        ("DELETE", "http://evil.example", 403),
        ("POST", "http://evil.example", 403),
        ("OPTIONS", "http://evil.example", 200),
        ("GET", "http://localhost", 200),
        ("POST", "http://localhost", 200),
    ] {
        let mut request = post(Steps::of(&[PING]));
        *request.method_mut() = method.parse().unwrap();
        request.headers_mut().insert("origin", origin.parse().unwrap());
        assert_eq!(send(&layer, &server(), request).status, status, "{method} {origin}");
    }
}
