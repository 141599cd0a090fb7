//! What passes, passes as the bytes that it is.

use crate::support::messages::{answer_with, call_with, chunked, post_chunked};
use crate::support::{Proxy, Upstream, answer, call, post, post_with, reply};

/// Texts that make messages of about these many bytes.
const SIZES: [usize; 8] = [0, 1, 4095, 4096, 65_536, 65_537, 1 << 20, 3 << 20];

/// Answers with a text as long as the one that was asked with.
fn mirrored(seen: &crate::support::upstream::Seen) -> String {
    let around = call_with("1", "").len();
    answer_with("1", &"y".repeat(seen.body.len().saturating_sub(around)))
}

#[tokio::test]
async fn bodies_of_all_sizes_pass_both_ways_in_every_mode() {
    let mut upstream = Upstream::answering(|seen| reply(&mirrored(seen))).await;
    let mut in_chunks = Upstream::answering(|seen| {
        let mut out =
            b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
                .to_vec();
        out.extend(chunked(mirrored(seen).as_bytes(), 1000));
        out
    })
    .await;
    for mode in ["gate", "observe", "off"] {
        for upstream in [&mut upstream, &mut in_chunks] {
            let proxy = Proxy::before(upstream.address, &["--mode", mode]).await;
            let mut wire = proxy.connect().await;
            for size in SIZES {
                let message = call_with("1", &"x".repeat(size));
                let expected = answer_with("1", &"y".repeat(size));
                for request in [post(&message), post_chunked(&message, 777)] {
                    let (head, body) = wire.ask(request).await;
                    assert_eq!(head.status(), 200, "{mode} {size}");
                    assert!(body == expected.as_bytes(), "{mode} {size}: {} bytes", body.len());
                    let seen = upstream.seen().await;
                    assert!(seen.body == message.as_bytes(), "{mode} {size}");
                }
            }
            proxy.end().await;
        }
    }
}

#[tokio::test]
async fn white_space_member_order_and_number_texts_stay() {
    let message = "{ \"params\" : {\"arguments\":{\"n\": 1.0e2, \"m\":18446744073709551616,\
                   \"s\":\"\\u0041\\/\"},\"name\":\"add\"},\r\n\"method\":\"tools/call\",\"id\":1e0\
                   ,\"jsonrpc\":\"2.0\"}\n"
        .replace("1e0", "1");
    let answered =
        "\n{\"result\":{ \"content\":[], \"_meta\":{\"x/y\":1.50}},\"id\":1 ,\"jsonrpc\":\"2.0\"} ";
    let mut upstream = Upstream::answering(move |_| reply(answered)).await;
    let proxy = Proxy::before(upstream.address, &[]).await;
    let (head, body) = proxy.connect().await.ask(post(&message)).await;
    assert_eq!((head.status(), &body[..]), (200, answered.as_bytes()));
    assert_eq!(upstream.seen().await.body, message.as_bytes());
    proxy.end().await;
}

#[tokio::test]
async fn bodies_that_are_no_messages_pass_unjudged_where_nothing_is_judged() {
    let mut upstream = Upstream::answering(|seen| reply(str::from_utf8(&seen.body).unwrap())).await;
    let proxy = Proxy::before(upstream.address, &["--mode", "off"]).await;
    let mut wire = proxy.connect().await;
    for body in ["", "1", "{", "no message at all"] {
        let (head, answered) = wire.ask(post(body)).await;
        assert_eq!((head.status(), &answered[..]), (200, body.as_bytes()));
        assert_eq!(upstream.seen().await.body, body.as_bytes());
    }
    proxy.end().await;
}

