//! The rules of the head alone: whether what comes is a message over HTTP at
//! all, before its body is read.

use crate::head::{Copies, Header, RequestHead, parameter, parts};
use crate::rule::{Rule, RuleSet};

/// All the rules that a head breaks whatever its message is. `origins` are
/// those that may send; `None` if that is checked elsewhere.
pub(crate) fn broken(head: &RequestHead<'_>, origins: Option<&[&str]>) -> RuleSet {
    let mut broken = RuleSet::EMPTY;
    broken.note(Rule::HttpMethod, head.method() != b"POST");
    broken.note(Rule::Origin, origins.is_some_and(|origins| is_origin_foreign(head, origins)));
    broken.note(Rule::ContentType, !is_json(head));
    broken.note(Rule::ContentEncoding, is_encoded(head.copies(Header::ContentEncoding)));
    broken.note(Rule::Accept, !head.accepted().has_both());
    broken
}

/// Notes the rules that a head breaks if its message is modern.
#[inline]
pub(crate) fn note_modern(broken: &mut RuleSet, head: &RequestHead<'_>) {
    broken.note(Rule::SessionIdModern, head.copies(Header::SessionId).is_present());
    broken.note(Rule::LastEventIdModern, head.copies(Header::LastEventId).is_present());
}

/// `origin`: a page that is not listed sends. The scheme and the host have no
/// case ([RFC 6454, section 4]), and a port has no letters.
///
/// [RFC 6454, section 4]: https://www.rfc-editor.org/rfc/rfc6454#section-4
fn is_origin_foreign(head: &RequestHead<'_>, origins: &[&str]) -> bool {
    let copies = head.copies(Header::Origin);
    let is_listed =
        |origin: &[u8]| origins.iter().any(|listed| listed.as_bytes().eq_ignore_ascii_case(origin));
    copies.has_different() || copies.first().is_some_and(|origin| !is_listed(origin))
}

/// `content-type`: JSON, and in no other charset than JSON has ([RFC 8259,
/// section 8.1]). To look for `application/json` anywhere in the value would
/// let a web page send what it may send to any site, `text/plain`.
///
/// [RFC 8259, section 8.1]: https://www.rfc-editor.org/rfc/rfc8259#section-8.1
fn is_json(head: &RequestHead<'_>) -> bool {
    let copies = head.copies(Header::ContentType);
    let Some(value) = copies.first() else { return false };
    // As most clients write it.
    if value == b"application/json" {
        return !copies.has_different();
    }
    let mut parts = parts(value, b';');
    let is_json = parts.next().is_some_and(|kind| kind.eq_ignore_ascii_case(b"application/json"));
    is_json && !copies.has_different() && !parts.any(is_other_charset)
}

fn is_other_charset(part: &[u8]) -> bool {
    let (name, value) = parameter(part);
    let is_utf8 = |value: &[u8]| {
        let inside = value.strip_prefix(b"\"").and_then(|rest| rest.strip_suffix(b"\""));
        inside.unwrap_or(value).eq_ignore_ascii_case(b"utf-8")
    };
    name.eq_ignore_ascii_case(b"charset") && !value.is_some_and(is_utf8)
}

