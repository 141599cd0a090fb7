//! What the rules of a revision judge: the message, what it is, and the
//! revisions that it may be of.
//!
//! The era is told here, before any of those rules is asked; nothing of an
//! earlier message is in it.

use super::param_headers::looks_like;
use crate::envelope::{Envelope, Field, JsonType, Sighting};
use crate::json::reader;
use crate::kind::{Kind, Sender};
use crate::method::{Method, RevisionSet};
use crate::policy::{ExtraMethod, Policy};
use crate::revision::Revision;
use crate::summary::Summary;
use crate::text::Text;

/// What the head of an HTTP request says of the revision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HeaderVersion {
    /// The message did not come over HTTP.
    NoHead,
    /// There is no version header. In a session the version is known to both
    /// sides anyway.
    Absent {
        in_session: bool,
    },
    Known(Revision),
    /// No revision that the crate knows, or several.
    Unknown,
}

/// One message, and under what it is judged.
pub(crate) struct Subject<'s, 'm> {
    pub(crate) message: &'m [u8],
    pub(crate) envelope: &'s Envelope,
    pub(crate) kind: Kind,
    pub(crate) from: Sender,
    pub(crate) policy: &'s Policy,
    /// What is kept of the request that it is to answer, or comes beside the
    /// answer of.
    pub(crate) to: Option<&'s Summary>,
    /// What the head says of the revision.
    pub(crate) header: HeaderVersion,
    /// The revision that `_meta` names as it is written, if the crate knows it.
    pub(crate) named: Option<Revision>,
    /// The revisions that it may be of; never empty.
    pub(crate) revisions: RevisionSet,
    /// The method, if it is none of the protocol's but one of the policy's.
    pub(crate) extra: Option<&'static ExtraMethod>,
    /// What the method is called on, if it has such a member at all.
    pub(crate) name: Field,
    /// Of a policy's own method: a member that gives its name again.
    pub(crate) name_repeated: Sighting,
    /// One that looks like its name.
    pub(crate) name_lookalike: Sighting,
}

impl<'s, 'm> Subject<'s, 'm> {
    #[inline]
    pub(crate) fn new(
        message: &'m [u8],
        envelope: &'s Envelope,
        kind: Kind,
        from: Sender,
        policy: &'s Policy,
        header: HeaderVersion,
        to: Option<&'s Summary>,
    ) -> Self {
        let is_extra = envelope.called.is_none() && !policy.methods().is_empty();
        let Called { extra, name, repeated, lookalike } = if is_extra {
            Called::by_policy(message, envelope, policy)
        } else {
            Called::by_protocol(envelope)
        };
        let version = reader::text(message, envelope.meta.protocol_version);
        let named = version.and_then(|version| Revision::from_bytes(version.raw()));
        let revisions = match (kind, to) {
            (_, Some(to)) => to.revisions(),
            (Kind::Request, _) => {
                let of_method = sent_by(envelope.called, extra, from);
                of_request(envelope, of_method.unwrap_or(RevisionSet::EMPTY), policy, header)
            }
            _ => of_other(envelope, kind, policy, header),
        };
        Self {
            message,
            envelope,
            kind,
            from,
            policy,
            to,
            header,
            named,
            revisions,
            extra,
            name,
            name_repeated: repeated,
            name_lookalike: lookalike,
        }
    }

    /// Whether it is of a modern revision, whichever it is of.
    #[inline]
    pub(crate) fn is_modern(&self) -> bool {
        self.revisions.without_all(RevisionSet::MODERN).is_empty()
    }

    /// Whether it is of a legacy revision, whichever it is of.
    #[inline]
    pub(crate) fn is_legacy(&self) -> bool {
        self.revisions.intersection(RevisionSet::MODERN).is_empty()
    }

    /// Whether it is a request of a modern revision.
    #[inline]
    pub(crate) fn is_modern_request(&self) -> bool {
        self.kind == Kind::Request && self.is_modern()
    }

    /// The method as it is written.
    #[inline]
    pub(crate) fn method(&self) -> Option<Text<'m>> {
        reader::text(self.message, self.envelope.method)
    }

    /// Whether the method is a request's or a notification's, if it is known.
    #[inline]
    pub(crate) fn kind_of_method(&self) -> Option<Kind> {
        let known = self.envelope.called.map(Method::kind);
        known.or_else(|| self.extra.map(ExtraMethod::kind))
    }

    /// The member of `params` that the header `Mcp-Name` mirrors.
    #[inline]
    pub(crate) fn name_source(&self) -> Option<&'static str> {
        match self.envelope.called {
            Some(method) => method.name_source(),
            None => self.extra.and_then(ExtraMethod::name_source),
        }
    }

    /// The revisions in which `sender` may send the method, if it is known.
    #[inline]
    pub(crate) fn sent_by(&self, sender: Sender) -> Option<RevisionSet> {
        sent_by(self.envelope.called, self.extra, sender)
    }

    /// The version that the request asks for, a string: its own, or that of an
    /// `initialize`.
    pub(crate) fn requested_version(&self) -> Field {
        if self.envelope.called == Some(Method::Initialize) && self.is_legacy() {
            let named = reader::params(self.message, self.envelope)
                .filter(|member| member.name == *"protocolVersion")
                .last();
            return named.map(|member| member.value).unwrap_or_default();
        }
        self.envelope.meta.protocol_version
    }

    /// Whether `field` is present and no string.
    #[inline]
    pub(crate) fn is_no_string(field: Field) -> bool {
        field.is_present() && field.json != JsonType::String
    }
}

