//! The stage of the transport: the head alone.

use crate::case::{Case, case};
use crate::exchange::Exchange;

const ORIGINS: &[&str] = &["https://app.example"];

pub(crate) fn cases() -> Vec<Case> {
    let call = Exchange::call;
    let listed = || call().under(|policy| policy.with_origins(ORIGINS));
    let legacy = || Exchange::legacy_call("2025-06-18");
    vec![
        case("http-method", Exchange { http: Some("GET"), ..call() }, call()).status(405),
        case("http-method", Exchange { http: Some("post"), ..legacy() }, legacy()).status(405),
        case(
            "origin",
            listed().header("Origin", "https://app.example.evil.test"),
            listed().header("Origin", "https://app.example"),
        )
        .status(403),
        case("origin", listed().header("Origin", "null"), listed()).status(403),
        case(
            "content-type",
            call().header("Content-Type", "text/plain; x=application/json"),
            call().header("Content-Type", "Application/JSON; charset=utf-8"),
        )
        .status(415),
        case("content-type", legacy().without("Content-Type"), legacy()).status(415),
        case(
            "content-encoding",
            call().header("Content-Encoding", "gzip"),
            call().header("Content-Encoding", "identity"),
        )
        .status(415),
        case(
            "accept",
            call().header("Accept", "application/json"),
            call().header("Accept", "application/*, text/event-stream;q=0.1"),
        )
        .status(406),
        case("session-id-modern", call().header("Mcp-Session-Id", "s"), legacy()),
        case(
            "last-event-id-modern",
            call().header("Last-Event-ID", "1"),
            legacy().header("Last-Event-ID", "1"),
        ),
    ]
}