/// `content-encoding`: `identity` means that nothing was done ([RFC 9110,
/// section 8.4.1]), and so does an empty list.
///
/// [RFC 9110, section 8.4.1]: https://www.rfc-editor.org/rfc/rfc9110#section-8.4.1
pub(super) fn is_encoded(copies: Copies<'_>) -> bool {
    let is_coding = |coding: &[u8]| !coding.is_empty() && !coding.eq_ignore_ascii_case(b"identity");
    let is_encoded = |value| parts(value, b',').any(is_coding);
    copies.has_different() || copies.first().is_some_and(is_encoded)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: [(&str, &str); 2] =
        [("content-type", "application/json"), ("accept", "application/json, text/event-stream")];

    /// What is broken by `PLAIN`, with the headers that `headers` name in place
    /// of its own.
    fn ids(method: &str, headers: &[(&str, &str)], origins: Option<&[&str]>) -> Vec<&'static str> {
        let is_own = |name: &str| !headers.iter().any(|(other, _)| name == *other);
        let plain = PLAIN.into_iter().filter(|(name, _)| is_own(name));
        let all: Vec<_> = plain.chain(headers.iter().copied()).collect();
        let head = RequestHead::new(method, all.iter().copied());
        broken(&head, origins).iter().map(Rule::id).collect()
    }

    fn of(headers: &[(&str, &str)]) -> Vec<&'static str> {
        ids("POST", headers, None)
    }

    #[test]
    fn a_plain_head_breaks_nothing() {
        assert_eq!(of(&[]), [""; 0]);
        assert_eq!(ids("POST", &[], Some(&[])), [""; 0]);
        let nothing = RequestHead::new::<str, str, str>("GET", []);
        let ids: Vec<_> = broken(&nothing, Some(&[])).iter().map(Rule::id).collect();
        assert_eq!(ids, ["http-method", "content-type", "accept"]);
    }

    #[test]
    fn only_post_sends_messages() {
        for method in ["GET", "DELETE", "post", "POST ", "PUT", ""] {
            assert_eq!(ids(method, &[], None), ["http-method"], "{method}");
        }
    }

    #[test]
    fn an_origin_must_be_listed_if_there_is_a_list() {
        let listed = ["https://example.com", "http://localhost:3000"];
        for origin in ["https://example.com", "HTTPS://Example.COM", " http://localhost:3000\t"] {
            assert_eq!(ids("POST", &[("origin", origin)], Some(&listed)), [""; 0], "{origin}");
        }
        for origin in [
            "null",
            "",
            "https://example.com:443",
            "https://example.com/",
            "https://example.com.evil.test",
            "http://example.com",
            "http://localhost",
            "http://localhost:30000",
            "https://example.com, https://example.com",
            "garbage",
        ] {
            assert_eq!(ids("POST", &[("origin", origin)], Some(&listed)), ["origin"], "{origin}");
            assert_eq!(ids("POST", &[("origin", origin)], Some(&[])), ["origin"], "{origin}");
            assert_eq!(ids("POST", &[("origin", origin)], None), [""; 0], "{origin}");
        }
    }

    #[test]
    fn origins_that_differ_are_not_listed() {
        let [first, second] = ["https://a.test", "https://b.test"];
        let twice = |other| [("origin", first), ("Origin", other)];
        assert_eq!(ids("POST", &twice(second), Some(&[first, second])), ["origin"]);
        assert_eq!(ids("POST", &twice(first), Some(&[first, second])), [""; 0]);
    }

    #[test]
    fn the_content_is_json() {
        for content in [
            "application/json",
            "Application/JSON",
            "application/json; charset=utf-8",
            "application/json;charset=UTF-8",
            r#"application/json; charset="utf-8""#,
            "application/json; profile=x",
            "application/json ;",
            r#"application/json; x="; charset=latin1""#,
        ] {
            assert_eq!(of(&[("content-type", content)]), [""; 0], "{content}");
        }
        for content in [
            "",
            "text/plain; x=application/json",
            "text/plain;application/json",
            "application/jsonp",
            "application/json-rpc",
            "application/json application/json",
            "application/json, application/json",
            r#""application/json""#,
            "application/json; charset=iso-8859-1",
            "application/json; Charset=utf-16",
            "application/json; charset = latin1",
            "application/json; charset=",
            "application/json; charset",
            "application/json; charset=utf-8; charset=latin1",
            r#"application/json; charset="utf-8"#,
            "application/json\u{a0}",
        ] {
            assert_eq!(of(&[("content-type", content)]), ["content-type"], "{content}");
        }
    }

    #[test]
    fn content_types_that_differ_are_none() {
        let twice = |other| [("content-type", "application/json"), ("content-type", other)];
        assert_eq!(of(&twice("application/json")), [""; 0]);
        assert_eq!(of(&twice("text/plain")), ["content-type"]);
    }

    #[test]
    fn the_content_is_not_encoded() {
        for coding in ["identity", "Identity", "", "identity, identity"] {
            assert_eq!(of(&[("content-encoding", coding)]), [""; 0], "{coding}");
        }
        for coding in ["gzip", "br", "identity, gzip", "x-identity"] {
            assert_eq!(of(&[("content-encoding", coding)]), ["content-encoding"], "{coding}");
        }
        let both = [("content-encoding", "identity"), ("content-encoding", "gzip")];
        assert_eq!(of(&both), ["content-encoding"]);
    }

    #[test]
    fn both_forms_of_an_answer_are_accepted() {
        assert_eq!(of(&[("accept", "*/*")]), [""; 0]);
        assert_eq!(of(&[("accept", "application/json")]), ["accept"]);
        let both = [("accept", "application/json"), ("accept", "text/event-stream")];
        assert_eq!(of(&both), [""; 0]);
        let refused = [("accept", "application/json, text/event-stream;q=0")];
        assert_eq!(of(&refused), ["accept"]);
    }

    #[test]
    fn sessions_and_resumption_are_not_modern() {
        let all = [("Mcp-Session-Id", ""), ("Last-Event-ID", "7")];
        let of = |headers: &[(&str, &str)]| {
            let head = RequestHead::new("POST", headers.iter().copied());
            let mut broken = RuleSet::EMPTY;
            note_modern(&mut broken, &head);
            broken.iter().map(Rule::id).collect::<Vec<_>>()
        };
        assert_eq!(of(&all), ["session-id-modern", "last-event-id-modern"]);
        assert_eq!(of(&all[1..]), ["last-event-id-modern"]);
        assert_eq!(of(&[]), [""; 0]);
    }
}
