//! What the gateway itself answers: who it is, and the tools of all servers behind it.

use axum::body::Bytes;
use axum::response::Response;
use http::{HeaderMap, StatusCode};
use http_body_util::{BodyExt, Limited};
use mcparse::compose::{CacheScope, Implementation, Object, RawJson, Server, member};
use mcparse::{Message, Method, Request, RevisionSet, Validator};
use serde_json::{Map, Value};

use crate::POLICY;
use crate::forward::{json, unreachable};
use crate::upstream::Upstream;

const SERVER: Server<'static> =
    Server::new(Implementation::new("gateway", env!("CARGO_PKG_VERSION")));

/// The longest list of one server, in bytes.
const MOST_LIST: usize = 4 << 20;

/// The answer to `server/discover`.
pub(crate) fn discovered(request: &Request<'_>) -> Vec<u8> {
    let capabilities = [member("tools", Object::EMPTY)];
    let mut out = Vec::new();
    SERVER
        .with_capabilities(&capabilities)
        .discover_result(request.id(), RevisionSet::MODERN)
        .with_cache(300_000, CacheScope::Public)
        .write(&mut out);
    out
}

/// The answer to `tools/list`: the first page of each server's, one behind the other.
///
/// What may be kept, and for how long, is what the strictest of them says.
pub(crate) async fn tools(
    servers: &[Upstream],
    request: &Request<'_>,
    headers: &HeaderMap,
    body: &Bytes,
) -> Response {
    let (mut all, mut ttl, mut is_public) = (Vec::new(), u64::MAX, true);
    for server in servers {
        let Some(mut list) = list(server, headers, body).await else { return unreachable(request) };
        ttl = ttl.min(list.get("ttlMs").and_then(Value::as_u64).unwrap_or(0));
        is_public &= list.get("cacheScope").is_some_and(|scope| scope == "public");
        let Some(Value::Array(tools)) = list.remove("tools") else { return unreachable(request) };
        all.extend(tools.into_iter().map(|tool| named(tool, &server.prefix)));
    }
    let tools = Value::Array(all).to_string();
    let Ok(tools) = RawJson::new(&tools) else { return unreachable(request) };
    let scope = if is_public { CacheScope::Public } else { CacheScope::Private };
    let mut out = Vec::new();
    SERVER
        .result(request.id(), Method::ToolsList)
        .with_members(&[member("tools", tools)])
        .with_cache(if servers.is_empty() { 0 } else { ttl }, scope)
        .write(&mut out);
    json(StatusCode::OK, out)
}

/// The tool under the name that it has here.
fn named(mut tool: Value, prefix: &str) -> Value {
    if let Some(Value::String(name)) = tool.get_mut("name") {
        name.insert_str(0, prefix);
    }
    tool
}

/// The result of one server, if its answer is one.
async fn list(server: &Upstream, headers: &HeaderMap, body: &Bytes) -> Option<Map<String, Value>> {
    let mut validator = Validator::new(POLICY);
    let asked = validator.check(mcparse::Sender::Client, body).ok()?.summary();
    let response = server.ask(headers, body.clone()).await.ok()?;
    let answer = Limited::new(response.into_body(), MOST_LIST).collect().await.ok()?.to_bytes();
    match validator.check_answer(&asked, &answer) {
        Ok(Message::Response(response)) => serde_json::from_slice(response.result()?).ok(),
        _ => None,
    }
}
