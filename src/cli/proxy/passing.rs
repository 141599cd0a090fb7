//! What is forwarded unjudged, by its path.
//!
//! The upstream decides by the path too, and need not read it as we do: one that it
//! could take for another, for the judged one above all, is not passed.

pub(super) struct Passing {
    prefixes: Vec<String>,
}

impl Passing {
    /// `judged` is the path of the MCP endpoint, which no prefix may cover: servers commonly
    /// take it with a slash behind it, or in other letters, for the same.
    pub(super) fn new(prefixes: Vec<String>, judged: &str) -> Result<Self, String> {
        let judged = judged.to_ascii_lowercase();
        for prefix in &prefixes {
            if !prefix.starts_with('/') {
                return Err("what --pass names must begin with /".to_owned());
            }
            let prefix = prefix.to_ascii_lowercase();
            if judged.starts_with(&prefix) || format!("{judged}/").starts_with(&prefix) {
                return Err("what --pass names must not hold the judged path".to_owned());
            }
        }
        Ok(Self { prefixes })
    }

    /// Whether a request for `path` goes on unjudged.
    pub(super) fn takes(&self, path: &str) -> bool {
        self.prefixes.iter().any(|prefix| path.starts_with(&**prefix)) && is_plain(path)
    }
}

/// Whether all servers read the path alike: no escapes, no parameters within it, no
/// segments that are empty or lead up.
fn is_plain(path: &str) -> bool {
    let is_read_otherwise = |byte| matches!(byte, b'%' | b'\\' | b';');
    // Only the last segment may be empty.
    !path.bytes().any(is_read_otherwise)
        && !path.contains("//")
        && !path.split('/').any(|segment| matches!(segment, "." | ".."))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passing(prefix: &str) -> Result<Passing, String> {
        Passing::new(vec![prefix.to_owned()], "/api/mcp")
    }

    #[test]
    fn what_begins_with_a_prefix_is_passed() {
        let passing = passing("/.well-known/").unwrap();
        for path in
            ["/.well-known/", "/.well-known/oauth-protected-resource/mcp", "/.well-known/a."]
        {
            assert!(passing.takes(path), "{path}");
        }
        for path in ["/", "/api/mcp", "/.well-known", "/x/.well-known/"] {
            assert!(!passing.takes(path), "{path}");
        }
    }

    #[test]
    fn a_path_that_a_server_could_read_as_another_is_not_passed() {
        let passing = passing("/.well-known/").unwrap();
        for rest in ["../api/mcp", "a/../../api/mcp", "./a", "..", "%2e%2e/api/mcp", "a%2fb"] {
            assert!(!passing.takes(&format!("/.well-known/{rest}")), "{rest}");
        }
        for rest in ["..;/api/mcp", "..\\api\\mcp", "/api/mcp", "a//b", "%252e%252e/"] {
            assert!(!passing.takes(&format!("/.well-known/{rest}")), "{rest}");
        }
    }

    #[test]
    fn no_prefix_holds_the_judged_path() {
        for prefix in ["/", "/api", "/api/", "/api/mcp", "/api/mcp/", "/API/", "", "api"] {
            assert!(passing(prefix).is_err(), "{prefix}");
        }
        for prefix in ["/api/other", "/apis/", "/api/mcp/x", "/health"] {
            assert!(passing(prefix).is_ok(), "{prefix}");
        }
    }
}
