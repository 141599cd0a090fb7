//! The upstream's address, as it is given on the command line.

use http::Uri;
use http::uri::{Authority, PathAndQuery, Scheme};

use super::super::safe::Safe;

/// The most characters that are shown of what was given.
const MOST_SHOWN: usize = 120;

#[derive(Clone, Debug)]
pub(super) struct Target {
    authority: Authority,
    path: String,
}

impl Target {
    /// Reads a URL, or says what is wrong with it.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let shown = Safe::new(text, MOST_SHOWN);
        let uri: Uri = text.parse().map_err(|error| {
            format!("the upstream {shown} is no URL ({error}); give http://HOST[:PORT]/PATH")
        })?;
        match uri.scheme_str() {
            Some("http") => {}
            Some("https") => {
                return Err(format!(
                    "the upstream {shown} speaks TLS, which this proxy does not; give it an \
                     http:// address, of a TLS client such as stunnel if need be"
                ));
            }
            _ => {
                return Err(format!(
                    "the upstream {shown} is no http:// URL; give http://HOST[:PORT]/PATH"
                ));
            }
        }
        if uri.query().is_some() {
            return Err(format!("the upstream {shown} must not have a query"));
        }
        let Some(authority) = uri.authority().filter(|authority| !authority.host().is_empty())
        else {
            return Err(format!("the upstream {shown} names no host"));
        };
        if authority.as_str().contains('@') {
            return Err("the upstream must not hold a user's name".to_owned());
        }
        Ok(Self { authority: authority.clone(), path: uri.path().to_owned() })
    }

    /// The path of the MCP endpoint, `/` at least.
    pub(super) fn path(&self) -> &str {
        &self.path
    }

    /// What `Host` says to the upstream.
    pub(super) const fn authority(&self) -> &Authority {
        &self.authority
    }

    /// Where a request for `path` goes.
    pub(super) fn uri(&self, path: Option<&PathAndQuery>) -> Result<Uri, http::Error> {
        let path = path.cloned().unwrap_or_else(|| PathAndQuery::from_static("/"));
        Uri::builder()
            .scheme(Scheme::HTTP)
            .authority(self.authority.clone())
            .path_and_query(path)
            .build()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_a_host_and_a_path() {
        for (text, authority, path) in [
            ("http://127.0.0.1:3000/mcp", "127.0.0.1:3000", "/mcp"),
            ("http://localhost", "localhost", "/"),
            ("http://[::1]:80/a/b", "[::1]:80", "/a/b"),
        ] {
            let target = Target::parse(text).unwrap();
            assert_eq!((target.authority().as_str(), target.path()), (authority, path));
            let uri = target.uri(Some(&PathAndQuery::from_static("/x?y=1"))).unwrap();
            assert_eq!(uri.to_string(), format!("http://{authority}/x?y=1"));
        }
    }

    #[test]
    fn what_is_no_address_is_told_what_would_be() {
        for (text, told) in [
            ("https://example.com/mcp", "speaks TLS"),
            ("127.0.0.1:3000", "http://HOST"),
            ("/mcp", "http://HOST"),
            ("ftp://example.com", "http://HOST"),
            ("http://a/mcp?x=1", "query"),
            ("http://user:secret@a/mcp", "user's name"),
            ("http://", "http://HOST"),
            ("", "http://HOST"),
        ] {
            let fault = Target::parse(text).unwrap_err();
            assert!(fault.contains(told), "{text}: {fault}");
            assert!(!fault.contains("secret"), "{fault}");
        }
    }
}
