//! Upstreams that fail before, or instead of, their answer: the client is told, by its own
//! id, and does not wait.

use tokio::net::TcpListener;

use crate::support::messages::{assert_error, chunked};
use crate::support::{Proxy, Upstream, answer, call, post, reply};

const IDS: [&str; 4] = ["7", "\"seven\"", "\"\\u0041 \\\"q\\\"\"", "-3"];

/// Asks with all ids, and expects this status and the error with each of them.
async fn expect(proxy: &Proxy, status: u16, case: &str) {
    for id in IDS {
        let (head, body) = proxy.connect().await.ask(post(&call(id))).await;
        assert_eq!(head.status(), status, "{case} {}", String::from_utf8_lossy(&body));
        assert_eq!(head.get("content-type"), Some("application/json"), "{case}");
        assert_error(&body, id, -32603);
    }
}

#[tokio::test]
async fn an_upstream_that_is_not_there_is_a_bad_gateway() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    for mode in ["gate", "observe"] {
        let proxy = Proxy::before(address, &["--mode", mode]).await;
        expect(&proxy, 502, mode).await;
        let name = "mcparse_upstream_failures_total{reason=\"unreachable\"}";
        assert_eq!(proxy.metric(name).await, 4);
        proxy.line(|line| line.contains("the upstream cannot be reached")).await;
        proxy.end().await;
    }
}

#[tokio::test]
async fn what_is_no_response_is_a_bad_gateway() {
    for (case, said) in [
        ("nothing", &b""[..]),
        ("half a head", b"HTTP/1.1 200 OK\r\nContent-Type: appl"),
        ("garbage", b"\x00\xff\x01 what is this\r\n\r\n"),
        ("another protocol", b"SSH-2.0-OpenSSH_9.6\r\n"),
        ("two lengths", b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}"),
        (
            "an upgrade",
            b"HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n",
        ),
    ] {
        let upstream = Upstream::saying(said).await;
        for mode in ["gate", "observe"] {
            let proxy = Proxy::before(upstream.address, &["--mode", mode]).await;
            expect(&proxy, 502, case).await;
            proxy.end().await;
        }
    }
}

#[tokio::test]
async fn an_upstream_that_says_nothing_in_time_is_a_gateway_timeout() {
    let upstream = Upstream::start(|mut served| async move {
        served.request().await;
        served.wire.closed().await;
    })
    .await;
    for mode in ["gate", "observe"] {
        let proxy = Proxy::before(upstream.address, &["--timeout", "1", "--mode", mode]).await;
        let (head, body) = proxy.connect().await.ask(post(&call("\"late\""))).await;
        assert_eq!(head.status(), 504);
        assert_error(&body, "\"late\"", -32603);
        assert_eq!(proxy.metric("mcparse_upstream_failures_total{reason=\"late\"}").await, 1);
        proxy.end().await;
    }
}

#[tokio::test]
async fn a_notification_is_answered_by_its_status_alone() {
    let upstream = Upstream::saying("").await;
    let proxy = Proxy::before(upstream.address, &[]).await;
    let body = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    let (head, body) = proxy.connect().await.ask(post(body)).await;
    assert_eq!((head.status(), body.len()), (502, 0));
    proxy.end().await;
}

#[tokio::test]
async fn an_id_that_is_long_is_given_back_too() {
    let upstream = Upstream::saying("").await;
    let proxy = Proxy::before(upstream.address, &[]).await;
    for length in [20, 63, 64, 200, 1000] {
        let id = format!("\"{}\"", "i".repeat(length));
        let (head, body) = proxy.connect().await.ask(post(&call(&id))).await;
        assert_eq!(head.status(), 502, "{length}");
        assert_error(&body, &id, -32603);
    }
    proxy.end().await;
}

#[tokio::test]
async fn an_answer_of_the_wrong_length_is_replaced() {
    let whole = answer("\"a\"");
    let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";
    let long = format!("{head}Content-Length: {}\r\n\r\n{whole}", whole.len() + 10);
    let short = format!("{head}Content-Length: {}\r\n\r\n{whole}", whole.len() - 10);
    let mut cut = format!("{head}Transfer-Encoding: chunked\r\n\r\n").into_bytes();
    cut.extend(chunked(whole.as_bytes(), 20));
    cut.truncate(cut.len() - 5);
    let none = format!("{head}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
    for (case, said) in [
        ("long", long.as_bytes()),
        ("short", short.as_bytes()),
        ("cut", &cut),
        ("none", none.as_bytes()),
    ] {
        let upstream = Upstream::saying(said).await;
        let proxy = Proxy::before(upstream.address, &[]).await;
        let (head, body) = proxy.connect().await.ask(post(&call("\"a\""))).await;
        assert_eq!(head.status(), 502, "{case}");
        assert_error(&body, "\"a\"", -32603);
        let line = proxy.line(|line| line.contains("\"outcome\":\"replaced\"")).await;
        assert_eq!(
            (&line["direction"], &line["id"]),
            (&"s2c".into(), &"\\\"a\\\"".into()),
            "{case}"
        );
        assert_eq!(proxy.metric("mcparse_answers_replaced_total").await, 1);
        proxy.end().await;
    }
}

#[tokio::test]
async fn what_comes_behind_an_answer_is_not_the_next_one() {
    let upstream = Upstream::start(|mut served| async move {
        let mut id = 0;
        while served.request().await.is_some() {
            id += 1;
            let mut said = reply(&answer(&id.to_string()));
            said.extend(reply(&answer("999")));
            served.wire.try_send(said).await;
        }
    })
    .await;
    let proxy = Proxy::before(upstream.address, &["--mode", "off"]).await;
    let mut wire = proxy.connect().await;
    for _ in 0..20 {
        let (head, body) = wire.ask(post(&call("1"))).await;
        assert_eq!((head.status(), body), (200, answer("1").into_bytes()));
    }
    proxy.end().await;
}

#[tokio::test]
async fn an_encoded_answer_is_replaced() {
    let mut upstream = Upstream::saying(
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\n\
         Content-Length: 4\r\n\r\n\x1f\x0b\x08\x00",
    )
    .await;
    let proxy = Proxy::before(upstream.address, &[]).await;
    let (head, body) = proxy.connect().await.ask(post(&call("5"))).await;
    assert_eq!((head.status(), head.get("content-encoding")), (502, None));
    assert_error(&body, "5", -32603);
    assert_eq!(upstream.seen().await.head.get("accept-encoding"), None);
    proxy.end().await;
}

#[tokio::test]
async fn an_upstream_that_is_back_is_asked_again() {
    let upstream = Upstream::start(|mut served| async move {
        // Each connection serves one request, and the next one finds it closed.
        if served.request().await.is_some() {
            served.wire.send(reply(&answer("1"))).await;
        }
    })
    .await;
    let proxy = Proxy::before(upstream.address, &[]).await;
    let mut wire = proxy.connect().await;
    let mut good = 0;
    for _ in 0..50 {
        let (head, body) = wire.ask(post(&call("1"))).await;
        match head.status() {
            200 => good += 1,
            // It closed while it was asked, and nobody knows whether it read that.
            502 => assert_error(&body, "1", -32603),
            other => panic!("{other}"),
        }
    }
    assert!(good >= 40, "{good}");
    proxy.end().await;
}
