//! The members that are read, and where in the envelope the field of each is:
//! one table for both lanes. And what only looks like one of them.

use crate::envelope::{Envelope, Field};
use crate::text::Text;

/// The members that are read in one object, and all their names if look-alikes
/// of them are told.
macro_rules! scope {
    ($names:ident, $field:ident: $($name:literal => $($path:ident).+,)+) => {
        pub(crate) const $names: &[&str] = &[$($name),+];
        scope! { $field: $($name => $($path).+,)+ }
    };
    ($field:ident: $($name:literal => $($path:ident).+,)+) => {
        #[inline]
        pub(super) fn $field<'e>(envelope: &'e mut Envelope, name: &[u8]) -> Option<&'e mut Field> {
            // The length tells most apart before a byte is compared.
            $(if is(name, $name.as_bytes().first_chunk::<{ $name.len() }>()) {
                return Some(&mut envelope.$($path).+);
            })+
            None
        }
    };
}

scope! { MESSAGE, message_field:
    "jsonrpc" => jsonrpc,
    "id" => id,
    "method" => method,
    "params" => params,
    "result" => result,
    "error" => error,
}

// Which of the last three is read depends on the method.
scope! { PARAMS, params_field:
    "_meta" => meta.itself,
    "name" => name,
    "uri" => uri,
    "taskId" => task_id,
}

scope! { ERROR, error_field:
    "code" => code,
    "message" => message,
    "data" => data,
}

scope! { RESULT, result_field:
    "_meta" => meta.itself,
    "resultType" => result_type,
    "ttlMs" => ttl_ms,
    "cacheScope" => cache_scope,
}

// The keys that the specification reserves:
// https://modelcontextprotocol.io/specification/2026-07-28/basic#_meta
scope! { META, meta_field:
    "progressToken" => meta.progress_token,
    "io.modelcontextprotocol/protocolVersion" => meta.protocol_version,
    "io.modelcontextprotocol/clientCapabilities" => meta.client_capabilities,
    "io.modelcontextprotocol/clientInfo" => meta.client_info,
    "io.modelcontextprotocol/serverInfo" => meta.server_info,
    "io.modelcontextprotocol/logLevel" => meta.log_level,
    "io.modelcontextprotocol/subscriptionId" => meta.subscription_id,
    "traceparent" => meta.traceparent,
    "tracestate" => meta.tracestate,
    "baggage" => meta.baggage,
}

// Of the capabilities and the identity in `_meta`. Both are open objects, in
// which nothing is a look-alike.
scope! { capabilities_field:
    "elicitation" => capabilities.elicitation,
    "extensions" => capabilities.extensions,
    "sampling" => capabilities.sampling,
    "roots" => capabilities.roots,
    "experimental" => capabilities.experimental,
}

scope! { client_info_field:
    "name" => client_name,
    "version" => client_version,
}

/// Whether `name` is the one of `known`, whose length the compiler knows: eight
/// bytes at a time, in line.
#[inline]
pub(super) fn is<const N: usize>(name: &[u8], known: Option<&[u8; N]>) -> bool {
    let (Ok(name), Some(known)) = (<&[u8; N]>::try_from(name), known) else { return false };
    if N < 8 {
        return name == known;
    }
    let word = |text: &[u8; N], at: usize| {
        text[at..].first_chunk().map_or(0, |word| u64::from_le_bytes(*word))
    };
    let difference = |at| word(name, at) ^ word(known, at);
    let last = difference(N - 8);
    (0..N / 8).fold(last, |differ, word| differ | difference(8 * word)) == 0
}

/// Whether a lenient reader could take `name` for `known`, which it is not: it
/// differs by case, by U+017F or U+212A (which fold to `s` and `k`), or by NULs
/// at its end.
#[inline]
pub(super) fn looks_like(name: &[u8], known: &str) -> bool {
    // No known name starts with s or k, so the first byte tells most apart.
    let first = |text: &[u8]| text.first().map(|byte| byte | 0x20);
    first(name) == first(known.as_bytes()) && folds_to(name.iter().copied(), known)
}

/// The same of any two names; of equal ones it is true as well.
#[cold]
pub(crate) fn folds_to(mut name: impl Iterator<Item = u8>, known: &str) -> bool {
    for letter in known.bytes() {
        let is_same = match (letter.to_ascii_lowercase(), name.next()) {
            (b's', Some(0xc5)) => name.next() == Some(0xbf),
            (b'k', Some(0xe2)) => name.next() == Some(0x84) && name.next() == Some(0xaa),
            (letter, Some(first)) => first.to_ascii_lowercase() == letter,
            (_, None) => false,
        };
        if !is_same {
            return false;
        }
    }
    name.all(|byte| byte == 0)
}

/// The member that is read and whose name is at the start of `text`, in quotes,
/// or looks like the one there.
#[cold]
pub(crate) fn nearest(text: &[u8]) -> Option<&'static str> {
    let inside = text.strip_prefix(b"\"")?;
    let mut is_escaped = false;
    let end = inside.iter().position(|&byte| {
        let is_end = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        is_end
    })?;
    let name = Text::new(&inside[..end]);
    let known = [MESSAGE, PARAMS, ERROR, RESULT, META];
    known.into_iter().flatten().copied().find(|known| folds_to(name.bytes(), known))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_byte_may_tell_names_apart() {
        for name in MESSAGE.iter().chain(PARAMS).chain(ERROR).chain(RESULT).chain(META) {
            assert!(!name.starts_with(['s', 'S', 'k', 'K']), "{name}");
        }
    }

    #[test]
    fn look_alikes_are_told_from_strangers() {
        for (name, known) in [
            ("Method", "method"),
            ("METHOD", "method"),
            ("method\0", "method"),
            ("Method\0\0", "method"),
            ("params".replace('s', "\u{17f}").as_str(), "params"),
            ("progressTo\u{212a}en", "progressToken"),
            ("resulttype", "resultType"),
            ("_META", "_meta"),
        ] {
            assert!(looks_like(name.as_bytes(), known), "{name:?}");
        }
        for (name, known) in [
            ("", "id"),
            ("\0", "id"),
            ("methods", "method"),
            (" method", "method"),
            ("m\u{e9}thod", "method"),
            ("method\0x", "method"),
        ] {
            assert!(!looks_like(name.as_bytes(), known), "{name:?}");
        }
    }
}
