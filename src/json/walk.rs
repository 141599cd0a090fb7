//! The state machine that reads the protocol members off the tape into an
//! [`Envelope`].
//!
//! ```text
//! message ─┬─ jsonrpc, id, method
//!          ├─ params ─┬─ name, uri or taskId, by the method
//!          │          └─ _meta ── the reserved keys
//!          ├─ result ─┬─ resultType, ttlMs, cacheScope
//!          │          └─ _meta ── the reserved keys
//!          └─ error ──── code, message, data
//! ```
//!
//! The message's own members come first, whatever their order in the text, so
//! that the method is known when the inside of `params` is read. In each object
//! one walk sees what is there, what is there twice, and what only looks like
//! it. Everything else is skipped over.

use super::tape::{Document, Value};
use crate::envelope::{Envelope, Field, Sighting};
use crate::method;

/// Reads only what decides the kind of a message: its own members and those of
/// `error`.
#[inline]
pub(crate) fn kind(document: &Document<'_>, envelope: &mut Envelope) {
    let mut walk = Walk { document, envelope, limit: usize::MAX };
    let Inside { error, .. } = walk.message();
    walk.error(error);
}

/// Reads everything that the rules look at. An object with more than `limit`
/// members is noted.
#[inline]
pub(crate) fn envelope(document: &Document<'_>, limit: usize, envelope: &mut Envelope) {
    let mut walk = Walk { document, envelope, limit };
    let inside = walk.message();
    if inside.method.is_some() {
        walk.params(inside);
    } else {
        walk.result(inside.result);
        walk.error(inside.error);
    }
}

const MESSAGE: &[&str] = &["jsonrpc", "id", "method", "params", "result", "error"];

/// The members that are read in one object: their names, and where in the
/// envelope the field of each is.
macro_rules! scope {
    ($names:ident, $field:ident: $($name:literal => $($path:ident).+,)+) => {
        const $names: &[&str] = &[$($name),+];

        #[inline]
        fn $field<'e>(envelope: &'e mut Envelope, name: &str) -> Option<&'e mut Field> {
            match name {
                $($name => Some(&mut envelope.$($path).+),)+
                _ => None,
            }
        }
    };
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

/// The values of a message's members that are looked into.
#[derive(Clone, Copy, Default)]
struct Inside<'t> {
    method: Option<Value<'t>>,
    params: Option<Value<'t>>,
    result: Option<Value<'t>>,
    error: Option<Value<'t>>,
}

struct Walk<'w, 't> {
    document: &'w Document<'t>,
    envelope: &'w mut Envelope,
    limit: usize,
}

impl<'t> Walk<'_, 't> {
    /// The message's own members.
    #[inline]
    fn message(&mut self) -> Inside<'t> {
        let mut inside = Inside::default();
        let Some((root, field)) = self.document.root() else { return inside };
        self.envelope.root = field;
        self.envelope.unknown = self.members(root, MESSAGE, |envelope, name, value| {
            Some(match name {
                "jsonrpc" => &mut envelope.jsonrpc,
                "id" => {
                    envelope.id_repeated |= envelope.id.is_present();
                    &mut envelope.id
                }
                "method" => {
                    inside.method = Some(value);
                    &mut envelope.method
                }
                "params" => {
                    inside.params = Some(value);
                    &mut envelope.params
                }
                "result" => {
                    inside.result = Some(value);
                    &mut envelope.result
                }
                "error" => {
                    inside.error = Some(value);
                    &mut envelope.error
                }
                _ => return None,
            })
        });
        inside
    }

    #[inline]
    fn params(&mut self, inside: Inside<'t>) {
        let Some(params) = inside.params else { return };
        let method = inside.method.and_then(Value::text);
        let source = method.and_then(method::name_source);
        let names = ["_meta", source.unwrap_or("_meta")];
        let mut meta = None;
        self.members(params, &names, |envelope, name, value| {
            if name == "_meta" {
                meta = Some(value);
                Some(&mut envelope.meta.itself)
            } else if Some(name) == source {
                Some(&mut envelope.name)
            } else {
                None
            }
        });
        self.meta(meta);
    }

    fn result(&mut self, result: Option<Value<'t>>) {
        let Some(result) = result else { return };
        let mut meta = None;
        self.members(result, RESULT, |envelope, name, value| {
            if name == "_meta" {
                meta = Some(value);
            }
            result_field(envelope, name)
        });
        self.meta(meta);
    }

    fn error(&mut self, error: Option<Value<'t>>) {
        if let Some(error) = error {
            self.members(error, ERROR, |envelope, name, _| error_field(envelope, name));
        }
    }

    fn meta(&mut self, meta: Option<Value<'t>>) {
        if let Some(meta) = meta {
            self.members(meta, META, |envelope, name, _| meta_field(envelope, name));
        }
    }

    /// Reads the members of one object into the fields that `field` finds for
    /// their names; `names` are all the names that it knows. Gives the place of
    /// the first member that it does not know.
    #[inline]
    fn members(
        &mut self,
        object: Value<'t>,
        names: &[&str],
        mut field: impl for<'e> FnMut(&'e mut Envelope, &str, Value<'t>) -> Option<&'e mut Field>,
    ) -> Sighting {
        let Self { document, envelope, limit } = self;
        let mut unknown = Sighting::default();
        let count = document.for_each_member(object, |member| {
            if let Some(field) = field(envelope, member.name, member.value) {
                let is_repeated = field.is_present();
                *field = member.field;
                if is_repeated {
                    envelope.duplicate.note(member.offset);
                }
            } else {
                unknown.note(member.offset);
                if names.iter().any(|known| looks_like(member.name, known)) {
                    envelope.lookalike.note(member.offset);
                }
            }
        });
        if count > *limit {
            envelope.crowded.note(document.offset_of_member(object, *limit));
        }
        unknown
    }
}

/// Whether a lenient reader could take `name` for `known`, which it is not: it
/// differs by case, by U+017F or U+212A (which fold to `s` and `k`), or by NULs
/// at its end.
#[inline]
fn looks_like(name: &str, known: &str) -> bool {
    // No known name starts with s or k, so the first byte tells most apart.
    let first = |text: &str| text.bytes().next().map(|byte| byte | 0x20);
    first(name) == first(known) && folds_to(name, known)
}

#[cold]
fn folds_to(name: &str, known: &str) -> bool {
    let folded = name.trim_end_matches('\0').chars().map(|letter| match letter {
        '\u{17f}' => 's',
        '\u{212a}' => 'k',
        other => other.to_ascii_lowercase(),
    });
    folded.eq(known.chars().map(|letter| letter.to_ascii_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_byte_may_tell_names_apart() {
        for name in MESSAGE.iter().chain(ERROR).chain(RESULT).chain(META) {
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
            assert!(looks_like(name, known), "{name:?}");
        }
        for (name, known) in [
            ("", "id"),
            ("\0", "id"),
            ("methods", "method"),
            (" method", "method"),
            ("m\u{e9}thod", "method"),
            ("method\0x", "method"),
        ] {
            assert!(!looks_like(name, known), "{name:?}");
        }
    }
}
