//! The message and where its members stand in it: what all kinds of message
//! hold.

use std::ops::Range;

use super::text;
use crate::envelope::{Envelope, Field, JsonType};
use crate::era::Era;
use crate::id::Id;
use crate::kind::Sender;
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
    pub(super) result: Span,
    pub(super) error: Span,
    pub(super) code: Span,
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
            result: Span::of(envelope.result),
            error: Span::of(envelope.error),
            code: Span::of(envelope.code),
        }
    }

    pub(super) fn id(&self) -> Option<Id<'m>> {
        self.id.value(self.message).map(Id::new)
    }

    pub(super) fn method(&self) -> Option<Text<'m>> {
        self.method.value(self.message).map(text)
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

    pub(super) fn value(self, message: &[u8]) -> Option<&[u8]> {
        message.get(self.span()?)
    }
}
