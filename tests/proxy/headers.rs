//! Which headers and paths pass, and which do not.

use crate::support::{Proxy, Upstream, answer, call, post_with, reply};

#[tokio::test]
async fn headers_pass_both_ways_but_those_of_one_connection() {
    let mut upstream = Upstream::answering(|_| {
        let body = answer("1");
        let length = body.len();
        format!(
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\
             Mcp-Session-Id: s2\r\nX-Own: a\r\nX-Own: b\r\nConnection: keep-alive, X-Hop\r\n\
             X-Hop: 1\r\nKeep-Alive: timeout=5\r\nProxy-Authenticate: Basic\r\n\r\n{body}"
        )
        .into_bytes()
    })
    .await;
    for mode in ["gate", "observe", "off"] {
        let proxy = Proxy::before(upstream.address, &["--mode", mode]).await;
        let headers = "Authorization: Bearer abc\r\nMcp-Session-Id: s1\r\nLast-Event-ID: 7\r\n\
            X-Own: 1\r\nX-Own: 2\r\nConnection: keep-alive, X-Hop, Authorization\r\nX-Hop: 1\r\n\
            Keep-Alive: timeout=9\r\nTE: trailers\r\nProxy-Authorization: Basic x\r\n\
            Proxy-Connection: keep-alive\r\nUpgrade: websocket\r\nAccept-Encoding: gzip\r\n";
        let (head, _) = proxy.connect().await.ask(post_with(&call("1"), headers)).await;
        assert_eq!(head.status(), 200, "{mode}");
        assert_eq!(head.get("mcp-session-id"), Some("s2"));
        assert_eq!(head.all("x-own"), ["a", "b"]);
        for gone in ["x-hop", "keep-alive", "proxy-authenticate"] {
            assert_eq!(head.get(gone), None, "{mode} {gone}");
        }
        let seen = upstream.seen().await.head;
        assert_eq!(seen.get("authorization"), Some("Bearer abc"), "it cannot be listed away");
        assert_eq!(seen.get("mcp-session-id"), Some("s1"));
        assert_eq!(seen.get("last-event-id"), Some("7"));
        assert_eq!(seen.all("x-own"), ["1", "2"]);
        assert_eq!(seen.all("host"), [upstream.address.to_string()]);
        assert_eq!(seen.all("x-forwarded-host"), ["localhost"]);
        assert_eq!(seen.all("x-forwarded-for"), ["127.0.0.1"]);
        for gone in [
            "x-hop",
            "keep-alive",
            "te",
            "proxy-authorization",
            "proxy-connection",
            "upgrade",
            "accept-encoding",
        ] {
            assert_eq!(seen.get(gone), None, "{mode} {gone}");
        }
        assert_eq!(seen.all("content-length").len(), 1, "{mode}");
        proxy.end().await;
    }
}

#[tokio::test]
async fn who_may_come_in_is_said_by_the_upstream_itself() {
    let upstream = Upstream::answering(|_| {
        b"HTTP/1.1 401 Unauthorized\r\nContent-Type: application/json\r\nContent-Length: 16\r\n\
          WWW-Authenticate: Bearer resource_metadata=\"http://x/.well-known/y\"\r\n\r\n{\"error\":\"none\"}"
            [..]
            .to_vec()
    })
    .await;
    for mode in ["gate", "observe", "off"] {
        let proxy = Proxy::before(upstream.address, &["--mode", mode]).await;
        let mut wire = proxy.connect().await;
        wire.send(post_with(&call("1"), "")).await;
        let head = wire.head().await;
        assert_eq!(head.status(), 401, "{mode}");
        let challenge = "Bearer resource_metadata=\"http://x/.well-known/y\"";
        assert_eq!(head.get("www-authenticate"), Some(challenge));
        assert_eq!(wire.body(&head).await, b"{\"error\":\"none\"}");
        proxy.end().await;
    }
}

#[tokio::test]
async fn queries_and_odd_paths_are_kept() {
    let mut upstream = Upstream::answering(|_| reply(&answer("1"))).await;
    let proxy = Proxy::before(upstream.address, &["--pass", "/pass/"]).await;
    for path in [
        "/mcp?",
        "/mcp?a=1&b=%20%2F&c=a+b",
        "/mcp?x=/../y",
        "/pass/a/b:c=1/@41,d",
        "/pass/",
        "/pass/x?y",
    ] {
        let request = String::from_utf8(post_with(&call("1"), "")).unwrap();
        let request = request.replacen("/mcp", path, 1);
        let (head, _) = proxy.connect().await.ask(request).await;
        assert_eq!(head.status(), 200, "{path}");
        assert_eq!(upstream.seen().await.head.asked(), format!("POST {path}"));
    }
    proxy.end().await;
}

#[tokio::test]
async fn what_looks_like_a_passed_path_and_leads_elsewhere_is_not_forwarded() {
    let mut upstream = Upstream::answering(|_| reply(&answer("1"))).await;
    let proxy = Proxy::before(upstream.address, &["--pass", "/pass/"]).await;
    for path in [
        "/pass/../mcp",
        "/pass/./../mcp",
        "/pass/%2e%2e/mcp",
        "/pass/.%2E/mcp",
        "/pass/..%2fmcp",
        "/pass/..\\mcp",
        "/pass/%2e%2e%5Cmcp",
        "/pass/x/..",
    ] {
        let request = String::from_utf8(post_with("no message", "")).unwrap();
        let request = request.replacen("/mcp", path, 1);
        let (head, _) = proxy.connect().await.ask(request).await;
        assert!(matches!(head.status(), 400 | 404), "{path}: {}", head.status());
    }
    assert!(upstream.is_quiet());
    proxy.end().await;
}

#[tokio::test]
async fn the_endpoint_has_one_spelling() {
    let mut upstream = Upstream::answering(|_| reply(&answer("1"))).await;
    let proxy = Proxy::before(upstream.address, &[]).await;
    for path in ["/", "/mcp/", "/MCP", "//mcp", "/%6dcp", "/mcp;x", "/x/../mcp"] {
        let request = String::from_utf8(post_with("no message", "")).unwrap();
        let request = request.replacen("/mcp", path, 1);
        let (head, _) = proxy.connect().await.ask(request).await;
        assert_eq!(head.status(), 404, "{path}");
    }
    assert!(upstream.is_quiet());
    proxy.end().await;
}
