//! Which headers do not go on: those of one connection ([RFC 9110, section 7.6.1]).
//!
//! [RFC 9110, section 7.6.1]: https://www.rfc-editor.org/rfc/rfc9110#section-7.6.1

use std::net::IpAddr;

use http::header::{
    ACCEPT_ENCODING, CONNECTION, COOKIE, EXPECT, HOST, HeaderName, ORIGIN, PROXY_AUTHENTICATE,
    PROXY_AUTHORIZATION, TE, TRAILER, TRANSFER_ENCODING, UPGRADE, VIA,
};
use http::uri::Authority;
use http::{HeaderMap, HeaderValue, Version};

const OF_CONNECTION: [HeaderName; 9] = [
    CONNECTION,
    HeaderName::from_static("keep-alive"),
    HeaderName::from_static("proxy-connection"),
    PROXY_AUTHENTICATE,
    PROXY_AUTHORIZATION,
    TE,
    TRAILER,
    TRANSFER_ENCODING,
    UPGRADE,
];
const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
const FORWARDED_HOST: HeaderName = HeaderName::from_static("x-forwarded-host");

/// Takes out what is of this connection, whatever `Connection` lists among it.
pub(super) fn end_to_end(headers: &mut HeaderMap) {
    let listed: Vec<HeaderName> = headers
        .get_all(CONNECTION)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .filter_map(|name| name.trim().parse().ok())
        .collect();
    // What a message is judged by cannot be listed away.
    let is_judged = |name: &HeaderName| {
        let name = name.as_str();
        name.starts_with("mcp-")
            || matches!(
                name,
                "content-type" | "content-length" | "host" | "origin" | "authorization"
            )
    };
    for name in listed.iter().filter(|name| !is_judged(name)).chain(&OF_CONNECTION) {
        headers.remove(name);
    }
}

/// Makes the headers of a request, which came as `version`, those that the upstream gets.
pub(super) fn towards(
    headers: &mut HeaderMap,
    version: Version,
    upstream: &Authority,
    client: IpAddr,
) {
    end_to_end(headers);
    join_cookies(headers);
    // A gateway must say that it was there (RFC 9110, section 7.6.3).
    headers.append(VIA, via(version));
    // An answer that is encoded cannot be judged; and that the body may come has been said.
    headers.remove(ACCEPT_ENCODING);
    headers.remove(EXPECT);
    if let Some(host) = headers.remove(HOST) {
        own_origin(headers, &host, upstream);
        headers.entry(FORWARDED_HOST).or_insert(host);
    }
    if let Ok(host) = HeaderValue::from_str(upstream.as_str()) {
        headers.insert(HOST, host);
    }
    if let Ok(client) = HeaderValue::from_str(&client.to_string()) {
        headers.append(FORWARDED_FOR, client);
    }
}

/// A page that the proxy itself has sent is the upstream's own: what was of one origin
/// with `host` still is, now that `Host` says another name.
fn own_origin(headers: &mut HeaderMap, host: &HeaderValue, upstream: &Authority) {
    let origin = headers.get(ORIGIN).map(HeaderValue::as_bytes);
    let named = origin.and_then(|origin| origin.strip_prefix(b"http://"));
    if named.is_some_and(|named| named.eq_ignore_ascii_case(host.as_bytes()))
        && let Ok(own) = HeaderValue::try_from(format!("http://{upstream}"))
    {
        headers.insert(ORIGIN, own);
    }
}

/// HTTP/2 lets a client send a header for each cookie; elsewhere there is one
/// for all ([RFC 9113, section 8.2.3]).
///
/// [RFC 9113, section 8.2.3]: https://www.rfc-editor.org/rfc/rfc9113#section-8.2.3
fn join_cookies(headers: &mut HeaderMap) {
    let crumbs: Vec<_> = headers.get_all(COOKIE).iter().map(HeaderValue::as_bytes).collect();
    if crumbs.len() < 2 {
        return;
    }
    if let Ok(all) = HeaderValue::from_bytes(&crumbs.join(&b"; "[..])) {
        headers.insert(COOKIE, all);
    }
}

/// What says that a request came through here, and by which protocol.
const fn via(version: Version) -> HeaderValue {
    HeaderValue::from_static(match version {
        Version::HTTP_10 => "1.0 mcparse",
        Version::HTTP_2 => "2 mcparse",
        _ => "1.1 mcparse",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(pairs: &[(&'static str, &str)]) -> HeaderMap {
        let pair = |&(name, value): &(&'static str, &str)| {
            (HeaderName::from_static(name), HeaderValue::from_str(value).unwrap())
        };
        pairs.iter().map(pair).collect()
    }

    #[test]
    fn what_is_of_one_connection_stays_there() {
        let mut headers = map(&[
            ("connection", "close, X-Hop ,mcp-method"),
            ("x-hop", "1"),
            ("keep-alive", "5"),
            ("te", "trailers"),
            ("transfer-encoding", "chunked"),
            ("upgrade", "h2c"),
            ("mcp-method", "ping"),
            ("x-end", "1"),
        ]);
        end_to_end(&mut headers);
        assert_eq!(headers, map(&[("mcp-method", "ping"), ("x-end", "1")]));
    }

    #[test]
    fn the_upstream_is_told_its_own_name_and_whom_it_answers() {
        let mut headers = map(&[
            ("host", "localhost:8080"),
            ("accept-encoding", "gzip"),
            ("expect", "100-continue"),
            ("x-forwarded-for", "10.0.0.1"),
            ("origin", "http://Localhost:8080"),
        ]);
        let upstream = Authority::from_static("127.0.0.1:3000");
        towards(&mut headers, Version::HTTP_2, &upstream, [127, 0, 0, 1].into());
        assert_eq!(headers["host"], "127.0.0.1:3000");
        assert_eq!(headers["x-forwarded-host"], "localhost:8080");
        assert_eq!(headers["origin"], "http://127.0.0.1:3000");
        let chain: Vec<_> = headers.get_all("x-forwarded-for").iter().collect();
        assert_eq!(chain, ["10.0.0.1", "127.0.0.1"]);
        assert_eq!(headers["via"], "2 mcparse");
        assert_eq!(headers.len(), 6);
    }

    #[test]
    fn another_origin_stays_what_it_is() {
        let upstream = Authority::from_static("127.0.0.1:3000");
        for origin in
            ["http://localhost:5173", "https://localhost:8080", "null", "http://localhost"]
        {
            let mut headers = map(&[("host", "localhost:8080"), ("origin", origin)]);
            towards(&mut headers, Version::HTTP_11, &upstream, [127, 0, 0, 1].into());
            assert_eq!(headers["origin"], origin);
        }
    }

    #[test]
    fn the_cookies_of_http_2_become_one_header() {
        let upstream = Authority::from_static("127.0.0.1:3000");
        for (cookies, joined) in [(&["a=1", "b=2", "c=3"][..], "a=1; b=2; c=3"), (&["a=1"], "a=1")]
        {
            let pairs: Vec<_> = cookies.iter().map(|&cookie| ("cookie", cookie)).collect();
            let mut headers = map(&pairs);
            towards(&mut headers, Version::HTTP_2, &upstream, [127, 0, 0, 1].into());
            assert_eq!(headers.get_all("cookie").iter().collect::<Vec<_>>(), [joined]);
        }
    }
}
