//! Upstreams that break off within their answer.

use crate::support::messages::{STREAM, assert_error, chunk, event, progress};
use crate::support::{PATIENCE, Proxy, Upstream, answer, call, post, soon};

/// What a client gets: the status, the body, and whether it is whole.
async fn ask(proxy: &Proxy, id: &str) -> (u16, Result<Vec<u8>, Vec<u8>>) {
    let mut wire = proxy.connect().await;
    wire.send(post(&call(id))).await;
    let Some(head) = soon(wire.try_head()).await else { return (0, Err(Vec::new())) };
    (head.status(), soon(wire.try_body(&head)).await)
}

/// The last event of a stream, as the message that it holds.
fn last(body: &[u8]) -> Vec<u8> {
    let text = str::from_utf8(body).unwrap();
    let event = text.strip_suffix("\n\n").expect("the last event is complete");
    let event = event.rsplit("\n\n").next().unwrap();
    event.strip_prefix("data: ").unwrap_or_else(|| panic!("{text:?}")).as_bytes().to_vec()
}

fn cut_json() -> Vec<u8> {
    let whole = answer("\"c\"");
    let (start, _) = whole.split_at(20);
    format!(
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{start}",
        whole.len()
    )
    .into_bytes()
}

/// Streams that break off at different places.
fn cut_streams() -> [(&'static str, Vec<u8>); 4] {
    let half = answer("\"c\"");
    let half = &half[..20];
    let whole = [STREAM.to_vec(), chunk(&progress(1))].concat();
    let with = |more: Vec<u8>| [whole.clone(), more].concat();
    [
        ("before the first event", STREAM.to_vec()),
        ("between events", whole.clone()),
        ("within an event", with(chunk(&format!("data: {half}")))),
        ("within a chunk", with(b"fff\r\ndata: {".to_vec())),
    ]
}

#[tokio::test]
async fn an_answer_in_json_that_breaks_off_is_replaced() {
    let upstream = Upstream::saying(cut_json()).await;
    let proxy = Proxy::before(upstream.address, &[]).await;
    let (status, body) = ask(&proxy, "\"c\"").await;
    assert_eq!(status, 502);
    assert_error(&body.unwrap(), "\"c\"", -32603);
    proxy.end().await;
}

#[tokio::test]
async fn a_stream_that_breaks_off_ends_with_an_error_and_is_whole() {
    for (case, said) in cut_streams() {
        let upstream = Upstream::saying(said).await;
        let proxy = Proxy::before(upstream.address, &[]).await;
        let (status, body) = ask(&proxy, "\"c\"").await;
        let body = body.unwrap_or_else(|body| panic!("{case}: {}", String::from_utf8_lossy(&body)));
        assert_eq!(status, 200, "{case}");
        assert_error(&last(&body), "\"c\"", -32603);
        assert_eq!(body.starts_with(progress(1).as_bytes()), case != "before the first event");
        proxy.end().await;
    }
}

#[tokio::test]
async fn a_stream_that_ends_without_its_answer_ends_with_an_error() {
    let said = [STREAM.to_vec(), chunk(&progress(1)), b"0\r\n\r\n".to_vec()].concat();
    let upstream = Upstream::saying(said).await;
    let proxy = Proxy::before(upstream.address, &[]).await;
    let (status, body) = ask(&proxy, "8").await;
    assert_eq!(status, 200);
    assert_error(&last(&body.unwrap()), "8", -32603);
    proxy.end().await;
}

#[tokio::test]
async fn a_stream_of_the_handshake_era_that_can_be_resumed_is_seen_to_break() {
    let event = format!("id: 1\n{}", progress(1));
    let upstream = Upstream::saying([STREAM.to_vec(), chunk(&event)].concat()).await;
    let proxy = Proxy::before(upstream.address, &[]).await;
    let (status, body) = ask(&proxy, "8").await;
    assert_eq!((status, body), (200, Err(event.into_bytes())));
    proxy.end().await;
}

#[tokio::test]
async fn in_observe_mode_the_client_sees_the_break() {
    for mode in ["observe", "off"] {
        let json = ("in JSON", cut_json());
        for (case, said) in cut_streams().into_iter().chain([json]) {
            let upstream = Upstream::saying(said).await;
            let proxy = Proxy::before(upstream.address, &["--mode", mode]).await;
            let (status, body) = ask(&proxy, "\"c\"").await;
            // It may break before the head has gone on.
            assert!(matches!(status, 0 | 200), "{mode} {case}: {status}");
            assert!(body.is_err(), "{mode} {case}: it looks whole");
            proxy.end().await;
        }
    }
}

#[tokio::test]
async fn a_body_that_stands_still_is_given_up() {
    let upstream = Upstream::start(|mut served| async move {
        served.request().await;
        served.wire.send(cut_json()).await;
        served.wire.closed().await;
    })
    .await;
    let start = std::time::Instant::now();
    let proxy = Proxy::before(upstream.address, &["--timeout", "1"]).await;
    let (status, body) = ask(&proxy, "\"c\"").await;
    assert_eq!(status, 502);
    assert_error(&body.unwrap(), "\"c\"", -32603);
    proxy.end().await;
    let proxy = Proxy::before(upstream.address, &["--timeout", "1", "--mode", "observe"]).await;
    assert!(ask(&proxy, "\"c\"").await.1.is_err());
    proxy.end().await;
    assert!(start.elapsed() < PATIENCE);
}

#[tokio::test]
async fn the_upstream_is_let_go_of_once_it_was_wrong() {
    let (gone, mut went) = tokio::sync::mpsc::unbounded_channel();
    let upstream = Upstream::start(move |mut served| {
        let gone = gone.clone();
        async move {
            served.request().await;
            served.wire.send([STREAM.to_vec(), chunk(&event(&answer("9")))].concat()).await;
            served.wire.closed().await;
            let _ = gone.send(());
        }
    })
    .await;
    let proxy = Proxy::before(upstream.address, &[]).await;
    let (status, body) = ask(&proxy, "8").await;
    assert_eq!(status, 200);
    assert_error(&last(&body.unwrap()), "8", -32603);
    soon(went.recv()).await.unwrap();
    proxy.end().await;
}
