//! A server for load tests: answers every call of a tool with the same result, under the id of the
//! request. `small` is some 200 bytes, `large` 64 KiB of text, `events` three notifications and
//! a small answer. It reads only what it must, on one thread.

use std::convert::Infallible;

use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;

const META: &str =
    r#""_meta":{"io.modelcontextprotocol/serverInfo":{"name":"load","version":"1"}}"#;
const PROGRESS: &str = concat!(
    r#"data: {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"at work"}}"#,
    "\n\n"
);

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let address = std::env::args().nth(1).unwrap_or_else(|| "127.0.0.1:0".to_owned());
    let listener = TcpListener::bind(&address).await.expect("an address to listen on");
    println!("{}", listener.local_addr().expect("an address"));
    let large: &'static str = "All work and no play makes Jack a dull boy. ".repeat(1490).leak();
    loop {
        let Ok((stream, _)) = listener.accept().await else { continue };
        let _ = stream.set_nodelay(true);
        let service = service_fn(move |request| answer(request, large));
        tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), service));
    }
}

async fn answer(
    request: Request<Incoming>,
    large: &'static str,
) -> Result<Response<Full<Bytes>>, Infallible> {
    let body = request.into_body().collect().await.map(|body| body.to_bytes()).unwrap_or_default();
    let id = between(&body, br#""id":"#, b",").unwrap_or(b"0");
    let name = between(&body, br#""name":""#, b"\"").unwrap_or_default();
    let id = String::from_utf8_lossy(id);
    let text = if name == b"large" { large } else { "done" };
    let answer = format!(
        r#"{{"jsonrpc":"2.0","id":{id},"result":{{"resultType":"complete","content":[{{"type":"text","text":"{text}"}}],{META}}}}}"#
    );
    let (kind, body) = if name == b"events" {
        ("text/event-stream", format!("{PROGRESS}{PROGRESS}{PROGRESS}data: {answer}\n\n"))
    } else {
        ("application/json", answer)
    };
    let mut response = Response::new(Full::new(Bytes::from(body)));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    response.headers_mut().insert("x-accel-buffering", HeaderValue::from_static("no"));
    Ok(response)
}

/// What stands between the first `start` and the next `end`.
fn between<'b>(body: &'b [u8], start: &[u8], end: &[u8]) -> Option<&'b [u8]> {
    let from = memchr::memmem::find(body, start)? + start.len();
    let to = memchr::memmem::find(&body[from..], end)?;
    Some(&body[from..from + to])
}
