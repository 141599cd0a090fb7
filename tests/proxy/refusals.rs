//! What is refused: what the client is told, what is logged and what is counted.

use crate::support::messages::assert_error;
use crate::support::{Proxy, Upstream, answer, call, post, post_with, reply};

#[tokio::test]
async fn a_refused_request_is_answered_logged_and_counted_and_goes_nowhere() {
    let mut upstream = Upstream::answering(|_| reply(&answer("1"))).await;
    let proxy = Proxy::before(upstream.address, &[]).await;
    let mut wire = proxy.connect().await;
    for (body, rule, id, code) in [
        ("{\"jsonrpc\":\"2.0\",\"id\":1", "not-json", "null", -32700),
        (
            "{\"jsonrpc\":\"1.0\",\"id\":\"a\",\"method\":\"ping\"}",
            "jsonrpc-version",
            "\"a\"",
            -32600,
        ),
    ] {
        let (head, told) = wire.ask(post(body)).await;
        assert_eq!(head.status(), 400, "{rule}");
        assert_eq!(head.get("content-type"), Some("application/json"), "{rule}");
        if id == "null" {
            let text = String::from_utf8_lossy(&told).into_owned();
            assert!(text.contains(&code.to_string()), "{text}");
        } else {
            assert_error(&told, id, code);
        }
        let line = proxy.refusal(rule).await;
        assert_eq!((&line["direction"], &line["outcome"]), (&"c2s".into(), &"answered".into()));
        assert_eq!((line["code"].as_i64(), line["status"].as_i64()), (Some(code), Some(400)));
        let name =
            format!("mcparse_rule_total{{sender=\"client\",rule=\"{rule}\",action=\"refused\"}}");
        assert_eq!(proxy.metric(&name).await, 1, "{rule}");
    }
    // The connection goes on.
    assert_eq!(wire.ask(post(&call("1"))).await.0.status(), 200);
    assert_eq!(upstream.seen().await.body, call("1").as_bytes());
    assert!(upstream.is_quiet());
    proxy.end().await;
}

#[tokio::test]
async fn an_encoded_request_is_refused_and_told_why() {
    let mut upstream = Upstream::answering(|_| reply(&answer("1"))).await;
    let proxy = Proxy::before(upstream.address, &[]).await;
    let request = post_with(&call("1"), "Content-Encoding: gzip\r\n");
    let (head, told) = proxy.connect().await.ask(request).await;
    assert_eq!(head.status(), 415);
    assert!(String::from_utf8_lossy(&told).to_lowercase().contains("encod"), "{told:?}");
    assert!(upstream.is_quiet());
    proxy.end().await;
}

#[tokio::test]
async fn where_only_modern_revisions_are_served_get_and_delete_are_not_allowed() {
    let file = std::env::temp_dir().join(format!("mcparse-proxy-{}.toml", std::process::id()));
    std::fs::write(&file, "revisions = [\"2026-07-28\"]\n").unwrap();
    let mut upstream = Upstream::answering(|_| reply(&answer("1"))).await;
    let proxy = Proxy::before(upstream.address, &["--policy", file.to_str().unwrap()]).await;
    std::fs::remove_file(&file).unwrap();
    for method in ["GET", "DELETE", "PUT"] {
        let request = format!(
            "{method} /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n"
        );
        let (head, _) = proxy.connect().await.ask(request).await;
        assert_eq!((head.status(), head.get("allow")), (405, Some("POST")), "{method}");
    }
    assert!(upstream.is_quiet());
    proxy.end().await;
}

#[tokio::test]
async fn a_message_that_is_too_long_is_refused_and_one_that_is_not_passes() {
    use crate::support::messages::{call_with, post_chunked};
    let most = 4 << 20;
    let mut upstream = Upstream::answering(|_| reply(&answer("1"))).await;
    let proxy = Proxy::before(upstream.address, &[]).await;
    let longest = call_with("1", &"x".repeat(most - call_with("1", "").len()));
    assert_eq!(longest.len(), most);
    for request in [post(&longest), post_chunked(&longest, 60_000)] {
        let (head, _) = proxy.connect().await.ask(request).await;
        assert_eq!(head.status(), 200);
        assert_eq!(upstream.seen().await.body.len(), most);
    }
    let longer = longest + " ";
    for request in [post(&longer), post_chunked(&longer, 60_000)] {
        let mut wire = proxy.connect().await;
        // It may be refused before it has come.
        wire.try_send(request).await;
        assert_eq!(wire.head().await.status(), 413);
    }
    assert!(upstream.is_quiet());
    proxy.end().await;
}
