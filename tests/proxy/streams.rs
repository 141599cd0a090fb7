//! Streams of events: nothing waits for what comes behind it, and whoever leaves is let go of.

use std::time::Duration;

use tokio::sync::mpsc::unbounded_channel;

use crate::support::messages::{STREAM, chunk, event, progress};
use crate::support::{Proxy, Upstream, answer, call, post, soon, within};

/// The text of the next chunk.
async fn next(wire: &mut crate::support::Wire) -> String {
    let chunk = soon(wire.chunk()).await.expect("the stream goes on").expect("a chunk");
    String::from_utf8(chunk).unwrap()
}

#[tokio::test]
async fn an_event_arrives_before_the_next_one_is_made() {
    for mode in ["gate", "observe", "off"] {
        let (go, going) = unbounded_channel::<()>();
        let going = std::sync::Arc::new(tokio::sync::Mutex::new(going));
        let upstream = Upstream::start(move |mut served| {
            let going = std::sync::Arc::clone(&going);
            async move {
                let Some(_) = served.request().await else { return };
                served.wire.send(STREAM).await;
                for step in 0..20 {
                    served.wire.send(chunk(&progress(step))).await;
                    // The next one only once the client has this one.
                    going.lock().await.recv().await;
                }
                served.wire.send(chunk(&event(&answer("1")))).await;
                served.wire.send("0\r\n\r\n").await;
            }
        })
        .await;
        let proxy = Proxy::before(upstream.address, &["--mode", mode]).await;
        let mut wire = proxy.connect().await;
        wire.send(post(&call("1"))).await;
        let head = wire.head().await;
        assert_eq!(head.get("content-type"), Some("text/event-stream"), "{mode}");
        for step in 0..20 {
            assert_eq!(next(&mut wire).await, progress(step), "{mode}");
            go.send(()).unwrap();
        }
        assert_eq!(next(&mut wire).await, event(&answer("1")), "{mode}");
        assert_eq!(soon(wire.chunk()).await, Ok(None), "{mode}");
        proxy.end().await;
    }
}

#[tokio::test]
async fn comments_that_keep_a_stream_alive_pass_at_once() {
    let upstream = Upstream::start(|mut served| async move {
        let Some(_) = served.request().await else { return };
        served.wire.send(STREAM).await;
        served.wire.send(chunk(": still here\n\n")).await;
        served.wire.closed().await;
    })
    .await;
    let proxy = Proxy::before(upstream.address, &[]).await;
    let mut wire = proxy.connect().await;
    wire.send(post(&call("1"))).await;
    wire.head().await;
    assert_eq!(next(&mut wire).await, ": still here\n\n");
    drop(wire);
    proxy.end().await;
}

#[tokio::test]
async fn a_stream_for_a_get_resumes_with_its_last_event_id_and_delete_passes() {
    let mut upstream = Upstream::start(|mut served| async move {
        while let Some(seen) = served.request().await {
            if seen.head.first.starts_with("GET") {
                served.wire.send(STREAM).await;
                let text = format!("id: 42\n{}", progress(1));
                served.wire.send(chunk(&text)).await;
                served.wire.send("0\r\n\r\n").await;
            } else {
                served.wire.send("HTTP/1.1 204 No Content\r\n\r\n").await;
            }
        }
    })
    .await;
    let proxy = Proxy::before(upstream.address, &[]).await;
    let mut wire = proxy.connect().await;
    let (head, body) = wire
        .ask(
            "GET /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\
             Last-Event-ID: 41\r\nMcp-Session-Id: s1\r\n\r\n",
        )
        .await;
    assert_eq!(head.status(), 200);
    assert_eq!(body, format!("id: 42\n{}", progress(1)).into_bytes());
    let seen = upstream.seen().await;
    assert_eq!(seen.head.asked(), "GET /mcp");
    assert_eq!(seen.head.get("last-event-id"), Some("41"));
    assert_eq!(seen.head.get("mcp-session-id"), Some("s1"));
    let (head, _) =
        wire.ask("DELETE /mcp HTTP/1.1\r\nHost: localhost\r\nMcp-Session-Id: s1\r\n\r\n").await;
    assert_eq!(head.status(), 204);
    assert_eq!(upstream.seen().await.head.asked(), "DELETE /mcp");
    proxy.end().await;
}

#[tokio::test]
async fn the_upstream_is_let_go_of_when_the_client_leaves_a_stream() {
    let (gone, mut went) = unbounded_channel();
    let upstream = Upstream::start(move |mut served| {
        let gone = gone.clone();
        async move {
            let Some(_) = served.request().await else { return };
            served.wire.send(STREAM).await;
            served.wire.send(chunk(&progress(1))).await;
            served.wire.closed().await;
            let _ = gone.send(());
        }
    })
    .await;
    for mode in ["gate", "observe", "off"] {
        let proxy = Proxy::before(upstream.address, &["--mode", mode]).await;
        let mut wire = proxy.connect().await;
        wire.send(post(&call("1"))).await;
        wire.head().await;
        next(&mut wire).await;
        drop(wire);
        within(5, went.recv()).await.unwrap();
        proxy.metric_becomes("mcparse_connections_open", 1).await;
        proxy.end().await;
    }
}

#[tokio::test]
async fn the_upstream_is_let_go_of_when_the_client_does_not_wait_for_its_answer() {
    let (came, mut comes) = unbounded_channel();
    let upstream = Upstream::start(move |mut served| {
        let came = came.clone();
        async move {
            let Some(_) = served.request().await else { return };
            let _ = came.send("asked");
            served.wire.closed().await;
            let _ = came.send("gone");
        }
    })
    .await;
    for mode in ["gate", "observe", "off"] {
        let proxy = Proxy::before(upstream.address, &["--mode", mode]).await;
        let mut wire = proxy.connect().await;
        wire.send(post(&call("1"))).await;
        assert_eq!(soon(comes.recv()).await, Some("asked"));
        drop(wire);
        assert_eq!(within(5, comes.recv()).await, Some("gone"), "{mode}");
        proxy.end().await;
    }
}

#[tokio::test]
async fn events_may_be_further_apart_than_the_pieces_of_other_bodies() {
    let upstream = Upstream::start(|mut served| async move {
        let Some(_) = served.request().await else { return };
        served
            .wire
            .send(
                "HTTP/1.1 200 OK\r\nContent-Type: Text/Event-Stream; charset=utf-8\r\n\
                 Transfer-Encoding: chunked\r\n\r\n",
            )
            .await;
        served.wire.send(chunk(&progress(1))).await;
        // What must not happen can only be waited for.
        tokio::time::sleep(Duration::from_millis(2500)).await;
        served.wire.send(chunk(&event(&answer("1")))).await;
        served.wire.send("0\r\n\r\n").await;
    })
    .await;
    let proxy = Proxy::before(upstream.address, &["--timeout", "1"]).await;
    let mut wire = proxy.connect().await;
    let (head, body) = wire.ask(post(&call("1"))).await;
    assert_eq!(head.status(), 200);
    assert_eq!(body, (progress(1) + &event(&answer("1"))).into_bytes());
    proxy.end().await;
}
