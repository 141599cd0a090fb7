//! The rules of an HTTP head alone.

use mcparse::{Policy, Rule};

use super::formats::trim;
use super::head::Head;
use super::message::Message;

/// Whether the head breaks this rule, whatever the body is.
pub(crate) fn breaks(head: &Head, policy: &Policy, rule: Rule) -> bool {
    match rule {
        Rule::HttpMethod => head.method != "POST",
        Rule::Origin => policy.origins().is_some_and(|origins| {
            let is_listed = |origin: &Vec<u8>| {
                origins.iter().any(|listed| listed.as_bytes().eq_ignore_ascii_case(origin))
            };
            let copies = head.copies("origin");
            !copies.iter().all(is_listed) || !copies.is_empty() && head.value("origin").is_none()
        }),
        Rule::ContentType => !head.value("content-type").is_some_and(|kind| is_json(&kind)),
        Rule::ContentEncoding => {
            let is_plain = |part: &str| part.is_empty() || part.eq_ignore_ascii_case("identity");
            let codings = head.copies("content-encoding");
            !codings.iter().all(|coding| parts(coding, ',').iter().all(|part| is_plain(part)))
        }
        Rule::Accept => {
            let ranges: Vec<String> =
                head.copies("accept").iter().flat_map(|list| parts(list, ',')).collect();
            let has = |kind: &str| ranges.iter().any(|range| accepts(range, kind));
            !(has("application/json") && has("text/event-stream"))
        }
        _ => false,
    }
}

/// Whether head and body together break a rule of this stage.
pub(crate) fn breaks_with(message: &Message<'_>, rule: Rule) -> bool {
    let Some(head) = &message.head else { return false };
    match rule {
        Rule::SessionIdModern => message.is_modern() && head.has("mcp-session-id"),
        Rule::LastEventIdModern => message.is_modern() && head.has("last-event-id"),
        _ => breaks(head, &message.policy, rule),
    }
}

/// The parts of a list, as text and without blanks around them.
fn parts(list: &[u8], separator: char) -> Vec<String> {
    let text = |bytes: &[u8]| bytes.iter().map(|&byte| char::from(byte)).collect::<String>();
    let list = text(list);
    let part = |part: &str| text(trim(&part.chars().map(|one| one as u8).collect::<Vec<_>>()));
    list.split(separator).map(part).collect()
}

fn is_json(kind: &[u8]) -> bool {
    let parts = parts(kind, ';');
    let is_right = |parameter: &String| {
        let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
        let inside = value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        !name.eq_ignore_ascii_case("charset")
            || inside.unwrap_or(value).eq_ignore_ascii_case("utf-8")
    };
    parts[0].eq_ignore_ascii_case("application/json") && parts[1..].iter().all(is_right)
}

/// Whether a media range, not of weight 0, takes in a type.
fn accepts(range: &str, kind: &str) -> bool {
    let parts = parts(range.as_bytes(), ';');
    let (family, _) = kind.split_once('/').expect("a type");
    let is_meant = [kind, "*/*", &format!("{family}/*")]
        .iter()
        .any(|range| parts[0].eq_ignore_ascii_case(range));
    let is_zero = |parameter: &String| {
        let weight = parameter.split_once('=').filter(|(name, _)| name.eq_ignore_ascii_case("q"));
        weight.is_some_and(|(_, weight)| weight.parse::<f64>() == Ok(0.0))
    };
    is_meant && !parts[1..].iter().any(is_zero)
}
