//! The forms of the keys in `_meta` ([Key name format]), of extension
//! identifiers, and of the W3C trace context.
//!
//! [Key name format]: https://modelcontextprotocol.io/specification/2026-07-28/basic#_meta

use crate::text::Text;
use crate::words::is_lower_hex;

/// The longest key with escapes that is looked at; a longer one is taken for
/// right.
const LONGEST: usize = 256;

/// `[ label *( "." label ) "/" ] [ name ]`
pub(super) fn is_key(key: Text<'_>) -> bool {
    with_plain(key, |key| match split(key) {
        (Some(prefix), name) => is_prefix(prefix) && is_name(name),
        (None, name) => is_name(name),
    })
}

/// A key whose prefix must be there.
pub(super) fn is_extension_id(key: Text<'_>) -> bool {
    with_plain(key, |key| {
        let (prefix, name) = split(key);
        prefix.is_some_and(is_prefix) && is_name(name)
    })
}

/// Whether the prefix is reserved for the protocol, its second label being
/// `modelcontextprotocol` or `mcp`, and the key is none that the protocol or an
/// official extension defines.
pub(super) fn is_reserved(key: Text<'_>) -> bool {
    let is_known = KNOWN.iter().any(|known| key == **known);
    let is_free = |key: &[u8]| {
        let second = split(key).0.and_then(|prefix| prefix.split(|&byte| byte == b'.').nth(1));
        !matches!(second, Some(b"modelcontextprotocol" | b"mcp"))
    };
    !is_known && !with_plain(key, is_free)
}

/// Keys under a reserved prefix that are defined, in whatever revision.
const KNOWN: [&str; 7] = [
    "io.modelcontextprotocol/protocolVersion",
    "io.modelcontextprotocol/clientInfo",
    "io.modelcontextprotocol/clientCapabilities",
    "io.modelcontextprotocol/serverInfo",
    "io.modelcontextprotocol/logLevel",
    "io.modelcontextprotocol/subscriptionId",
    "io.modelcontextprotocol/related-task",
];

/// Lets `judge` see the key without its escapes.
fn with_plain(key: Text<'_>, judge: impl Fn(&[u8]) -> bool) -> bool {
    if !key.is_escaped() {
        return judge(key.raw());
    }
    let mut plain = [0; LONGEST];
    let mut len = 0;
    for byte in key.bytes() {
        let Some(free) = plain.get_mut(len) else { return true };
        *free = byte;
        len += 1;
    }
    judge(&plain[..len])
}

/// The prefix without its slash, and the name.
fn split(key: &[u8]) -> (Option<&[u8]>, &[u8]) {
    match key.iter().position(|&byte| byte == b'/') {
        Some(slash) => (Some(&key[..slash]), &key[slash + 1..]),
        None => (None, key),
    }
}

fn is_prefix(prefix: &[u8]) -> bool {
    prefix.split(|&byte| byte == b'.').all(|label| match label {
        [only] => only.is_ascii_alphabetic(),
        [first, between @ .., last] => {
            first.is_ascii_alphabetic()
                && last.is_ascii_alphanumeric()
                && between.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-')
        }
        [] => false,
    })
}

fn is_name(name: &[u8]) -> bool {
    match name {
        [] => true,
        [only] => only.is_ascii_alphanumeric(),
        [first, between @ .., last] => {
            let may_stand_between =
                |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
            first.is_ascii_alphanumeric()
                && last.is_ascii_alphanumeric()
                && between.iter().all(may_stand_between)
        }
    }
}

/// `version "-" trace-id "-" parent-id "-" trace-flags`, in lower-case hex
/// ([traceparent]). Later versions may go on behind the flags.
///
/// [traceparent]: https://www.w3.org/TR/trace-context/#traceparent-header
pub(super) fn is_traceparent(value: &[u8]) -> bool {
    let Some((&[v, w, b'-'], rest)) = value.split_first_chunk() else { return false };
    let Some((trace, [b'-', rest @ ..])) = rest.split_first_chunk::<32>() else { return false };
    let Some((parent, [b'-', rest @ ..])) = rest.split_first_chunk::<16>() else { return false };
    let Some((&[f, g], more)) = rest.split_first_chunk() else { return false };
    is_lower_hex(&[v, w, f, g])
        && is_lower_hex(trace)
        && is_lower_hex(parent)
        && [v, w] != *b"ff"
        && *trace != [b'0'; 32]
        && *parent != [b'0'; 16]
        && (more.is_empty() || [v, w] != *b"00" && more[0] == b'-')
}

