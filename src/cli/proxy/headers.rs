//! Which headers do not go on: those of one connection ([RFC 9110, section 7.6.1]).
//!
//! [RFC 9110, section 7.6.1]: https://www.rfc-editor.org/rfc/rfc9110#section-7.6.1

use std::net::IpAddr;

use http::header::{
    ACCEPT_ENCODING, CONNECTION, COOKIE, EXPECT, HOST, HeaderName, PROXY_AUTHENTICATE,
    PROXY_AUTHORIZATION, TE, TRAILER, TRANSFER_ENCODING, UPGRADE,
};
use http::uri::Authority;
use http::{HeaderMap, HeaderValue};

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

/// Makes the headers of a request those that the upstream gets.
pub(super) fn towards(headers: &mut HeaderMap, upstream: &Authority, client: IpAddr) {
    end_to_end(headers);
    // An answer that is encoded cannot be judged; and that the body may come has been said.
    headers.remove(ACCEPT_ENCODING);
    headers.remove(EXPECT);
    join_cookies(headers);
    if let Some(host) = headers.remove(HOST) {
        headers.entry(FORWARDED_HOST).or_insert(host);
    }
    if let Ok(host) = HeaderValue::from_str(upstream.as_str()) {
        headers.insert(HOST, host);
    }
    if let Ok(client) = HeaderValue::from_str(&client.to_string()) {
        headers.append(FORWARDED_FOR, client);
    }
}

/// Makes the pieces in which HTTP/2 may send `Cookie` the one line that it is in HTTP/1.1
/// ([RFC 9113, section 8.2.3]).
///
/// [RFC 9113, section 8.2.3]: https://www.rfc-editor.org/rfc/rfc9113#section-8.2.3
fn join_cookies(headers: &mut HeaderMap) {
    let pieces: Vec<&[u8]> = headers.get_all(COOKIE).iter().map(HeaderValue::as_bytes).collect();
    if pieces.len() > 1
        && let Ok(whole) = HeaderValue::from_bytes(&pieces.join(&b"; "[..]))
    {
        headers.insert(COOKIE, whole);
    }
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
            ("cookie", "a=1"),
            ("cookie", "b=2; c=3"),
        ]);
        let upstream = Authority::from_static("127.0.0.1:3000");
        towards(&mut headers, &upstream, [127, 0, 0, 1].into());
        assert_eq!(headers["host"], "127.0.0.1:3000");
        assert_eq!(headers["x-forwarded-host"], "localhost:8080");
        let chain: Vec<_> = headers.get_all("x-forwarded-for").iter().collect();
        assert_eq!(chain, ["10.0.0.1", "127.0.0.1"]);
        let cookies: Vec<_> = headers.get_all("cookie").iter().collect();
        assert_eq!(cookies, ["a=1; b=2; c=3"]);
        assert_eq!(headers.len(), 5);
    }
}