/// The revisions in which `sender` may send a method, if it is known.
#[inline]
fn sent_by(
    called: Option<Method>,
    extra: Option<&ExtraMethod>,
    sender: Sender,
) -> Option<RevisionSet> {
    let of_extra = |extra: &ExtraMethod| {
        if extra.sender() == sender { extra.revisions() } else { RevisionSet::EMPTY }
    };
    let known = called.map(|method| method.sent_by(sender));
    known.or_else(|| extra.map(of_extra))
}

/// Whether `_meta` holds any key that only a modern request has.
#[inline]
fn is_marked(envelope: &Envelope) -> bool {
    let meta = &envelope.meta;
    meta.protocol_version.is_present()
        || meta.client_capabilities.is_present()
        || meta.client_info.is_present()
}

/// What a request may be of, whose method its sender may send in `of_method`; in
/// the order that [`Era`](crate::era::Era) tells.
#[inline]
fn of_request(
    envelope: &Envelope,
    of_method: RevisionSet,
    policy: &Policy,
    header: HeaderVersion,
) -> RevisionSet {
    let is_modern_method =
        !of_method.is_empty() && of_method.without_all(RevisionSet::MODERN).is_empty();
    let is_modern_header = matches!(header, HeaderVersion::Known(revision) if revision.is_modern());
    if is_marked(envelope) || is_modern_header || is_modern_method {
        return RevisionSet::MODERN;
    }
    let legacy = policy.revisions().intersection(RevisionSet::LEGACY);
    let is_initialize = envelope.called == Some(Method::Initialize);
    match (legacy.is_empty(), is_initialize, header) {
        (true, true, _) => RevisionSet::LEGACY,
        (true, false, _) => RevisionSet::MODERN,
        (_, false, HeaderVersion::Known(revision)) => RevisionSet::only(revision),
        (_, false, HeaderVersion::Absent { in_session: false }) => without_header(legacy),
        _ => legacy,
    }
}

/// What any other message may be of: what the header says, else what a
/// notification itself says, within what is served.
#[inline]
fn of_other(
    envelope: &Envelope,
    kind: Kind,
    policy: &Policy,
    header: HeaderVersion,
) -> RevisionSet {
    let served = policy.revisions();
    let modern = served.intersection(RevisionSet::MODERN);
    match header {
        HeaderVersion::Known(revision) => RevisionSet::only(revision),
        _ if kind == Kind::Notification && is_marked(envelope) && !modern.is_empty() => modern,
        _ => served,
    }
}

/// What a method is called on, and how sure that is.
struct Called {
    extra: Option<&'static ExtraMethod>,
    name: Field,
    repeated: Sighting,
    lookalike: Sighting,
}

impl Called {
    #[inline]
    fn by_protocol(envelope: &Envelope) -> Self {
        let (repeated, lookalike) = (Sighting::default(), Sighting::default());
        Self { extra: None, name: envelope.name, repeated, lookalike }
    }

    #[cold]
    fn by_policy(message: &[u8], envelope: &Envelope, policy: &Policy) -> Self {
        let method = reader::text(message, envelope.method);
        let is_it = |extra: &&ExtraMethod| method.is_some_and(|method| method == *extra.name());
        let extra = policy.methods().iter().find(is_it);
        let mut called = Self { extra, ..Self::by_protocol(envelope) };
        let Some(source) = extra.and_then(ExtraMethod::name_source) else { return called };
        // The lanes watch the names of the protocol's own methods.
        for member in reader::params(message, envelope) {
            if member.name == *source {
                if called.name.is_present() {
                    called.repeated.note(member.offset);
                }
                called.name = member.value;
            } else if looks_like(member.name, source) {
                called.lookalike.note(member.offset);
            }
        }
        called
    }
}

/// The legacy revisions of those served that a message without a version header
/// and without a session may be of: the header came with 2025-06-18, and before
/// it a message is read as 2025-03-26 or older ([Protocol Version Header]).
///
/// [Protocol Version Header]: https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#protocol-version-header
fn without_header(legacy: RevisionSet) -> RevisionSet {
    let old = RevisionSet::only(Revision::V2024_11_05).with(Revision::V2025_03_26);
    let old = legacy.intersection(old);
    if old.is_empty() { legacy } else { old }
}
