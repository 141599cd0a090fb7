//! Who may come in, and what the proxy answers itself.

use crate::support::{Proxy, Upstream, answer, call, post_with, reply};

async fn status(proxy: &Proxy, host: &str, origin: Option<&str>) -> u16 {
    let origin = origin.map(|origin| format!("Origin: {origin}\r\n")).unwrap_or_default();
    let request = String::from_utf8(post_with(&call("1"), &origin)).unwrap();
    let request = request.replacen("Host: localhost", &format!("Host: {host}"), 1);
    proxy.connect().await.ask(request).await.0.status()
}

#[tokio::test]
async fn other_hosts_and_origins_are_forbidden_unless_they_are_allowed() {
    let upstream = Upstream::answering(|_| reply(&answer("1"))).await;
    let proxy = Proxy::before(upstream.address, &[]).await;
    assert_eq!(status(&proxy, "localhost:80", Some("http://localhost:5173")).await, 200);
    assert_eq!(status(&proxy, "evil.example", None).await, 403);
    assert_eq!(status(&proxy, "localhost", Some("http://evil.example")).await, 403);
    assert_eq!(status(&proxy, "localhost", Some("null")).await, 403);
    assert_eq!(proxy.metric("mcparse_foreign_requests_total").await, 3);
    assert_eq!(upstream.connections(), 1);
    proxy.end().await;
    let allowed = ["--allow-host", "gw.example", "--allow-origin", "https://app.example"];
    let proxy = Proxy::before(upstream.address, &allowed).await;
    assert_eq!(status(&proxy, "gw.example", Some("https://app.example")).await, 200);
    assert_eq!(status(&proxy, "localhost", Some("http://127.0.0.1")).await, 200);
    assert_eq!(status(&proxy, "gw.example.evil.example", None).await, 403);
    assert_eq!(status(&proxy, "gw.example", Some("https://app.example.evil")).await, 403);
    proxy.end().await;
}

#[tokio::test]
async fn another_host_in_the_request_line_is_forbidden_too() {
    let mut upstream = Upstream::answering(|_| reply(&answer("1"))).await;
    let proxy = Proxy::before(upstream.address, &[]).await;
    let request = String::from_utf8(post_with(&call("1"), "")).unwrap();
    let foreign = request.replacen("/mcp", "http://evil.example/mcp", 1);
    assert_eq!(proxy.connect().await.ask(foreign).await.0.status(), 403);
    let own = request.replacen("/mcp", "http://localhost/mcp", 1);
    assert_eq!(proxy.connect().await.ask(own).await.0.status(), 200);
    assert_eq!(upstream.seen().await.head.asked(), "POST /mcp");
    assert!(upstream.is_quiet());
    proxy.end().await;
}

#[tokio::test]
async fn health_and_unknown_paths_are_the_proxys_own() {
    let mut upstream = Upstream::answering(|_| reply(&answer("1"))).await;
    let proxy = Proxy::before(upstream.address, &[]).await;
    assert_eq!(proxy.get("/healthz").await, "ok\n");
    let ask = async |line: &str| {
        let request = format!("{line} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n");
        proxy.connect().await.ask(request).await.0
    };
    assert_eq!(ask("GET /nothing").await.status(), 404);
    let head = ask("POST /healthz").await;
    assert_eq!((head.status(), head.get("allow")), (405, Some("GET, HEAD")));
    assert_eq!(ask("TRACE /mcp").await.status(), 501);
    assert!(ask("CONNECT localhost:80").await.status() >= 400);
    assert!(ask("OPTIONS *").await.status() >= 400);
    assert!(upstream.is_quiet());
    proxy.end().await;
}
