//! The state machine that reads the protocol members off the tape into an
//! [`Envelope`].
//!
//! ```text
//! message ─┬─ jsonrpc, id, method
//!          ├─ params ─┬─ name, uri or taskId, by the method
//!          │          └─ _meta ─┬─ the reserved keys
//!          │                    ├─ clientCapabilities ── the five that are defined
//!          │                    └─ clientInfo ── name, version
//!          ├─ result ─┬─ resultType, ttlMs, cacheScope
//!          │          └─ _meta ── the reserved keys
//!          └─ error ──── code, message, data
//! ```
//!
//! The message's own members come first, whatever their order in the text, so
//! that the method is known when the inside of `params` is read. In each object
//! one walk sees what is there, what is there twice, and what only looks like
//! it. Everything else is skipped over.

use super::members::{
    ERROR, MESSAGE, META, RESULT, capabilities_field, client_info_field, error_field, looks_like,
    message_field, meta_field, result_field,
};
use super::tape::{Document, Value};
use crate::envelope::{Envelope, Field, Noted, Sighting};
use crate::method::Method;

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
            match name {
                "id" => envelope.id_repeated |= envelope.id.is_present(),
                "method" => inside.method = Some(value),
                "params" => inside.params = Some(value),
                "result" => inside.result = Some(value),
                "error" => inside.error = Some(value),
                _ => {}
            }
            message_field(envelope, name.as_bytes())
        });
        inside
    }

    #[inline]
    fn params(&mut self, inside: Inside<'t>) {
        let name = inside.method.and_then(Value::text);
        self.envelope.called = name.and_then(|name| Method::from_bytes(name.as_bytes()));
        let Some(params) = inside.params else { return };
        self.note(params);
        let source = self.envelope.called.and_then(Method::name_source);
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

    /// Notes all members of `params` or `result`.
    fn note(&mut self, object: Value<'t>) {
        let Self { document, envelope, .. } = self;
        document.for_each_member(object, |member| {
            let start = member.offset + 1;
            let end = document.end_of_name(start);
            if !document.is_written(start, end, b"_meta") {
                envelope.noted.note(Noted { start, end, value: member.field });
            }
        });
    }

    fn result(&mut self, result: Option<Value<'t>>) {
        let Some(result) = result else { return };
        self.note(result);
        let mut meta = None;
        self.members(result, RESULT, |envelope, name, value| {
            if name == "_meta" {
                meta = Some(value);
            }
            result_field(envelope, name.as_bytes())
        });
        self.meta(meta);
    }

    fn error(&mut self, error: Option<Value<'t>>) {
        if let Some(error) = error {
            self.members(error, ERROR, |envelope, name, _| error_field(envelope, name.as_bytes()));
        }
    }

    fn meta(&mut self, meta: Option<Value<'t>>) {
        let Some(meta) = meta else { return };
        let (mut capabilities, mut client_info) = (None, None);
        self.envelope.unknown_meta = self.members(meta, META, |envelope, name, value| {
            match name {
                "io.modelcontextprotocol/clientCapabilities" => capabilities = Some(value),
                "io.modelcontextprotocol/clientInfo" => client_info = Some(value),
                _ => {}
            }
            meta_field(envelope, name.as_bytes())
        });
        let Self { document, envelope, .. } = self;
        if let Some(capabilities) = capabilities {
            document.for_each_member(capabilities, |member| {
                let Some(field) = capabilities_field(envelope, member.name.as_bytes()) else {
                    return;
                };
                let is_repeated = field.is_present();
                *field = member.field;
                if is_repeated {
                    envelope.duplicate.note(member.offset);
                }
            });
        }
        if let Some(client_info) = client_info {
            // Who the client says it is decides nothing, nor does its being
            // said twice.
            document.for_each_member(client_info, |member| {
                if let Some(field) = client_info_field(envelope, member.name.as_bytes()) {
                    *field = member.field;
                }
            });
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
                if names.iter().any(|known| looks_like(member.name.as_bytes(), known)) {
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
