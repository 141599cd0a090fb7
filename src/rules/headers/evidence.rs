//! What the text of a refusal may show: which header broke a rule, what it
//! says, and what the body says. Only refusals come here.

use super::MIRRORS;
use crate::envelope::{Envelope, Field};
use crate::head::{Header, RequestHead};
use crate::rule::Rule;
use crate::rules::header_value;
use crate::text::Text;

/// A header and what it should mirror.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Evidence<'h> {
    /// The name as the specification writes it.
    pub(crate) header: &'static str,
    /// The first copy as received, if there is one. Any bytes.
    pub(crate) value: Option<&'h [u8]>,
    /// The value in the body; absent if it has none.
    pub(crate) body: Field,
}

/// The evidence that `rule` is broken, if it is by the version, the method or
/// the name, which is `name` in the body. `limit` is the one that the head was judged by.
#[cold]
pub(crate) fn evidence<'h>(
    rule: Rule,
    head: &RequestHead<'h>,
    envelope: &Envelope,
    name: Field,
    limit: usize,
) -> Option<Evidence<'h>> {
    let header = breaker(rule, head, limit)?;
    let body = match header {
        Header::ProtocolVersion => envelope.meta.protocol_version,
        Header::Method => envelope.method,
        Header::Name => name,
        _ => Field::default(),
    };
    Some(Evidence { header: header.as_str(), value: head.copies(header).first(), body })
}

/// The header that breaks `rule`. Of several it is the first: of a legacy
/// message only the version is judged, which is the first of all.
fn breaker(rule: Rule, head: &RequestHead<'_>, limit: usize) -> Option<Header> {
    let first = |is_broken: fn(&[u8], usize) -> bool| {
        let value = |header| head.copies(header).first();
        MIRRORS.into_iter().find(|&header| value(header).is_some_and(|it| is_broken(it, limit)))
    };
    match rule {
        Rule::VersionHeaderMissing
        | Rule::VersionHeaderMismatch
        | Rule::VersionHeaderUnknown
        | Rule::MirrorWithoutVersion => Some(Header::ProtocolVersion),
        Rule::MethodHeaderMissing | Rule::MethodHeaderMismatch => Some(Header::Method),
        Rule::NameHeaderMissing | Rule::NameHeaderMismatch | Rule::NameHeaderUnexpected => {
            Some(Header::Name)
        }
        Rule::HeaderCharacters => first(|value, _| !header_value::is_plain(value)),
        Rule::HeaderTooLong => first(|value, limit| value.len() > limit),
        Rule::HeaderRepeated => {
            MIRRORS.into_iter().find(|&header| head.copies(header).has_different())
        }
        Rule::HeaderRepeatedEqual => {
            MIRRORS.into_iter().find(|&header| head.copies(header).has_equal())
        }
        // These can be broken by a header `Mcp-Param-*` too.
        Rule::HeaderBase64 | Rule::HeaderBase64Utf8 | Rule::HeaderBase64StrayBits => {
            let value = head.value(Header::Name)?;
            let is_by_name = match header_value::compare(value, Text::new(b"")) {
                Ok(found) => rule == Rule::HeaderBase64StrayBits && found.has_stray_bits,
                Err(broken) => rule == broken,
            };
            is_by_name.then_some(Header::Name)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::envelope::JsonType;

    const LIMIT: usize = 20;

    fn found<'h>(
        rule: Rule,
        headers: &[(&'h str, &'h str)],
    ) -> Option<(&'static str, &'h str, u32)> {
        let field = |start| Field { json: JsonType::String, start, end: 9 };
        let mut envelope = Envelope { method: field(2), name: field(3), ..Envelope::default() };
        envelope.meta.protocol_version = field(1);
        let head = RequestHead::new("POST", headers.iter().copied());
        let evidence = evidence(rule, &head, &envelope, envelope.name, LIMIT)?;
        let value = evidence.value.map_or("(none)", |value| std::str::from_utf8(value).unwrap());
        Some((evidence.header, value, evidence.body.start))
    }

    #[test]
    fn a_rule_of_one_header_shows_it_and_what_it_mirrors() {
        let headers = [("mcp-protocol-version", "v"), ("MCP-METHOD", " m "), ("mcp-name", "n")];
        let version = Some(("MCP-Protocol-Version", "v", 1));
        assert_eq!(found(Rule::VersionHeaderMismatch, &headers), version);
        assert_eq!(found(Rule::VersionHeaderUnknown, &headers), version);
        assert_eq!(found(Rule::MirrorWithoutVersion, &headers), version);
        assert_eq!(found(Rule::MethodHeaderMismatch, &headers), Some(("Mcp-Method", "m", 2)));
        assert_eq!(found(Rule::NameHeaderMismatch, &headers), Some(("Mcp-Name", "n", 3)));
        assert_eq!(found(Rule::NameHeaderUnexpected, &headers), Some(("Mcp-Name", "n", 3)));
        for (rule, header, body) in [
            (Rule::VersionHeaderMissing, "MCP-Protocol-Version", 1),
            (Rule::MethodHeaderMissing, "Mcp-Method", 2),
            (Rule::NameHeaderMissing, "Mcp-Name", 3),
        ] {
            assert_eq!(found(rule, &[]), Some((header, "(none)", body)));
        }
    }

    #[test]
    fn a_rule_of_any_header_shows_the_first_that_breaks_it() {
        let long = "n".repeat(LIMIT + 1);
        let (method, name) = (("mcp-method", "a,a"), ("mcp-name", "caf\u{e9}"));
        assert_eq!(
            found(Rule::HeaderCharacters, &[name, method]),
            Some(("Mcp-Name", "caf\u{e9}", 3))
        );
        assert_eq!(found(Rule::HeaderRepeatedEqual, &[method]), Some(("Mcp-Method", "a,a", 2)));
        assert_eq!(
            found(Rule::HeaderTooLong, &[("mcp-name", &long), ("mcp-method", &long)]),
            Some(("Mcp-Method", long.as_str(), 2))
        );
        let repeated = [name, ("mcp-name", "n"), method];
        assert_eq!(found(Rule::HeaderRepeated, &repeated), Some(("Mcp-Name", "caf\u{e9}", 3)));
    }

    #[test]
    fn a_rule_that_other_headers_break_has_no_evidence_here() {
        let wrapped = |value| [("mcp-name", value)];
        let (base64, utf8) = (wrapped("=?base64?*?="), wrapped("=?base64?/w==?="));
        let stray = wrapped("=?base64?YR==?=");
        let name =
            |headers: &[(&'static str, &'static str); 1]| Some(("Mcp-Name", headers[0].1, 3));
        assert_eq!(found(Rule::HeaderBase64, &base64), name(&base64));
        assert_eq!(found(Rule::HeaderBase64Utf8, &utf8), name(&utf8));
        assert_eq!(found(Rule::HeaderBase64StrayBits, &stray), name(&stray));
        assert_eq!(found(Rule::HeaderBase64, &stray), None);
        let long = "n".repeat(LIMIT + 1);
        for &rule in Rule::ALL {
            let param = [("mcp-param-a", long.as_str()), ("mcp-param-a", "\u{e9}")];
            let is_of_one_header = rule.id().contains("-header-m")
                || rule.id().contains("-header-un")
                || rule == Rule::MirrorWithoutVersion;
            let is_of_param = rule.id().starts_with("param");
            let expected = is_of_one_header && !is_of_param;
            assert_eq!(found(rule, &param).is_some(), expected, "{rule}");
        }
    }
}
