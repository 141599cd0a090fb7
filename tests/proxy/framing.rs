//! Requests whose end two readers may see at different places: never does the upstream get
//! two for one, nor what was not judged.

use crate::support::{Proxy, Upstream, answer, call, post, reply, soon};

const HEAD: &str = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
                    Accept: application/json, text/event-stream\r\n";

#[tokio::test]
async fn no_request_hides_another_one() {
    let mut upstream = Upstream::answering(|_| reply(&answer("1"))).await;
    let message = call("1");
    let length = message.len();
    let hidden = String::from_utf8(post(&call("666"))).unwrap();
    let all = length + hidden.len();
    let chunk = format!("{length:x}\r\n{message}\r\n0\r\n\r\n");
    let cases = [
        (
            "two lengths",
            format!("{HEAD}Content-Length: {length}\r\nContent-Length: {all}\r\n\r\n{message}"),
        ),
        ("a list of lengths", format!("{HEAD}Content-Length: {length}, {all}\r\n\r\n{message}")),
        ("a signed length", format!("{HEAD}Content-Length: +{length}\r\n\r\n{message}")),
        ("two codings", format!("{HEAD}Transfer-Encoding: chunked, identity\r\n\r\n{chunk}")),
        ("an odd coding", format!("{HEAD}Transfer-Encoding: xchunked\r\n\r\n{chunk}")),
        (
            "a folded line",
            format!(
                "{HEAD}X-A: b\r\n Content-Length: 3\r\nContent-Length: {length}\r\n\r\n{message}"
            ),
        ),
        ("a space before the colon", format!("{HEAD}Content-Length : {length}\r\n\r\n{message}")),
        ("a NUL", format!("{HEAD}X-A: a\0b\r\nContent-Length: {length}\r\n\r\n{message}")),
        (
            "a bare CR",
            format!("{HEAD}X-A: a\rContent-Length: 0\r\nContent-Length: {length}\r\n\r\n{message}"),
        ),
        ("a chunk with a sign", format!("{HEAD}Transfer-Encoding: chunked\r\n\r\n+{chunk}")),
        (
            "a chunk of too many bytes",
            format!(
                "{HEAD}Transfer-Encoding: chunked\r\n\r\nffffffffffffffff1\r\n{message}\r\n0\r\n\r\n"
            ),
        ),
        (
            "a chunk that is longer than it says",
            format!("{HEAD}Transfer-Encoding: chunked\r\n\r\n1\r\n{message}\r\n0\r\n\r\n"),
        ),
    ];
    for (case, request) in cases {
        for mode in ["gate", "off"] {
            let proxy = Proxy::before(upstream.address, &["--mode", mode]).await;
            let mut wire = proxy.connect().await;
            wire.try_send(request.clone() + &hidden).await;
            // Whatever it is taken for, the connection ends there.
            let head = soon(wire.try_head()).await;
            let status = head.as_ref().map_or(0, crate::support::Head::status);
            assert!(status == 0 || status >= 400, "{mode} {case}: {status}");
            soon(wire.closed()).await;
            assert!(upstream.is_quiet(), "{mode} {case}: the upstream was asked");
            proxy.end().await;
        }
    }
}

#[tokio::test]
async fn a_length_beside_chunks_does_not_reach_the_upstream() {
    let mut upstream = Upstream::answering(|_| reply(&answer("1"))).await;
    let message = call("1");
    let length = message.len();
    for mode in ["gate", "off"] {
        let proxy = Proxy::before(upstream.address, &["--mode", mode]).await;
        let mut wire = proxy.connect().await;
        let request = format!(
            "{HEAD}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n{length:x}\r\n{message}\r\n0\r\n\r\n"
        );
        wire.send(request).await;
        if let Some(head) = soon(wire.try_head()).await.filter(|head| head.status() < 400) {
            assert_eq!(wire.body(&head).await, answer("1").as_bytes());
            let seen = upstream.seen().await;
            assert_eq!(seen.body, message.as_bytes(), "{mode}");
            let both = seen.head.get("content-length").is_some()
                && seen.head.get("transfer-encoding").is_some();
            assert!(!both, "{mode}: {:?}", seen.head);
        }
        assert!(upstream.is_quiet(), "{mode}");
        proxy.end().await;
    }
}

#[tokio::test]
async fn lines_that_end_in_a_bare_lf_make_one_request_at_most() {
    let mut upstream = Upstream::answering(|_| reply(&answer("1"))).await;
    let proxy = Proxy::before(upstream.address, &[]).await;
    let mut wire = proxy.connect().await;
    let request = String::from_utf8(post(&call("1"))).unwrap().replace("\r\n", "\n");
    wire.send(request).await;
    let head = wire.head().await;
    if head.status() == 200 {
        assert_eq!(upstream.seen().await.body, call("1").as_bytes());
    }
    assert!(upstream.is_quiet());
    proxy.end().await;
}