#[tokio::test]
async fn in_observe_mode_what_is_refused_passes_both_ways_and_is_logged() {
    let mut upstream = Upstream::answering(|_| reply("{\"no\":\"answer\"}")).await;
    let proxy = Proxy::before(upstream.address, &["--mode", "observe"]).await;
    let mut wire = proxy.connect().await;
    for body in ["1", "{", "{\"jsonrpc\":\"2.0\",\"id\":1}"] {
        let (head, answered) = wire.ask(post(body)).await;
        assert_eq!((head.status(), &answered[..]), (200, &b"{\"no\":\"answer\"}"[..]));
        assert_eq!(upstream.seen().await.body, body.as_bytes());
    }
    let line = proxy.refusal("not-json").await;
    assert_eq!(line["outcome"], "let through");
    proxy.end().await;
}

#[tokio::test]
async fn one_connection_on_each_side_serves_many_requests() {
    let upstream = Upstream::answering(|seen| {
        let text = String::from_utf8_lossy(&seen.body).into_owned();
        let id = text.split("\"id\":").nth(1).unwrap().split(',').next().unwrap().to_owned();
        reply(&answer(&id))
    })
    .await;
    let proxy = Proxy::before(upstream.address, &[]).await;
    let mut wire = proxy.connect().await;
    for id in 0..500 {
        let id = id.to_string();
        let (head, body) = wire.ask(post(&call(&id))).await;
        assert_eq!((head.status(), body), (200, answer(&id).into_bytes()));
    }
    assert_eq!(upstream.connections(), 1, "the upstream's connection is kept");
    assert_eq!(proxy.metric("mcparse_http_requests_total").await, 501);
    proxy.end().await;
}

#[tokio::test]
async fn requests_that_are_sent_ahead_are_answered_in_their_order() {
    let upstream = Upstream::answering(|seen| {
        let text = String::from_utf8_lossy(&seen.body).into_owned();
        let id = text.split("\"id\":").nth(1).unwrap().split(',').next().unwrap().to_owned();
        reply(&answer(&id))
    })
    .await;
    let proxy = Proxy::before(upstream.address, &[]).await;
    let mut wire = proxy.connect().await;
    let all: Vec<u8> = (1..=20).flat_map(|id| post(&call(&id.to_string()))).collect();
    wire.send(all).await;
    for id in 1..=20 {
        let (head, body) = wire.response().await;
        assert_eq!((head.status(), body), (200, answer(&id.to_string()).into_bytes()));
    }
    proxy.end().await;
}

#[tokio::test]
async fn a_body_that_waits_to_be_asked_for_is_asked_for() {
    let mut upstream = Upstream::answering(|_| reply(&answer("1"))).await;
    let proxy = Proxy::before(upstream.address, &[]).await;
    let mut wire = proxy.connect().await;
    let request = post_with(&call("1"), "Expect: 100-continue\r\n");
    let (head, body) = request.split_at(request.len() - call("1").len());
    wire.send(head).await;
    assert_eq!(wire.head().await.status(), 100);
    let (head, answered) = wire.ask(body).await;
    assert_eq!((head.status(), answered), (200, answer("1").into_bytes()));
    assert_eq!(upstream.seen().await.head.get("expect"), None);

    // What is refused by its head is refused before its body.
    let refused = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\n\
                   Accept: application/json, text/event-stream\r\nContent-Length: 10\r\n\
                   Expect: 100-continue\r\n\r\n";
    let mut wire = proxy.connect().await;
    wire.send(refused).await;
    assert_eq!(wire.head().await.status(), 415);
    assert!(upstream.is_quiet());
    proxy.end().await;
}

#[tokio::test]
async fn trailers_of_a_request_do_not_disturb_it() {
    let mut upstream = Upstream::answering(|_| reply(&answer("1"))).await;
    let proxy = Proxy::before(upstream.address, &[]).await;
    let mut wire = proxy.connect().await;
    let mut request = post_chunked(&call("1"), 50);
    request.truncate(request.len() - 2);
    request.extend(b"X-Trailer: 1\r\n\r\n");
    for _ in 0..2 {
        let (head, body) = wire.ask(&request).await;
        assert_eq!((head.status(), body), (200, answer("1").into_bytes()));
        assert_eq!(upstream.seen().await.body, call("1").as_bytes());
    }
    proxy.end().await;
}
