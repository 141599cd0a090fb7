//! HTTP: a POST for each message, answered with JSON, or with a stream of events
//! where the work takes its time ([Streamable HTTP]).
//!
//! Encryption, and how many may connect, is left to what stands in front of it.
//!
//! [Streamable HTTP]: https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::header::{AUTHORIZATION, CACHE_CONTROL, CONTENT_TYPE, HOST, WWW_AUTHENTICATE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use futures_util::stream;
use mcparse::{Message, RequestHead};
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio::time::timeout;

use crate::access::Access;
use crate::answer::{Answer, Work};
use crate::closing::closed;
use crate::judge::Judge;
use crate::service::Service;

/// How long a stream is silent before a comment shows that it is still there.
const KEEP_ALIVE: Duration = Duration::from_secs(15);
/// How long a body may take to come.
const BODY: Duration = Duration::from_secs(30);

struct Replica {
    service: Service,
    judge: Arc<Judge>,
    access: Arc<Access>,
    /// What may stand in `Host`: a page of elsewhere whose name was made to point
    /// here is not served.
    hosts: Vec<String>,
}

/// Binds all addresses, before anything is served.
pub(crate) async fn bind(addresses: &[SocketAddr]) -> io::Result<Vec<TcpListener>> {
    let mut listeners = Vec::new();
    for address in addresses {
        listeners.push(TcpListener::bind(address).await?);
    }
    Ok(listeners)
}

/// What the listeners are reached by, from the machine itself.
pub(crate) fn addresses(listeners: &[TcpListener]) -> Vec<String> {
    let bound = listeners.iter().filter_map(|listener| listener.local_addr().ok());
    bound.flat_map(|at| [at.to_string(), format!("localhost:{}", at.port())]).collect()
}

/// Serves one replica until it is closing: then nobody is let in any more, and what is
/// at work is waited for.
pub(crate) async fn serve(
    listener: TcpListener,
    service: Service,
    judge: Arc<Judge>,
    access: Arc<Access>,
) -> io::Result<()> {
    let address = listener.local_addr()?;
    eprintln!("listening on http://{address}/mcp");
    let hosts = addresses(std::slice::from_ref(&listener));
    let mut closing = service.closing();
    let replica = Arc::new(Replica { service, judge, access, hosts });
    // What is no POST is answered with 405, what is elsewhere with 404.
    let router = Router::new().route("/mcp", post(receive)).with_state(replica);
    let closed = async move { closed(&mut closing).await };
    axum::serve(listener, router).with_graceful_shutdown(closed).await
}

async fn receive(State(replica): State<Arc<Replica>>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    let host = head.headers.get(HOST).and_then(|host| host.to_str().ok());
    if host.is_some_and(|host| !replica.hosts.iter().any(|own| own == host)) {
        return StatusCode::FORBIDDEN.into_response();
    }
    let body = match timeout(BODY, to_bytes(body, replica.judge.most_bytes())).await {
        Ok(Ok(body)) => body,
        Ok(Err(_)) => return StatusCode::PAYLOAD_TOO_LARGE.into_response(),
        Err(_) => return StatusCode::REQUEST_TIMEOUT.into_response(),
    };

    let judged = RequestHead::from_http(&head.method, &head.headers)
        .with_param_headers(replica.service.param_headers());
    let request = match replica.judge.check_http(&judged, &body) {
        Ok(Message::Request(request)) => request,
        Ok(Message::Notification(_) | Message::Response(_)) => {
            return StatusCode::ACCEPTED.into_response();
        }
        Err(violation) => {
            let mut reply = Vec::new();
            violation.write_reply(&mut reply);
            return answered(violation.http_status(), reply);
        }
    };
    // Who asks is looked at last before the operation, and every time.
    let Some(owner) = replica.access.owner(token(&head.headers)) else {
        let challenge = [(WWW_AUTHENTICATE, "Bearer")];
        return (StatusCode::UNAUTHORIZED, challenge).into_response();
    };
    match replica.service.answer(request, &owner) {
        Ok(Answer::Now(answer)) => answered(200, answer),
        Ok(Answer::Later(work)) => streamed(work),
        Err(failure) => answered(failure.status(), failure.write(&request)),
    }
}

fn token(headers: &HeaderMap) -> Option<&str> {
    Access::bearer(headers.get(AUTHORIZATION)?.to_str().ok()?)
}

/// One message as the body, or none.
fn answered(status: u16, message: Vec<u8>) -> Response {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    if message.is_empty() {
        return status.into_response();
    }
    (status, [(CONTENT_TYPE, "application/json")], message).into_response()
}

/// A stream of events. Once the client closes it, it is dropped, and with it the
/// channel, which ends the work.
fn streamed(work: Work) -> Response {
    let (out, messages) = mpsc::channel(1);
    tokio::spawn(work.run(out));
    let events = stream::unfold(messages, |mut messages| async {
        let event = match timeout(KEEP_ALIVE, messages.recv()).await {
            // What the crate composes is one line, and so one event.
            Ok(message) => [b"data: ", &*message?, b"\n\n"].concat(),
            Err(_) => b":\n\n".to_vec(),
        };
        Some((Ok::<_, Infallible>(Bytes::from(event)), messages))
    });
    let headers = [
        (CONTENT_TYPE.as_str(), "text/event-stream"),
        (CACHE_CONTROL.as_str(), "no-store"),
        ("x-accel-buffering", "no"),
    ];
    (headers, Body::from_stream(events)).into_response()
}
