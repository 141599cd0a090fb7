//! Clients that are slow, or silent, or leave.

use crate::support::{Proxy, Upstream, answer, call, post, reply, within};

async fn upstream() -> Upstream {
    Upstream::answering(|_| reply(&answer("1"))).await
}

/// Opens a connection, says this much, and waits until it is let go of.
async fn dropped_after(proxy: &Proxy, said: &[u8]) -> Vec<u8> {
    let mut wire = proxy.connect().await;
    wire.send(said).await;
    within(10, wire.closed()).await
}

#[tokio::test]
async fn who_does_not_say_what_it_wants_is_let_go_of() {
    let mut upstream = upstream().await;
    let proxy = Proxy::before(upstream.address, &["--idle", "1"]).await;
    let whole = post(&call("1"));
    for said in [
        &b""[..],
        // Both HTTP/1.1 and HTTP/2 may begin so.
        b"P",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r",
        b"POST /mcp HTTP/1.1\r\n",
        b"POST /mcp HTTP/1.1\r\nHost: localhost\r\n",
    ] {
        let told = dropped_after(&proxy, said).await;
        let told = String::from_utf8_lossy(&told).into_owned();
        assert!(told.is_empty() || told.starts_with("HTTP/1.1 408"), "{told}");
    }
    // And who does not ask again.
    let told = dropped_after(&proxy, &whole).await;
    assert!(told.starts_with(b"HTTP/1.1 200"));
    upstream.seen().await;
    assert!(upstream.is_quiet());
    proxy.metric_becomes("mcparse_connections_open", 1).await;
    proxy.end().await;
}

#[tokio::test]
async fn half_a_body_is_not_waited_for_for_ever() {
    let mut upstream = upstream().await;
    for mode in ["gate", "observe"] {
        let arguments = ["--timeout", "1", "--mode", mode];
        let proxy = Proxy::before(upstream.address, &arguments).await;
        let request = post(&call("1"));
        let told = dropped_after(&proxy, &request[..request.len() - 10]).await;
        let told = String::from_utf8_lossy(&told).into_owned();
        assert!(told.is_empty() || told.starts_with("HTTP/1.1 4"), "{told}");
        assert!(upstream.is_quiet());
        proxy.metric_becomes("mcparse_connections_open", 1).await;
        proxy.end().await;
    }
}

#[tokio::test]
async fn of_who_leaves_within_its_body_the_upstream_hears_nothing() {
    let mut upstream = upstream().await;
    for mode in ["gate", "observe"] {
        let proxy = Proxy::before(upstream.address, &["--mode", mode]).await;
        let mut wire = proxy.connect().await;
        let request = post(&call("1"));
        wire.send(&request[..request.len() - 10]).await;
        drop(wire);
        proxy.metric_becomes("mcparse_connections_open", 1).await;
        assert!(upstream.is_quiet(), "{mode}");
        proxy.end().await;
    }
}

#[tokio::test]
async fn beyond_the_most_connections_the_next_one_waits() {
    let upstream = upstream().await;
    let proxy = Proxy::before(upstream.address, &["--max-connections", "2"]).await;
    let mut first = proxy.connect().await;
    let mut second = proxy.connect().await;
    for wire in [&mut first, &mut second] {
        assert_eq!(wire.ask(post(&call("1"))).await.0.status(), 200);
    }
    let mut third = proxy.connect().await;
    third.send(post(&call("1"))).await;
    let early = tokio::time::timeout(std::time::Duration::from_millis(300), third.try_head()).await;
    assert!(early.is_err(), "it was taken: {early:?}");
    drop(first);
    assert_eq!(third.head().await.status(), 200);
    assert_eq!(second.ask(post(&call("1"))).await.0.status(), 200);
    proxy.end().await;
}
