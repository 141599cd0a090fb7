//! SIGTERM: what is under way ends, and nothing new begins.

use std::time::{Duration, Instant};

use tokio::net::TcpStream;
use tokio::sync::mpsc::unbounded_channel;

use crate::support::messages::{STREAM, chunk, event, progress};
use crate::support::{Proxy, Upstream, answer, call, post, soon};

/// Streams that go on until the test says so, or for ever.
async fn streaming(until: tokio::sync::watch::Receiver<bool>) -> Upstream {
    Upstream::start(move |mut served| {
        let mut until = until.clone();
        async move {
            let Some(_) = served.request().await else { return };
            served.wire.send([STREAM.to_vec(), chunk(&progress(1))].concat()).await;
            if until.wait_for(|over| *over).await.is_err() {
                return;
            }
            served.wire.send(chunk(&event(&answer("1")))).await;
            served.wire.send("0\r\n\r\n").await;
        }
    })
    .await
}

#[tokio::test]
async fn a_running_stream_ends_and_new_connections_are_not_taken() {
    let (over, until) = tokio::sync::watch::channel(false);
    let upstream = streaming(until).await;
    let mut proxy = Proxy::before(upstream.address, &[]).await;
    let mut wire = proxy.connect().await;
    let mut idle = proxy.connect().await;
    let silent = proxy.connect().await;
    idle.ask("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n").await;
    wire.send(post(&call("1"))).await;
    let head = wire.head().await;
    assert_eq!(head.status(), 200);
    soon(wire.chunk()).await.unwrap();
    proxy.terminate();
    proxy.line(|line| line.contains("stopping once")).await;
    assert!(TcpStream::connect(proxy.address()).await.is_err(), "it takes no more");
    assert!(soon(idle.closed()).await.is_empty(), "what is idle is closed");
    over.send(true).unwrap();
    assert_eq!(wire.body(&head).await, event(&answer("1")).into_bytes());
    assert_eq!(proxy.exit().await.code(), Some(0));
    drop(silent);
}

#[tokio::test]
async fn an_endless_stream_is_closed_after_the_time_to_drain() {
    let (over, until) = tokio::sync::watch::channel(false);
    let upstream = streaming(until).await;
    let mut proxy = Proxy::before(upstream.address, &["--drain", "1"]).await;
    let mut wire = proxy.connect().await;
    wire.send(post(&call("1"))).await;
    let head = wire.head().await;
    soon(wire.chunk()).await.unwrap();
    let start = Instant::now();
    proxy.terminate();
    assert!(soon(wire.try_body(&head)).await.is_err(), "its client sees that it broke");
    assert_eq!(proxy.exit().await.code(), Some(0));
    let took = start.elapsed();
    assert!(took >= Duration::from_millis(900) && took < Duration::from_secs(8), "{took:?}");
    drop(over);
}

#[tokio::test]
async fn a_second_signal_ends_it_at_once() {
    let (over, until) = tokio::sync::watch::channel(false);
    let upstream = streaming(until).await;
    let mut proxy = Proxy::before(upstream.address, &["--drain", "3600"]).await;
    let mut wire = proxy.connect().await;
    wire.send(post(&call("1"))).await;
    wire.head().await;
    proxy.terminate();
    proxy.line(|line| line.contains("stopping once")).await;
    proxy.terminate();
    assert_eq!(proxy.exit().await.code(), Some(0));
    assert!(proxy.lines().iter().any(|line| line.contains("stopped at once")), "it is flushed");
    drop(over);
}

#[tokio::test]
async fn all_refusals_are_logged_before_it_exits() {
    let (sender, _keeps) = unbounded_channel::<()>();
    let upstream = Upstream::start(move |_| {
        let _ = sender.send(());
        async {}
    })
    .await;
    let mut proxy = Proxy::before(upstream.address, &[]).await;
    let mut wire = proxy.connect().await;
    for _ in 0..300 {
        wire.ask(post("x")).await;
    }
    proxy.terminate();
    assert_eq!(proxy.exit().await.code(), Some(0));
    let refused = proxy.lines().iter().filter(|line| line.contains("not-json")).count();
    assert_eq!(refused, 300);
}
