//! Whether a request is meant for this proxy, and comes from where it may: no web page
//! should reach a server on its user's machine, be it by its own origin or by a name
//! that it has pointed at this machine ([Security]).
//!
//! [Security]: https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#security-%26-endpoint

use http::header::{HOST, ORIGIN};
use http::uri::Authority;
use http::{HeaderMap, HeaderValue, Uri};

use super::args::Proxy;

/// The most bytes that are shown of what a request names.
const MOST_SHOWN: usize = 64;

/// The names of this machine.
const LOCAL: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

#[derive(Debug)]
pub(super) struct Local {
    /// None if anyone may.
    hosts: Option<Vec<String>>,
    origins: Option<Vec<String>>,
}

/// What is wrong with a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Foreign {
    Host,
    Origin,
}

impl Foreign {
    pub(super) const fn reason(self) -> &'static str {
        match self {
            Self::Host => "the header Host names another host than this one",
            Self::Origin => "the origin is not one of those that may send",
        }
    }

    /// What would let it in.
    pub(super) const fn hint(self) -> &'static str {
        match self {
            Self::Host => "--allow-host lets it in",
            Self::Origin => "--allow-origin lets it in",
        }
    }

    /// What the request names, cut and escaped.
    pub(super) fn value(self, uri: &Uri, headers: &HeaderMap) -> String {
        let header = match self {
            Self::Host => HOST,
            Self::Origin => ORIGIN,
        };
        let authority = uri.authority().filter(|_| self == Self::Host);
        let value = match (authority, headers.get(header)) {
            (Some(authority), _) => authority.as_str().as_bytes(),
            (None, value) => value.map_or(&b""[..], HeaderValue::as_bytes),
        };
        value.get(..MOST_SHOWN).unwrap_or(value).escape_ascii().to_string()
    }
}

impl Local {
    pub(super) fn new(options: &Proxy) -> Self {
        let is_local = options.listen.ip().is_loopback();
        let list =
            |allowed: &Vec<String>| (is_local || !allowed.is_empty()).then(|| allowed.clone());
        Self { hosts: list(&options.allow_host), origins: list(&options.allow_origin) }
    }

    /// Whether the request must not come in.
    pub(super) fn refuses(&self, uri: &Uri, headers: &HeaderMap) -> Option<Foreign> {
        if let Some(hosts) = &self.hosts {
            // Of HTTP/2 the authority is in the URI.
            let mut named = headers.get_all(HOST).iter().map(|host| host.to_str().unwrap_or(""));
            let (first, second) = (named.next(), named.next());
            let host = uri.authority().map(Authority::as_str).or(first);
            let is_ours = |host: &str| {
                let authority = host.parse::<Authority>();
                authority.is_ok_and(|authority| is_listed(authority.host(), hosts))
            };
            if second.is_some() || !host.is_some_and(is_ours) {
                return Some(Foreign::Host);
            }
        }
        if let Some(origins) = &self.origins {
            let mut named = headers.get_all(ORIGIN).iter();
            if !named.all(|origin| origin.to_str().is_ok_and(|origin| may_send(origin, origins))) {
                return Some(Foreign::Origin);
            }
        }
        None
    }
}

fn is_listed(host: &str, hosts: &[String]) -> bool {
    let is_it = |name: &str| name.eq_ignore_ascii_case(host);
    LOCAL.iter().any(|name| is_it(name)) || hosts.iter().any(|name| is_it(name))
}

/// An origin is a scheme, a host and perhaps a port. Those of this machine may have any.
fn may_send(origin: &str, origins: &[String]) -> bool {
    if origins.iter().any(|listed| listed.eq_ignore_ascii_case(origin)) {
        return true;
    }
    let of_web = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    let authority = of_web.and_then(|rest| rest.parse::<Authority>().ok());
    authority.is_some_and(|authority| {
        !authority.as_str().contains('@') && is_listed(authority.host(), &[])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(local: &Local, host: &str, origin: Option<&str>) -> Option<Foreign> {
        let mut headers = HeaderMap::new();
        headers.insert(HOST, host.parse().unwrap());
        if let Some(origin) = origin {
            headers.insert(ORIGIN, origin.parse().unwrap());
        }
        local.refuses(&Uri::from_static("/mcp"), &headers)
    }

    #[test]
    fn on_this_machine_only_its_own_names_and_pages_come_in() {
        let local = Local { hosts: Some(Vec::new()), origins: Some(Vec::new()) };
        for (host, origin, expected) in [
            ("localhost:8080", None, None),
            ("LOCALHOST", None, None),
            ("127.0.0.1:1", Some("http://localhost:5173"), None),
            ("[::1]:8080", Some("https://127.0.0.1"), None),
            ("evil.example", None, Some(Foreign::Host)),
            ("localhost.evil.example", None, Some(Foreign::Host)),
            ("127.0.0.1.evil.example:80", None, Some(Foreign::Host)),
            ("", None, Some(Foreign::Host)),
            ("localhost", Some("http://evil.example"), Some(Foreign::Origin)),
            ("localhost", Some("http://localhost@evil.example"), Some(Foreign::Origin)),
            ("localhost", Some("http://localhost.evil.example"), Some(Foreign::Origin)),
            ("localhost", Some("null"), Some(Foreign::Origin)),
            ("localhost", Some("file://localhost"), Some(Foreign::Origin)),
        ] {
            assert_eq!(refused(&local, host, origin), expected, "{host} {origin:?}");
        }
        let nothing = HeaderMap::new();
        assert_eq!(local.refuses(&Uri::from_static("/"), &nothing), Some(Foreign::Host));
        let two = "http://localhost:1/".parse().unwrap();
        assert_eq!(local.refuses(&two, &nothing), None, "as HTTP/2 has it");
    }

    #[test]
    fn what_is_allowed_besides_comes_in() {
        let local = Local {
            hosts: Some(vec!["gw.example".to_owned()]),
            origins: Some(vec!["https://app.example".to_owned()]),
        };
        assert_eq!(refused(&local, "gw.example:99", Some("https://app.example")), None);
        assert_eq!(
            refused(&local, "gw.example", Some("https://app.example:1")),
            Some(Foreign::Origin)
        );
        let anyone = Local { hosts: None, origins: None };
        assert_eq!(refused(&anyone, "evil.example", Some("http://evil.example")), None);
    }
}
