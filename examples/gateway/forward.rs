//! Where a message goes.

use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use mcparse::{ErrorCode, Message, Method, Request, Sender, Validator, error_response};

use crate::upstream::Upstream;
use crate::{POLICY, lists};

/// Handles what the layer has let through.
pub(crate) async fn forward(
    State(servers): State<Arc<Vec<Upstream>>>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    // The layer has judged it, and keeps a summary; to splice it, it is read once more.
    let mut validator = Validator::new(POLICY);
    let Ok(message) = validator.check(Sender::Client, &body) else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let Message::Request(request) = message else {
        // No notification of a client has a meaning here.
        return StatusCode::ACCEPTED.into_response();
    };
    match Method::from_text(request.method()) {
        Some(Method::ServerDiscover) => json(StatusCode::OK, lists::discovered(&request)),
        Some(Method::ToolsList) => lists::tools(&servers, &request, &headers, &body).await,
        Some(Method::ToolsCall) => call(&servers, &message, &request, headers).await,
        _ => failure(&request, StatusCode::NOT_FOUND, ErrorCode::METHOD_NOT_FOUND, "not here"),
    }
}

/// Sends a call to the server whose prefix the tool's name has, and takes that off.
async fn call(
    servers: &[Upstream],
    message: &Message<'_>,
    request: &Request<'_>,
    mut headers: HeaderMap,
) -> Response {
    let name = request.name().map(|name| name.decode().into_owned()).unwrap_or_default();
    let Some(server) = servers.iter().find(|server| name.starts_with(&server.prefix)) else {
        let text = "no server here has a tool of that name";
        return failure(request, StatusCode::OK, ErrorCode::INVALID_PARAMS, text);
    };
    let rewrite = message.rewrite().without_name_prefix(&server.prefix);
    let mut new = Vec::new();
    let (Ok(slices), Some(mirror)) = (rewrite.slices(&mut new), rewrite.name_header()) else {
        let text = "the name cannot be changed";
        return failure(request, StatusCode::OK, ErrorCode::INVALID_PARAMS, text);
    };
    let Ok(mirror) = HeaderValue::from_str(&mirror.to_string()) else {
        return failure(request, StatusCode::OK, ErrorCode::INVALID_PARAMS, "no such name");
    };
    let mut sent = Vec::new();
    slices.write(&mut sent);
    headers.insert("mcp-name", mirror);
    match server.ask(&headers, sent.into()).await {
        Ok(response) => response.map(Body::new),
        Err(_) => unreachable(request),
    }
}

/// The answer if a server cannot be asked.
pub(crate) fn unreachable(request: &Request<'_>) -> Response {
    let text = "the server behind the gateway cannot be reached";
    failure(request, StatusCode::BAD_GATEWAY, ErrorCode::INTERNAL_ERROR, text)
}

fn failure(request: &Request<'_>, status: StatusCode, code: ErrorCode, text: &str) -> Response {
    let mut out = Vec::new();
    error_response(&mut out, request.id().into(), code, text);
    json(status, out)
}

pub(crate) fn json(status: StatusCode, body: Vec<u8>) -> Response {
    (status, [(header::CONTENT_TYPE, "application/json")], body).into_response()
}
