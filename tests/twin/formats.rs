//! The formats of keys in `_meta`, and of the trace context of W3C.

/// `_meta`, key name format: an optional prefix of labels, and a name.
pub(crate) fn is_key(key: &[u8]) -> bool {
    let name = match prefix(key) {
        Some(labels) if !labels.split(|&byte| byte == b'.').all(is_label) => return false,
        Some(labels) => &key[labels.len() + 1..],
        None => key,
    };
    let is_inner = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
    name.iter().all(is_inner)
        && name.first().is_none_or(u8::is_ascii_alphanumeric)
        && name.last().is_none_or(u8::is_ascii_alphanumeric)
}

/// What stands before the first slash.
pub(crate) fn prefix(key: &[u8]) -> Option<&[u8]> {
    Some(&key[..key.iter().position(|&byte| byte == b'/')?])
}

fn is_label(label: &[u8]) -> bool {
    label.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-')
        && label.first().is_some_and(u8::is_ascii_alphabetic)
        && label.last().is_some_and(u8::is_ascii_alphanumeric)
}

/// <https://www.w3.org/TR/trace-context/#traceparent-header>
pub(crate) fn is_traceparent(text: &[u8]) -> bool {
    let fields: Vec<&[u8]> = text.split(|&byte| byte == b'-').collect();
    let [version, trace, parent, flags, more @ ..] = fields.as_slice() else { return false };
    let is_hex = |field: &[u8], len| {
        field.len() == len && field.iter().all(|byte| b"0123456789abcdef".contains(byte))
    };
    let is_zero = |field: &[u8]| field.iter().all(|&byte| byte == b'0');
    is_hex(version, 2)
        && version != b"ff"
        && is_hex(trace, 32)
        && !is_zero(trace)
        && is_hex(parent, 16)
        && !is_zero(parent)
        && is_hex(flags, 2)
        && (more.is_empty() || version != b"00")
}

/// <https://www.w3.org/TR/trace-context/#tracestate-header>
pub(crate) fn is_tracestate(text: &[u8]) -> bool {
    let members: Vec<&[u8]> = text.split(|&byte| byte == b',').map(trim).collect();
    members.len() <= 32 && members.iter().all(|member| member.is_empty() || is_state(member))
}

/// A key as Level 2 has it, which takes in all of Level 1, and a value.
fn is_state(member: &[u8]) -> bool {
    let Some(at) = member.iter().position(|&byte| byte == b'=') else { return false };
    let (key, value) = (&member[..at], &member[at + 1..]);
    let starts = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let is_inner = |byte: &u8| starts(byte) || b"_-*/@".contains(byte);
    let is_key = key.first().is_some_and(starts) && key.len() <= 256 && key.iter().all(is_inner);
    let is_value = value.iter().all(|byte| matches!(byte, 0x20..=0x7e) && !b",=".contains(byte));
    is_key && is_value && (1..=256).contains(&value.len()) && value.last() != Some(&b' ')
}

/// <https://www.w3.org/TR/baggage/#definition>
pub(crate) fn is_baggage(text: &[u8]) -> bool {
    let members: Vec<&[u8]> = text.split(|&byte| byte == b',').collect();
    members.len() <= 180
        && members.iter().all(|member| {
            let mut parts = member.split(|&byte| byte == b';');
            parts.next().is_some_and(is_pair)
                && parts.all(|part| is_token(trim(part)) || is_pair(part))
        })
}

/// A key, `=` and a value, with space around each.
fn is_pair(pair: &[u8]) -> bool {
    let Some(at) = pair.iter().position(|&byte| byte == b'=') else { return false };
    let is_octet =
        |byte: &u8| matches!(byte, 0x21 | 0x23..=0x2b | 0x2d..=0x3a | 0x3c..=0x5b | 0x5d..=0x7e);
    is_token(trim(&pair[..at])) && trim(&pair[at + 1..]).iter().all(is_octet)
}

/// RFC 9110, section 5.6.2.
fn is_token(token: &[u8]) -> bool {
    let is_char = |byte: &u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(byte);
    !token.is_empty() && token.iter().all(is_char)
}

/// Without optional white space around it: spaces and tabs.
pub(crate) fn trim(mut text: &[u8]) -> &[u8] {
    while let [b' ' | b'\t', rest @ ..] | [rest @ .., b' ' | b'\t'] = text {
        text = rest;
    }
    text
}