/// A list of at most 32 `key "=" value`, of which any may be empty
/// ([tracestate]). The keys are those of [Level 2], which takes in all others.
///
/// [tracestate]: https://www.w3.org/TR/trace-context/#tracestate-header
/// [Level 2]: https://www.w3.org/TR/trace-context-2/#key
pub(super) fn is_tracestate(value: &[u8]) -> bool {
    let is_key = |key: &[u8]| {
        let may_stand = |byte: &u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-' | b'*' | b'/' | b'@');
        key.first().is_some_and(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
            && key.iter().all(may_stand)
            && key.len() <= 256
    };
    let is_value = |value: &[u8]| {
        value.len() <= 256
            && value.last() != Some(&b' ')
            && !value.is_empty()
            && value.iter().all(|byte| matches!(byte, b' '..=b'~') && !b",=".contains(byte))
    };
    list(value, 32, |member| {
        let equals = member.iter().position(|&byte| byte == b'=');
        member.is_empty()
            || equals.is_some_and(|at| is_key(&member[..at]) && is_value(&member[at + 1..]))
    })
}

/// A list of at most 180 `key "=" value *( ";" property )` ([baggage]).
///
/// [baggage]: https://www.w3.org/TR/baggage/#header-content
pub(super) fn is_baggage(value: &[u8]) -> bool {
    let is_octet = |byte: &u8| matches!(byte, b'!'..=b'~') && !b"\",;\\".contains(byte);
    let is_token = |key: &[u8]| {
        let may_stand =
            |byte: &u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(byte);
        !key.is_empty() && key.iter().all(may_stand)
    };
    let is_pair = |pair: &[u8]| {
        pair.iter().position(|&byte| byte == b'=').is_some_and(|equals| {
            is_token(pair[..equals].trim_ascii())
                && pair[equals + 1..].trim_ascii().iter().all(is_octet)
        })
    };
    list(value, 180, |member| {
        let mut parts = member.split(|&byte| byte == b';');
        parts.next().is_some_and(is_pair)
            && parts.all(|property| is_token(property.trim_ascii()) || is_pair(property))
    })
}

/// Whether there are at most so many members in a comma-separated list, and each
/// is right.
fn list(value: &[u8], most: usize, is_right: impl Fn(&[u8]) -> bool) -> bool {
    let mut members = value.split(|&byte| byte == b',').map(<[u8]>::trim_ascii);
    members.clone().count() <= most && members.all(is_right)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(key: &str) -> Text<'_> {
        Text::new(key.as_bytes())
    }

    #[test]
    fn keys_are_an_optional_prefix_and_a_name() {
        for key in
            ["a", "a-b_c.d", "", "com.example/", "com.example/x", "x1/9", r"com.ex\u0061mple/x"]
        {
            assert!(is_key(text(key)), "{key}");
        }
        for key in
            ["-a", "a-", "a b", "/x", "com..example/x", "1com/x", "com-/x", "a/b/c", "\u{e9}"]
        {
            assert!(!is_key(text(key)), "{key}");
        }
        assert!(is_extension_id(text("io.modelcontextprotocol/tasks")));
        assert!(!is_extension_id(text("tasks")));
    }

    #[test]
    fn reserved_prefixes_are_told_by_their_second_label() {
        for key in ["io.modelcontextprotocol/x", "dev.mcp/", "com.mcp.tools/y", r"dev\u002emcp/"] {
            assert!(is_reserved(text(key)), "{key}");
        }
        let long = format!(r"dev\u002emcp/{}", "x".repeat(LONGEST));
        assert!(!is_reserved(text(&long)), "too long to be looked at");
        for key in ["com.example.mcp/x", "mcp/x", "mcp", "io.modelcontextprotocol/related-task"] {
            assert!(!is_reserved(text(key)), "{key}");
        }
    }

    #[test]
    fn trace_context_is_as_w3c_has_it() {
        let parent = "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01";
        assert!(is_traceparent(parent.as_bytes()));
        assert!(is_traceparent(format!("cc{}-more", &parent[2..]).as_bytes()));
        for wrong in [
            "",
            &parent[1..],
            &parent.to_uppercase(),
            &format!("{parent}-more"),
            &format!("ff{}", &parent[2..]),
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
        ] {
            assert!(!is_traceparent(wrong.as_bytes()), "{wrong}");
        }
        for right in ["", "a=1", "rojo=00f067aa0ba902b7, congo=t61rcWkgMzE", "fw529a3039@dt=FfYFAg"]
        {
            assert!(is_tracestate(right.as_bytes()), "{right}");
        }
        for wrong in ["a", "A=1", "a=1=2", "a=\u{e9}", &"a=1,".repeat(33)] {
            assert!(!is_tracestate(wrong.as_bytes()), "{wrong}");
        }
        for right in ["a=1", "userId=alice, serverNode=DF%2028;p=1;q", "a="] {
            assert!(is_baggage(right.as_bytes()), "{right}");
        }
        for wrong in ["a", "=1", "a b=1", "a=\"x\"", "", "a=1,", "a=1;", "a=1;=2", "a=1;b c"] {
            assert!(!is_baggage(wrong.as_bytes()), "{wrong}");
        }
    }
}
