//! The message and where its members stand in it: what all kinds of message
//! hold.

use std::ops::Range;

use super::text;
use crate::envelope::{Envelope, Field, JsonType};
use crate::era::Era;
use crate::id::Id;
use crate::kind::Sender;
use crate::meta::Meta;
use crate::method::RevisionSet;
use crate::rule::RuleSet;
use crate::text::Text;

/// The message, and where its members stand in it.
#[derive(Clone, Copy)]
pub(super) struct View<'m> {
    pub(super) message: &'m [u8],
    pub(super) from: Sender,
    pub(super) findings: RuleSet,
    pub(super) revisions: RevisionSet,
    pub(super) id: Span,
    pub(super) method: Span,
    pub(super) params: Span,
    pub(super) name: Span,
    pub(super) meta: Span,
    /// Of `_meta`.
    version: Span,
    pub(super) result: Span,
    pub(super) error: Span,
    pub(super) code: Span,
    /// A protocol member is given twice or has a look-alike, whatever the
    /// policy says of it.
    pub(super) is_ambiguous: bool,
}

/// Where those members stand that a message may be sent on with changed.
#[derive(Clone, Copy)]
pub(crate) struct Places {
    pub(crate) id: Field,
    /// What the method is called on.
    pub(crate) name: Field,
    /// What `_meta` stands in: `params`, or the result of an answer.
    pub(crate) around_meta: Field,
    pub(crate) meta: Field,
    /// It has no method.
    pub(crate) is_answer: bool,
    /// One of them, or of what decides which they are, may be something else to
    /// another reader.
    pub(crate) is_ambiguous: bool,
}

impl<'m> View<'m> {
    #[inline]
    pub(super) fn new(
        message: &'m [u8],
        from: Sender,
        envelope: &Envelope,
        name: Field,
        revisions: RevisionSet,
        findings: RuleSet,
    ) -> Self {
        let id = match envelope.id.json {
            JsonType::Null => Span::default(),
            _ => Span::of(envelope.id),
        };
        Self {
            message,
            from,
            findings,
            revisions,
            id,
            method: Span::of(envelope.method),
            params: Span::of(envelope.params),
            name: Span::of(name),
            meta: Span::of(envelope.meta.itself),
            version: Span::of(envelope.meta.protocol_version),
            result: Span::of(envelope.result),
            error: Span::of(envelope.error),
            code: Span::of(envelope.code),
            is_ambiguous: envelope.duplicate.is_seen() || envelope.lookalike.is_seen(),
        }
    }

    pub(super) fn id(&self) -> Option<Id<'m>> {
        self.id.value(self.message).map(Id::new)
    }

    pub(super) fn method(&self) -> Option<Text<'m>> {
        self.method.value(self.message).map(text)
    }

    pub(super) fn meta(&self) -> Option<Meta<'m>> {
        Meta::new(self.message, self.meta.field(), self.version.typed(self.message))
    }

    pub(super) fn places(&self) -> Places {
        let is_answer = self.method.span().is_none();
        let around_meta = if is_answer { self.result } else { self.params };
        let known = |span: Span| span.typed(self.message);
        Places {
            id: known(self.id),
            name: known(self.name),
            around_meta: known(around_meta),
            meta: known(self.meta),
            is_answer,
            is_ambiguous: self.is_ambiguous,
        }
    }

    pub(super) fn era(&self) -> Option<Era> {
        if self.revisions.without_all(RevisionSet::MODERN).is_empty() {
            Some(Era::Modern)
        } else if self.revisions.without_all(RevisionSet::LEGACY).is_empty() {
            Some(Era::Legacy)
        } else {
            None
        }
    }
}

/// Shows the members, not the bytes of the whole message.
impl std::fmt::Debug for View<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("View")
            .field("id", &self.id())
            .field("method", &self.method())
            .field("findings", &self.findings)
            .finish_non_exhaustive()
    }
}

/// A span of the message; empty if the member is absent, since no value is.
#[derive(Clone, Copy, Default)]
pub(super) struct Span {
    start: u32,
    end: u32,
}

impl Span {
    fn of(field: Field) -> Self {
        Self { start: field.start, end: field.end }
    }

    pub(super) fn span(self) -> Option<Range<usize>> {
        (self.end > 0).then_some(self.start as usize..self.end as usize)
    }

    /// The field again, for what is read on as an object.
    pub(super) fn field(self) -> Field {
        Field { json: JsonType::Object, start: self.start, end: self.end }
    }

    /// The field again, of the type that its first byte says.
    fn typed(self, message: &[u8]) -> Field {
        let json = match self.value(message).and_then(<[u8]>::first) {
            None => return Field::default(),
            Some(b'{') => JsonType::Object,
            Some(b'[') => JsonType::Array,
            Some(b'"') => JsonType::String,
            Some(b'n') => JsonType::Null,
            Some(b't' | b'f') => JsonType::Bool,
            Some(_) => JsonType::Number,
        };
        Field { json, ..self.field() }
    }

    pub(super) fn value(self, message: &[u8]) -> Option<&[u8]> {
        message.get(self.span()?)
    }
}
