//! HTTP/2 with prior knowledge: the same verdicts as over HTTP/1.1.

use std::convert::Infallible;

use http::{Request, header};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full, StreamBody};
use hyper::body::{Bytes, Frame};
use hyper::client::conn::http2::{SendRequest, handshake};
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::net::TcpStream;

use crate::support::messages::{STREAM, chunk, progress};
use crate::support::{Proxy, Upstream, answer, call, post, reply, soon};

type Sending = SendRequest<BoxBody<Bytes, Infallible>>;

async fn connect(proxy: &Proxy) -> Sending {
    let stream = soon(TcpStream::connect(proxy.address())).await.unwrap();
    let (sending, connection) =
        soon(handshake(TokioExecutor::new(), TokioIo::new(stream))).await.unwrap();
    tokio::spawn(connection);
    sending
}

fn request(
    body: BoxBody<Bytes, Infallible>,
    authority: &str,
) -> Request<BoxBody<Bytes, Infallible>> {
    Request::post(format!("http://{authority}/mcp"))
        .header(header::CONTENT_TYPE, "application/json")
        .header(header::ACCEPT, "application/json, text/event-stream")
        .header(header::COOKIE, "a=1")
        .header(header::COOKIE, "b=2")
        .body(body)
        .unwrap()
}

fn whole(text: &str) -> BoxBody<Bytes, Infallible> {
    Full::new(Bytes::copy_from_slice(text.as_bytes())).boxed()
}

fn pieces(text: &str) -> BoxBody<Bytes, Infallible> {
    let pieces: Vec<_> = text
        .as_bytes()
        .chunks(7)
        .map(|piece| Ok(Frame::data(Bytes::copy_from_slice(piece))))
        .collect();
    BodyExt::boxed(StreamBody::new(futures_util::stream::iter(pieces)))
}

async fn ask(sending: &mut Sending, body: BoxBody<Bytes, Infallible>) -> (u16, Vec<u8>) {
    let response = soon(sending.send_request(request(body, "localhost"))).await.unwrap();
    let status = response.status().as_u16();
    let body = soon(response.into_body().collect()).await.unwrap().to_bytes();
    (status, body.to_vec())
}

#[tokio::test]
async fn verdicts_are_those_of_http_1() {
    let mut upstream = Upstream::answering(|_| reply(&answer("1"))).await;
    for mode in ["gate", "observe", "off"] {
        let proxy = Proxy::before(upstream.address, &["--mode", mode]).await;
        let mut sending = connect(&proxy).await;
        let mut wire = proxy.connect().await;
        for body in [
            &*call("1"),
            "{\"jsonrpc\":\"2.0\",\"id\":1",
            "[]",
            "{\"jsonrpc\":\"1.0\",\"id\":\"a\",\"method\":\"ping\"}",
            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}",
            &call("\"2\""),
            &call(&format!("\"{}\"", "x".repeat(3000))),
        ] {
            let (head, told) = wire.ask(post(body)).await;
            let expected = (head.status(), told);
            assert_eq!(ask(&mut sending, whole(body)).await, expected, "{mode} {body}");
            assert_eq!(ask(&mut sending, pieces(body)).await, expected, "{mode} {body}");
        }
        let response = soon(sending.send_request(request(whole(&call("1")), "evil.example"))).await;
        assert_eq!(response.unwrap().status(), 403);
        proxy.end().await;
    }
    let mut of_http_2 = None;
    while let Ok(seen) = tokio::time::timeout(std::time::Duration::ZERO, upstream.seen()).await {
        of_http_2 = of_http_2.or_else(|| seen.head.get("cookie").map(|_| seen.head.clone()));
    }
    let head = of_http_2.expect("one came by HTTP/2");
    assert_eq!(head.all("cookie"), ["a=1; b=2"], "HTTP/1.1 has one line of them");
    assert_eq!(head.all("host"), [upstream.address.to_string()]);
    assert!(head.first.ends_with("HTTP/1.1"));
}

#[tokio::test]
async fn many_requests_share_a_connection_and_streams_do_not_wait_for_each_other() {
    let upstream = Upstream::start(|mut served| async move {
        while let Some(seen) = served.request().await {
            if String::from_utf8_lossy(&seen.body).contains("\"id\":1,") {
                served.wire.send([STREAM.to_vec(), chunk(&progress(1))].concat()).await;
                served.wire.closed().await;
                return;
            }
            served.wire.send(reply(&answer("2"))).await;
        }
    })
    .await;
    let proxy = Proxy::before(upstream.address, &[]).await;
    let mut sending = connect(&proxy).await;
    let streaming = soon(sending.send_request(request(whole(&call("1")), "localhost"))).await;
    let mut streaming = streaming.unwrap().into_body();
    let first = soon(streaming.frame()).await.unwrap().unwrap();
    assert_eq!(first.into_data().unwrap(), progress(1));
    for _ in 0..50 {
        assert_eq!(ask(&mut sending, whole(&call("2"))).await, (200, answer("2").into_bytes()));
    }
    drop(streaming);
    assert_eq!(proxy.metric("mcparse_connections_total").await, 2);
    proxy.end().await;
}
